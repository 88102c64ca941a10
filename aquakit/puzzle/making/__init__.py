"""What makes puzzles good: where they come from, that none is like another, their texts, and proofs done again."""
