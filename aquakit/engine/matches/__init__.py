"""Bots against each other: games, results, standings."""
