// Main of every test program: starts MPI and Kokkos, runs the tests on all ranks, and fails if any rank failed.
#include <gtest/gtest.h>
#include <mpi.h>

#include <Kokkos_Core.hpp>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int failed = 0;
  {
    Kokkos::ScopeGuard kokkos(argc, argv);
    testing::InitGoogleTest(&argc, argv);
    int rank = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    if (rank != 0) {
      // One report is enough; failures of other ranks still print, through the listener that remains.
      auto& listeners = testing::UnitTest::GetInstance()->listeners();
      struct FailuresOnly : testing::EmptyTestEventListener {
        void OnTestPartResult(const testing::TestPartResult& r) override {
          if (r.failed()) std::fprintf(stderr, "%s:%d: %s\n", r.file_name(), r.line_number(), r.message());
        }
      };
      delete listeners.Release(listeners.default_result_printer());
      listeners.Append(new FailuresOnly);
    }
    failed = RUN_ALL_TESTS();
  }
  MPI_Allreduce(MPI_IN_PLACE, &failed, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  MPI_Finalize();
  return failed;
}
