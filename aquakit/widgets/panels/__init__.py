"""What stands beside an explorer's board: each panel is given the board and knows no other panel."""
