#include "par/comm.hpp"

#include <algorithm>
#include <vector>

namespace craton::par {

Comm::Comm(MPI_Comm parent) {
  auto* copy = new MPI_Comm;
  MPI_Comm_dup(parent, copy);
  handle_ = std::shared_ptr<MPI_Comm>(copy, [](MPI_Comm* c) {
    int finalized = 0;
    MPI_Finalized(&finalized);
    if (finalized == 0) MPI_Comm_free(c);
    delete c;
  });
  MPI_Comm_rank(*handle_, &rank_);
  MPI_Comm_size(*handle_, &size_);
}

void Comm::barrier() const {
  MPI_Barrier(handle());
}

std::int64_t Comm::sum(std::int64_t value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_SUM, handle());
  return value;
}
std::int64_t Comm::min(std::int64_t value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MIN, handle());
  return value;
}
std::int64_t Comm::max(std::int64_t value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_INT64_T, MPI_MAX, handle());
  return value;
}
double Comm::min(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MIN, handle());
  return value;
}
double Comm::max(double value) const {
  MPI_Allreduce(MPI_IN_PLACE, &value, 1, MPI_DOUBLE, MPI_MAX, handle());
  return value;
}

double Comm::sum(ExactSum local) const {
  sum(std::span(&local, 1));
  return local.value();
}

void Comm::sum(std::span<ExactSum> local) const {
  constexpr std::size_t words = ExactSum::limb_count + 1;
  std::vector<std::int64_t> buffer(local.size() * words);
  for (std::size_t k = 0; k < local.size(); ++k) {
    local[k].normalize();
    std::copy(local[k].words().begin(), local[k].words().end(),
              buffer.begin() + static_cast<std::ptrdiff_t>(k * words));
  }
  sum(std::span(buffer));
  for (std::size_t k = 0; k < local.size(); ++k) {
    const auto from = buffer.begin() + static_cast<std::ptrdiff_t>(k * words);
    std::copy(from, from + static_cast<std::ptrdiff_t>(words), local[k].words().begin());
    local[k].normalize();
  }
}

void Comm::sum(std::span<std::int64_t> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_INT64_T, MPI_SUM, handle());
}
void Comm::sum(std::span<std::uint64_t> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_UINT64_T, MPI_SUM, handle());
}
void Comm::min(std::span<double> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MIN, handle());
}
void Comm::max(std::span<double> values) const {
  MPI_Allreduce(MPI_IN_PLACE, values.data(), static_cast<int>(values.size()), MPI_DOUBLE, MPI_MAX, handle());
}

std::int64_t Comm::exclusive_scan(std::int64_t value) const {
  std::int64_t before = 0;
  MPI_Exscan(&value, &before, 1, MPI_INT64_T, MPI_SUM, handle());
  return rank_ == 0 ? 0 : before;
}

void Comm::broadcast(std::string& text, int root) const {
  auto size = static_cast<std::int64_t>(text.size());
  MPI_Bcast(&size, 1, MPI_INT64_T, root, handle());
  text.resize(static_cast<std::size_t>(size));
  broadcast(std::as_writable_bytes(std::span(text.data(), text.size())), root);
}

void Comm::broadcast(std::span<std::byte> bytes, int root) const {
  MPI_Bcast(bytes.data(), static_cast<int>(bytes.size()), MPI_BYTE, root, handle());
}

std::string Comm::all_gather(const std::string& mine) const {
  const int size = static_cast<int>(mine.size());
  std::vector<int> sizes(static_cast<std::size_t>(size_)), offsets(static_cast<std::size_t>(size_));
  MPI_Allgather(&size, 1, MPI_INT, sizes.data(), 1, MPI_INT, handle());
  int total = 0;
  for (std::size_t r = 0; r < sizes.size(); ++r) {
    offsets[r] = total;
    total += sizes[r];
  }
  std::string all(static_cast<std::size_t>(total), '\0');
  MPI_Allgatherv(mine.data(), size, MPI_CHAR, all.data(), sizes.data(), offsets.data(), MPI_CHAR, handle());
  return all;
}

void Comm::together(const std::function<void()>& body) const {
  std::string message;
  int code = -1;
  try {
    body();
  } catch (const Error& e) {
    message = e.what();
    code = static_cast<int>(e.code());
  } catch (const std::bad_alloc&) {
    message = "out of memory on rank " + std::to_string(rank_);
    code = static_cast<int>(ExitCode::memory);
  } catch (const std::exception& e) {
    message = e.what();
    code = static_cast<int>(ExitCode::internal);
  }
  const std::int64_t none = size_;
  const std::int64_t first = min(code >= 0 ? std::int64_t{rank_} : none);
  if (first == none) return;
  broadcast(message, static_cast<int>(first));
  MPI_Bcast(&code, 1, MPI_INT, static_cast<int>(first), handle());
  throw Error(static_cast<ExitCode>(code), message, true);
}

}  // namespace craton::par
