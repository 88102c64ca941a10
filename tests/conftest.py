"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("aquakit", deadline=None)
settings.load_profile("aquakit")
