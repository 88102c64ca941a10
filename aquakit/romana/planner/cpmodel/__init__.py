"""The constraint model of plans, and how it is solved."""
