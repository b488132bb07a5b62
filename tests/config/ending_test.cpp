// How the ranks of a program agree on its end.
#include <gtest/gtest.h>

#include "app/launch.hpp"

namespace craton::app {
namespace {

class EndTogether : public testing::Test {
 protected:
  void SetUp() override {
    MPI_Comm_dup(MPI_COMM_WORLD, &comm_);
    MPI_Comm_rank(comm_, &rank_);
    MPI_Comm_size(comm_, &size_);
  }
  void TearDown() override { MPI_Comm_free(&comm_); }

  MPI_Comm comm_ = MPI_COMM_NULL;
  int rank_ = 0, size_ = 1;
};

TEST_F(EndTogether, returns_the_code_of_a_normal_end) {
  EXPECT_EQ(end_together(comm_, {false, 10, ""}), 10);
}

TEST_F(EndTogether, gives_every_rank_the_code_of_the_lowest_rank_that_failed) {
  const bool fails = rank_ >= size_ / 2;
  testing::internal::CaptureStderr();
  const int code = end_together(comm_, {fails, fails ? 5 + rank_ : 0, "broken on " + std::to_string(rank_)});
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(code, 5 + size_ / 2);
  EXPECT_EQ(said, rank_ == size_ / 2 ? "craton: error: broken on " + std::to_string(rank_) + "\n" : "");
}

}  // namespace
}  // namespace craton::app
