// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which limit on memory holds: that of the flag, else that of the process.
#include "runtime/base/held_memory.h"
#include "runtime/io/json.h"
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

class MemoryLimit : public testing::Test {
protected:
  ~MemoryLimit() override { limitHeldMemory(0); }

  // What --stats-json says of it.
  int64_t limitOf(uint64_t ofProcess, std::vector<const char *> flags) {
    Bench b;
    flags.insert(flags.end(), {"--calls=-", "--stats-json"});
    EXPECT_EQ(runCommandLine(flags, {b.runner, b.disk, b.console, "./fake", nullptr, ofProcess}),
              0);
    Result<Json> stats = parseJson(b.console.err);
    EXPECT_TRUE(stats.ok()) << b.console.err;
    return stats.ok() ? stats->find("memory_limit_bytes")->integer : -1;
  }
};

TEST_F(MemoryLimit, NoneByDefault) { EXPECT_EQ(limitOf(0, {}), 0); }

TEST_F(MemoryLimit, OfTheProcessUnlessTheFlagSaysOtherwise) {
  EXPECT_EQ(limitOf(uint64_t{1} << 40, {}), int64_t{1} << 40);
  EXPECT_EQ(limitOf(uint64_t{1} << 40, {"--memory-limit=2G"}), int64_t{2} << 30);
  EXPECT_EQ(limitOf(uint64_t{1} << 30, {"--memory-limit=2G"}), int64_t{2} << 30);
}

} // namespace
