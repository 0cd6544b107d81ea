"""Compare two traces: the distance of each tensor from the expected one."""

import numpy

TOLERANCE = 1e-5
MISS = float("inf")

# Steps that a model may lack; then a trace must not contain them.
OPTIONAL_STEPS = ("embedding_scaled", "position", "scaled", "masked")


def infinite_cells(array):
    return numpy.where(numpy.isfinite(array), 0, array)


def clash(found, wanted):
    """The reason why two tensors cannot be compared; empty if they can."""
    if found.dtype.kind != wanted.dtype.kind:
        return f"is {found.dtype}, expected {wanted.dtype}"
    if found.shape != wanted.shape:
        return f"is {list(found.shape)}, expected {list(wanted.shape)}"
    if numpy.isnan(found).any():
        return "has cells that are not a number"
    if not numpy.array_equal(infinite_cells(found), infinite_cells(wanted)):
        return "is infinite in other cells"
    return ""


def distance(found, wanted):
    """||found - expected|| / ||expected||, or infinity if they cannot be compared. Cells with a
    mask of -1e4 and below are measured separately, because the others would be too small to count
    next to them."""
    if clash(found, wanted):
        return MISS
    finite = numpy.isfinite(wanted)
    hidden = finite & (wanted < -5000)
    worst = 0.0
    for cells in (finite & ~hidden, hidden):
        length = numpy.linalg.norm(wanted[cells].astype(numpy.float64))
        gap = numpy.linalg.norm(found[cells].astype(numpy.float64) - wanted[cells])
        worst = max(worst, gap / length if length > 0 else gap)
    return worst


def compare(found, wanted):
    """A list of (distance, address, remark), the largest distance first."""
    results = []
    for address, array in wanted.items():
        if address in found:
            other = found[address]
            results.append((distance(other, array), address, clash(other, array)))
        else:
            results.append((MISS, address, "is missing"))
    for address in set(found) - set(wanted):
        if address.split(".")[-1] in OPTIONAL_STEPS:
            results.append((MISS, address, "is a step that this model has not"))
    return sorted(results, key=lambda result: (-result[0], result[1]))
