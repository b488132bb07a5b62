// The last rank fails while all others wait for it in a barrier: what end_together must bring to an end.
#include "app/launch.hpp"

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm last_word = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &last_word);
  int rank = 0, size = 1;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const bool fails = rank == size - 1;
  if (!fails) MPI_Barrier(MPI_COMM_WORLD);
  const int code = craton::app::end_together(last_word, {fails, fails ? 70 : 0, "internal error: lonely"});
  MPI_Finalize();
  return code;
}
