// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values of a graph under equal conditions, each named by its op's location.
#include "dialects/flow/DeadnessAnalysis.h"

#include "dialects/interfaces/NodeName.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace sluice::flow {
namespace {

using Conditions = std::map<std::string, unsigned>;

struct Analysed {
  explicit Analysed(const std::string &body) {
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    module = mlir::parseSourceString<mlir::ModuleOp>("flow.graph @main {" + body + "}", &context);
    if (!module)
      return;
    GraphOp graph = *module->getOps<GraphOp>().begin();
    frames = FrameAnalysis::run(graph);
    deadness = DeadnessAnalysis::run(graph, *frames);
    for (mlir::Operation &op : graph.getBody().front())
      for (mlir::OpResult result : op.getResults()) {
        std::string suffix =
            result.getResultNumber() ? "#" + std::to_string(result.getResultNumber()) : "";
        of[nodeNameOf(op.getLoc()).str() + suffix] = deadness->conditionOf(result);
      }
  }

  mlir::DialectRegistry registry;
  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<FrameAnalysis> frames;
  std::optional<DeadnessAnalysis> deadness;
  Conditions of;
};

const std::string kFeeds = R"(
  %p = flow.feed {name = "p:0"} : () -> tensor<i1> loc("p")
  %q = flow.feed {name = "q:0"} : () -> tensor<i1> loc("q")
  %x = flow.feed {name = "x:0"} : () -> tensor<f32> loc("x")
)";

// A switch; its results are `name`, `name#1` and `name#2`.
std::string switchOn(const std::string &name, const std::string &data,
                     const std::string &predicate) {
  return "%" + name + ":3 = flow.switch " + data + ", " + predicate +
         " : (tensor<f32>, tensor<i1>) -> (tensor<f32>, tensor<f32>, !flow.token) loc(\"" + name +
         "\")\n";
}
std::string merge(const std::string &name, const std::string &a, const std::string &b) {
  return "%" + name + ":3 = flow.merge " + a + ", " + b +
         " : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc(\"" + name +
         "\")\n";
}
std::string unary(const std::string &name, const std::string &op, const std::string &x,
                  const std::string &type = "tensor<f32>") {
  return "%" + name + " = " + op + " " + x + " : (" + type + ") -> " + type + " loc(\"" + name +
         "\")\n";
}

TEST(Deadness, OpsAreLiveAsTheirOperands) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + unary("n", "nd.neg", "%s#1") +
             unary("m", "nd.neg", "%s#0"));
  EXPECT_EQ(a.of["x"], DeadnessAnalysis::kAlways);
  EXPECT_EQ(a.of["n"], a.of["s#1"]);
  EXPECT_EQ(a.of["m"], a.of["s"]);
  EXPECT_NE(a.of["m"], a.of["n"]);
  EXPECT_EQ(a.of["s#2"], DeadnessAnalysis::kAlways);
}

TEST(Deadness, SwitchesOfOnePredicateAgree) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + switchOn("t", "%x", "%p") +
             switchOn("u", "%x", "%q"));
  EXPECT_EQ(a.of["s"], a.of["t"]);
  EXPECT_EQ(a.of["s#1"], a.of["t#1"]);
  EXPECT_NE(a.of["s#1"], a.of["u#1"]);
}

TEST(Deadness, NestedSwitchesInAnyOrderAgree) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + switchOn("st", "%s#1", "%q") +
             switchOn("t", "%x", "%q") + switchOn("ts", "%t#1", "%p"));
  EXPECT_EQ(a.of["st#1"], a.of["ts#1"]);
  EXPECT_NE(a.of["st"], a.of["ts"]);
  EXPECT_EQ(a.of["st#2"], a.of["s#1"]);
}

TEST(Deadness, PredicateIsSeenThroughWhatForwardsIt) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") +
             unary("not", "nd.logical_not", "%p", "tensor<i1>") + switchOn("t", "%x", "%not") + R"(
    %tok = flow.start : () -> !flow.token loc("start")
    %g = flow.gate %p, %tok : (tensor<i1>, !flow.token) -> tensor<i1> loc("g")
  )" + switchOn("u", "%x", "%g"));
  EXPECT_EQ(a.of["s#1"], a.of["t"]);
  EXPECT_EQ(a.of["s"], a.of["t#1"]);
  EXPECT_EQ(a.of["s#1"], a.of["u#1"]);
}

