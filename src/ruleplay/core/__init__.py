"""The compiled core: arrays in, arrays out, nothing but numpy and numba."""
