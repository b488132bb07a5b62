// Snapshots: one file of the same bytes on any rank count, polygons that close the sphere, a series that viewers open.
#include "io/snapshot.hpp"

#include <hdf5.h>

#include <cmath>
#include <filesystem>
#include <set>

#include "core/constants.hpp"
#include "io/compare.hpp"
#include "io/run_directory.hpp"
#include "state/fields.hpp"
#include "world.hpp"

namespace craton::io {
namespace {

namespace fs = std::filesystem;
using test::fill;
using test::on_first;
using test::Scratch;
using test::World;

template <class T>
std::vector<T> load(const std::string& file, const std::string& path, hid_t type) {
  const hid_t h5 = H5Fopen(file.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT), d = H5Dopen2(h5, path.c_str(), H5P_DEFAULT);
  EXPECT_GE(d, 0) << path;
  const hid_t space = H5Dget_space(d);
  std::vector<T> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  H5Dread(d, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data());
  H5Sclose(space);
  H5Dclose(d);
  H5Fclose(h5);
  return values;
}
std::vector<std::int64_t> integers(const std::string& file, const std::string& path) {
  return load<std::int64_t>(file, path, H5T_NATIVE_INT64);
}

SnapshotOptions small_pieces() {
  SnapshotOptions o;
  o.piece_cells = 100;  // six pieces of the 642 cells
  o.transfer_bytes = 4000;
  return o;
}

TEST(Snapshot, HasTheSameBytesOnAnyRankCount) {
  const par::Comm all = test::world();
  const Scratch scratch(all);
  std::vector<std::string> runs;
  for (int ranks = 1; ranks <= all.size(); ++ranks) {
    for (const std::uint64_t variant : {1, 3}) {
      runs.push_back(scratch.run() + std::to_string(ranks) + std::to_string(variant));
      on_first(all, ranks, [&](const par::Comm& comm) {
        World w(comm, 8, test::uneven_cut(variant));
        fill(w.state, 3);
        SnapshotWriter(w.state, runs.back(), small_pieces()).write(w.state);
      });
    }
  }
  if (!all.is_root()) return;
  std::string mesh;
  for (const auto& entry : fs::directory_iterator(runs[0] + "/output/mesh"))
    mesh = "/output/mesh/" + entry.path().filename().string();
  for (const std::string& run : runs) {
    for (const auto& [file, group] : {std::pair<std::string, std::string>{mesh, "geometry"},
                                      {mesh, "cells"},
                                      {"/output/snapshots/snap-00003.hdf", "VTKHDF/CellData"},
                                      {"/output/climate/climate-00003.h5", "fields"}}) {
      const auto names = datasets_in(runs[0] + file, group);
      EXPECT_FALSE(names.empty());
      for (const Difference& d : compare_files(runs[0] + file, names, run + file, datasets_in(run + file, group))) {
        EXPECT_TRUE(d.equal) << run << file << " " << d.path << " " << d.note;
      }
    }
  }
}

TEST(Snapshot, PolygonsCloseTheSphereAndSharePointsInsideAPiece) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  World w(comm, 8, test::uneven_cut(3));
  fill(w.state, 0);
  const std::string file = SnapshotWriter(w.state, scratch.run(), small_pieces()).write(w.state);
  if (!comm.is_root()) return;
  // Through the links of the snapshot, as a viewer reads them.
  const auto points = load<float>(file, "VTKHDF/Points", H5T_NATIVE_FLOAT);
  const auto corners = integers(file, "VTKHDF/Connectivity"), offsets = integers(file, "VTKHDF/Offsets");
  const auto piece_points = integers(file, "VTKHDF/NumberOfPoints"),
             piece_cells = integers(file, "VTKHDF/NumberOfCells");
  const auto piece_corners = integers(file, "VTKHDF/NumberOfConnectivityIds");
  const auto areas = load<float>(scratch.run() + "/output/mesh/" +
                                     fs::directory_iterator(scratch.run() + "/output/mesh")->path().filename().string(),
                                 "cells/area_m2", H5T_NATIVE_FLOAT);
  ASSERT_EQ(piece_cells.size(), 6U);
  EXPECT_EQ(integers(file, "VTKHDF/Types"), std::vector<std::int64_t>(642, 7));
  std::size_t point_at = 0, corner_at = 0, offset_at = 0, cell = 0;
  double total = 0;
  for (std::size_t p = 0; p < piece_cells.size(); ++p) {
    std::set<std::int64_t> used;
    std::set<std::array<float, 3>> places;
    for (std::int64_t k = 0; k < piece_cells[p]; ++k, ++cell) {
      const std::int64_t from = offsets[offset_at + static_cast<std::size_t>(k)];
      const std::int64_t to = offsets[offset_at + static_cast<std::size_t>(k) + 1];
      EXPECT_TRUE(to - from == 5 || to - from == 6);
      std::vector<Vec3> polygon;
      for (std::int64_t c = from; c < to; ++c) {
        const std::int64_t id = corners[corner_at + static_cast<std::size_t>(c)];
        ASSERT_GE(id, 0);
        ASSERT_LT(id, piece_points[p]);
        used.insert(id);
        const float* x = &points[3 * (point_at + static_cast<std::size_t>(id))];
        places.insert({x[0], x[1], x[2]});
        polygon.push_back(Vec3{x[0], x[1], x[2]});
      }
      Vec3 area;  // of the flat polygon, and its outward side
      for (std::size_t s = 0; s < polygon.size(); ++s)
        area = area + 0.5 * cross(polygon[s], polygon[(s + 1) % polygon.size()]);
      EXPECT_GT(dot(area, polygon[0]), 0);
      EXPECT_NEAR(norm(area) * 1e6 / areas[cell], 1.0, 0.02) << cell;
      total += norm(area);
    }
    EXPECT_EQ(offsets[offset_at], 0);
    EXPECT_EQ(offsets[offset_at + static_cast<std::size_t>(piece_cells[p])], piece_corners[p]);
    EXPECT_EQ(static_cast<std::int64_t>(used.size()), piece_points[p]);  // no point unused
    EXPECT_EQ(places.size(), used.size());                               // no place twice
    point_at += static_cast<std::size_t>(piece_points[p]);
    corner_at += static_cast<std::size_t>(piece_corners[p]);
    offset_at += static_cast<std::size_t>(piece_cells[p]) + 1;
  }
  EXPECT_EQ(3 * point_at, points.size());
  EXPECT_EQ(cell, 642U);
  EXPECT_NEAR(total / (4 * constants::pi * 6371.0 * 6371.0), 1.0, 0.02);
}

TEST(Snapshot, ValuesLieAtTheirCells) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  World w(comm, 8, test::uneven_cut(2));
  fill(w.state, 1);
  const std::string file = SnapshotWriter(w.state, scratch.run()).write(w.state);
  if (!comm.is_root()) return;
  const auto elevation = load<float>(file, "VTKHDF/CellData/elevation_m", H5T_NATIVE_FLOAT);
  const auto plate = integers(file, "VTKHDF/CellData/plate");
  ASSERT_EQ(elevation.size(), 642U);
  for (std::int64_t id = 0; id < 642; ++id) {
    const auto k = static_cast<std::size_t>(id);
    EXPECT_EQ(elevation[k],
              static_cast<float>(test::value_of(1, static_cast<std::uint64_t>(fields::elevation_m.id), id * 16)));
    EXPECT_EQ(plate[k],
              static_cast<std::int32_t>(test::value_of(1, static_cast<std::uint64_t>(fields::plate.id), id * 16)));
  }
  EXPECT_EQ(load<float>(file, "VTKHDF/CellData/plate_velocity", H5T_NATIVE_FLOAT).size(), 3U * 642U);
  const auto air =
      load<float>(scratch.run() + "/output/climate/climate-00001.h5", "fields/air_temperature_c", H5T_NATIVE_FLOAT);
  EXPECT_EQ(air.size(), 162U * 12U);
}

TEST(Snapshot, SeriesListsEachTimeOnceAndIsCutBackOnResume) {
  const par::Comm comm = test::world();
  const Scratch scratch(comm);
  World w(comm, 4, test::usual_cut);
  std::string series;
  const auto write_steps = [&](std::int64_t from, std::int64_t to) {
    fill(w.state, from);
    SnapshotWriter writer(w.state, scratch.run());
    for (std::int64_t step = from; step <= to; ++step) {
      fill(w.state, step);
      writer.write(w.state);
    }
    series = writer.series_path();
  };
  write_steps(0, 4);
  const std::string whole = comm.is_root() ? read_text(series) : "";
  write_steps(2, 3);  // resumed from step 2
  if (comm.is_root()) {
    const std::string text = read_text(series);
    EXPECT_EQ(text.find("snap-00004"), std::string::npos);
    EXPECT_NE(text.find("snap-00003"), std::string::npos);
    EXPECT_EQ(text.find("snap-00002"), text.rfind("snap-00002"));
  }
  comm.barrier();
  write_steps(4, 4);
  if (comm.is_root()) {
    EXPECT_EQ(read_text(series), whole);
  }
}

}  // namespace
}  // namespace craton::io