TEST(Deadness, MergeOfBothBranchesTakesThePredicateAway) {
  Analysed a(kFeeds + switchOn("o", "%x", "%q") + switchOn("s", "%o#1", "%p") +
             unary("n", "nd.neg", "%s#1") + merge("m", "%s#0", "%n"));
  EXPECT_EQ(a.of["m"], a.of["o#1"]);
  EXPECT_EQ(a.of["m#1"], a.of["o#1"]);
}

TEST(Deadness, MergeOfUnrelatedBranchesIsUnknown) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + switchOn("t", "%x", "%q") +
             merge("m", "%s#0", "%t#1") + merge("n", "%s#0", "%t#0"));
  std::set<unsigned> all{a.of["x"], a.of["s"], a.of["t"], a.of["t#1"], a.of["m"], a.of["n"]};
  EXPECT_EQ(all.size(), 6u);
}

TEST(Deadness, TriggerIsAlwaysLive) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + R"(
    %t = flow.after %s#1 : (tensor<f32>) -> !flow.token loc("t")
    %o = flow.trigger %t : (!flow.token) -> !flow.token loc("o")
  )");
  EXPECT_EQ(a.of["t"], a.of["s#1"]);
  EXPECT_EQ(a.of["o"], DeadnessAnalysis::kAlways);
}

// A loop on x with a limit as a constant enter; `from` and `limit` are what enters, `back` what
// goes round.
std::string loop(const std::string &from, const std::string &limit, const std::string &back) {
  return "%first = flow.enter " + from +
         R"( {frame = "l", constant = false, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32> loc("first")
    %limit = flow.enter )" +
         limit +
         R"( {frame = "l", constant = true, parallel_iterations = 10 : i64} : (tensor<f32>) -> tensor<f32> loc("limit")
    %i:3 = flow.merge %first, %again : (tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("i")
    %less = nd.less %i#0, %limit : (tensor<f32>, tensor<f32>) -> tensor<i1> loc("less")
    %go = flow.loop_cond %less : (tensor<i1>) -> tensor<i1> loc("go")
  )" + switchOn("s", "%i#0", "%go") +
         unary("next", "nd.neg", "%s#1") + R"(
    %again = flow.next_iteration )" +
         back + R"( : (tensor<f32>) -> tensor<f32> loc("again")
    %out = flow.exit %s#0 : (tensor<f32>) -> tensor<f32> loc("out")
  )";
}

TEST(Deadness, LoopHeadersAreLiveInEveryIteration) {
  Analysed a(kFeeds + loop("%x", "%x", "%next"));
  EXPECT_TRUE(a.deadness->isRegular(1));
  EXPECT_EQ(a.of["i"], a.of["limit"]);
  EXPECT_EQ(a.of["i"], a.of["go"]);
  EXPECT_EQ(a.of["next"], a.of["s#1"]);
  EXPECT_NE(a.of["first"], a.of["i"]); // there in the first iteration only
  EXPECT_EQ(a.of["out"], DeadnessAnalysis::kAlways);
}

TEST(Deadness, LoopInABranchIsLiveAsTheBranch) {
  Analysed a(kFeeds + switchOn("b", "%x", "%p") + loop("%b#1", "%b#1", "%next"));
  EXPECT_TRUE(a.deadness->isRegular(1));
  EXPECT_EQ(a.of["i"], a.of["limit"]);
  EXPECT_EQ(a.of["out"], a.of["b#1"]);
}

// With a dead capture the condition is dead, and the loop ends in its first iteration.
TEST(Deadness, CaptureFromAnotherBranchNarrows) {
  Analysed a(kFeeds + switchOn("b", "%x", "%p") + loop("%x", "%b#1", "%next"));
  EXPECT_TRUE(a.deadness->isRegular(1));
  EXPECT_NE(a.of["i"], a.of["less"]);
  EXPECT_EQ(a.of["out"], a.of["b#1"]);
}

