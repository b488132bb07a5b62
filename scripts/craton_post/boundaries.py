"""Plate boundaries as lines.

In a triangle of cell centres with two plates the boundary joins the middles of the two edges between them; with three
plates it runs from its centre to the middles of all. That is where Sampler.label changes, so lines and colours agree.
"""
import numpy as np
from scipy.spatial import cKDTree

INTERIOR, DIVERGENT, TRANSFORM, OVERRIDING, SINKING, COLLISION, OCEANIC = range(7)


def segments(mesh, plate, kind):
    """Ends [segments, 2, 3] on the unit sphere, kind of boundary, and over-riding side (unit vector, 0 where none)."""
    corners = mesh.triangles()
    labels = plate[corners]
    different = np.stack([labels[:, k] != labels[:, (k + 1) % 3] for k in range(3)], axis=1)
    two, three = different.sum(axis=1) == 2, different.sum(axis=1) == 3
    parts = [_in_triangle(mesh, corners[two], different[two], None)]
    for k in range(3):
        only = np.zeros((int(three.sum()), 3), dtype=bool)
        only[:, k] = True
        parts.append(_in_triangle(mesh, corners[three], only, mesh.centres[corners[three]].mean(axis=1)))
    ends = np.concatenate([part[0] for part in parts])
    cells = np.concatenate([part[1] for part in parts])
    ends = _smoothed(ends / np.linalg.norm(ends, axis=2, keepdims=True))
    kinds = _kind_of(kind[cells])
    over = np.where(kind[cells] == OVERRIDING, 1.0, 0.0) - np.where(kind[cells] == SINKING, 1.0, 0.0)
    side = np.einsum("ij,ijk->ik", over, mesh.centres[cells] - ends.mean(axis=1)[:, None])
    side[kinds != OVERRIDING] = 0
    return ends, kinds, side


def _in_triangle(mesh, corners, cut, centre):
    """Segments between the middles of the two cut edges, or from the centre to the middle of the one."""
    middles = [(mesh.centres[corners[:, k]] + mesh.centres[corners[:, (k + 1) % 3]]) / 2 for k in range(3)]
    middles = np.stack(middles, axis=1)
    rows = np.arange(len(corners))
    first = cut.argmax(axis=1)
    if centre is None:
        last = 2 - cut[:, ::-1].argmax(axis=1)
        return np.stack([middles[rows, first], middles[rows, last]], axis=1), corners
    pair = np.stack([corners[rows, first], corners[rows, (first + 1) % 3], corners[rows, first]], axis=1)
    return np.stack([centre, middles[rows, first]], axis=1), pair


def _smoothed(ends, rounds=2):
    """The same lines without the zigzag of the cells; where lines meet or end, and rings of one cell, stay."""
    nodes, number = np.unique(ends.reshape(-1, 3).round(9), axis=0, return_inverse=True)
    number = number.reshape(-1, 2)
    degree = np.bincount(number.ravel(), minlength=len(nodes))
    for _ in range(rounds):
        total = np.zeros_like(nodes)
        np.add.at(total, number[:, 0], nodes[number[:, 1]])
        np.add.at(total, number[:, 1], nodes[number[:, 0]])
        nodes = np.where((degree == 2)[:, None], 0.5 * nodes + 0.25 * total, nodes)
    nodes /= np.linalg.norm(nodes, axis=1, keepdims=True)
    return nodes[number]


def _kind_of(kinds):
    """One kind for the cells around a segment: the one that most of them have; subduction is one kind."""
    kinds = np.where(kinds == SINKING, OVERRIDING, kinds)
    best, winner = np.full(len(kinds), -1), np.zeros(len(kinds), dtype=int)
    for candidate in (OVERRIDING, COLLISION, DIVERGENT, OCEANIC, TRANSFORM):
        votes = (kinds == candidate).sum(axis=1)
        better = votes > np.maximum(best, 0)
        best[better], winner[better] = votes[better], candidate
    return winner


def teeth(ends, side, spacing):
    """Middle, direction along the line and direction to the over-riding side of marks about spacing (radians) apart."""
    usable = np.flatnonzero(np.linalg.norm(side, axis=1) > 0)
    if len(usable) == 0:
        return np.zeros((0, 3)), np.zeros((0, 3)), np.zeros((0, 3))
    middle = ends[usable].mean(axis=1)
    close = cKDTree(middle).query_ball_point(middle, spacing)
    taken, kept = np.zeros(len(usable), dtype=bool), []
    for k, others in enumerate(close):
        if not taken[k]:
            kept.append(k)
            taken[others] = True
    kept = np.array(kept)
    # One segment turns from triangle to triangle; the mean over its surroundings shows where the line and the side lie.
    mean_side = np.array([side[usable[close[k]]].mean(axis=0) for k in kept])
    out = middle[kept]
    mean_side -= np.einsum("ij,ij->i", mean_side, out)[:, None] * out
    length = np.linalg.norm(mean_side, axis=1)
    clear = length > 0
    mean_side = mean_side[clear] / length[clear, None]
    return out[clear], np.cross(out[clear], mean_side), mean_side
