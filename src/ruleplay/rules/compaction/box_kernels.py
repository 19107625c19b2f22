"""Kernels of the search for boxes: improve one feature at a time, exactly.

Every feature's values lie in cells, and the cells of all features are numbered one after the
other; `edges[k]` is the first of feature k, and its last one is for missing values, which every box
allows. A box is a truth value per cell. Cells of numbers that a box allows lie side by side; of
categories that have no order, any may be allowed.
"""

from typing import Any

import numpy as np

from ruleplay.compiler.jit import entry, kernel

ROUNDS = 100  # over all features, at most
TINY = 1e-9  # share by which a sum must grow


@kernel
def bounds_between(box: Any, first: Any, end: Any, is_unordered: Any) -> Any:
    """Return how many bounds a box has on a feature: 0 to 2 of numbers.

    Of categories as many as must be named: those allowed, or those that are not.
    """
    if is_unordered:
        count = 0
        for cell in range(first, end):
            count += box[cell]
        return min(count, end - first - count)
    if first == end:
        return 0
    return (0 if box[first] else 1) + (0 if box[end - 1] else 1)


@kernel
def count_bounds(box: Any, edges: Any, unordered: Any) -> Any:
    """Return how many bounds a box has."""
    total = 0
    for k in range(len(unordered)):
        total += bounds_between(box, edges[k], edges[k + 1] - 1, unordered[k])
    return total


@kernel
def count_closed(places: Any, box: Any, closed: Any) -> Any:
    """Write how many features keep each observation out of a box."""
    for i in range(places.shape[0]):
        count = 0
        for k in range(places.shape[1]):
            if not box[places[i, k]]:
                count += 1
        closed[i] = count


@kernel
def sum_cells(task: Any, box: Any, closed: Any, k: Any, sums: Any, seen: Any) -> Any:
    """Write the sum of gains in each cell of a feature where all others let observations in."""
    places, gains, edges = task
    for cell in range(edges[k], edges[k + 1]):
        sums[cell] = 0.0
        seen[cell] = False
    for i in range(places.shape[0]):
        cell = places[i, k]
        if closed[i] == 0 or (closed[i] == 1 and not box[cell]):
            sums[cell] += gains[i]
            seen[cell] = True


@kernel
def propose_run(sums: Any, first: Any, end: Any, cost: Any, proposed: Any) -> Any:
    """Write the run of cells of largest sum, each bound at a cost; return what it is worth."""
    total, lowest, start, best = 0.0, 0.0, first, -np.inf
    left, right = first, first
    for cell in range(first, end):
        total += sums[cell]
        if total - lowest > best:
            best, left, right = total - lowest, start, cell
        if total < lowest:
            lowest, start = total, cell + 1
    best -= cost * ((1 if left > first else 0) + (1 if right < end - 1 else 0))
    if total > best:
        best, left, right = total, first, end - 1
    before = 0.0
    for cell in range(first, end - 1):
        before += sums[cell]
        if before - cost > best:
            best, left, right = before - cost, first, cell
        if total - before - cost > best:
            best, left, right = total - before - cost, cell + 1, end - 1
    for cell in range(first, end):
        proposed[cell] = left <= cell <= right
    return best


@kernel
def propose_set(sums: Any, first: Any, end: Any, cost: Any, proposed: Any) -> Any:
    """Write the cells, one at least, that are worth most together; return what they are worth.

    Those that must be named have a cost each: those allowed, or those that are not.
    """
    best, only, all_but, n_left = first, 0.0, 0.0, 0
    for cell in range(first, end):
        best = cell if sums[cell] > sums[best] else best
        only += max(sums[cell] - cost, 0.0)
        all_but += max(sums[cell], -cost)
        n_left += sums[cell] >= -cost
    only = only if sums[best] > cost else sums[best] - cost
    names_allowed = n_left == 0 or only > all_but
    worth, count = 0.0, 0
    for cell in range(first, end):
        proposed[cell] = cell == best or sums[cell] > cost
        if not names_allowed:
            proposed[cell] = sums[cell] >= -cost
        worth += sums[cell] if proposed[cell] else 0.0
        count += proposed[cell]
    return worth - cost * min(count, end - first - count)


@kernel
def take_over(places: Any, box: Any, closed: Any, k: Any, span: Any, proposed: Any) -> Any:
    """Let a box allow the proposed cells of a feature, in place."""
    for i in range(places.shape[0]):
        cell = places[i, k]
        if cell < span[1]:
            closed[i] += (1 if box[cell] else 0) - (1 if proposed[cell] else 0)
    for cell in range(span[0], span[1]):
        box[cell] = proposed[cell]


