"""Lets other people's software play the kit's games; each module here needs the package that it is named after."""
