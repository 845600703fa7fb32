// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How a graph trains, and what is asked of the graph without its training.
#include "tools/sluice-conformance/training_test.h"

#include "test/tools/sluice-conformance/GraphBytes.h"
#include "test/tools/sluice-conformance/RecordFolder.h"
#include "tools/sluice-conformance/graph_skeleton.h"
#include "tools/sluice-conformance/replay.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "gtest/gtest.h"

using namespace sluice::conformance;
namespace fs = llvm::sys::fs;
namespace json = llvm::json;

namespace {

#define ONE R"({"dtype":"float32","shape":[],"b64":"AACAPw=="})"
#define TWO R"({"dtype":"float32","shape":[],"b64":"AAAAQA=="})"

using Names = std::vector<std::string>;
using Nodes = std::set<std::string>;

// The loss is a square of w; the variable is trained with what stands in `update`.
std::string graphWith(const std::string &update) {
  return node("x", "Placeholder", {}) + node("w", "VarHandleOp", {}, "w") +
         node("w/read", "ReadVariableOp", {"w"}) + node("loss", "Square", {"w/read"}) +
         node("gradients/g", "Mul", {"loss", "x"}) + constant("lr", 0.5f) + update +
         node("train", "NoOp", {"^update"});
}

std::string descent(const std::string &derivative = "gradients/g", const std::string &lr = "lr") {
  return node("update", "ResourceApplyGradientDescent", {"w", lr, derivative});
}

// All derivatives by one factor, and not above `most` together.
std::string clipped(float most, const std::string &squared) {
  return constant("most", most) + constant("one", 1) + constant("two", 2) +
         node("half", "L2Loss", {squared}) + node("halves", "Pack", {"half"}) +
         node("sum", "Sum", {"halves", "axis"}) + node("square", "Mul", {"sum", "two"}) +
         node("norm", "Sqrt", {"square"}) + node("inverse", "RealDiv", {"one", "norm"}) +
         node("least", "Minimum", {"inverse", "limit"}) + node("by", "Mul", {"most", "least"}) +
         node("zero", "Sub", {"norm", "norm"}) + node("factor", "AddV2", {"by", "zero"}) +
         node("clipped", "Mul", {"gradients/g", "factor"}) + node("copy", "Identity", {"clipped"});
}

class TrainingTest : public RecordFolder {
protected:
  void SetUp() override {
    RecordFolder::SetUp();
    ASSERT_FALSE(fs::create_directory(path("work")));
  }
  void record(const std::string &graph, const std::string &more = "",
              const std::string &before = R"("w":)" ONE,
              const std::string &after = R"("w":)" TWO) const {
    write("t.pb", graph);
    write("t.json", R"({"graph":"t.pb","feeds":{"x":)" ONE R"(},"loss":"loss:0","train":"train",
      "losses_5_steps":[1,2],"gradient_xs":["w"],"gradient_names":["gradients/g:0"],
      "gradient_values":[null],"state_before":{)" +
                        before + R"(},"state_after":{)" + after + "}" + more + "}");
  }
  RecordedTest make() const {
    RecordedTest recorded = llvm::cantFail(loadTest({"t", std::string(root_), path("t.json")}));
    return llvm::cantFail(makeTrainingTest(recorded, path("work")));
  }
  // Flags of the only request, or why there is none.
  Names flags() const {
    RecordedTest test = make();
    return test.runs.empty() ? Names{test.inexpressible} : test.runs[0].training->flags();
  }
};

TEST_F(TrainingTest, StepsLoseTheGraphsOwnTraining) {
  record(graphWith(descent()));
  RecordedTest test = make();
  ASSERT_EQ(test.runs.size(), 2u);
  auto buffer = llvm::MemoryBuffer::getFile(test.folder + "/" + test.runs[0].graph);
  EXPECT_EQ(GraphSkeleton::parse((*buffer)->getBuffer()).nodesWhere([](auto) { return true; }),
            (Nodes{"loss", "lr", "w", "w/read", "x"}));
  EXPECT_TRUE(test.runs[0].stateBefore && !test.runs[1].stateBefore);
  EXPECT_TRUE(!test.runs[0].stateAfter && test.runs[1].stateAfter->get("w"));
  EXPECT_EQ(test.runs[1].targets, Names{});
  EXPECT_EQ(std::get<Expectation::Number>(test.runs[1].expectations[0].value).value, 2);
  EXPECT_EQ(test.runs[1].madeOf, 2u);
}

TEST_F(TrainingTest, OptimizersAreKnownByTheirOps) {
  Names common{"--train", "loss:0", "--optimizer", "sgd(lr=0.5)", "--variables", "w"};
  record(graphWith(descent()));
  EXPECT_EQ(flags(), common);
  std::string numbers = constant("b1", 0.25f) + constant("b2", 0.75f) + constant("e", 0.125f);
  record(graphWith(numbers + node("m", "VarHandleOp", {}, "m") +
                   node("update", "ResourceApplyMomentum", {"w", "m", "lr", "gradients/g", "b1"},
                        "", flag("use_nesterov"))));
  common[3] = "momentum(lr=0.5,momentum=0.25,nesterov=1)";
  EXPECT_EQ(flags(), common);
  record(
      graphWith(numbers + node("update", "ApplyAdam",
                               {"w", "m", "v", "p1", "p2", "lr", "b1", "b2", "e", "gradients/g"})));
  common[3] = "adam(lr=0.5,beta1=0.25,beta2=0.75,epsilon=0.125)";
  EXPECT_EQ(flags(), common);
  record(graphWith(node("rows", "UnsortedSegmentSum", {"gradients/g", "i", "n"}) +
                   node("update", "SparseApplyAdagrad", {"w", "a", "lr", "rows", "i"})));
  common[3] = "adagrad(lr=0.5)";
  EXPECT_EQ(flags(), common);
}

TEST_F(TrainingTest, NumbersMayBeInVariablesThatStayTheSame) {
  std::string update = node("rate", "VariableV2", {}) + node("copy", "Identity", {"rate"}) +
                       node("update", "ResourceApplyGradientDescent", {"w", "copy", "gradients/g"});
  record(graphWith(update), "", R"("w":)" ONE R"(,"rate":)" TWO, R"("w":)" TWO R"(,"rate":)" TWO);
  EXPECT_EQ(flags()[3], "sgd(lr=2)");
  record(graphWith(update), "", R"("w":)" ONE R"(,"rate":)" TWO, R"("w":)" TWO R"(,"rate":)" ONE);
  EXPECT_EQ(flags(), Names{"variable 'rate' is not the same in all steps"});
}

TEST_F(TrainingTest, ClippingByTheNormOfAllIsAFlag) {
  record(graphWith(clipped(3, "gradients/g") + descent("copy")));
  EXPECT_EQ(flags(), (Names{"--train", "loss:0", "--optimizer", "sgd(lr=0.5)", "--clip-norm", "3",
                            "--variables", "w"}));
  record(graphWith(clipped(3, "x") + descent("copy")));
  EXPECT_EQ(flags(), Names{"node 'factor': derivatives get a factor that is not that of their "
                           "norm"});
}

TEST_F(TrainingTest, WhatNoFlagSaysIsNamed) {
  record(graphWith(node("update", "ApplyFtrl", {"w"})));
  EXPECT_EQ(flags(), Names{"node 'update': no optimizer for op ApplyFtrl"});
  record(graphWith(node("update", "NoOp", {})));
  EXPECT_EQ(flags(), Names{"'train' has no optimizer"});
  record(graphWith(descent("gradients/g", "x")));
  EXPECT_EQ(flags(), Names{"node 'x' is no constant and no variable of floats"});
  record(graphWith(node("sign", "Sign", {"gradients/g"}) + descent("sign")));
  EXPECT_EQ(flags(), Names{"node 'sign': derivatives are changed before they are used"});
  record(graphWith(descent()) + constant("other", 2) +
         node("and", "ApplyGradientDescent", {"b", "other", "gradients/g"}) +
         node("train", "NoOp", {"^update", "^and"}));
  EXPECT_EQ(flags(), Names{"variables are trained in two ways, sgd(lr=2) and sgd(lr=0.5)"});
  record(node("s", "VarHandleOp", {}, "s") + graphWith(descent()) +
             node("loss", "Mul", {"w/read", "s"}),
         "", R"("w":)" ONE R"(,"s":)" ONE, R"("w":)" TWO R"(,"s":)" TWO);
  EXPECT_EQ(flags(), Names{"variable 's' is changed by no optimizer"});
}

TEST_F(TrainingTest, DerivativesThatTheLossNeedsStay) {
  record(graphWith(node("gradients_1/g", "Neg", {"loss"}) + descent("gradients_1/g")) +
         node("loss", "Square", {"gradients/g"}));
  RecordedTest test = make();
  ASSERT_EQ(test.runs.size(), 2u);
  auto buffer = llvm::MemoryBuffer::getFile(test.folder + "/" + test.runs[0].graph);
  GraphSkeleton left = GraphSkeleton::parse((*buffer)->getBuffer());
  EXPECT_TRUE(left.hasNode("gradients/g") && !left.hasNode("gradients_1/g"));
}

// With a shell script in place of the compiler, which also answers the calls.
class TrainingReplay : public TrainingTest {
protected:
  Outcome replayWith(const std::string &compiler) {
    write("compiler", "#!/bin/sh\n" + compiler);
    fs::setPermissions(path("compiler"), fs::all_all);
    settings_.compiler = path("compiler");
    settings_.deadline = std::chrono::seconds(5);
    settings_.asking = Asking::kTraining;
    settings_.interpretPhase = "";
    return replay({"t", std::string(root_), path("t.json")}, settings_, path("work"));
  }
  static std::string answers(const std::string &lastState) {
    return R"(echo '{"outputs":[)" ONE R"(],"state":{"w":)" ONE R"(},"leftover_tokens":0}'
echo '{"outputs":[)" TWO R"(],"state":{"w":)" +
           lastState + R"(},"leftover_tokens":0}')";
  }

