"""What the planners of all games share: CP-SAT, and questions and answers as data."""
