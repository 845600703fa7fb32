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

TEST(BadGraph, LegalNames) {
  for (const std::string name : {"a", "0", ".", ".a/b-c>d_e.Z9"}) {
    Outcome outcome = importText(node(name, "NoOp"), fetching({}, {}, {name}));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
  }
}

TEST(BadGraph, LongTextsAreCut) {
  EXPECT_EQ(escaped(std::string(200, 'a')), std::string(200, 'a'));
  EXPECT_EQ(escaped(std::string(201, 'a')), std::string(200, 'a') + "…");
  EXPECT_EQ(escaped("\x1f\x7f ~\x0a"), "\\x1f\\x7f ~\\x0a");
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
  expectBadGraph(kA + node("x", "Identity", {"a:4294967294"}, kFloat), "but got 4294967294");
  expectBadGraph(kA + node("x", "Identity", {"a:4294967296"}, kFloat), "but got a larger number");
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

TEST(BadGraph, LongCyclesAreCut) {
  auto cycle = [](int length) {
    std::string graph;
    for (int i = 0; i < length; ++i)
      graph += node("n" + std::to_string(i), "NoOp", {"^n" + std::to_string((i + 1) % length)});
    return graph;
  };
  expectBadGraph(cycle(8),
                 ": 'n0' -> 'n7' -> 'n6' -> 'n5' -> 'n4' -> 'n3' -> 'n2' -> 'n1' -> 'n0'");
  expectBadGraph(cycle(9), ": 'n0' -> … -> 'n7' -> 'n6' -> 'n5' -> 'n4' -> 'n3' -> 'n2' -> 'n1' -> "
                           "'n0'");
}

TEST(BadGraph, WrongNumberOfInputs) {
  expectBadGraph(kA + node("x", "Identity", {"a", "a"}, kFloat), "expected 1 inputs but got 2");
  expectBadGraph(kA + node("x", "AddV2", {"a"}, kFloat), "expected 2 inputs but got 1");
  expectBadGraph(kA + node("x", "AddN", {"a", "a"}, kFloat + attr("N", "i: 3")),
                 "expected 3 inputs but got 2");
  expectBadGraph(kA + node("x", "ShapeN", {"a"}, kFloat + attr("N", "i: -1")),
                 "node 'x' (ShapeN): error: attribute 'N': expected at least 0 but got -1");
}

// What its attributes say of an op that nobody can build need not fit, nor fill the memory.
TEST(BadGraph, NumbersOfInputsOfUnsupportedOpsMayBeAnything) {
  for (const std::string count : {"-1", "-2", "9223372036854775807"}) {
    Outcome outcome = importText(
        node("x", "NoOp") + placeholder("a", "DT_INT32") +
            node("q", "QuantizedConcat", {"a"}, type("T", "DT_QINT8") + attr("N", "i: " + count)),
        fetching({}, {}, {"x"}));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
  }
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
  expectBadGraph(node("x", "NoOp") + "versions { min_consumer: 2315 }",
                 "a reader of version 2315 but this one has version 2314");
  Outcome ours =
      importText(node("x", "NoOp") + "versions { min_consumer: 2314 bad_consumers: 2313 }",
                 fetching({}, {}, {"x"}));
  EXPECT_EQ(ours.exitCode, 0) << ours.diagnostics;
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
  std::string graph = kA + node("q", "DebugIdentity", {"a"}, kFloat) +
                      node("r", "DebugIdentity", {"a"}, kFloat) + node("m", "Mystery", {"a"}) +
                      node("other", "Mystery") + node("x", "NoOp", {"^q", "^r", "^m"});
  Outcome outcome = importText(graph, fetching({}, {"a"}, {"x"}));
  EXPECT_EQ(outcome.exitCode, 4);
  EXPECT_EQ(
      outcome.diagnostics,
      "g.pbtxt:2:1: node 'q' (DebugIdentity): error: op DebugIdentity is not supported (2 nodes: "
      "'q', 'r')\n"
      "g.pbtxt:4:1: node 'm' (Mystery): error: op Mystery is not known (1 node: 'm')\n"
      "g.pbtxt:4:1: node 'm' (Mystery): note: it may be an op of a library: replace it by ops of "
      "TensorFlow, or feed what it gives, with --feed\n");
  EXPECT_EQ(importText(graph, fetching({"a:0"}, {}, {})).exitCode, 2); // the placeholder, not them
}

TEST(BadGraph, OfManyUnsupportedNodesSomeAreNamed) {
  auto outcome = [](int count) {
    std::string graph = kA;
    std::vector<std::string> inputs;
    for (int i = 0; i < count; ++i) {
      graph += node("q" + std::to_string(i), "DebugIdentity", {"a"}, kFloat);
      inputs.push_back("^q" + std::to_string(i));
    }
    return importText(graph + node("x", "NoOp", inputs), fetching({}, {"a"}, {"x"})).diagnostics;
  };
  EXPECT_TRUE(outcome(5).ends_with("(5 nodes: 'q0', 'q1', 'q2', 'q3', 'q4')\n")) << outcome(5);
  EXPECT_TRUE(outcome(6).ends_with("(6 nodes: 'q0', 'q1', 'q2', 'q3', 'q4', …)\n")) << outcome(6);
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
  auto expectAgreed = [&](const std::string &first, const std::string &second) {
    Outcome outcome =
        importText(variable("a", "DT_FLOAT", first) + variable("b", "DT_FLOAT", second) + join,
                   fetching({}, {}, {"x"}));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
  };
  expectAgreed("", "");
  expectAgreed("unknown_rank: true", "dim { size: 2 }");
  expectAgreed("dim { size: 2 }", "unknown_rank: true");
  expectBadGraph(variable("a", "DT_FLOAT", "unknown_rank: true") +
                     variable("b", "DT_INT32", "unknown_rank: true") + join,
                 "expected tensor<*xf32> as in node 'a' but got tensor<*xi32>\n"
                 "g.pbtxt:1:1: node 'a' (VarHandleOp): note: the other node is here");
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

// Each op looks at its handle itself.
TEST(BadGraph, HandlesOfTheWrongKindOfEachOp) {
  std::string floats = type("T", "DT_FLOAT"), dtype = type("dtype", "DT_FLOAT");
  std::string common = constant("n", "DT_INT32", "tensor_shape {}") + one("f") +
                       constant("ns", "DT_INT32", "tensor_shape { dim { size: 1 } }") +
                       constant("lengths", "DT_INT64", "tensor_shape { dim { size: 1 } }") +
                       node("s", "StackV2", {"n"}, type("elem_type", "DT_FLOAT")) +
                       node("t", "TensorArrayV3", {"n"}, dtype);
  auto expect = [&](const std::string &op, const std::vector<std::string> &inputs,
                    const std::string &rest, const std::string &message) {
    expectRefused(common + node("x", op, inputs, rest), fetching({}, {}, {"x"}), 1,
                  "node 'x' (" + op + "): error: " + message);
  };
  const std::string array = "input 0: expected the handle of a TensorArray";
  expect("TensorArrayWriteV3", {"s", "n", "f", "f"}, floats, array);
  expect("TensorArrayScatterV3", {"s", "ns", "f", "f"}, floats, array);
  expect("TensorArraySplitV3", {"s", "f", "lengths", "f"}, floats, array);
  expect("TensorArrayReadV3", {"s", "n", "f"}, dtype, array);
  expect("TensorArrayGatherV3", {"s", "ns", "f"}, dtype, array);
  expect("TensorArrayConcatV3", {"s", "f"}, dtype, array);
  expect("TensorArraySizeV3", {"s", "f"}, "", array);
  expect("TensorArrayGradV3", {"s", "f"}, attr("source", "s: 'g'"), array);
  const std::string stack = "input 0: expected the handle of a stack";
  expect("StackPushV2", {"t", "f"}, floats, stack);
  expect("StackPopV2", {"t"}, type("elem_type", "DT_FLOAT"), stack);
  expect("StackCloseV2", {"t"}, "", stack);
  const std::string variable = "input 0: expected a variable";
  std::string indices = type("Tindices", "DT_INT32");
  expect("AssignVariableOp", {"s", "f"}, dtype, variable);
  expect("VarIsInitializedOp", {"s"}, "", variable);
  expect("VariableShape", {"s"}, "", variable);
  expect("ResourceGather", {"s", "ns"}, dtype + indices, variable);
  expect("ResourceGatherNd", {"s", "ns"}, dtype + indices, variable);
  expect("ResourceApplyGradientDescent", {"s", "f", "f"}, floats, variable);
  common += node("v", "VarHandleOp", {}, dtype + attr("shape", "shape {}"));
  expect("ResourceApplyMomentum", {"v", "s", "f", "f", "f"}, floats,
         "input 1: expected a variable");
  expect("ResourceApplyAdam", {"v", "v", "s", "f", "f", "f", "f", "f", "f", "f"}, floats,
         "input 2: expected a variable");
}

TEST(BadGraph, HandlesThatMeetAreOfOneType) {
  auto variable = [](const std::string &name, const std::string &dims) {
    return node(name, "VarHandleOp", {},
                type("dtype", "DT_FLOAT") + attr("shape", "shape { " + dims + " }"));
  };
  std::string resource = type("T", "DT_RESOURCE");
  std::string graph = placeholder("p", "DT_BOOL") + variable("v", "") +
                      variable("w", "dim { size: 2 }") + node("a", "Switch", {"v", "p"}, resource) +
                      node("b", "Switch", {"w", "p"}, resource) +
                      node("x", "Merge", {"a", "b:1"}, resource + attr("N", "i: 2"));
  expectRefused(graph, fetching({}, {"p"}, {"x"}), 4,
                "node 'x' (Merge): error: inputs refer to variables, arrays or stacks of different "
                "types");
}

TEST(BadGraph, OptimizersWorkOnFloats) {
  std::string variable =
      node("v", "VarHandleOp", {}, type("dtype", "DT_INT32") + attr("shape", "shape {}")) +
      constant("n", "DT_INT32", "tensor_shape {}");
  expectRefused(
      variable + node("x", "ResourceApplyGradientDescent", {"v", "n", "n"}, type("T", "DT_INT32")),
      fetching({}, {}, {"x"}), 4, "op ResourceApplyGradientDescent is not supported for int32");
}

} // namespace
} // namespace sluice::import