TEST(Deadness, LoopThatGoesRoundWithoutItsPredicateIsIrregular) {
  Analysed a(kFeeds + loop("%x", "%x", "%i#0"));
  EXPECT_FALSE(a.deadness->isRegular(1));
  EXPECT_NE(a.of["i"], a.of["limit"]);
  EXPECT_NE(a.of["out"], DeadnessAnalysis::kAlways);
}

TEST(Deadness, BranchWithinALoop) {
  Analysed a(kFeeds +
             "%in = flow.enter %p {frame = \"l\", constant = true, parallel_iterations = 10 : i64} "
             ": (tensor<i1>) -> tensor<i1> loc(\"in\")\n" +
             loop("%x", "%x", "%m#0") + switchOn("b", "%s#1", "%in") +
             unary("n", "nd.neg", "%b#1") + merge("m", "%b#0", "%n"));
  EXPECT_TRUE(a.deadness->isRegular(1));
  EXPECT_EQ(a.of["m"], a.of["s#1"]);
}

// A value that is live whenever another one is takes nothing away from it.
TEST(Deadness, MergeWithANarrowerBranchIsAsTheWiderOne) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + switchOn("t", "%s#1", "%q") +
             merge("m", "%t#1", "%s#1") + merge("n", "%s#1", "%t#0"));
  EXPECT_EQ(a.of["m"], a.of["s#1"]);
  EXPECT_EQ(a.of["n"], a.of["s#1"]);
}

TEST(Deadness, MergeOfThreeBranchesWithinEachOther) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + switchOn("t", "%s#1", "%q") + R"(
    %m:3 = flow.merge %t#0, %s#0, %t#1 : (tensor<f32>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<i32>, !flow.token) loc("m")
  )");
  EXPECT_EQ(a.of["m"], DeadnessAnalysis::kAlways);
}

TEST(Deadness, MergeWithAConstantIsLiveWhereverItArrives) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + R"(
    %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32> loc("c")
  )" + merge("m", "%s#1", "%c"));
  EXPECT_EQ(a.of["m"], DeadnessAnalysis::kAlways);
}

// Nothing is live under both; that is equal to nothing else.
TEST(Deadness, OppositeBranchesTogetherAreUnknown) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") +
             "%n = nd.add %s#0, %s#1 : (tensor<f32>, tensor<f32>) -> tensor<f32> loc(\"n\")\n");
  EXPECT_NE(a.of["n"], a.of["s"]);
  EXPECT_NE(a.of["n"], a.of["s#1"]);
  EXPECT_NE(a.of["n"], DeadnessAnalysis::kAlways);
  unsigned both = a.deadness->conjunction(a.of["s"], a.of["s#1"]);
  EXPECT_EQ(both, a.of["n"]);
  EXPECT_EQ(both, a.deadness->conjunction(a.of["s#1"], a.of["s"]));
}

TEST(Deadness, ConditionsAreSetsOfLiterals) {
  Analysed a(kFeeds + switchOn("s", "%x", "%p") + switchOn("t", "%s#1", "%q"));
  unsigned outer = a.of["s#1"], inner = a.of["t#1"], always = DeadnessAnalysis::kAlways;
  EXPECT_TRUE(a.deadness->implies(inner, outer));
  EXPECT_FALSE(a.deadness->implies(outer, inner));
  EXPECT_TRUE(a.deadness->implies(outer, outer));
  EXPECT_TRUE(a.deadness->implies(outer, always));
  EXPECT_FALSE(a.deadness->implies(always, outer));
  ASSERT_EQ(a.deadness->literalsOf(inner).size(), 2u);
  ASSERT_EQ(a.deadness->literalsOf(outer).size(), 1u);
  unsigned literal = a.deadness->literalsOf(outer).front();
  EXPECT_EQ(a.deadness->literal(literal).kind, Literal::kPredicate);
  EXPECT_TRUE(a.deadness->includes(inner, literal));
  EXPECT_FALSE(a.deadness->includes(a.of["s"], literal));
  EXPECT_EQ(a.deadness->with(always, literal), outer);
  EXPECT_EQ(a.deadness->without(outer, literal), always);
  EXPECT_EQ(a.deadness->with(a.deadness->without(inner, literal), literal), inner);
  EXPECT_EQ(a.deadness->literalsOf(a.of["s"]).front() ^ 1, literal);
  EXPECT_TRUE(a.deadness->literal(a.deadness->literalsOf(a.of["s"]).front()).negated);
}

