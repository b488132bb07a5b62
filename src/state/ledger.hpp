#pragma once
// The books of the run. A balance has, over a step,
//   stock(after) - stock(before) = sum of what was booked
// and what is left over must be round-off. A balance without a stock (a pure transfer) has 0 on the left.
// All amounts are solid volumes of rock or volumes of water, m^3, positive into the stock.
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/exact_sum.hpp"
#include "par/comm.hpp"

namespace craton {

enum class Balance : int {
  rock,      // crust and sediment on parcels; spreading, arcs, subduction, and what the surface moves
  sediment,  // transfer: eroded + deposited over land, lakes and sea
  sea,       // water in the oceans
  water,     // transfer: evaporation, rain, runoff and what reaches seas and sinks, per pass of the climate
};
inline constexpr int balance_count = 4;
const char* balance_name(Balance b);

struct BalanceReport {
  double stock_before_m3 = 0, stock_after_m3 = 0, residual_m3 = 0;
  double turnover_m3 = 0;                   // sum of the absolute values booked
  std::map<std::string, double> booked_m3;  // by process
  /// |residual| / turnover; 0 when nothing moved and nothing is left over.
  double relative() const;
};

class Ledger {
 public:
  /// Local contributions; process is a short word ("spreading"). Every rank must book the same processes in a step,
  /// with an empty sum where it has none.
  void book(Balance balance, const std::string& process, const ExactSum& local_m3);
  void stock_before(Balance balance, const ExactSum& local_m3);
  void stock_after(Balance balance, const ExactSum& local_m3);

  /// Closes the step and adds it to the whole run. Collective.
  void close(const par::Comm& comm);
  const BalanceReport& last_step(Balance b) const { return last_[static_cast<std::size_t>(b)]; }
  const BalanceReport& whole_run(Balance b) const { return run_[static_cast<std::size_t>(b)]; }
  /// Largest relative residual of any closed step.
  double worst_step(Balance b) const { return worst_[static_cast<std::size_t>(b)]; }

  /// Saved in checkpoints as text (hexadecimal floats), so that the whole-run books survive a restart bit for bit.
  std::string serialize() const;
  void restore(const std::string& text);

 private:
  struct Open {
    bool has_stock = false;
    ExactSum before, after;
    std::map<std::string, ExactSum> booked;
  };
  Open open_[balance_count];
  std::vector<BalanceReport> last_ = std::vector<BalanceReport>(balance_count);
  std::vector<BalanceReport> run_ = std::vector<BalanceReport>(balance_count);
  std::vector<double> worst_ = std::vector<double>(balance_count, 0.0);
};

}  // namespace craton
