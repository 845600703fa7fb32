// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An answer passes only with the right outputs, error code, variables and no leftover token.
#include "tools/sluice-conformance/check.h"

#include "test/tools/sluice-conformance/GraphBytes.h"

#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace json = llvm::json;

namespace {

#define ONE R"({"dtype":"int32","shape":[],"b64":"AQAAAA=="})"
#define TWO R"({"dtype":"int32","shape":[],"b64":"AgAAAA=="})"

// A GraphDef with the single node "v" of op "Op".
constexpr llvm::StringLiteral kGraph("\x0a\x07\x0a\x01v\x12\x02Op");

class Check : public testing::Test {
protected:
  Check() : graph_(GraphSkeleton::parse(kGraph)) {
    run_.graph = "graph1.pb";
    run_.fetches = {"y:0"};
    run_.expectations.push_back({Expectation::Dense{"y:0"}, tensor(ONE)});
    run_.stateBefore = object(R"({"w":)" TWO "}");
    run_.stateAfter = object(R"({"w":)" TWO "}");
    signature_.fetches = {"y:0"};
  }

  static json::Object object(const std::string &text) {
    return *llvm::cantFail(json::parse(text)).getAsObject();
  }
  static Tensor tensor(const char *text) {
    return llvm::cantFail(parseTensor(llvm::cantFail(json::parse(text))));
  }
  std::string check(const std::string &answer) const {
    return checkAnswer(object(answer), run_, signature_, graph_, variables_).value_or("");
  }

