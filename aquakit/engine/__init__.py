"""The engine: search, exact solving, analysis, bots and matches. It knows no game, only the kernels' protocol."""
