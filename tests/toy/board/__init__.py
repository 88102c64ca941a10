"""What boards show and offer."""
