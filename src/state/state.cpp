#include "state/state.hpp"

#include "core/error.hpp"

namespace craton {

State::State(const Mesh& mesh, const Mesh& climate_mesh, std::span<const FieldId> fields)
    : mesh_(mesh), climate_mesh_(climate_mesh), remap_(std::make_unique<Remap>(mesh, climate_mesh)) {
  const auto count = static_cast<std::size_t>(field_count());
  real_.resize(count);
  integer_.resize(count);
  present_.assign(count, false);
  stale_.assign(count, true);
  for (const FieldId id : fields) {
    const auto k = static_cast<std::size_t>(id);
    if (present_[k]) continue;
    present_[k] = true;
    const FieldInfo& info = field_info(id);
    const auto extent = static_cast<std::size_t>(mesh_of(id).n_all()) * static_cast<std::size_t>(info.components);
    const std::string label = std::string("craton::field::") + info.name;
    if (info.is_integer) {
      integer_[k] = Array<std::int32_t>(label, extent);
    } else {
      real_[k] = Array<double>(label, extent);
    }
  }
}

const Mesh& State::mesh_of(FieldId id) const {
  return field_info(id).location == Location::cell ? mesh_ : climate_mesh_;
}

bool State::has(FieldId id) const {
  return present_[static_cast<std::size_t>(id)];
}

std::vector<FieldId> State::fields() const {
  std::vector<FieldId> list;
  for (FieldId id = 0; id < field_count(); ++id) {
    if (has(id)) list.push_back(id);
  }
  return list;
}

Array<double> State::real(RealField key) const {
  if (!has(key.id)) {
    throw Error(ExitCode::internal,
                std::string("field ") + field_info(key.id).name + " is used but no pass declares it");
  }
  return real_[static_cast<std::size_t>(key.id)];
}

Array<std::int32_t> State::integer(IntegerField key) const {
  if (!has(key.id)) {
    throw Error(ExitCode::internal,
                std::string("field ") + field_info(key.id).name + " is used but no pass declares it");
  }
  return integer_[static_cast<std::size_t>(key.id)];
}

void State::refresh_halos(std::span<const FieldId> fields) {
  std::vector<par::Channel> surface, climate;
  for (const FieldId id : fields) {
    const auto k = static_cast<std::size_t>(id);
    if (!stale_[k]) continue;
    stale_[k] = false;
    const FieldInfo& info = field_info(id);
    const auto components = static_cast<std::size_t>(info.components);
    par::Channel channel;
    if (info.is_integer) {
      std::int32_t* data = integer(IntegerField{id}).data();
      channel = {data, data, components * sizeof(std::int32_t)};
    } else {
      double* data = real(RealField{id}).data();
      channel = {data, data, components * sizeof(double)};
    }
    (info.location == Location::cell ? surface : climate).push_back(channel);
  }
  if (!surface.empty()) mesh_.refresh_halo(surface);
  if (!climate.empty()) climate_mesh_.refresh_halo(climate);
}

}  // namespace craton
