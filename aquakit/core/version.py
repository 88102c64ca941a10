"""The kit's version, which its package has from here."""

VERSION = "0.1.0"
