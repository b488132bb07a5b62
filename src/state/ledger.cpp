#include "state/ledger.hpp"

#include <cmath>
#include <cstdlib>
#include <sstream>

#include "core/error.hpp"
#include "core/log.hpp"

namespace craton {

const char* balance_name(Balance b) {
  switch (b) {
    case Balance::rock:
      return "rock";
    case Balance::sediment:
      return "sediment";
    case Balance::sea:
      return "sea";
    case Balance::water:
      return "water";
  }
  return "";
}

double BalanceReport::relative() const {
  if (residual_m3 == 0) return 0;
  return std::abs(residual_m3) / turnover_m3;  // infinite where something is left over and nothing was booked
}

void Ledger::book(Balance balance, const std::string& process, const ExactSum& local_m3) {
  open_[static_cast<int>(balance)].booked[process].add(local_m3);
}

void Ledger::stock_before(Balance balance, const ExactSum& local_m3) {
  Open& open = open_[static_cast<int>(balance)];
  open.has_stock = true;
  open.before = local_m3;
}

void Ledger::stock_after(Balance balance, const ExactSum& local_m3) {
  Open& open = open_[static_cast<int>(balance)];
  open.has_stock = true;
  open.after = local_m3;
}

void Ledger::close(const par::Comm& comm) {
  // One reduction for all: before, after, and the exact left-over, so that the residual is not lost in the rounding of
  // stocks that are many orders larger than what moved.
  std::vector<ExactSum> sums;
  for (const Open& open : open_) {
    sums.push_back(open.before);
    sums.push_back(open.after);
    for (const auto& [process, value] : open.booked) sums.push_back(value);
  }
  comm.sum(std::span(sums));
  std::size_t at = 0;
  for (std::size_t b = 0; b < balance_count; ++b) {
    Open& open = open_[b];
    BalanceReport step;
    const ExactSum before = sums[at++], after = sums[at++];
    step.stock_before_m3 = before.value();
    step.stock_after_m3 = after.value();
    ExactSum residual = after;
    residual.subtract(before);
    for (const auto& [process, unused] : open.booked) {
      const ExactSum& total = sums[at++];
      const double value = total.value();
      step.booked_m3[process] = value;
      step.turnover_m3 += std::abs(value);
      if (open.has_stock) {
        residual.subtract(total);
      } else {
        residual.add(total);
      }
    }
    step.residual_m3 = residual.value();
    BalanceReport& run = run_[b];
    if (run.booked_m3.empty() && run.turnover_m3 == 0) run.stock_before_m3 = step.stock_before_m3;
    run.stock_after_m3 = step.stock_after_m3;
    run.residual_m3 += step.residual_m3;
    run.turnover_m3 += step.turnover_m3;
    for (const auto& [process, value] : step.booked_m3) run.booked_m3[process] += value;
    if (step.turnover_m3 > 0) worst_[b] = std::max(worst_[b], step.relative());
    last_[b] = step;
    open = Open{};
  }
}

std::string Ledger::serialize() const {
  std::ostringstream out;
  for (std::size_t b = 0; b < balance_count; ++b) {
    const BalanceReport& r = run_[b];
    out << log::format("balance %zu %a %a %a %a %a\n", b, r.stock_before_m3, r.stock_after_m3, r.residual_m3,
                       r.turnover_m3, worst_[b]);
    for (const auto& [process, value] : r.booked_m3) out << log::format("booked %a %s\n", value, process.c_str());
  }
  return out.str();
}

void Ledger::restore(const std::string& text) {
  std::istringstream in(text);
  std::string word;
  std::size_t b = 0;
  const auto number = [&] {
    std::string t;
    in >> t;
    return std::strtod(t.c_str(), nullptr);
  };
  while (in >> word) {
    if (word == "balance") {
      in >> b;
      if (b >= static_cast<std::size_t>(balance_count)) throw Error(ExitCode::no_checkpoint, "ledger: unknown balance");
      BalanceReport& r = run_[b] = BalanceReport{};
      r.stock_before_m3 = number();
      r.stock_after_m3 = number();
      r.residual_m3 = number();
      r.turnover_m3 = number();
      worst_[b] = number();
    } else if (word == "booked") {
      const double value = number();
      std::string process;
      std::getline(in >> std::ws, process);
      run_[b].booked_m3[process] = value;
    } else {
      throw Error(ExitCode::no_checkpoint, "ledger: unknown entry '" + word + "'");
    }
  }
}

}  // namespace craton
