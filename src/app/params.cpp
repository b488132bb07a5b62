#include <cstdio>

#include "app/commands.hpp"
#include "config/config.hpp"

namespace craton::app {

int params(const par::Comm& comm, const CommandLine& line) {
  const std::string text = line.json       ? config::params_json()
                           : line.markdown ? config::params_markdown()
                                           : config::to_yaml(config::Parameters{});
  if (comm.is_root()) std::fputs(text.c_str(), stdout);
  return 0;
}

}  // namespace craton::app
