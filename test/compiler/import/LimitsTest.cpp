// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Setting of limits, and the brackets of JSON that two of them bound.
#include "compiler/import/JsonText.h"

#include "llvm/Support/Error.h"

#include <gtest/gtest.h>

namespace sluice::import {
namespace {

TEST(Limits, AreSetUpToTheGreatest) {
  for (const LimitRow &row : limitRows()) {
    Limits limits;
    std::string name(row.name);
    EXPECT_EQ(limits[row.id], row.value);
    EXPECT_EQ(limits.set(name + "=" + std::to_string(row.greatest)), std::nullopt);
    EXPECT_EQ(limits[row.id], row.greatest);
    EXPECT_EQ(limits.remedy(row.id), "") << name;
    EXPECT_EQ(limits.set(name + "=" + std::to_string(row.greatest + 1)),
              "expected a number from 0 to " + std::to_string(row.greatest) + " for " + name +
                  " but got '" + std::to_string(row.greatest + 1) + "'");
    EXPECT_EQ(limits.set(name + "=0"), std::nullopt);
    EXPECT_TRUE(limits.allows(row.id, 0));
    EXPECT_FALSE(limits.allows(row.id, 1));
    EXPECT_EQ(limits.excess(row.id, "things", 7),
              "expected at most 0 things but got 7; --limit " + name + "=N allows more");
  }
}

TEST(Limits, OtherTextIsRefused) {
  Limits limits;
  for (const char *text : {"nodes", "nodes=", "nodes=-1", "nodes=x", "nodes=1 ", "nodes=0x10"})
    EXPECT_TRUE(limits.set(text)->starts_with("expected a number from 0 to 100000000 for nodes"))
        << text;
  EXPECT_TRUE(limits.set("node=1")->starts_with("expected one of the limits file-bytes, message-"));
  EXPECT_TRUE(limits.set("node=1")->ends_with("restore-calls but got 'node'"));
  EXPECT_EQ(limits[LimitId::kNodes], Limits()[LimitId::kNodes]);
}

// What is wrong with a text; empty when nothing is.
std::string problemOf(llvm::StringRef text, int nesting, int brackets) {
  Limits limits;
  EXPECT_FALSE(limits.set("json-nesting=" + std::to_string(nesting)));
  EXPECT_FALSE(limits.set("json-brackets=" + std::to_string(brackets)));
  llvm::Expected<llvm::json::Value> value = parseJson(text, limits);
  return value ? "" : llvm::toString(value.takeError());
}

TEST(JsonText, BracketsAreCountedBeforeTheyAreRead) {
  EXPECT_EQ(problemOf("[[{}]]", 3, 3), "");
  EXPECT_EQ(problemOf("[[{}]]", 2, 9), "expected at most 2 brackets inside each other but got 3; "
                                       "--limit json-nesting=N allows more");
  EXPECT_EQ(problemOf("[[], {}, []]", 2, 4), "");
  EXPECT_EQ(problemOf("[[], {}, []]", 2, 3), "expected at most 3 lists and objects but got 4; "
                                             "--limit json-brackets=N allows more");
  EXPECT_EQ(problemOf("[\"[[{\", \"\\\"[[\", \"\\\\\"]", 1, 1), "");
  EXPECT_EQ(problemOf("]}[[", 1, 9), "expected at most 1 brackets inside each other but got 2; "
                                     "--limit json-nesting=N allows more");
  EXPECT_TRUE(llvm::StringRef(problemOf("[1,", 1, 1)).starts_with("expected JSON: "));
}

} // namespace
} // namespace sluice::import
