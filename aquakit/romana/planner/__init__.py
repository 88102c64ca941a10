"""Plans for Aqua Romana, proved: tile sequences, closure timing, the longest aqueduct."""
