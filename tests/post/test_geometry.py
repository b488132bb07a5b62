"""Interpolation, projections, rivers and boundaries against what is known of a synthetic planet."""
import os
import tempfile
import unittest

import numpy as np
import synthetic_run

from craton_post import boundaries, projection, rivers
from craton_post.mesh import Mesh, Sampler, to_vectors
from craton_post.run import Run


def sphere_points(count):
    k = np.arange(count) + 0.5
    return to_vectors(k * 222.4922, np.degrees(np.arcsin(1 - 2 * k / count)))


class Geometry(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        path = os.path.join(cls.folder.name, "run")
        cls.receiver = synthetic_run.make(path)
        run = Run(path)
        cls.snapshot = run.snapshots()[0]
        cls.mesh = run.mesh(cls.snapshot)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_the_triangles_cover_the_sphere_once(self):
        corners = self.mesh.centres[self.mesh.triangles()]
        self.assertEqual(len(corners), 2 * self.mesh.count - 4)
        a, b, c = corners[:, 0], corners[:, 1], corners[:, 2]
        volume = np.einsum("ij,ij->i", a, np.cross(b, c))
        below = 1 + np.einsum("ij,ij->i", a, b) + np.einsum("ij,ij->i", b, c) + np.einsum("ij,ij->i", c, a)
        self.assertTrue((volume > 0).all())
        self.assertAlmostEqual(2 * np.arctan2(volume, below).sum(), 4 * np.pi, places=9)

    def test_weights_give_the_point_back(self):
        points = sphere_points(5000)
        sampler = Sampler(self.mesh, points)
        self.assertTrue((sampler.weights >= 0).all())
        back = sampler.linear(self.mesh.centres[:, 0]), sampler.linear(self.mesh.centres[:, 1])
        scale = np.linalg.norm(sum(sampler.weights[:, k, None] * self.mesh.centres[sampler.corners[:, k]]
                                   for k in range(3)), axis=1)
        np.testing.assert_allclose(back[0] / scale, points[:, 0], atol=1e-6)
        np.testing.assert_allclose(back[1] / scale, points[:, 1], atol=1e-6)

    def test_smooth_interpolation_is_of_higher_order_than_linear(self):
        def errors(frequency):
            p = synthetic_run.geodesic_points(frequency)
            mesh = Mesh(*synthetic_run.lon_lat(p), np.ones(len(p)), synthetic_run.neighbour_table(p), 1.0, frequency)
            values = np.sin(3 * mesh.centres[:, 0]) * mesh.centres[:, 2]
            points = sphere_points(3000)
            exact = np.sin(3 * points[:, 0]) * points[:, 2]
            sampler = Sampler(mesh, points)
            smooth = sampler.smooth(values, mesh.gradients(values))
            return [np.sqrt(np.mean((v - exact) ** 2)) for v in (sampler.linear(values), smooth)]
        coarse, fine = errors(6), errors(12)
        self.assertLess(fine[1], 0.5 * fine[0])
        self.assertGreater(coarse[0] / fine[0], 3.5)
        self.assertGreater(coarse[1] / fine[1], 4.0)

    def test_a_cliff_makes_no_islands(self):
        height = np.where(self.mesh.centres[:, 0] > 0, -10.0, -4000.0)
        values = Sampler(self.mesh, sphere_points(4000)).smooth(height, self.mesh.gradients(height))
        self.assertLessEqual(values.max(), -10.0)
        self.assertGreaterEqual(values.min(), -4000.0)

    def test_projections_are_undone_by_their_inverse(self):
        points = sphere_points(2000)
        for made in (projection.Equirectangular(30), projection.Mollweide(-75), projection.Orthographic(40, 25)):
            with self.subTest(projection=made.name):
                x, y = made.forward(points)
                back, inside = made.inverse(x * (1 - 1e-12), y * (1 - 1e-12))
                self.assertGreater(inside.mean(), 0.99)
                np.testing.assert_allclose(back[inside], points[inside], atol=2e-5)

    def test_mollweide_keeps_areas(self):
        made = projection.Mollweide()
        p, inside = made.inverse(*np.meshgrid(*made.grid(1200)))
        self.assertAlmostEqual((p[inside][:, 2] > 0.5).mean(), 0.25, places=3)

    def test_receivers_are_found_from_drainage_areas(self):
        height = self.snapshot.read("height_above_sea_m")
        found = rivers.receivers(self.mesh, self.snapshot.read("drainage_area_m2"), height)
        known = self.receiver >= 0
        self.assertGreater(known.sum(), 50)
        self.assertEqual(np.count_nonzero(found[known] != self.receiver[known]), 0)
        self.assertTrue((found[~known] == -1).all())

    def test_river_curves_run_from_donor_to_receiver(self):
        discharge = self.snapshot.read("discharge_m3_per_yr").astype(float)
        curves, flow = rivers.courses(self.mesh, self.receiver, discharge, 0.0)
        self.assertEqual(len(curves), len(flow))
        self.assertLess(np.linalg.norm(np.diff(curves, axis=1), axis=2).max(), self.mesh.spacing_m / self.mesh.radius_m)
        drains = self.receiver >= 0
        mouths = self.receiver[drains & ~drains[self.receiver]]
        self.assertGreater(len(mouths), 0)
        self.assertLess(np.linalg.norm(curves[:, -1] - self.mesh.centres[mouths[0]], axis=1).min(),
                        0.6 * 1.3 * self.mesh.spacing_m / self.mesh.radius_m)

    def test_boundaries_close_and_lie_between_the_plates(self):
        ends, kinds, side = boundaries.segments(self.mesh, self.snapshot.read("plate"),
                                                self.snapshot.read("boundary_kind"))
        nodes, times = np.unique(ends.reshape(-1, 3).round(9), axis=0, return_counts=True)
        self.assertTrue((times == 2).all(), "every node joins two segments of the one ring")
        self.assertLess(np.abs(nodes[:, 0] - 0.2).max(), 0.15)
        middle = ends.mean(axis=1)
        self.assertTrue((kinds[middle[:, 2] > 0.15] == boundaries.DIVERGENT).all())
        self.assertTrue((kinds[middle[:, 2] < -0.15] == boundaries.OVERRIDING).all())
        over = np.linalg.norm(side, axis=1) > 0
        self.assertTrue((side[over & (middle[:, 2] < -0.15), 0] > 0).all(), "plate 1, at greater x, rides over")

    def test_teeth_point_to_the_plate_that_rides_over(self):
        ends, _, side = boundaries.segments(self.mesh, self.snapshot.read("plate"), self.snapshot.read("boundary_kind"))
        at, along, toward = boundaries.teeth(ends, side, 0.2)
        self.assertGreater(len(at), 5)
        self.assertTrue((toward[at[:, 2] < -0.2, 0] > 0).all())
        np.testing.assert_allclose(np.einsum("ij,ij->i", along, toward), 0, atol=1e-9)


if __name__ == "__main__":
    unittest.main()
