"""Array copies for kernels that allocate nothing."""

from ruleplay.compiler.jit import inline_kernel


@inline_kernel
def copy_values(source, target):
    """Write the values of one vector into another."""
    for k in range(target.shape[0]):
        target[k] = source[k]
