#pragma once
// Wall time by phase. Timers nest by name ("surface", "surface/routing"); the driver prints one table at the end.
#include <chrono>
#include <map>
#include <string>

namespace craton {

struct PhaseTime {
  double seconds = 0;
  long calls = 0;
};

class Timers {
 public:
  void add(const std::string& phase, double seconds);
  const std::map<std::string, PhaseTime>& phases() const { return phases_; }

 private:
  std::map<std::string, PhaseTime> phases_;
};

class ScopedTimer {
 public:
  ScopedTimer(Timers& timers, std::string phase)
      : timers_(timers), phase_(std::move(phase)), begin_(std::chrono::steady_clock::now()) {}
  ~ScopedTimer();
  ScopedTimer(const ScopedTimer&) = delete;
  ScopedTimer& operator=(const ScopedTimer&) = delete;

 private:
  Timers& timers_;
  std::string phase_;
  std::chrono::steady_clock::time_point begin_;
};

/// Largest resident set of this process so far, bytes.
double peak_resident_bytes();

}  // namespace craton
