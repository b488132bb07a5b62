#include "par/exchange.hpp"

#include <algorithm>
#include <limits>

namespace craton::par {

namespace {
constexpr int tag = 71;
// One MPI transfer counts in int; larger messages go in pieces of this size.
constexpr std::size_t piece = std::size_t{1} << 30;

template <class Post>
void in_pieces(std::size_t size, const Post& post) {
  for (std::size_t at = 0; at < size; at += piece) post(at, static_cast<int>(std::min(piece, size - at)));
}
}  // namespace

std::vector<Message> exchange(const Comm& comm, std::vector<Message> outgoing) {
  // Sizes first: one number per pair of ranks. P numbers per rank, not mesh-sized.
  const auto ranks = static_cast<std::size_t>(comm.size());
  std::vector<std::int64_t> send_size(ranks, -1), receive_size(ranks, -1);
  for (const Message& m : outgoing)
    send_size[static_cast<std::size_t>(m.rank)] = static_cast<std::int64_t>(m.bytes.size());
  MPI_Alltoall(send_size.data(), 1, MPI_INT64_T, receive_size.data(), 1, MPI_INT64_T, comm.handle());

  std::vector<Message> incoming;
  for (std::size_t r = 0; r < ranks; ++r) {
    if (receive_size[r] < 0) continue;
    incoming.push_back({static_cast<int>(r), std::vector<std::byte>(static_cast<std::size_t>(receive_size[r]))});
  }
  std::vector<MPI_Request> requests;
  for (Message& m : incoming) {
    if (m.rank == comm.rank()) continue;
    in_pieces(m.bytes.size(), [&](std::size_t at, int count) {
      MPI_Irecv(m.bytes.data() + at, count, MPI_BYTE, m.rank, tag, comm.handle(), &requests.emplace_back());
    });
  }
  for (Message& m : outgoing) {
    if (m.rank == comm.rank()) {
      const auto own =
          std::find_if(incoming.begin(), incoming.end(), [&](const Message& i) { return i.rank == m.rank; });
      own->bytes = std::move(m.bytes);
      continue;
    }
    in_pieces(m.bytes.size(), [&](std::size_t at, int count) {
      MPI_Isend(m.bytes.data() + at, count, MPI_BYTE, m.rank, tag, comm.handle(), &requests.emplace_back());
    });
  }
  MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
  return incoming;
}

}  // namespace craton::par
