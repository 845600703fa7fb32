// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exit codes of a rank whose cluster has ended.
#include "test/runtime/api/bench.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

bool has(const std::string &text, std::string_view part) { return text.find(part) != text.npos; }

TEST(ClusterEnds, HaveTheirExitCodes) {
  struct {
    ClusterEnd::Kind kind;
    Code code;
    int exit;
  } const cases[] = {{ClusterEnd::Kind::kLost, Code::kUnavailable, 10},
                     {ClusterEnd::Kind::kRefused, Code::kPermissionDenied, 11},
                     {ClusterEnd::Kind::kTimedOut, Code::kDeadlineExceeded, 12},
                     {ClusterEnd::Kind::kLocal, Code::kAlreadyExists, 3},
                     {ClusterEnd::Kind::kLocal, Code::kResourceExhausted, 14}, // a refused thread
                     {ClusterEnd::Kind::kLost, Code::kResourceExhausted, 14}};
  for (const auto &end : cases) {
    Bench b;
    b.runner.rank = 0;
    b.runner.end = {end.kind, Status(end.code, "for a reason")};
    EXPECT_EQ(b.run({"--input=x=1x2xf32=1,2"}), end.exit);
    EXPECT_TRUE(has(b.err, "for a reason")) << b.err;
  }
}

} // namespace
