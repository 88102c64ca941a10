"""One source, two speeds: kernels as plain Python and compiled, and what every kernel can be asked."""
