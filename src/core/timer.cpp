#include "core/timer.hpp"

#include <sys/resource.h>

namespace craton {

void Timers::add(const std::string& phase, double seconds) {
  PhaseTime& t = phases_[phase];
  t.seconds += seconds;
  ++t.calls;
}

ScopedTimer::~ScopedTimer() {
  timers_.add(phase_, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin_).count());
}

double peak_resident_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024.0;  // Linux counts in KiB
}

}  // namespace craton
