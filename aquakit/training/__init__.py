"""What puzzles and exercises share: attempts, what came of them, ratings and repetition."""
