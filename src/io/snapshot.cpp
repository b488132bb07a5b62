#include "io/snapshot.hpp"

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "core/constants.hpp"
#include "core/error.hpp"
#include "core/log.hpp"
#include "io/atomic_file.hpp"
#include "io/crc32c.hpp"
#include "io/hdf5_file.hpp"
#include "io/run_directory.hpp"
#include "io/voronoi.hpp"
#include "state/fields.hpp"
#include "state/state_hash.hpp"

namespace craton::io {

namespace fs = std::filesystem;

namespace {

constexpr std::uint8_t vtk_polygon = 7;
constexpr const char* geometry[] = {
    "Points", "Connectivity", "Offsets", "Types", "NumberOfPoints", "NumberOfConnectivityIds", "NumberOfCells"};

std::string numbered(const char* pattern, std::int64_t step) {
  return log::format(pattern, static_cast<long long>(step));
}

double to_myr(std::int64_t yr) {
  return static_cast<double>(yr) / 1e6;
}

/// Writes a file under another name and gives it its own when body has closed it. Collective.
template <class Body>
void publish(const par::Comm& comm, const std::string& path, const Body& body) {
  const std::string partial = path + ".part";
  try {
    body(partial);
    on_each_node(comm, [&] { sync_file(partial); });
    comm.together([&] {
      if (!comm.is_root()) return;
      rename_path(partial, path);
      sync_directory(fs::path(path).parent_path().string());
    });
  } catch (const Error&) {
    if (comm.is_root()) {
      std::error_code ignored;
      fs::remove(partial, ignored);
    }
    throw;
  }
}

/// This rank's rows of a dataset with one row per cell.
Slab cell_slab(const Mesh& mesh, std::int64_t columns = 1) {
  return {mesh.global_count(), columns, mesh.partition().begin(mesh.comm().rank()), mesh.n_owned()};
}

void describe(ParallelFile& file, const std::string& object, const FieldInfo& info) {
  file.attribute(object, "units", std::string(info.unit));
  file.attribute(object, "long_name", std::string(info.long_name));
  if (*info.standard_name != '\0') file.attribute(object, "standard_name", std::string(info.standard_name));
}

/// One field as float32 or int32, through a scratch array of the rank's own cells.
void write_field(ParallelFile& file, const std::string& path, const State& state, FieldId id) {
  const FieldInfo& info = field_info(id);
  const Mesh& mesh = state.mesh_of(id);
  const Slab slab = cell_slab(mesh, info.components);
  if (info.is_integer) {
    file.write(path, ElementType::int32, slab, state.integer(IntegerField{id}).data());
  } else {
    const double* values = state.real(RealField{id}).data();
    std::vector<float> scratch(static_cast<std::size_t>(mesh.n_owned()) * static_cast<std::size_t>(info.components));
    for (std::size_t k = 0; k < scratch.size(); ++k) scratch[k] = static_cast<float>(values[k]);
    file.write(path, ElementType::float32, slab, scratch.data());
  }
  describe(file, path, info);
}

/// lon, lat and area of the cells of a mesh, for programs that plot without polygons.
void write_places(ParallelFile& file, const std::string& group, const Mesh& mesh) {
  const auto count = static_cast<std::size_t>(mesh.n_owned());
  const ConstArray<Vec3> position = mesh.position();
  const ConstArray<double> area = mesh.area_m2();
  std::vector<float> lon(count), lat(count), size(count);
  for (std::size_t c = 0; c < count; ++c) {
    const LonLat p = to_lon_lat(position(c));
    lon[c] = static_cast<float>(p.lon_rad / constants::degree);
    lat[c] = static_cast<float>(p.lat_rad / constants::degree);
    size[c] = static_cast<float>(area(c));
  }
  const auto write = [&](const char* name, const char* unit, const std::vector<float>& values) {
    const std::string path = group + "/" + name;
    file.write(path, ElementType::float32, cell_slab(mesh), values.data());
    file.attribute(path, "units", std::string(unit));
  };
  write("lon", "degrees_east", lon);
  write("lat", "degrees_north", lat);
  write("area_m2", "m2", size);
}

/// Plate motion in the coordinates of the points, so that a viewer can draw arrows.
void write_plate_velocity(ParallelFile& file, const State& state) {
  using fields::plate_velocity_east_m_per_yr, fields::plate_velocity_north_m_per_yr;
  if (!state.has(plate_velocity_east_m_per_yr.id) || !state.has(plate_velocity_north_m_per_yr.id)) return;
  const Mesh& mesh = state.mesh();
  const ConstArray<Vec3> position = mesh.position();
  const ConstArray<double> east = state.read(plate_velocity_east_m_per_yr),
                           north = state.read(plate_velocity_north_m_per_yr);
  std::vector<float> vectors;
  vectors.reserve(static_cast<std::size_t>(mesh.n_owned()) * 3);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const Vec3 v = east(c) * east_at(position(c)) + north(c) * north_at(position(c));
    for (const double value : {v.x, v.y, v.z}) vectors.push_back(static_cast<float>(value));
  }
  const std::string path = "VTKHDF/CellData/plate_velocity";
  file.write(path, ElementType::float32, cell_slab(mesh, 3), vectors.data());
  file.attribute(path, "units", std::string("m yr-1"));
  file.attribute(path, "long_name", std::string("Plate velocity"));
}

/// A small table that rank 0 writes.
template <class T>
void write_table(const par::Comm& comm, ParallelFile& file, const std::string& path, ElementType type,
                 const std::vector<T>& values) {
  const auto n = static_cast<std::int64_t>(values.size());
  file.write(path, type, {n, 1, comm.is_root() ? 0 : n, comm.is_root() ? n : 0}, values.data());
}

void write_polygons(const par::Comm& comm, ParallelFile& file, const Mesh& mesh, std::int64_t piece_cells) {
  const Pieces pieces(mesh.global_count(), piece_cells);
  const Polygons p = make_polygons(mesh, pieces, mesh.radius_m() / 1000.0);
  const auto count = [](const auto& list) { return static_cast<std::int64_t>(list.size()); };
  file.write("geometry/Points", ElementType::float32, {p.total_points, 3, p.first_point, count(p.coordinates) / 3},
             p.coordinates.data());
  file.attribute("geometry/Points", "units", std::string("km"));
  file.write("geometry/Connectivity", ElementType::int64,
             {p.total_connectivity, 1, p.first_connectivity, count(p.corner_ids)}, p.corner_ids.data());
  file.write("geometry/Offsets", ElementType::int64, {p.total_offsets, 1, p.first_offset, count(p.offsets)},
             p.offsets.data());
  const std::vector<std::uint8_t> types(static_cast<std::size_t>(mesh.n_owned()), vtk_polygon);
  file.write("geometry/Types", ElementType::uint8, cell_slab(mesh), types.data());
  write_table(comm, file, "geometry/NumberOfPoints", ElementType::int64, p.points);
  write_table(comm, file, "geometry/NumberOfConnectivityIds", ElementType::int64, p.connectivity);
  write_table(comm, file, "geometry/NumberOfCells", ElementType::int64, p.cells);
}

/// Global ids of the neighbours, counter-clockwise; a pentagon's sixth is its own id.
void write_neighbours(ParallelFile& file, const Mesh& mesh) {
  std::vector<std::int32_t> table;
  table.reserve(static_cast<std::size_t>(mesh.n_owned()) * 6);
  for (LocalId c = 0; c < mesh.n_owned(); ++c) {
    const GlobalId id = mesh.global(c);
    const NeighbourList around = mesh.grid().neighbours(id);
    for (int s = 0; s < 6; ++s) {
      table.push_back(static_cast<std::int32_t>(raw(s < around.count ? around.id[static_cast<std::size_t>(s)] : id)));
    }
  }
  file.write("cells/neighbours", ElementType::int32, cell_slab(mesh, 6), table.data());
}

}  // namespace

