// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long firings: the same bits whoever helps, and none is deaf to the end of its call.
#include "test/runtime/kernels/long_firing.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/parallel.h"

#include <set>
#include <thread>

namespace sluice::rt {
namespace {

std::vector<LongCase> allCases() {
  std::vector<LongCase> cases = longTensorCases();
  for (const auto &more : {longObjectCases(), longSharedCases(), longRecordCases(), longTextCases(),
                           longWindowCases(), longMatrixCases(), longPartCases()})
    cases.insert(cases.end(), more.begin(), more.end());
  return cases;
}

TEST(LongKernels, HaveTheBitsOfOneThread) {
  const std::vector<LongCase> cases = allCases();
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].op + (" of case " + std::to_string(i)));
    LongRun alone(cases[i]);
    ASSERT_TRUE(alone.status.ok() || std::string_view(cases[i].op) == "state.assert")
        << alone.status.toString();
    EXPECT_FALSE(!alone.outputs.empty() && alone.outputsAreUntouched());
    const std::string expected = alone.state();
    for (int threads : {i % 2 ? 2 : 3, 5}) {
      ParallelThreads allowed(systemThreads(), threads);
      LongRun together(cases[i]);
      EXPECT_EQ(together.status.toString(), alone.status.toString());
      EXPECT_TRUE(together.state() == expected) << threads << " threads";
    }
  }
}

// A kernel that has noticed says so, or has stored nothing.
TEST(LongKernels, NoticeTheEndOfTheirCall) {
  const std::vector<LongCase> cases = allCases();
  Cancellation call;
  call.request();
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].op + (" of case " + std::to_string(i)));
    ParallelThreads allowed(systemThreads(), i % 2 ? 1 : 3);
    const LongFiring before = cases[i].make();
    LongRun run(cases[i], &call);
    if (run.status.code() == Code::kCancelled)
      continue;
    EXPECT_TRUE(run.status.ok()) << run.status.toString();
    EXPECT_TRUE(run.outputsAreUntouched());
    EXPECT_TRUE(run.variables() == LongRun::bytesOf(before.variables));
  }
}

// Variables outlive the call: whenever it ends, they are as before or as after.
TEST(LongKernels, UpdateVariablesWholeOrNotAtAll) {
  const std::vector<LongCase> cases = allCases();
  for (size_t i = 0; i < cases.size(); ++i) {
    SCOPED_TRACE(cases[i].op + (" of case " + std::to_string(i)));
    const std::string before = LongRun::bytesOf(cases[i].make().variables);
    if (before.empty())
      continue;
    LongRun whole(cases[i]);
    const std::string after = whole.variables();
    for (int tenths = 0; tenths < 10; ++tenths) {
      Cancellation call;
      std::atomic<bool> begun = false;
      std::thread ender([&] {
        while (!begun)
          std::this_thread::yield();
        const auto start = std::chrono::steady_clock::now();
        while (std::chrono::steady_clock::now() - start < whole.time * tenths / 10) {
        }
        call.request();
      });
      LongRun run(cases[i], &call, &begun);
      ender.join();
      const std::string variables = run.variables();
      EXPECT_TRUE(variables == before || variables == after) << tenths;
    }
  }
}

// A new op has to be one or the other.
TEST(LongKernels, AllOpsAreKnownToBeLongOrShort) {
  std::set<std::string_view> isLong, isShort(shortOps().begin(), shortOps().end()), all;
  for (const LongCase &row : allCases())
    isLong.insert(row.op);
  for (const KernelEntry &entry : allKernels())
    all.insert(entry.op);
  for (std::string_view op : all)
    EXPECT_NE(isLong.contains(op), isShort.contains(op)) << op;
  for (const auto &known : {isLong, isShort})
    for (std::string_view op : known)
      EXPECT_TRUE(all.contains(op)) << op;
}

} // namespace
} // namespace sluice::rt
