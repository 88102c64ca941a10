"""Searches that know no game: a tree grown by playouts, alpha-beta, one action ahead."""