SnapshotWriter::SnapshotWriter(const State& state, std::string run_dir, SnapshotOptions options)
    : run_dir_(std::move(run_dir)), options_(std::move(options)) {
  const Mesh& mesh = state.mesh();
  const par::Comm& comm = mesh.comm();
  // Everything that the geometry depends on, and the version of its layout.
  const std::string kind = log::format("1 %lld %.17g %lld", static_cast<long long>(mesh.grid().frequency()),
                                       mesh.radius_m(), static_cast<long long>(options_.piece_cells));
  mesh_name_ = log::format("mesh-%lld-%08x.h5", static_cast<long long>(mesh.grid().frequency()),
                           static_cast<unsigned>(crc32c(kind)));
  std::int64_t missing = 0;
  comm.together([&] {
    if (!comm.is_root()) return;
    for (const char* part : {"snapshots", "mesh", "climate"}) make_directories(run_dir_ + "/output/" + part);
    missing = fs::exists(run_dir_ + "/output/mesh/" + mesh_name_) ? 0 : 1;
    load_series(to_myr(state.globals.time_yr));
  });
  if (comm.any(missing != 0)) write_mesh(mesh);
}

std::string SnapshotWriter::series_path() const {
  return run_dir_ + "/output/planet.hdf.series";
}

std::string SnapshotWriter::write(const State& state) {
  Kokkos::fence();
  const par::Comm& comm = state.mesh().comm();
  const std::string name = "snapshots/" + numbered("snap-%05lld.hdf", state.globals.step);
  const std::string path = run_dir_ + "/output/" + name;
  publish(comm, path, [&](const std::string& file) { write_surface(state, file); });
  const std::string climate = run_dir_ + "/output/climate/" + numbered("climate-%05lld.h5", state.globals.step);
  publish(comm, climate, [&](const std::string& file) { write_climate(state, file); });
  comm.together([&] {
    if (!comm.is_root()) return;
    std::erase_if(entries_, [&](const Entry& e) { return e.name == name; });
    entries_.push_back({name, to_myr(state.globals.time_yr)});
    write_series();
  });
  return path;
}

