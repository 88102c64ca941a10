"""Upper bounds on what a state can still be worth."""
