// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Walks follow all edges and end in loops; what is pruned is gone, and all else stays as it was.
#include "tools/sluice-conformance/prune.h"

#include "test/tools/sluice-conformance/GraphBytes.h"
#include "tools/sluice-conformance/graph_skeleton.h"

#include "gtest/gtest.h"

using namespace sluice::conformance;

namespace {

using Names = std::set<std::string>;

// outer: while (...) { inner: while (...) {} }
std::string nestedLoops() {
  return node("c", "Const", {}) + node("enter", "Enter", {"c"}) +
         node("merge", "Merge", {"enter", "next"}) + node("body", "Identity", {"merge"}) +
         node("enter2", "Enter", {"body"}) + node("merge2", "Merge", {"enter2", "next2"}) +
         node("next2", "NextIteration", {"merge2"}) + node("exit2", "Exit", {"merge2"}) +
         node("next", "NextIteration", {"exit2"}) + node("exit", "Exit", {"merge"}) +
         node("y", "Neg", {"exit"}) + node("late", "Const", {"^body"});
}

TEST(GraphWalks, AncestorsAreBehindAllEdges) {
  GraphSkeleton graph = GraphSkeleton::parse(node("a", "A", {}) + node("b", "B", {"a:1", "^t"}) +
                                             node("t", "T", {}) + node("c", "C", {"b"}));
  EXPECT_EQ(graph.ancestorsOf({"b:0"}), (Names{"a", "b", "t"}));
  EXPECT_EQ(graph.ancestorsOf({"nowhere"}), Names{});
  EXPECT_EQ(GraphSkeleton::parse(nestedLoops()).ancestorsOf({"body"}),
            (Names{"body", "c", "enter", "enter2", "exit2", "merge", "merge2", "next", "next2"}));
}

TEST(GraphWalks, DependentsAreBeforeAllEdges) {
  GraphSkeleton graph = GraphSkeleton::parse(node("a", "A", {}) + node("b", "B", {"a:1"}) +
                                             node("t", "T", {"^b"}) + node("c", "C", {}));
  EXPECT_EQ(graph.dependentsOf({"a"}), (Names{"a", "b", "t"}));
  EXPECT_EQ(graph.dependentsOf({}), Names{});
}

TEST(GraphWalks, OnlyExitsOfTheOutermostLoopAreOutside) {
  Names inside = GraphSkeleton::parse(nestedLoops()).nodesInLoops();
  EXPECT_EQ(inside, (Names{"body", "enter", "enter2", "exit2", "late", "merge", "merge2", "next",
                           "next2"}));
}

TEST(GraphWalks, LoopsThatNobodyCouldMakeEndToo) {
  GraphSkeleton graph = GraphSkeleton::parse(node("a", "Enter", {"b"}) + node("b", "Enter", {"a"}));
  EXPECT_EQ(graph.nodesInLoops(), (Names{"a", "b"}));
}

TEST(Prune, CopiesAllButTheNodes) {
  std::string a = node("a", "A", {}), b = node("b", "B", {"a"}), c = node("c", "C", {});
  std::string versions("\x22\x02\x08\x18"), number("\x18\x07");
  EXPECT_EQ(pruneGraph(a + number + b + versions + c, {"b", "versions"}),
            a + number + versions + c);
  EXPECT_EQ(pruneGraph(a + b, {}), a + b);
}

TEST(Prune, EndsAtMalformedBytes) {
  std::string a = node("a", "A", {});
  EXPECT_EQ(pruneGraph(a + "\x0a\x7f\x0a", {}), a);
}

} // namespace
