// A test that must fail, and on one rank alone: shows that the test main reports failures of every rank.
#include <gtest/gtest.h>

#include "par/comm.hpp"

TEST(Meta, ThisFailureIsIntended) {
  const craton::par::Comm comm(MPI_COMM_WORLD);
  EXPECT_NE(comm.rank(), comm.size() - 1) << "this failure is intended";
}
