"""How long an aqueduct can still get."""
