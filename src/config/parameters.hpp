#pragma once
// The typed parameters of each block of the input, made from the tables in parameters/*.def: the only home of defaults.
// A pass takes the struct of its block.
#include <cstdint>
#include <string>

namespace craton::config {

#define CRATON_REAL(name, default_value, ...) double name = default_value;
#define CRATON_INT(name, default_value, ...) std::int64_t name = default_value;
#define CRATON_FLAG(name, default_value, ...) bool name = default_value;
#define CRATON_CHOICE(name, default_value, ...) std::string name = default_value;
#define CRATON_TEXT(name, default_value, ...) std::string name = default_value;

struct Planet {
#include "config/parameters/planet.def"
};
struct MeshBlock {
#include "config/parameters/mesh.def"
};
struct Time {
#include "config/parameters/time.def"
};
struct Initial {
#include "config/parameters/initial.def"
};
struct Tectonics {
#include "config/parameters/tectonics.def"
};
struct Surface {
#include "config/parameters/surface.def"
};
struct Climate {
#include "config/parameters/climate.def"
};
struct Output {
#include "config/parameters/output.def"
};
struct Checkpoint {
#include "config/parameters/checkpoint.def"
};
struct Log {
#include "config/parameters/log.def"
};

#undef CRATON_REAL
#undef CRATON_INT
#undef CRATON_FLAG
#undef CRATON_CHOICE
#undef CRATON_TEXT

struct Parameters {
  std::uint64_t seed = 1;
  Planet planet;
  MeshBlock mesh;
  Time time;
  Initial initial;
  Tectonics tectonics;
  Surface surface;
  Climate climate;
  Output output;
  Checkpoint checkpoint;
  Log log;
};

}  // namespace craton::config
