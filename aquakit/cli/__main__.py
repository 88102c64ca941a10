"""Runs the command line as `python -m aquakit.cli`."""

from aquakit.cli.main import main

main()
