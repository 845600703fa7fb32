// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs whose names, edges or types are wrong; each message names the place.
#include "test/compiler/import/ImportTest.h"

namespace sluice::import {
namespace {

const std::string kA = placeholder("a");

TEST(BadGraph, TwoNodesOfOneName) {
  expectBadGraph(kA + "\n" + node("a", "NoOp"),
                 "g.pbtxt:3:1: node 'a' (NoOp): error: two nodes have this name\n"
                 "g.pbtxt:1:1: node 'a' (Placeholder): note: the other node is here");
}

TEST(BadGraph, IllegalNames) {
  for (const std::string name : {"", "_x", "-x", "a b", "a:0", "ä", "a\\001", "a\\n"})
    expectBadGraph(node(name, "NoOp"), "expected a node name of letters");
  expectBadGraph(node(std::string(1 << 20, '*'), "NoOp"), "…'");
}

TEST(BadGraph, MissingNodes) {
  expectBadGraph(
      node("x", "Identity", {"nix"}, kFloat),
      "g.pbtxt:1:1: node 'x' (Identity): error: input 0 'nix': the graph has no such node");
  expectBadGraph(node("x", "NoOp", {"^nix"}), "input 0 '^nix': the graph has no such node");
}

TEST(BadGraph, MissingOutputs) {
  for (const std::string slot : {"1", "7", "4294967295", "99999999999"})
    expectBadGraph(kA + node("x", "Identity", {"a:" + slot}, kFloat),
                   "expected an output of 'a' below 1 but got");
  expectBadGraph(node("a", "NoOp") + node("x", "Identity", {"a"}, kFloat),
                 "expected an output of 'a' below 0 but got 0");
}

TEST(BadGraph, MalformedInputs) {
  for (const std::string input :
       {"", ":0", "^", "^a:0", "a:b:c", "a:0x1", "a:", "a:-1", "a:1:2", "a: 1"})
    expectBadGraph(kA + node("x", "Identity", {input}, kFloat), "error: input 0");
}

TEST(BadGraph, ControlInputsComeLast) {
  expectBadGraph(kA + node("b", "NoOp") + node("x", "Identity", {"^b", "a"}, kFloat),
                 "expected control inputs after all others");
}

TEST(BadGraph, SelfEdges) {
  expectBadGraph(node("x", "Identity", {"x"}, kFloat), "a node cannot be its own input");
  expectBadGraph(node("x", "NoOp", {"^x"}), "a node cannot be its own input");
}

TEST(BadGraph, CyclesWithoutNextIteration) {
  expectBadGraph(node("x", "Identity", {"y"}, kFloat) + node("y", "Identity", {"x"}, kFloat),
                 "a cycle without NextIteration: 'x' -> 'y' -> 'x'");
  expectBadGraph(node("x", "NoOp", {"^y"}) + node("y", "NoOp", {"^z"}) + node("z", "NoOp", {"^y"}),
                 "'y' -> 'z' -> 'y'");
}

TEST(BadGraph, WrongNumberOfInputs) {
  expectBadGraph(kA + node("x", "Identity", {"a", "a"}, kFloat), "expected 1 inputs but got 2");
  expectBadGraph(kA + node("x", "AddV2", {"a"}, kFloat), "expected 2 inputs but got 1");
  expectBadGraph(kA + node("x", "AddN", {"a", "a"}, kFloat + attr("N", "i: 3")),
                 "expected 3 inputs but got 2");
}

TEST(BadGraph, WrongTypes) {
  expectBadGraph(kA + node("x", "Identity", {"a"}, type("T", "DT_INT32")),
                 "input 0 'a': expected int32 but got float");
  expectBadGraph(kA + node("x", "LoopCond", {"a"}), "input 0 'a': expected bool but got float");
  expectBadGraph(kA + node("x", "RefIdentity", {"a"}, kFloat),
                 "expected reference to float but got float");
}

TEST(BadGraph, UnreachableNodesAreCheckedToo) {
  expectRefused(kA + node("x", "Identity", {"a", "a"}, kFloat), fetching({"a"}, {"a"}), 1,
                "expected 1 inputs but got 2");
}

TEST(BadGraph, Versions) {
  expectBadGraph(node("x", "NoOp") + "versions { min_consumer: 99999 }",
                 "the graph needs a reader of version 99999");
  expectBadGraph(node("x", "NoOp") + "versions { bad_consumers: 2314 }",
                 "forbids readers of version 2314");
  expectBadGraph(node("x", "NoOp") + "versions { producer: -1 }",
                 "a producer version of at least 0 but got -1");
  Outcome newer =
      importText(node("x", "NoOp") + "versions { producer: 99999 }", fetching({}, {}, {"x"}));
  EXPECT_EQ(newer.exitCode, 0) << newer.diagnostics;
}

TEST(BadGraph, DeprecatedOps) {
  std::string graph = constant("n", "DT_INT32", "tensor_shape {}") +
                      node("x", "TensorArrayV2", {"n"}, type("dtype", "DT_FLOAT"));
  expectBadGraph(graph + "versions { producer: 26 }",
                 "op TensorArrayV2 is not allowed in graphs of version 26 and newer, but this "
                 "graph has version 26");
  EXPECT_EQ(importText(graph + "versions { producer: 25 }", fetching({}, {}, {"x"})).exitCode, 0);
  EXPECT_EQ(importText(graph + "version: 25", fetching({}, {}, {"x"})).exitCode, 0);
}

TEST(BadGraph, UnsupportedOpsAreNamedAllAtOnce) {
  std::string graph = kA + node("q", "Qr", {"a"}, kFloat) + node("r", "Qr", {"a"}, kFloat) +
                      node("m", "Mystery", {"a"}) + node("other", "Mystery") +
                      node("x", "NoOp", {"^q", "^r", "^m"});
  Outcome outcome = importText(graph, fetching({}, {"a"}, {"x"}));
  EXPECT_EQ(outcome.exitCode, 4);
  EXPECT_EQ(outcome.diagnostics,
            "g.pbtxt:4:1: node 'm' (Mystery): error: op Mystery is not known (1 node: 'm')\n"
            "g.pbtxt:2:1: node 'q' (Qr): error: op Qr is not supported (2 nodes: 'q', 'r')\n");
  EXPECT_EQ(importText(graph, fetching({"a:0"}, {}, {})).exitCode, 2); // the placeholder, not Qr
}

TEST(BadGraph, VariablesOfOneKeyAgree) {
  auto variable = [](const std::string &name, const std::string &dtype, const std::string &dims) {
    return node(name, "VarHandleOp", {},
                type("dtype", dtype) + attr("shape", "shape { " + dims + " }") +
                    attr("shared_name", "s: 'v'"));
  };
  std::string join = node("x", "NoOp", {"^a", "^b"});
  expectBadGraph(variable("a", "DT_FLOAT", "") + variable("b", "DT_INT32", "") + join,
                 "node 'b' (VarHandleOp): error: variable 'v': expected tensor<f32> as in node 'a' "
                 "but got tensor<i32>");
  expectBadGraph(variable("a", "DT_FLOAT", "") + variable("b", "DT_FLOAT", "dim { size: 2 }") +
                     join,
                 "but got tensor<2xf32>");
  EXPECT_EQ(importText(variable("a", "DT_FLOAT", "") + variable("b", "DT_FLOAT", "") + join,
                       fetching({}, {}, {"x"}))
                .exitCode,
            0);
}

TEST(BadGraph, HandlesOfTheWrongKind) {
  std::string stack = constant("n", "DT_INT32", "tensor_shape {}") +
                      node("s", "StackV2", {"n"}, type("elem_type", "DT_FLOAT"));
  expectRefused(stack + node("x", "TensorArrayCloseV3", {"s"}), fetching({}, {}, {"x"}), 1,
                "input 0: expected the handle of a TensorArray");
  expectRefused(stack + node("x", "ReadVariableOp", {"s"}, type("dtype", "DT_FLOAT")),
                fetching({"x"}), 1, "input 0: expected a variable");
  expectRefused(stack + node("x", "ZerosLike", {"s"}, type("T", "DT_RESOURCE")), fetching({"x"}), 4,
                "is not supported for handles");
}

} // namespace
} // namespace sluice::import
