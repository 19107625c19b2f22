"""A sum tree: numbers of which one is drawn in proportion to its size.

A tree over L leaves (a power of two) is an array (2, 2 L): row 0 holds sums, row 1 minima.
Node 1 is the root, the children of node i are 2 i and 2 i + 1, leaf k is node L + k. Inner
nodes are always computed from their children, never by differences: the tree follows from
its leaves to the last bit, and rounding errors do not add up.
"""

import numpy as np
from numpy.typing import NDArray

from ruleplay.compiler.jit import inline_kernel, kernel

Tree = NDArray[np.float64]


def allocate_tree(count: int) -> Tree:
    """Return a tree with room for `count` numbers; those that are not set are never drawn."""
    leaves = 1 << (count - 1).bit_length()
    tree = np.zeros((2, 2 * leaves))
    tree[1] = np.inf
    return tree


def leaf_values(tree: Tree) -> Tree:
    """Return the numbers of a tree, as a view."""
    return tree[0, tree.shape[1] // 2 :]


@inline_kernel
def total_of(tree):
    """Return the sum of all numbers."""
    return tree[0, 1]


@inline_kernel
def smallest_of(tree):
    """Return the smallest number that was set."""
    return tree[1, 1]


@inline_kernel
def value_at(tree, k):
    """Return number k."""
    return tree[0, tree.shape[1] // 2 + k]


@kernel
def set_value(tree, k, value):
    """Set number k, which must be positive, and all sums and minima above it."""
    node = tree.shape[1] // 2 + k
    tree[0, node] = value
    tree[1, node] = value
    while node > 1:
        node //= 2
        tree[0, node] = tree[0, 2 * node] + tree[0, 2 * node + 1]
        tree[1, node] = min(tree[1, 2 * node], tree[1, 2 * node + 1])


@kernel
def find_value(tree, mass):
    """Return the first k such that numbers 0 to k add up to more than a mass.

    A mass that rounding has brought to the total or beyond gives the last number there is.
    """
    leaves = tree.shape[1] // 2
    node = 1
    while node < leaves:
        node *= 2
        if mass >= tree[0, node] and tree[0, node + 1] > 0.0:
            mass -= tree[0, node]
            node += 1
    return node - leaves


def fill_tree(tree: Tree, values: Tree) -> None:
    """Let a tree hold these numbers, from 0 on, and no others."""
    leaves = tree.shape[1] // 2
    tree[0], tree[1] = 0.0, np.inf
    tree[:, leaves : leaves + len(values)] = values
    while leaves > 1:
        pairs = tree[:, leaves : 2 * leaves].reshape(2, -1, 2)
        leaves //= 2
        tree[0, leaves : 2 * leaves] = pairs[0, :, 0] + pairs[0, :, 1]
        tree[1, leaves : 2 * leaves] = pairs[1].min(axis=1)