  Settings settings_;
};

TEST_F(TrainingReplay, LossesAndTheLastVariablesAreCompared) {
  record(graphWith(descent()));
  std::string checks = R"(
test "$2 $3 $4 $5 $6 $7 $8 $9" = "--feed x --train loss:0 --optimizer sgd(lr=0.5) --variables w" ||
  exit 9
)";
  Outcome outcome = replayWith(checks + answers(TWO));
  EXPECT_EQ(outcome.reason, "");
  EXPECT_EQ(outcome.verdict, Verdict::kPassed);
  EXPECT_EQ(replayWith(answers(ONE)).reason,
            "run 3: variable 'w': element 0: expected 2 but got 1");
}

TEST_F(TrainingReplay, WhatCannotBeAskedForIsSkippedAndTheRestNotCounted) {
  record(graphWith(node("update", "ApplyFtrl", {"w"})));
  Outcome outcome = replayWith("exit 9");
  EXPECT_EQ(outcome.verdict, Verdict::kSkipped);
  EXPECT_EQ(outcome.reason, "node 'update': no optimizer for op ApplyFtrl");
  write("t.json", R"({"graph":"t.pb","loss":"loss:0","train":"train","losses_5_steps":[1]})");
  EXPECT_EQ(replayWith("exit 9").verdict, Verdict::kNotCounted);
}

} // namespace
