"""The river network, found from drainage areas.

A cell's drainage area is its own area and those of its donors. Snapshots hold no receivers, so the donors of a cell are
the set of neighbours, one of at most 64, whose areas make up the difference. Where two sets fit, as cells that mirror
each other have equal areas, the one whose cells lose least by not draining to their lowest neighbour is taken. Cells
without a set that fits drain nowhere: the sea rose over them after the rivers were routed.
"""
import numpy as np

RELATIVE_ERROR = 3e-7  # a few roundings of single precision
CHUNK = 1 << 16


def receivers(mesh, drainage_area_m2, height):
    """Cell that each cell above the sea drains to, -1 where none is found."""
    area = np.asarray(drainage_area_m2, dtype=float)
    land = height >= 0
    lowest = height[mesh.neighbours].min(axis=1)
    receiver = np.full(mesh.count, -1, dtype=np.int64)
    loss_of = np.full(mesh.count, np.inf)
    fed = np.flatnonzero(area > mesh.area_m2 * 1.01)
    for start in range(0, len(fed), CHUNK):
        cells = fed[start:start + CHUNK]
        around = mesh.neighbours[cells]
        can_give = land[around] & (around != cells[:, None]) & (area[around] < area[cells, None])
        loss = height[cells, None] - lowest[around]
        fits, chosen = _best_sets(np.where(can_give, area[around], np.inf), loss,
                                  area[cells] - mesh.area_m2[cells], RELATIVE_ERROR * area[cells])
        for slot in range(6):
            takes = fits & ((chosen >> slot) & 1 == 1)
            donor, offered = around[takes, slot], loss[takes, slot]
            better = offered < loss_of[donor]
            receiver[donor[better]] = cells[takes][better]
            loss_of[donor[better]] = offered[better]
    return receiver


def _best_sets(gives, loss, wanted, tolerance):
    """For each row the set of columns, as bits, that sums to what is wanted at the least loss; whether there is one."""
    best = np.full(len(wanted), np.inf)
    chosen = np.zeros(len(wanted), dtype=np.int64)
    for bits in range(1, 64):
        columns = [slot for slot in range(6) if bits >> slot & 1]
        total = loss[:, columns].sum(axis=1)
        better = (np.abs(gives[:, columns].sum(axis=1) - wanted) <= tolerance) & (total < best)
        best[better], chosen[better] = total[better], bits
    return np.isfinite(best), chosen


def courses(mesh, receiver, discharge, weakest, points=5):
    """Curves [rivers, points, 3] on the sphere and the discharge of each.

    Through every cell that drains on there is one curve for each donor, from the middle of the way from the donor to
    the middle of the way to the receiver, and one that starts at the cell where it has no donor drawn.
    """
    drawn = (receiver >= 0) & (discharge >= weakest)
    donor = np.flatnonzero(drawn & drawn[receiver])
    middle = receiver[donor]
    has_donor = np.zeros(mesh.count, dtype=bool)
    has_donor[middle] = True
    source = np.flatnonzero(drawn & ~has_donor)
    x = mesh.centres
    through = _bezier((x[donor] + x[middle]) / 2, x[middle], (x[middle] + x[receiver[middle]]) / 2, points)
    ends = (x[source] + x[receiver[source]]) / 2
    springs = _bezier(x[source], (x[source] + ends) / 2, ends, points)
    curves = np.concatenate([through, springs])
    return curves / np.linalg.norm(curves, axis=2, keepdims=True), np.concatenate([discharge[donor], discharge[source]])


def _bezier(a, b, c, points):
    t = np.linspace(0, 1, points)[None, :, None]
    return (1 - t) ** 2 * a[:, None] + 2 * t * (1 - t) * b[:, None] + t ** 2 * c[:, None]