  GraphSkeleton graph_;
  RecordedRun run_;
  Signature signature_;
  std::set<std::string> variables_; // of the program
};

TEST_F(Check, GoodAnswersPass) {
  EXPECT_EQ(check(R"({"outputs":[)" ONE R"(],"state":{"w":)" TWO R"(},"leftover_tokens":0})"), "");
}

TEST_F(Check, WrongOutputsAreNamed) {
  EXPECT_EQ(check(R"({"outputs":[)" TWO R"(],"state":{},"leftover_tokens":0})"),
            "output 'y:0': element 0: expected 1 but got 2");
  EXPECT_EQ(check(R"({"outputs":[],"state":{},"leftover_tokens":0})"),
            "expected 1 outputs but got 0");
}

TEST_F(Check, LeftoverTokensFail) {
  EXPECT_EQ(check(R"({"outputs":[)" ONE R"(],"state":{},"leftover_tokens":2})"),
            "expected no leftover tokens but got 2");
  EXPECT_NE(check(R"({"outputs":[)" ONE R"(],"state":{}})"), "");
}

TEST_F(Check, OnlyTheErrorCodeIsCompared) {
  const char *error = R"({"error":{"code":"INVALID_ARGUMENT","node":"n","message":"any"}})";
  EXPECT_EQ(check(error), "expected success but got INVALID_ARGUMENT: node 'n': any");
  run_.errorCode = "INVALID_ARGUMENT";
  EXPECT_EQ(check(error), "");
  run_.errorCode = "OUT_OF_RANGE";
  EXPECT_NE(check(error), "");
  EXPECT_EQ(check(R"({"outputs":[]})"), "expected OUT_OF_RANGE but got success");
}

TEST_F(Check, VariablesOutsideTheProgramAreUntouched) {
  // "w" did not change and no signature uses it, so the program need not know it.
  EXPECT_EQ(check(R"({"outputs":[)" ONE R"(],"state":{},"leftover_tokens":0})"), "");
  run_.stateAfter = object(R"({"w":)" ONE "}");
  EXPECT_EQ(check(R"({"outputs":[)" ONE R"(],"state":{},"leftover_tokens":0})"),
            "variable 'w': expected a value but it is uninitialised");
}

TEST_F(Check, VariablesOfTheProgramMustBeThereThoughTheyDidNotChange) {
  variables_ = {"w"};
  EXPECT_EQ(check(R"({"outputs":[)" ONE R"(],"state":{},"leftover_tokens":0})"),
            "variable 'w': expected a value but it is uninitialised");
  EXPECT_EQ(check(R"({"outputs":[)" ONE R"(],"state":{"w":)" TWO R"(},"leftover_tokens":0})"), "");
}

TEST_F(Check, LossesAreFloat32WhateverComes) {
  run_.expectations[0].value = Expectation::Number{1};
  EXPECT_EQ(check(R"({"outputs":[{"dtype":"float32","shape":[],"b64":"AACAPw=="}],"state":{},)"
                  R"("leftover_tokens":0})"),
            "");
  EXPECT_EQ(check(R"({"outputs":[{"dtype":"bfloat16","shape":[],"b64":"gD8="}],"state":{},)"
                  R"("leftover_tokens":0})"),
            "output 'y:0': expected dtype float32 but got bfloat16");
}

TEST_F(Check, VariablesThatShouldBeUninitialisedFail) {
  EXPECT_EQ(check(R"({"outputs":[)" ONE R"(],"state":{"v":)" ONE R"(},"leftover_tokens":0})"),
            "variable 'v': expected no value");
  // The run's own graph has no node of this name: a later graph's concern.
  EXPECT_EQ(check(R"({"outputs":[)" ONE R"(],"state":{"later":)" ONE R"(},"leftover_tokens":0})"),
            "");
}

TEST_F(Check, RandomRunsCompareNoValues) {
  run_.nondeterministic = true;
  EXPECT_EQ(check(R"({"outputs":[)" TWO R"(],"state":{"w":)" ONE R"(},"leftover_tokens":0})"), "");
}

TEST_F(Check, CanonicalAnswersDoNotDependOnTheOrderOfVariables) {
  json::Object a = object(R"({"outputs":[],"state":{"a":)" ONE R"(,"b":)" TWO "}}");
  json::Object b = object(R"({"outputs":[],"state":{"b":)" TWO R"(,"a":)" ONE "}}");
  json::Object c = object(R"({"outputs":[],"state":{"b":)" ONE R"(,"a":)" ONE "}}");
  EXPECT_EQ(canonicalAnswer(a), canonicalAnswer(b));
  EXPECT_NE(canonicalAnswer(a), canonicalAnswer(c));
}

TEST(GraphSkeleton, GrownGraphsExtendEarlierOnes) {
  GraphSkeleton small = GraphSkeleton::parse(kGraph);
  GraphSkeleton grown = GraphSkeleton::parse(
      llvm::StringLiteral("\x0a\x07\x0a\x01v\x12\x02Op\x0a\x0a\x0a\x01x\x12\x02Op\x1a\x01v"));
  GraphSkeleton other = GraphSkeleton::parse(llvm::StringLiteral("\x0a\x07\x0a\x01v\x12\x02No"));
  EXPECT_EQ(grown.size(), 2u);
  EXPECT_TRUE(grown.extends(small));
  EXPECT_FALSE(small.extends(grown));
  EXPECT_FALSE(other.extends(small));
}

GraphSkeleton::Needs needsOf(const std::string &bytes, std::vector<std::string> feeds,
                             std::vector<std::string> fetches, std::vector<std::string> targets) {
  GraphSkeleton::Needs needs;
  GraphSkeleton::parse(bytes).addNeeds(needs, feeds, fetches, targets);
  return needs;
}

TEST(GraphSkeleton, NeedsAreWhatIsBehindFetchesAndTargets) {
  std::string bytes = node("a", "A", {}) + node("b", "B", {"a", "^t"}) + node("t", "T", {}) +
                      node("other", "Other", {"b"}) + node("s", "S", {});
  using Names = std::set<std::string>;
  EXPECT_EQ(needsOf(bytes, {}, {"b:0"}, {}).ops, (Names{"A", "B", "T"}));
  EXPECT_EQ(needsOf(bytes, {"a"}, {"b"}, {}).ops, (Names{"B", "T"}));
  EXPECT_EQ(needsOf(bytes, {"a:1"}, {"b"}, {}).ops, (Names{"A", "B", "T"}));
  EXPECT_EQ(needsOf(bytes, {"t:0"}, {"b"}, {"s"}).ops, (Names{"A", "B", "S"}));
  EXPECT_EQ(needsOf(bytes, {}, {"b:0"}, {}).nodes, (Names{"a", "b", "t"}));
}

TEST(GraphSkeleton, VariablesAreNeededByTheNamesOfTheirValues) {
  std::string bytes = node("v", "VariableV2", {}) + node("h", "VarHandleOp", {}, "shared") +
                      node("x", "Op", {"v"}) + node("y", "Op", {"h"});
  using Names = std::set<std::string>;
  EXPECT_EQ(needsOf(bytes, {}, {"x"}, {}).variables, Names{"v"});
  EXPECT_EQ(needsOf(bytes, {}, {"x", "y"}, {}).variables, (Names{"shared", "v"}));
}

TEST(GraphSkeleton, MalformedBytesEndTheReading) {
  EXPECT_EQ(GraphSkeleton::parse("\x0a\x7f\x0a").size(), 0u);
  EXPECT_EQ(GraphSkeleton::parse("\xff\xff\xff").size(), 0u);
}

} // namespace
