"""Games without code: a form says which, against whom, and the board is there."""
