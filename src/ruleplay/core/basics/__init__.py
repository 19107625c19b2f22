"""What kernels are made of: random numbers, bits, copies, weights."""
