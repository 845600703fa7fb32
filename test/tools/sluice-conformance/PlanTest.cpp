// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Programs, signatures and loaded states follow from the recorded runs.
#include "tools/sluice-conformance/plan.h"

#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace json = llvm::json;

namespace {

// The test's runs, without the parts that planning never looks at.
RecordedTest testOf(const char *runs) {
  RecordedTest test;
  json::Value root = llvm::cantFail(json::parse(runs));
  json::Object object{{"runs", std::move(root)}};
  llvm::cantFail(readRuns(object, test));
  return test;
}

#define ONE R"({"dtype":"int32","shape":[],"b64":"AQAAAA=="})"
#define TWO R"({"dtype":"int32","shape":[],"b64":"AgAAAA=="})"

TEST(Plan, EqualSignaturesAreCompiledOnce) {
  RecordedTest test = testOf(R"([
    {"graph":"graph1.pb","feeds":{"b:0":)" ONE R"(,"a:0":)" ONE
                             R"(},"fetches":["y:0"],"targets":["t","s"],"expect":[null]},
    {"graph":"graph1.pb","feeds":{"a:0":)" TWO R"(,"b:0":)" ONE
                             R"(},"fetches":["y:0"],"targets":["s","t"],"expect":[null]},
    {"graph":"graph1.pb","feeds":{},"fetches":["y:0"],"targets":[],"expect":[null]}])");
  Plan plan = planCalls(test, Sharing::kOneProgram);
  ASSERT_EQ(plan.programs.size(), 1u);
  ASSERT_EQ(plan.programs[0].signatures.size(), 2u);
  EXPECT_EQ(plan.programs[0].signatures[0].feeds, (std::vector<std::string>{"a:0", "b:0"}));
  EXPECT_EQ(plan.programs[0].signatures[0].targets, (std::vector<std::string>{"s", "t"}));
  EXPECT_EQ(plan.calls[0].signature, plan.calls[1].signature);
  EXPECT_NE(plan.calls[0].signature, plan.calls[2].signature);
}

TEST(Plan, TheOrderOfFetchesIsKeptAndEachIsFetchedOnce) {
  RecordedTest test = testOf(R"([
    {"graph":"graph1.pb","fetches":["z:0","a:0","z:0"],"expect":[)" ONE "," TWO "," ONE R"(]}])");
  Plan plan = planCalls(test, Sharing::kOneProgram);
  EXPECT_EQ(plan.programs[0].signatures[0].fetches, (std::vector<std::string>{"z:0", "a:0"}));
  EXPECT_EQ(test.runs[0].expectations.size(), 3u);
}

TEST(Plan, AFetchWithoutAValueIsATarget) {
  RecordedTest test = testOf(R"([
    {"graph":"graph1.pb","fetches":["init","x","y:0"],"expect":[null,)" ONE R"(,null]},
    {"graph":"graph1.pb","fetches":["check"],"error":["InvalidArgumentError","no"]}])");
  EXPECT_EQ(test.runs[0].targets, std::vector<std::string>{"init"});
  EXPECT_EQ(test.runs[0].fetches, (std::vector<std::string>{"x", "y:0"}));
  EXPECT_EQ(test.runs[1].targets, std::vector<std::string>{"check"});
  EXPECT_EQ(test.runs[1].errorCode, "INVALID_ARGUMENT");
}

TEST(Plan, TheLastGraphIsFoundByNumber) {
  RecordedTest test = testOf(R"([
    {"graph":"graph9.pb","fetches":[],"expect":[]},
    {"graph":"graph10.pb","fetches":[],"expect":[]},
    {"graph":"graph2.pb","fetches":[],"expect":[]}])");
  EXPECT_EQ(lastGraph(test), "graph10.pb");
  EXPECT_EQ(planCalls(test, Sharing::kOneProgram).programs.size(), 1u);
  EXPECT_EQ(planCalls(test, Sharing::kProgramPerGraph).programs.size(), 3u);
}

