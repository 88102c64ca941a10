"""The most points in some turns alone: the question, both methods side by side, the answer."""
