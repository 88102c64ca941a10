"""Where the next canals should go."""
