"""What boards show, offer and tell in Aquädukt."""
