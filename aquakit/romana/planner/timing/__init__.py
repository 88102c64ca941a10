"""When to close which aqueduct."""
