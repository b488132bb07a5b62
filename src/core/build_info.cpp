#include "core/build_info.hpp"

#include "craton_git_hash.hpp"

namespace craton {

const char* build_version() {
  return CRATON_VERSION;
}
const char* build_git_hash() {
  return CRATON_GIT_HASH;
}

}  // namespace craton
