"""The built-in layouts of Aquädukt on which puzzles are made."""

LAYOUTS = ("aquadukt2-6x5", "aquadukt2", "aquadukt3", "aquadukt4")
