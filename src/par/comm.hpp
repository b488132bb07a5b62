#pragma once
// A communicator of our own (duplicated, RAII), order-free reductions, and the gate that makes a failure on one rank an
// error on all of them. Physics talks through this header; only this folder and io see MPI.
#include <mpi.h>

#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "core/error.hpp"
#include "core/exact_sum.hpp"

namespace craton::par {

class Comm {
 public:
  /// Collective. Duplicates parent.
  explicit Comm(MPI_Comm parent);

  int rank() const { return rank_; }
  int size() const { return size_; }
  bool is_root() const { return rank_ == 0; }
  MPI_Comm handle() const { return *handle_; }

  // All below: Collective; the result is the same on every rank and does not depend on the rank count.
  void barrier() const;
  std::int64_t sum(std::int64_t value) const;
  std::int64_t min(std::int64_t value) const;
  std::int64_t max(std::int64_t value) const;
  double min(double value) const;
  double max(double value) const;
  bool any(bool value) const { return max(std::int64_t{value}) != 0; }
  bool all(bool value) const { return min(std::int64_t{value}) != 0; }
  /// Exact sum over ranks, rounded once.
  double sum(ExactSum local) const;
  /// In place, one reduction for all of them.
  void sum(std::span<ExactSum> local) const;
  void sum(std::span<std::int64_t> values) const;
  void sum(std::span<std::uint64_t> values) const;  // modulo 2^64
  void min(std::span<double> values) const;
  void max(std::span<double> values) const;
  /// Sum over the ranks before this one (0 on rank 0).
  std::int64_t exclusive_scan(std::int64_t value) const;
  void broadcast(std::string& text, int root = 0) const;
  void broadcast(std::span<std::byte> bytes, int root = 0) const;
  /// Bytes of every rank, joined in rank order, on every rank. For small tables only (never mesh-sized).
  std::string all_gather(const std::string& mine) const;

  /// Runs body on this rank; if it throws on any rank, throws Error on all (message and code of the lowest such rank).
  /// body must not contain collectives that other ranks would wait in after a throw.
  void together(const std::function<void()>& body) const;

 private:
  std::shared_ptr<MPI_Comm> handle_;
  int rank_ = 0, size_ = 1;
};

}  // namespace craton::par
