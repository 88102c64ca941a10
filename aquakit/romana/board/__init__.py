"""What boards show, offer and tell in Aqua Romana."""
