"""Lets other people's software play the kit's games; each module here needs the package that it is named after."""

from aquakit.errors import AquakitError


class MissingPackage(AquakitError, ImportError):
    """A package that only one part of the kit needs is not installed; `expected` says how to get it."""
