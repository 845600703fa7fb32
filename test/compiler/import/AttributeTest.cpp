// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes that are missing, unknown, doubled, or of the wrong kind or value.
#include "test/compiler/import/ImportTest.h"

namespace sluice::import {
namespace {

std::string bad(const std::string &rest) { return node("x", "Placeholder", {}, rest); }

TEST(Attributes, MissingIsRefused) {
  expectBadGraph(bad(""), "g.pbtxt:1:1: node 'x' (Placeholder): error: attribute 'dtype': expected "
                          "a value but it is missing");
}

TEST(Attributes, UnknownIsRefused) {
  expectBadGraph(bad(type("dtype", "DT_FLOAT") + attr("zip", "i: 1")),
                 "op Placeholder has no such attribute");
  Outcome annotated =
      importText(placeholder("x") + node("y", "Neg", {"x"}, kFloat + attr("_note", "i: 1")),
                 fetching({"y"}, {"x"}));
  EXPECT_EQ(annotated.exitCode, 0) << annotated.diagnostics;
}

// Of a producer that is newer than the table of ops.
TEST(Attributes, UnknownOfNewerProducersMustSayNothing) {
  std::string newer = "versions { producer: 9999 }\n" + placeholder("x");
  for (const char *empty : {"i: 0", "b: false", "s: ''", "f: 0", "list {}", ""}) {
    Outcome outcome = importText(newer + node("y", "Neg", {"x"}, kFloat + attr("zip", empty)),
                                 fetching({"y"}, {"x"}));
    EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
    EXPECT_NE(outcome.diagnostics.find("warning: attribute 'zip' is not known and ignored"),
              std::string::npos)
        << outcome.diagnostics;
  }
  for (const char *set : {"i: 1", "b: true", "s: 'a'", "list { i: 0 }", "type: DT_FLOAT"})
    expectRefused(newer + node("y", "Neg", {"x"}, kFloat + attr("zip", set)),
                  fetching({"y"}, {"x"}), 4,
                  "attribute 'zip': op Neg is newer than this compiler, which does not know");
}

TEST(Attributes, WhatCannotBeCompiledHasARemedy) {
  expectRefused(node("y", "EagerPyFunc", {},
                     attr("token", "s: 'a'") + attr("Tin", "list {}") +
                         attr("Tout", "list { type: DT_FLOAT }")),
                fetching({"y"}), 4, "it runs Python, which no executable has");
  expectRefused(node("y", "XlaCallModule", {}, attr("Tin", "list {}")), fetching({"y"}), 4,
                "it holds a program for another compiler");
  expectRefused(node("y", "IteratorGetNext", {"x"}) + node("x", "IteratorV2"), fetching({"y"}), 4,
                "feed what the iterator gives");
  expectRefused(node("y", "MyZeroOut"), fetching({"y"}), 4, "op of a library");
}

TEST(Attributes, WrongKindIsRefused) {
  expectBadGraph(bad(attr("dtype", "i: 1")), "attribute 'dtype': expected type but got int");
  expectBadGraph(bad(attr("dtype", "list { type: DT_FLOAT }")), "expected type but got list");
  expectBadGraph(bad(attr("dtype", "")), "expected type but got nothing");
  expectBadGraph(bad(attr("dtype", "placeholder: 'T'")), "expected type but got placeholder");
  expectBadGraph(node("x", "IdentityN", {}, attr("T", "type: DT_FLOAT")),
                 "expected a list but got type");
  expectBadGraph(node("x", "IdentityN", {}, attr("T", "list { i: 1 }")),
                 "expected a list of type but got a list of int");
}

TEST(Attributes, DoubledIsRefused) {
  expectBadGraph(bad(type("dtype", "DT_FLOAT") + type("dtype", "DT_INT32")),
                 "attribute 'dtype': is given twice");
}

TEST(Attributes, BadTypesAreRefused) {
  expectBadGraph(bad(type("dtype", "DT_INVALID")), "but got type 0");
  expectBadGraph(bad(type("dtype", "999")), "but got type 999");
  expectBadGraph(bad(type("dtype", "DT_FLOAT_REF")), "but got reference to float");
  expectBadGraph(node("x", "IdentityN", {}, attr("T", "list { type: DT_FLOAT type: DT_INVALID }")),
                 "attribute 'T': expected an element type but got type 0");
  expectBadGraph(placeholder("a", "DT_STRING") + node("x", "Neg", {"a"}, type("T", "DT_STRING")),
                 "attribute 'T': expected one of bfloat16, half, float,");
}

TEST(Attributes, UnsupportedTypesAreRefused) {
  expectRefused(placeholder("a", "DT_INT4") +
                    node("x", "Cast", {"a"}, type("SrcT", "DT_INT4") + type("DstT", "DT_FLOAT")),
                fetching({"x"}, {"a"}), 4, "op Cast is not supported for int4 (1 node: 'x')");
  std::string types = type("SrcT", "DT_DOUBLE") + type("DstT", "DT_FLOAT");
  std::string input = placeholder("p", "DT_DOUBLE");
  expectRefused(
      input + node("x", "Cast", {"p"}, types + attr("Truncate", "b: true")), fetching({"x"}, {"p"}),
      4,
      "node 'x' (Cast): error: attribute 'Truncate': expected false, for casts round, but "
      "got true");
  EXPECT_EQ(importText(input + node("x", "Cast", {"p"}, types + attr("Truncate", "b: false")),
                       fetching({"x"}, {"p"}))
                .exitCode,
            0);
}

TEST(Attributes, BadShapesAreRefused) {
  auto shaped = [](const std::string &shape) {
    return bad(type("dtype", "DT_FLOAT") + attr("shape", "shape { " + shape + " }"));
  };
  expectBadGraph(shaped("dim { size: -2 }"),
                 "attribute 'shape': expected a dim of at least -1 but got -2");
  expectBadGraph(shaped("dim { size: 4294967296 } dim { size: 4294967296 }"), "overflows 64 bits");
  expectBadGraph(shaped("unknown_rank: true dim { size: 1 }"), "unknown rank has 1 dims");
  std::string many;
  for (int i = 0; i < 255; ++i)
    many += "dim { size: 1 } ";
  expectBadGraph(shaped(many), "expected at most 254 dims but got 255");
}

TEST(Attributes, ValuesHaveMinimaAndSets) {
  expectBadGraph(node("x", "Merge", {}, kFloat + attr("N", "i: 0")),
                 "attribute 'N': expected at least 1 but got 0");
  expectBadGraph(node("x", "AddN", {}, kFloat + attr("N", "i: -1")),
                 "attribute 'N': expected at least 1 but got -1");
  expectBadGraph(node("x", "AddN", {}, kFloat + attr("N", "i: 2147483648")),
                 "expected at most 1048576 inputs or outputs");
  expectBadGraph(placeholder("a") + placeholder("b") +
                     node("x", "BiasAdd", {"a", "b"}, kFloat + attr("data_format", "s: 'CNHW'")),
                 "attribute 'data_format': expected one of 'NHWC', 'NCHW' but got 'CNHW'");
}

TEST(Attributes, AConstantHasTheTypeItSays) {
  expectBadGraph(node("x", "Const", {},
                      type("dtype", "DT_FLOAT") + attr("value", "tensor { dtype: DT_INT32 }")),
                 "attribute 'value': expected a tensor of float but got one of int32");
}

// Old producers wrote an unknown shape as that of a scalar.
TEST(Attributes, ShapesOfPlaceholders) {
  auto expectFed = [](const std::string &shape, int producer, const std::string &type) {
    Outcome outcome =
        importText(node("x", "Placeholder", {}, sluice::import::type("dtype", "DT_FLOAT") + shape) +
                       "versions { producer: " + std::to_string(producer) + " }",
                   fetching({}, {"x"}, {"x"}));
    EXPECT_NE(outcome.module.find("{name = \"x:0\"} : () -> " + type + "\n"), std::string::npos)
        << producer << outcome.module << outcome.diagnostics;
  };
  expectFed(attr("shape", "shape {}"), 21, "tensor<*xf32>");
  expectFed(attr("shape", "shape {}"), 22, "tensor<f32>");
  expectFed(attr("shape", "shape { dim { size: 2 } }"), 21, "tensor<2xf32>");
  expectFed(attr("shape", "shape { unknown_rank: true }"), 22, "tensor<*xf32>");
  expectFed("", 22, "tensor<*xf32>");
}

TEST(Attributes, MissingOnesTakeTheirDefaults) {
  Outcome outcome =
      importText(placeholder("a") + placeholder("b") + node("x", "MatMul", {"a", "b"}, kFloat),
                 fetching({"x"}, {"a", "b"}));
  EXPECT_NE(outcome.module.find("transpose_lhs = false"), std::string::npos) << outcome.diagnostics;
}

} // namespace
} // namespace sluice::import
