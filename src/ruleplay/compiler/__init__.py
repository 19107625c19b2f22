"""How kernels are compiled: once, linked once, kept on disk, handed over by one address."""
