// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static frames: loops that are put together wrongly.
#include "test/compiler/import/ImportTest.h"

namespace sluice::import {
namespace {

std::string enter(const std::string &name, const std::string &input, const std::string &frame,
                  const std::string &more = "") {
  return node(name, "Enter", {input}, kFloat + attr("frame_name", "s: '" + frame + "'") + more);
}
std::string unary(const std::string &name, const std::string &op, const std::string &input) {
  return node(name, op, {input}, kFloat);
}
std::string merge(const std::string &name, const std::string &a, const std::string &b) {
  return node(name, "Merge", {a, b}, kFloat + attr("N", "i: 2"));
}

// A loop that runs while the fed predicate of a Switch in it is true.
std::string loop(const std::string &frame, const std::string &input) {
  auto name = [&](const std::string &part) { return frame + "_" + part; };
  return enter(name("enter"), input, frame) + merge(name("merge"), name("enter"), name("next")) +
         constant(name("false"), "DT_BOOL", "tensor_shape {}").insert(0, "") +
         node(name("less"), "Less", {name("merge"), name("merge")}, kFloat) +
         node(name("cond"), "LoopCond", {name("less")}) +
         node(name("switch"), "Switch", {name("merge"), name("cond")}, kFloat) +
         unary(name("exit"), "Exit", name("switch")) +
         unary(name("next"), "NextIteration", name("switch") + ":1");
}

TEST(Frames, AWellFormedLoopIsAccepted) {
  Outcome outcome = importText(placeholder("a") + loop("f", "a"), fetching({"f_exit"}, {"a"}));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
}

TEST(Frames, LoopOpsNeedAnEnter) {
  for (const std::string op : {"Exit", "NextIteration"})
    expectBadGraph(one("a") + unary("x", op, "a"),
                   "node 'x' (" + op + "): error: belongs to no loop: expected an Enter before it");
  expectBadGraph(constant("a", "DT_BOOL", "tensor_shape {}") + node("x", "LoopCond", {"a"}),
                 "belongs to no loop");
}

TEST(Frames, EnterNeedsAFrameName) {
  expectBadGraph(one("a") + enter("x", "a", ""),
                 "node 'x' (Enter): error: The Enter must have a frame name");
}

TEST(Frames, AFrameHasOneParent) {
  expectBadGraph(one("a") + enter("e", "a", "f") + enter("x", "a", "g") + enter("y", "e", "g"),
                 "Invalid loop structure: Mismatched parent frames for frame 'g': expected the "
                 "root frame but got frame 'f'");
}

TEST(Frames, AFrameHasOneLoopCond) {
  std::string graph =
      constant("a", "DT_BOOL", "tensor_shape {}") +
      node("x", "Enter", {"a"}, type("T", "DT_BOOL") + attr("frame_name", "s: 'f'"));
  expectBadGraph(graph + node("c", "LoopCond", {"x"}) + node("d", "LoopCond", {"x"}),
                 "node 'd' (LoopCond): error: frame 'f' has more than one LoopCond node");
}

// Whichever of them comes first, the other one is the pivot; alone, a counter is.
TEST(Frames, ALoopCounterDecidesNothingBesideAnotherLoopCond) {
  auto loop = [](const std::string &first, const std::string &second) {
    std::string ends;
    for (const std::string &name : {first, second})
      ends += node(name, "LoopCond", {"less"}) +
              node("s" + name, "Switch", {"merge", name}, kFloat) +
              unary("x" + name, "Exit", "s" + name);
    return placeholder("a") + enter("enter", "a", "f") + merge("merge", "enter", "next") +
           node("less", "Less", {"merge", "merge"}, kFloat) + ends +
           unary("next", "NextIteration", "s" + first + ":1");
  };
  for (auto [first, second] : {std::pair("cond", "LoopCounter"), {"LoopCounter", "cond"}}) {
    Outcome both = importText(loop(first, second), fetching({"xcond", "xLoopCounter"}, {"a"}));
    EXPECT_EQ(both.exitCode, 0) << both.diagnostics;
    size_t pivot = both.module.find("flow.loop_cond");
    EXPECT_NE(pivot, std::string::npos);
    EXPECT_EQ(both.module.find("flow.loop_cond", pivot + 1), std::string::npos) << both.module;
  }
  Outcome alone =
      importText(loop("LoopCounter", "LoopCounter2"), fetching({"xLoopCounter"}, {"a"}));
  EXPECT_EQ(alone.exitCode, 0) << alone.diagnostics;
  EXPECT_NE(alone.module.find("flow.loop_cond"), std::string::npos);
}

TEST(Frames, FramesDoNotMix) {
  std::string graph = placeholder("a") + enter("e", "a", "f");
  expectBadGraph(graph + node("x", "AddV2", {"a", "e"}, kFloat),
                 "node 'x' (AddV2): error: has inputs from different frames. The input 'a' is in "
                 "the root frame. The input 'e' is in frame 'f'.");
  expectBadGraph(graph + node("n", "NoOp") + node("x", "Identity", {"e", "^n"}, kFloat),
                 "has inputs from different frames");
  expectBadGraph(graph + merge("x", "a", "e"), "has inputs from different frames");
}

// A constant's value is there in every frame, unless it waits for something: then it is where that
// is.
TEST(Frames, ConstantsNeedNoEnter) {
  std::string graph = placeholder("a") + one("c") + loop("f", "a") +
                      node("sum", "AddV2", {"c", "f_switch:1"}, kFloat) +
                      unary("left", "Exit", "sum");
  Outcome outcome = importText(graph, fetching({"left"}, {"a"}));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
  expectBadGraph(placeholder("a") + one("c") + loop("f", "a") +
                     node("n", "Neg", {"f_switch:1", "^c"}, kFloat),
                 "has inputs from different frames");
  std::string value = attr("value", "tensor { dtype: DT_FLOAT tensor_shape {} float_val: 1 }");
  expectBadGraph(placeholder("a") + loop("f", "a") +
                     node("c", "Const", {"^a"}, type("dtype", "DT_FLOAT") + value) +
                     node("sum", "AddV2", {"c", "f_merge"}, kFloat),
                 "has inputs from different frames");
}

TEST(Frames, BackEdgesGoToMergesOfTheirFrame) {
  std::string graph = one("a") + enter("e", "a", "f") + unary("n", "NextIteration", "e");
  expectBadGraph(graph + unary("x", "Neg", "n"),
                 "node 'x' (Neg): error: only Merge nodes can have back edges");
  expectBadGraph(graph + node("x", "NoOp", {"^n"}), "only Merge nodes can have back edges");
  expectBadGraph(graph + merge("x", "a", "n"),
                 "is in the root frame but its back edge from 'n' comes from frame 'f'");
}

// A merge waits for its enters, whichever of the nodes in front of it comes first in the file.
TEST(Frames, BackEdgesDoNotOrder) {
  std::string graph =
      merge("b", "enter_b", "next_b") + merge("a", "enter_a", "next_a") +
      node("less", "Less", {"b", "b"}, kFloat) + node("go", "LoopCond", {"less"}) +
      node("switch", "Switch", {"b", "go"}, kFloat) + unary("next_a", "NextIteration", "switch:1") +
      unary("next_b", "NextIteration", "switch:1") +
      node("switch_a", "Switch", {"a", "go"}, kFloat) + unary("exit", "Exit", "switch_a") +
      placeholder("x") + enter("enter_b", "x", "f") + unary("late", "Neg", "x") +
      enter("enter_a", "late", "f");
  Outcome outcome = importText(graph, fetching({"exit"}, {"x"}));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
  EXPECT_NE(outcome.module.find("flow.fetch"), std::string::npos) << outcome.module;
}

TEST(Frames, AMergeNeedsAForwardInput) {
  expectBadGraph(one("a") + enter("e", "a", "f") + unary("n", "NextIteration", "e") +
                     merge("x", "n", "n"),
                 "this Merge can never fire");
}

TEST(Frames, TheWindowIsPositive) {
  for (const std::string count : {"0", "-1", "2147483648"})
    expectBadGraph(one("a") + enter("x", "a", "f", attr("parallel_iterations", "i: " + count)),
                   "'parallel_iterations': expected 1 to 2147483647 but got " + count);
}

TEST(Frames, InsideALoopNothingIsFedOrFetched) {
  std::string graph = placeholder("a") + loop("f", "a");
  expectRefused(graph, fetching({"f_merge"}, {"a"}), 2,
                "fetch 'f_merge': a tensor inside a loop cannot be fetched");
  expectRefused(graph, fetching({"f_exit"}, {"a", "f_less"}), 2,
                "feed 'f_less': a tensor inside a loop cannot be fed");
  expectRefused(graph, fetching({}, {"a"}, {"f_next"}), 2,
                "target 'f_next': a node inside a loop cannot be a target");
}

// Frames `depth` deep.
std::string nestedFrames(int depth) {
  std::string graph = one("e0");
  for (int i = 1; i <= depth; ++i)
    graph += enter("e" + std::to_string(i), "e" + std::to_string(i - 1), "f" + std::to_string(i));
  for (int i = depth; i >= 1; --i)
    graph += unary("x" + std::to_string(i), "Exit",
                   i == depth ? "e" + std::to_string(i) : "x" + std::to_string(i + 1));
  return graph;
}

TEST(Frames, NestedAsDeepAsTheLimit) {
  Outcome outcome = importText(nestedFrames(100), fetching({"x1"}));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
  expectRefused(
      nestedFrames(101), fetching({"x1"}), 1,
      "node 'e101' (Enter): error: expected at most 100 loops inside each other but got 101");
}

} // namespace
} // namespace sluice::import
