// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings that end late, and firings that never do.
#include "test/runtime/executor/late_device.h"
#include "test/runtime/executor/products.h"

namespace sluice::rt {
namespace {

class EnqueuedWork : public testing::Test {
protected:
  Status run() { return runToEnd(machine_, std::span(&feed_, 1), fetches_, environment_); }

  Products products_;
  std::unique_ptr<Program> program_ = products_.program();
  Tensor feed_ = Products::feed();
  Tensor fetches_[2];
  Environment environment_;
  LateDevice device_;
  Limits limits_ = [] {
    Limits limits;
    limits.set(Limit::kKernelSeconds, 1);
    return limits;
  }();
  TokenMachine machine_{*program_->signatures()[0], {}, {}, device_, nullptr, nullptr, limits_};
};

TEST_F(EnqueuedWork, isAwaited) {
  for (int call = 0; call < 2; ++call) {
    Status status = run();
    EXPECT_TRUE(status.ok()) << status.toString();
    EXPECT_TRUE(fetches_[0].valid());
  }
  EXPECT_FALSE(machine_.stuck());
  EXPECT_EQ(machine_.counters().offloaded, 2u);
}

TEST_F(EnqueuedWork, thatNeverEndsEndsTheCall) {
  device_.ends = false;
  for (int call = 0; call < 2; ++call) {
    Status status = run();
    EXPECT_EQ(status.code(), Code::kDeadlineExceeded);
    EXPECT_EQ(status.node(), "a");
    EXPECT_EQ(status.message(),
              "device LATE:0 has not ended it for 1 s, the limit; see --limit kernel-seconds");
    EXPECT_TRUE(machine_.stuck());
  }
}

TEST_F(EnqueuedWork, thatNeverEndsEndsARankAsWell) {
  device_.ends = false;
  machine_.begin(std::span(&feed_, 1), fetches_, environment_);
  while (!machine_.failed())
    (void)machine_.advance(10);
  EXPECT_EQ(machine_.finish().code(), Code::kDeadlineExceeded);
}

TEST_F(EnqueuedWork, isAwaitedNoLongerThanThatOnceTheCallHasFailed) {
  device_.ends = false;
  machine_.begin(std::span(&feed_, 1), fetches_, environment_);
  while (machine_.advance(10)) {
  }
  machine_.abort(invalidArgument("another reason"));
  EXPECT_EQ(machine_.finish().message(), "another reason");
  EXPECT_TRUE(machine_.stuck());
}

} // namespace
} // namespace sluice::rt
