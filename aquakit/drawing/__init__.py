"""What the pictures of all games share: SVG, frames of boards, cards, boards in plain text."""
