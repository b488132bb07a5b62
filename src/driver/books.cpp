#include "driver/books.hpp"

#include <cmath>

#include "core/log.hpp"

namespace craton {

std::string books_json(const Ledger& ledger) {
  // JSON has no infinity; a residual without any turnover shows as a huge number.
  const auto finite = [](double x) { return std::isfinite(x) ? x : 1e300; };
  std::string text = "{\n";
  for (int b = 0; b < balance_count; ++b) {
    const auto balance = static_cast<Balance>(b);
    const BalanceReport& r = ledger.whole_run(balance);
    text += log::format(
        "  \"%s\": {\"stock_before_m3\": %.17g, \"stock_after_m3\": %.17g, \"turnover_m3\": %.17g, \"residual_m3\": "
        "%.17g,\n"
        "    \"relative\": %.17g, \"worst_step\": %.17g, \"booked_m3\": {",
        balance_name(balance), r.stock_before_m3, r.stock_after_m3, r.turnover_m3, r.residual_m3, finite(r.relative()),
        finite(ledger.worst_step(balance)));
    bool first = true;
    for (const auto& [process, value] : r.booked_m3) {
      text += log::format("%s\"%s\": %.17g", first ? "" : ", ", process.c_str(), value);
      first = false;
    }
    text += b + 1 < balance_count ? "}},\n" : "}}\n";
  }
  return text + "}\n";
}

}  // namespace craton
