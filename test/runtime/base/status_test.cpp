// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as values: their codes, nodes and texts.
#include "runtime/base/status.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

TEST(Status, OfSuccessSaysNothing) {
  EXPECT_TRUE(Status().ok());
  EXPECT_TRUE(okStatus().ok());
  EXPECT_EQ(Status().code(), Code::kOk);
  EXPECT_EQ(Status().toString(), "OK");
  EXPECT_EQ(Status().message(), "");
  EXPECT_EQ(Status().node(), "");
  EXPECT_TRUE(Status().atNode("a").ok());
}

TEST(Status, SaysWhatWhereAndWhy) {
  Status status = outOfRange("too far");
  EXPECT_FALSE(status.ok());
  EXPECT_EQ(status.code(), Code::kOutOfRange);
  EXPECT_EQ(status.toString(), "OUT_OF_RANGE: too far");
  status = std::move(status).atNode("a/b");
  EXPECT_EQ(status.node(), "a/b");
  EXPECT_EQ(status.toString(), "OUT_OF_RANGE: node 'a/b': too far");
  // The first node is where it happened.
  EXPECT_EQ(std::move(status).atNode("c").node(), "a/b");
}

TEST(Status, HasTheCodeOfItsFunction) {
  EXPECT_EQ(invalidArgument("").code(), Code::kInvalidArgument);
  EXPECT_EQ(failedPrecondition("").code(), Code::kFailedPrecondition);
  EXPECT_EQ(notFound("").code(), Code::kNotFound);
  EXPECT_EQ(unimplemented("").code(), Code::kUnimplemented);
  EXPECT_EQ(resourceExhausted("").code(), Code::kResourceExhausted);
  EXPECT_EQ(internalError("").code(), Code::kInternal);
}

// The numbers and names of gRPC.
TEST(Status, CodesHaveNames) {
  const char *const names[] = {"OK",
                               "CANCELLED",
                               "UNKNOWN",
                               "INVALID_ARGUMENT",
                               "DEADLINE_EXCEEDED",
                               "NOT_FOUND",
                               "ALREADY_EXISTS",
                               "PERMISSION_DENIED",
                               "RESOURCE_EXHAUSTED",
                               "FAILED_PRECONDITION",
                               "ABORTED",
                               "OUT_OF_RANGE",
                               "UNIMPLEMENTED",
                               "INTERNAL",
                               "UNAVAILABLE",
                               "DATA_LOSS"};
  for (int i = 0; i < 16; ++i)
    EXPECT_EQ(codeName(static_cast<Code>(i)), names[i]);
  EXPECT_EQ(static_cast<int>(Code::kOutOfRange), 11);
}

TEST(Format, MakesTextsOfAnyLength) {
  EXPECT_EQ(format("%d and %s", 3, "four"), "3 and four");
  EXPECT_EQ(format("%s", ""), "");
  std::string many(10'000, 'x');
  EXPECT_EQ(format("%s.", many.c_str()), many + ".");
}

} // namespace
} // namespace sluice::rt
