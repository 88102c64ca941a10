"""What a game is to the kit: positions, games by name, layouts, texts, records, and the checks that all share."""