@entry
def climb_box(
    places: Any,
    gains: Any,
    edges: Any,
    unordered: Any,
    cost: Any,
    box: Any,
    closed: Any,
    sums: Any,
    flags: Any,
) -> Any:
    """Change a box, in place, until no feature alone improves it; return what it is worth.

    That is the sum of gains inside, less the cost of each bound. `flags` is working space,
    (2, cells).
    """
    count_closed(places, box, closed)
    worth = -cost * count_bounds(box, edges, unordered)
    for i in range(places.shape[0]):
        if closed[i] == 0:
            worth += gains[i]
    for _ in range(ROUNDS):
        before = worth
        for k in range(places.shape[1]):
            first, end = edges[k], edges[k + 1] - 1
            sum_cells((places, gains, edges), box, closed, k, sums, flags[0])
            if unordered[k]:
                value = propose_set(sums, first, end, cost, flags[1])
            else:
                value = propose_run(sums, first, end, cost, flags[1])
            elsewhere = count_bounds(box, edges, unordered)
            elsewhere -= bounds_between(box, first, end, unordered[k])
            value += sums[end] - cost * elsewhere
            if value > worth + TINY * abs(worth):
                take_over(places, box, closed, k, (first, end), flags[1])
                worth = value
        if not worth > before:
            break
    return worth


@entry
def centre_box(
    places: Any,
    gains: Any,
    edges: Any,
    unordered: Any,
    box: Any,
    closed: Any,
    sums: Any,
    flags: Any,
) -> Any:
    """Move each bound of a box, in place, to the middle of the empty cells beside it."""
    count_closed(places, box, closed)
    for k in range(places.shape[1]):
        first, end = edges[k], edges[k + 1] - 1
        if unordered[k] or bounds_between(box, first, end, unordered[k]) == 0:
            continue
        sum_cells((places, gains, edges), box, closed, k, sums, flags[0])
        left, right = run_of(box, first, end)
        left, right = centred(flags[0], first, end, left, right)
        for cell in range(first, end):
            flags[1][cell] = left <= cell <= right
        take_over(places, box, closed, k, (first, end), flags[1])


@entry
def loosen_box(
    places: Any,
    gains: Any,
    edges: Any,
    unordered: Any,
    slack: Any,
    box: Any,
    closed: Any,
    flags: Any,
) -> Any:
    """Open sides of a box, in place, while each costs at most a little; return the sum inside.

    Of numbers the two sides are opened one by one, of categories all at once.
    """
    count_closed(places, box, closed)
    best = 0.0
    for i in range(places.shape[0]):
        if closed[i] == 0:
            best += gains[i]
    wider = flags[0]
    for k in range(places.shape[1]):
        first, end = edges[k], edges[k + 1] - 1
        left, right = run_of(box, first, end)
        for side in range(1 if unordered[k] else 2):
            for cell in range(first, end):
                beyond = unordered[k] or (cell < left if side == 0 else cell > right)
                wider[cell] = box[cell] or beyond
            total = best
            for i in range(places.shape[0]):
                cell = places[i, k]
                if cell < end and closed[i] == 1 and wider[cell] and not box[cell]:
                    total += gains[i]
            if total >= best - slack:
                take_over(places, box, closed, k, (first, end), wider)
                best = total
    return best


@kernel
def run_of(box: Any, first: Any, end: Any) -> Any:
    """Return the first and the last cell of a feature that a box allows."""
    left, right = end, first - 1
    for cell in range(first, end):
        if box[cell]:
            left = min(left, cell)
            right = cell
    return left, right


@kernel
def centred(seen: Any, first: Any, end: Any, left: Any, right: Any) -> Any:
    """Return a run whose bounds lie amid the cells where nothing was seen; open if all are."""
    least, most = left, right  # cells that must stay
    while least < most and not seen[least]:
        least += 1
    while least < most and not seen[most]:
        most -= 1
    if not seen[least]:
        return left, right
    before, after = least, most  # cells that may come
    while before > first and not seen[before - 1]:
        before -= 1
    while after < end - 1 and not seen[after + 1]:
        after += 1
    left = (before + least) // 2 if before > first else first
    right = (after + most + 1) // 2 if after < end - 1 else end - 1
    return left, right