TEST(Plan, StateIsLoadedOnlyWhereTheLiveOneDiffers) {
  RecordedTest test =
      testOf(R"([
    {"graph":"graph1.pb","fetches":[],"state_before":{},"expect":[],"state_after":{"v":)" ONE R"(}},
    {"graph":"graph1.pb","fetches":[],"state_before":{"v":)" ONE
             R"(},"expect":[],"state_after":{"v":)" ONE R"(}},
    {"graph":"graph1.pb","fetches":[],"state_before":{"v":)" TWO
             R"(},"expect":[],"state_after":{"v":)" TWO R"(}},
    {"graph":"graph1.pb","fetches":[],"state_before":{"v":)" TWO
             R"(},"error":["InternalError","no"]},
    {"graph":"graph1.pb","fetches":[],"state_before":{"v":)" TWO
             R"(},"expect":[],"nondeterministic":true,"state_after":{"v":)" TWO R"(}},
    {"graph":"graph1.pb","fetches":[],"state_before":{"v":)" TWO
             R"(},"expect":[],"state_after":{}}])");
  std::vector<bool> loaded;
  for (const Call &call : planCalls(test, Sharing::kOneProgram).calls)
    loaded.push_back(call.loadState);
  EXPECT_EQ(loaded, (std::vector<bool>{false, false, true, false, true, true}));
}

TEST(Plan, AnotherProcessStartsFromTheRecordedState) {
  RecordedTest test = testOf(R"([
    {"graph":"graph1.pb","fetches":[],"state_before":{},"expect":[],"state_after":{"v":)" ONE R"(}},
    {"graph":"graph2.pb","fetches":[],"state_before":{"v":)" ONE
                             R"(},"expect":[],"state_after":{"v":)" ONE R"(}}])");
  Plan plan = planCalls(test, Sharing::kProgramPerGraph);
  EXPECT_TRUE(plan.calls[1].loadState);
  json::Value call = callJson(plan, test, plan.calls[1], nullptr);
  EXPECT_EQ(*call.getAsObject()->getObject("state"), *test.runs[1].stateBefore);
}

TEST(Plan, TrainingStepsCarryTheStateOn) {
  RecordedTest test;
  json::Value root = llvm::cantFail(json::parse(R"({"graph":"g.pb","feeds":{"x:0":)" ONE R"(},
    "state_before":{"w":)" ONE R"(},"loss":"loss:0","train":"train","losses_5_steps":[3,2],
    "gradient_names":["g:0",null,{"values":"v:0","indices":"i:0","dense_shape":"s:0"}],
    "gradient_values":[)" ONE ",null," ONE R"(],"state_after":{"w":)" TWO R"(}})"));
  llvm::cantFail(readTraining(*root.getAsObject(), test));
  ASSERT_EQ(test.runs.size(), 3u);
  EXPECT_EQ(test.runs[0].fetches, (std::vector<std::string>{"g:0", "v:0", "i:0", "s:0", "loss:0"}));
  EXPECT_TRUE(test.runs[1].stateBefore && !test.runs[1].stateAfter);
  EXPECT_TRUE(!test.runs[2].stateBefore && test.runs[2].stateAfter);
  Plan plan = planCalls(test, Sharing::kOneProgram);
  EXPECT_EQ(plan.programs[0].signatures.size(), 2u);
  EXPECT_TRUE(plan.calls[1].loadState);
  EXPECT_FALSE(plan.calls[2].loadState);
}

TEST(Plan, SignaturesAreWrittenForTheCompiler) {
  Program program{"g.pb", {{"s0", {"x:0"}, {"y:0"}, {"t"}}}};
  json::Value want = llvm::cantFail(json::parse(
      R"({"signatures":[{"name":"s0","feeds":["x:0"],"fetches":["y:0"],"targets":["t"]}]})"));
  EXPECT_EQ(signaturesJson(program), want);
}

// A run that asks for derivatives of y with respect to the xs.
RecordedRun asking(const char *graph, std::vector<std::string> xs) {
  RecordedRun run;
  run.graph = graph;
  run.fetches = {"f:0"};
  run.targets = {"t"};
  run.stateBefore = json::Object();
  run.stateAfter = json::Object();
  run.gradients.push_back({{{"y:0", "s:0"}}, std::move(xs), {"c:0"}});
  return run;
}

TEST(Plan, GradientsShareProgramsOnlyWithTheSame) {
  RecordedTest test;
  for (const char *graph : {"a.pb", "b.pb", "a.pb"})
    test.runs.push_back(asking(graph, {"x:0"}));
  test.runs.push_back(asking("a.pb", {"x:0", "w"}));
  Plan plan = planCalls(test, Sharing::kProgramPerSignature);
  ASSERT_EQ(plan.programs.size(), 3u);
  EXPECT_EQ(plan.calls[0].program, plan.calls[2].program);
  EXPECT_NE(plan.calls[0].program, plan.calls[3].program);
  for (const Call &call : plan.calls)
    EXPECT_TRUE(call.loadState);
}

TEST(Plan, GradientsAreFlagsAndTheLastFetches) {
  RecordedTest test;
  test.runs.push_back(asking("a.pb", {"x:0", "w"}));
  test.runs[0].gradients.push_back({{{"f:0", ""}}, {"x:0"}, {}});
  Plan plan = planCalls(test, Sharing::kProgramPerSignature);
  const Signature &signature = plan.programs[0].signatures[0];
  using Words = std::vector<std::string>;
  EXPECT_EQ(signature.name, "main");
  EXPECT_EQ(signature.fetches, (Words{"f:0", "gradients/x:0", "gradients/w:0", "gradients_1/x:0"}));
  EXPECT_EQ(signature.roots(), (Words{"f:0", "y:0", "s:0", "x:0", "w", "c:0", "f:0", "x:0"}));
  EXPECT_EQ(signatureFlags(signature), (Words{"--fetch", "f:0", "--run", "t", "--gradients",
                                              "y:0*s:0=x:0,w!c:0", "--gradients", "f:0=x:0"}));
  EXPECT_EQ(forwardFlags(signature), (Words{"--fetch", "f:0", "--fetch", "y:0", "--run", "t"}));
}

TEST(Plan, TrainingIsFlagsInsteadOfFetchesAndTargets) {
  RecordedTest test;
  for (int step = 0; step < 2; ++step) {
    test.runs.emplace_back().graph = "a.pb";
    test.runs.back().fetches = {"loss:0"};
    test.runs.back().training = {"loss:0", "sgd(lr=1)", "5", {"w", "b"}};
  }
  test.runs[0].stateBefore = json::Object{{"w", 1}};
  Plan plan = planCalls(test, Sharing::kProgramPerSignature);
  ASSERT_EQ(plan.programs.size(), 1u);
  const Signature &signature = plan.programs[0].signatures[0];
  using Words = std::vector<std::string>;
  EXPECT_EQ(signature.name, "train");
  EXPECT_EQ(signatureFlags(signature),
            (Words{"--train", "loss:0", "--optimizer", "sgd(lr=1)", "--clip-norm", "5",
                   "--variables", "w", "--variables", "b"}));
  EXPECT_EQ(forwardFlags(signature), (Words{"--fetch", "loss:0"}));
  // What the first step has changed, the second one finds.
  EXPECT_TRUE(plan.calls[0].loadState);
  EXPECT_FALSE(plan.calls[1].loadState);
}

} // namespace
