"""The exact search for plans, on the compiled kernel."""
