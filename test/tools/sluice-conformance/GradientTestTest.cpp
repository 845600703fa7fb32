// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is asked of which graph: without TensorFlow's gradients, with what the calls need.
#include "tools/sluice-conformance/gradient_test.h"

#include "test/tools/sluice-conformance/GraphBytes.h"
#include "test/tools/sluice-conformance/RecordFolder.h"
#include "tools/sluice-conformance/graph_skeleton.h"
#include "tools/sluice-conformance/replay.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;

namespace {

#define ONE R"({"dtype":"float32","shape":[],"b64":"AACAPw=="})"

using Names = std::vector<std::string>;
using Nodes = std::set<std::string>;

class Gradients : public RecordFolder {
protected:
  void SetUp() override {
    RecordFolder::SetUp();
    ASSERT_FALSE(fs::create_directory(path("work")));
  }
  RecordedTest make(const std::string &runs) const {
    write("runs.json", R"({"runs":[)" + runs + "]}");
    RecordedTest recorded = llvm::cantFail(loadTest({"t", std::string(root_), path("runs.json")}));
    return llvm::cantFail(makeGradientTest(recorded, path("work")));
  }
  Nodes nodesOf(const RecordedTest &test, size_t run) const {
    auto buffer = llvm::MemoryBuffer::getFile(test.folder + "/" + test.runs[run].graph);
    return GraphSkeleton::parse((*buffer)->getBuffer()).nodesWhere([](auto) { return true; });
  }
  static Names requests(const RecordedRun &run) {
    Names texts;
    for (const GradientRequest &request : run.gradients)
      texts.push_back(request.text());
    return texts;
  }
};

std::string call(const std::string &y, const std::string &x, const std::string &derivative,
                 const std::string &value = ONE) {
  return R"({"ys":[")" + y + R"("],"xs":[")" + x + R"("],"grads":[")" + derivative +
         R"("],"values":[)" + value + "]}";
}

std::string run(const std::string &calls, const std::string &more = "") {
  return R"({"graph":"graph1.pb","fetches":["y:0","gradients/g:0"],"targets":["init"],
    "feeds":{"x:0":)" ONE R"(},"state_before":{"v":)" ONE R"(},"expect":[)" ONE "," ONE
         R"(],"state_after":{"v":)" ONE R"(},"gradient_calls":[)" +
         calls + "]" + more + "}";
}

std::string smallGraph() {
  return node("x", "Placeholder", {}) + node("y", "Square", {"x"}) + node("init", "NoOp", {}) +
         node("gradients/g", "Mul", {"x", "y"}) + node("train", "Train", {"gradients/g"}) +
         node("after", "Identity", {"x", "^train"});
}

TEST_F(Gradients, RunsLoseWhatTensorFlowAdded) {
  write("graph1.pb", smallGraph());
  RecordedTest test = make(run(call("y:0", "x:0", "gradients/g:0")));
  ASSERT_EQ(test.runs.size(), 1u);
  EXPECT_EQ(nodesOf(test, 0), (Nodes{"init", "x", "y"}));
  const RecordedRun &asking = test.runs[0];
  EXPECT_EQ(asking.fetches, Names{"y:0"});
  EXPECT_EQ(asking.targets, Names{"init"});
  EXPECT_EQ(requests(asking), Names{"y:0=x:0"});
  EXPECT_TRUE(asking.feeds.get("x:0") && asking.stateBefore->get("v") && asking.stateAfter);
  ASSERT_EQ(asking.expectations.size(), 2u);
  EXPECT_EQ(std::get<Expectation::Dense>(asking.expectations[0].source).fetch, "y:0");
  EXPECT_EQ(std::get<Expectation::Dense>(asking.expectations[1].source).fetch, "gradients/x:0");
}

TEST_F(Gradients, OwnResultsAreNotComparedWithoutTheTrainingStep) {
  write("graph1.pb", smallGraph());
  RecordedTest test = make(R"({"graph":"graph1.pb","fetches":["y:0"],"targets":["train"],
    "expect":[)" ONE R"(],"state_after":{"v":)" ONE R"(},"gradient_calls":[)" +
                           call("y:0", "x:0", "gradients/g:0") + "]}");
  ASSERT_EQ(test.runs.size(), 1u);
  EXPECT_EQ(test.runs[0].targets, Names{});
  EXPECT_EQ(test.runs[0].expectations.size(), 1u);
  EXPECT_FALSE(test.runs[0].stateAfter);
}

TEST_F(Gradients, RunsWithNothingToCompareAreLeftOut) {
  write("graph1.pb", smallGraph());
  EXPECT_EQ(make(run("")).runs.size(), 0u);
  EXPECT_EQ(make(run(call("y:0", "x:0", "gradients/g:0", "null"))).runs.size(), 0u);
  EXPECT_EQ(make(run(call("nowhere:0", "x:0", "gradients/g:0"))).runs.size(), 0u);
  std::string failed = R"({"graph":"graph1.pb","error":["InternalError","no"],"gradient_calls":[)" +
                       call("y:0", "x:0", "gradients/g:0") + "]}";
  RecordedTest test = make(failed + "," + run(call("y:0", "x:0", "gradients/g:0")));
  ASSERT_EQ(test.runs.size(), 1u);
  EXPECT_EQ(test.runs[0].madeOf, 1u);
}

TEST_F(Gradients, CallsInsideALoopsBodyAreLeftOut) {
  write("graph1.pb", smallGraph() + node("enter", "Enter", {"x"}) + node("in", "Neg", {"enter"}));
  EXPECT_EQ(make(run(call("in:0", "x:0", "while/gradients/g:0"))).runs.size(), 0u);
}

