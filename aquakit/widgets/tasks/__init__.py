"""What stands beside a board that asks something: puzzles and exercises, their answers, lines and scores."""
