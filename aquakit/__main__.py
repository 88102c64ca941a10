"""Runs the command line as `python -m aquakit`."""

from aquakit.cli.__main__ import main

main()