// A branch is live as its predicate, and as what a result depends on if that is alike either way.
TEST(Deadness, StructuredBranches) {
  Analysed a(kFeeds + switchOn("s", "%x", "%q") + R"(
    %c:2 = flow.cond %p (%s#1, %x) : (tensor<i1>, tensor<f32>, tensor<f32>) -> (tensor<f32>, tensor<f32>) on_true {
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %n = nd.neg %u : (tensor<f32>) -> tensor<f32>
      flow.yield %n, %u : (tensor<f32>, tensor<f32>) -> ()
    } on_false {
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      flow.yield %u, %v : (tensor<f32>, tensor<f32>) -> ()
    } loc("c")
  )");
  EXPECT_EQ(a.of["c"], a.of["s#1"]);
  EXPECT_NE(a.of["c#1"], a.of["s#1"]);
  EXPECT_NE(a.of["c#1"], DeadnessAnalysis::kAlways);
}

// A dead initial value makes all results dead; of captures it is not known which need them.
TEST(Deadness, StructuredLoops) {
  auto loop = [](const std::string &init, const std::string &capture) {
    return "%r = flow.while (" + init + ") (" + capture + R"()
      {frame = "l", parallel_iterations = 1 : i64} : (tensor<f32>, tensor<f32>) -> tensor<f32> before {
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      %b = nd.less %u, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>
      flow.condition %b (%u) : (tensor<i1>, tensor<f32>) -> ()
    } body {
    ^bb0(%u: tensor<f32>, %v: tensor<f32>):
      flow.yield %u : (tensor<f32>) -> ()
    } loc("r")
    )";
  };
  Analysed init(kFeeds + switchOn("s", "%x", "%q") + loop("%s#1", "%x"));
  EXPECT_EQ(init.of["r"], init.of["s#1"]);
  Analysed capture(kFeeds + switchOn("s", "%x", "%q") + loop("%x", "%s#1"));
  EXPECT_NE(capture.of["r"], capture.of["s#1"]);
  EXPECT_NE(capture.of["r"], DeadnessAnalysis::kAlways);
}

TEST(Frames, PathsTellNamesApart) {
  EXPECT_EQ(framePath("", "a"), "a");
  EXPECT_EQ(framePath("a", "b"), "a>b");
  EXPECT_EQ(framePath("a>b", "c>d\\e"), "a>b>c\\>d\\\\e");
}

TEST(Deadness, LongChains) {
  std::string body = kFeeds + switchOn("s", "%x", "%p") + unary("n0", "nd.neg", "%s#1");
  for (unsigned i = 1; i <= 100'000; ++i)
    body += unary("n" + std::to_string(i), "nd.neg", "%n" + std::to_string(i - 1));
  Analysed a(body);
  EXPECT_EQ(a.of["n100000"], a.of["s#1"]);
}

TEST(Deadness, LongChainsOfSwitches) {
  std::string body = kFeeds + switchOn("s0", "%x", "%p");
  for (unsigned i = 1; i <= 20'000; ++i) {
    std::string before = "%s" + std::to_string(i - 1) + "#1", number = std::to_string(i);
    body += "%p" + number + " = nd.less %x, " + before +
            " : (tensor<f32>, tensor<f32>) -> tensor<i1>\n";
    body += switchOn("s" + number, before, "%p" + number);
  }
  Analysed a(body);
  EXPECT_NE(a.of["s20000"], a.of["s20000#1"]);
}

} // namespace
} // namespace sluice::flow
