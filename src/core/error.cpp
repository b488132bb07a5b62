#include "core/error.hpp"

namespace craton {

void require(bool condition, const char* what) {
  if (!condition) throw Error(ExitCode::internal, std::string("internal error: ") + what);
}

}  // namespace craton