void SnapshotWriter::write_mesh(const Mesh& mesh) const {
  publish(mesh.comm(), run_dir_ + "/output/mesh/" + mesh_name_, [&](const std::string& path) {
    ParallelFile file(mesh.comm(), path, ParallelFile::Mode::create, options_.transfer_bytes);
    write_polygons(mesh.comm(), file, mesh, options_.piece_cells);
    write_places(file, "cells", mesh);
    write_neighbours(file, mesh);
    file.attribute("/", "frequency", std::vector<std::int64_t>{mesh.grid().frequency()});
    file.attribute("/", "radius_m", mesh.radius_m());
    file.close();
  });
}

void SnapshotWriter::write_surface(const State& state, const std::string& path) const {
  const par::Comm& comm = state.mesh().comm();
  ParallelFile file(comm, path, ParallelFile::Mode::create, options_.transfer_bytes);
  file.make_group("VTKHDF");
  file.attribute("VTKHDF", "Version", std::vector<std::int64_t>{1, 0});
  file.attribute("VTKHDF", "Type", std::string("UnstructuredGrid"));
  for (const char* part : geometry) {
    file.external_link(std::string("VTKHDF/") + part, "../mesh/" + mesh_name_, std::string("/geometry/") + part);
  }
  file.make_group("VTKHDF/CellData");
  for (const FieldId id : state.fields()) {
    const FieldInfo& info = field_info(id);
    if (info.location != Location::cell || info.show != Show::output) continue;
    write_field(file, std::string("VTKHDF/CellData/") + info.name, state, id);
  }
  write_plate_velocity(file, state);
  write_table(comm, file, "VTKHDF/FieldData/time_myr", ElementType::float64,
              std::vector{to_myr(state.globals.time_yr)});
  write_table(comm, file, "VTKHDF/FieldData/step", ElementType::int64, std::vector{state.globals.step});
  write_table(comm, file, "VTKHDF/FieldData/sea_level_m", ElementType::float64, std::vector{state.globals.sea_level_m});
  file.attribute("/", "time_yr", std::vector<std::int64_t>{state.globals.time_yr});
  file.attribute("/", "step", std::vector<std::int64_t>{state.globals.step});
  file.attribute("/", "sea_level_m", state.globals.sea_level_m);
  file.attribute("/", "radius_m", state.mesh().radius_m());
  file.attribute("/", "state_hash", to_hex(state_hash(state).whole));
  file.attribute("/", "git_hash", options_.git_hash);
  file.close();
}

void SnapshotWriter::write_climate(const State& state, const std::string& path) const {
  ParallelFile file(state.mesh().comm(), path, ParallelFile::Mode::create, options_.transfer_bytes);
  write_places(file, "cells", state.climate_mesh());
  file.make_group("fields");
  for (const FieldId id : state.fields()) {
    const FieldInfo& info = field_info(id);
    if (info.location == Location::climate_cell) write_field(file, std::string("fields/") + info.name, state, id);
  }
  file.attribute("/", "time_yr", std::vector<std::int64_t>{state.globals.time_yr});
  file.attribute("/", "frequency", std::vector<std::int64_t>{state.climate_mesh().grid().frequency()});
  file.close();
}

void SnapshotWriter::load_series(double now_myr) {
  if (!fs::exists(series_path())) return;
  const auto json = nlohmann::json::parse(read_text(series_path()), nullptr, false);
  if (!json.is_object() || !json.contains("files") || !json["files"].is_array()) {
    log::warn("series", "planet.hdf.series was not readable and starts anew");
    return;
  }
  for (const auto& item : json["files"]) {
    if (!item.is_object() || !item.contains("name") || !item.contains("time")) continue;
    if (!item["name"].is_string() || !item["time"].is_number()) continue;
    const Entry entry{item["name"].get<std::string>(), item["time"].get<double>()};
    if (entry.time_myr <= now_myr && fs::exists(run_dir_ + "/output/" + entry.name)) entries_.push_back(entry);
  }
}

void SnapshotWriter::write_series() const {
  nlohmann::ordered_json json;
  json["file-series-version"] = "1.0";
  json["files"] = nlohmann::ordered_json::array();
  for (const Entry& e : entries_) json["files"].push_back({{"name", e.name}, {"time", e.time_myr}});
  atomic_write(series_path(), json.dump(1) + "\n");
}

}  // namespace craton::io
