// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The machines of calls at a time.
#include "runtime/executor/machine_pool.h"
#include "test/runtime/executor/graph_builder.h"
#include "test/runtime/executor/late_workers.h"

namespace sluice::rt {
namespace {

class MachinePoolTest : public testing::Test {
protected:
  MachinePoolTest() {
    g_.fetch("y", g_.feed("x", DType::kF32), DType::kF32);
    g_.repeatSignature("other");
    program_ = g_.buildProgram();
  }

  GraphBuilder g_;
  std::unique_ptr<Program> program_;
  LateWorkers workers_;
  MachinePool pool_{2, [&](size_t signature) {
                      return std::make_unique<TokenMachine>(*program_->signatures()[signature],
                                                            std::nullopt, std::nullopt, workers_);
                    }};
};

// So that one is not behind the other.
TEST_F(MachinePoolTest, CallsAtATimeBeginAtDifferentStreams) {
  EXPECT_EQ(pool_.take(0).firstStream(), 0u);
  TokenMachine &second = pool_.take(0);
  EXPECT_EQ(second.firstStream(), 1u);
  pool_.give(0, second);
  EXPECT_EQ(&pool_.take(0), &second);
  EXPECT_EQ(pool_.take(0).firstStream(), 2u);
  EXPECT_EQ(pool_.take(1).firstStream(), 0u);
}

} // namespace
} // namespace sluice::rt