TEST_F(Gradients, ALoopKeepsTheStacksThatItsGradientGaveIt) {
  write("graph1.pb", node("x", "Placeholder", {}) + node("gradients/stack", "EmptyTensorList", {}) +
                         node("y", "While", {"x", "gradients/stack"}) +
                         node("gradients/g", "While", {"y:1"}));
  RecordedTest test = make(run(call("y:0", "x:0", "gradients/g:0")));
  EXPECT_EQ(nodesOf(test, 0), (Nodes{"gradients/stack", "x", "y"}));
}

TEST_F(Gradients, CallsOfARunShareAProgram) {
  write("graph1.pb", smallGraph() + node("z", "Neg", {"x"}) + node("gradients_1/g", "Neg", {"z"}));
  RecordedTest test =
      make(run(call("y:0", "x:0", "gradients/g:0") + "," + call("z:0", "x:0", "gradients_1/g:0")));
  ASSERT_EQ(test.runs.size(), 1u);
  EXPECT_EQ(requests(test.runs[0]), (Names{"y:0=x:0", "z:0=x:0"}));
  EXPECT_EQ(std::get<Expectation::Dense>(test.runs[0].expectations[2].source).fetch,
            "gradients_1/x:0");
}

TEST_F(Gradients, DerivativesOfDerivativesHaveAProgramOfTheirOwn) {
  write("graph1.pb", smallGraph() + node("gradients_1/h", "Neg", {"gradients/g"}));
  RecordedTest test = make(run(call("y:0", "x:0", "gradients/g:0") + "," +
                               call("gradients/g:0", "x:0", "gradients_1/h:0")));
  ASSERT_EQ(test.runs.size(), 2u);
  EXPECT_EQ(nodesOf(test, 0), (Nodes{"init", "x", "y"}));
  EXPECT_EQ(requests(test.runs[1]), Names{"gradients/g:0=x:0"});
  EXPECT_EQ(nodesOf(test, 1), (Nodes{"after", "gradients/g", "init", "train", "x", "y"}));
}

TEST_F(Gradients, EqualGraphsAreWrittenOnce) {
  write("graph1.pb", smallGraph());
  std::string one = run(call("y:0", "x:0", "gradients/g:0"));
  RecordedTest test = make(one + "," + one);
  ASSERT_EQ(test.runs.size(), 2u);
  EXPECT_EQ(test.runs[0].graph, test.runs[1].graph);
}

// With a shell script in place of the compiler, which also answers the calls.
class GradientReplay : public Gradients {
protected:
  Outcome replayWith(const std::string &compiler, const std::string &graph,
                     const std::string &runs) {
    write("graph1.pb", graph);
    write("runs.json", R"({"runs":[)" + runs + "]}");
    write("compiler", "#!/bin/sh\n" + compiler);
    fs::setPermissions(path("compiler"), fs::all_all);
    settings_.compiler = path("compiler");
    settings_.deadline = std::chrono::seconds(5);
    settings_.asking = Asking::kGradients;
    return replay({"t", std::string(root_), path("runs.json")}, settings_, path("work"));
  }

  Settings settings_;
};

constexpr const char *kAnswers =
    R"(echo '{"outputs":[)" ONE "," ONE R"(],"state":{"v":)" ONE R"(},"leftover_tokens":0}')";

TEST_F(GradientReplay, RequestsAreOnTheCommandLine) {
  settings_.interpretPhase = "";
  std::string checks = R"(
test "$2 $3 $4 $5 $6 $7 $8 $9" = "--feed x:0 --fetch y:0 --run init --gradients y:0=x:0" || exit 9
grep -q '"signature":"main"' ${13} && grep -q '"state":{"v"' ${13} || exit 8
)";
  Outcome outcome =
      replayWith(checks + kAnswers, smallGraph(), run(call("y:0", "x:0", "gradients/g:0")));
  EXPECT_EQ(outcome.reason, "");
  EXPECT_EQ(outcome.verdict, Verdict::kPassed);
}

TEST_F(GradientReplay, WrongDerivativesFailByTheRecordedRun) {
  settings_.interpretPhase = "";
  std::string two = R"({"dtype":"float32","shape":[],"b64":"AAAAQA=="})";
  Outcome outcome = replayWith(kAnswers, smallGraph(),
                               run("") + "," + run(call("y:0", "x:0", "gradients/g:0", two)));
  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.reason, "run 2: output 'gradients/x:0': element 0: expected 2 but got 1");
}

TEST_F(GradientReplay, TestsWithoutGradientsAreNotCounted) {
  EXPECT_EQ(replayWith("exit 9", smallGraph(), run("")).verdict, Verdict::kNotCounted);
}

TEST_F(GradientReplay, OnlyUnsupportedProgramsAreSkipped) {
  std::string runs = run(call("y:0", "x:0", "gradients/g:0"));
  std::string refuse = "echo \"node 'y': error: not supported\" >&2; exit 4";
  EXPECT_EQ(replayWith(refuse, smallGraph(), runs).verdict, Verdict::kSkipped);
  Outcome outcome =
      replayWith("case \"$*\" in *--gradients*) " + refuse + ";; esac", smallGraph(), runs);
  EXPECT_EQ(outcome.verdict, Verdict::kFailed);
  EXPECT_EQ(outcome.reason, "compiler: exit code 4, but without gradients it compiles: "
                            "node 'y': error: not supported");
}

} // namespace
