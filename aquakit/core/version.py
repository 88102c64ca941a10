"""The kit's version, as installed."""

from importlib.metadata import PackageNotFoundError, version

try:
    VERSION = version("aquakit")
except PackageNotFoundError:  # a source tree that is not installed
    VERSION = "0+unknown"
