// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Feeds, fetches and targets that the graph does not have.
#include "test/compiler/import/ImportTest.h"

namespace sluice::import {
namespace {

const std::string kGraph =
    placeholder("a") + node("b", "Neg", {"a"}, kFloat) + node("n", "NoOp", {"^a"});

void expectUsageError(const SignatureRequest &request, const std::string &message) {
  expectRefused(kGraph, request, 2, message);
}

TEST(BadRequest, UnknownNames) {
  expectUsageError(fetching({"nix"}),
                   "g.pbtxt: error: fetch 'nix': the graph has no node of this name");
  expectUsageError(fetching({"b"}, {"nix:0"}), "feed 'nix:0': the graph has no node of this name");
  for (const std::string name : {"nix", "^n", "n:x"})
    expectUsageError(fetching({}, {}, {name}),
                     "target '" + name + "': the graph has no node of this name");
  expectUsageError(fetching({"^a"}), "fetch '^a': expected 'node' or 'node:output'");
  expectUsageError(fetching({"b:x"}), "fetch 'b:x': expected 'node' or 'node:output'");
}

TEST(BadRequest, DoubledFeeds) {
  expectUsageError(fetching({"b"}, {"a", "a:0"}), "feed 'a:0': is given twice");
}

TEST(BadRequest, FeedAndFetchOfOneTensor) {
  expectUsageError(fetching({"a"}, {"a"}),
                   "node 'a' (Placeholder): error: fetch 'a': the same tensor is fed");
}

TEST(BadRequest, PlaceholdersMustBeFed) {
  expectUsageError(
      fetching({"b"}),
      "node 'a' (Placeholder): error: expected this placeholder to be fed; use --feed a");
}

TEST(BadRequest, FeedsThatCannotBe) {
  std::string variable =
      node("v", "VariableV2", {}, type("dtype", "DT_FLOAT") + attr("shape", "shape {}"));
  expectRefused(variable, fetching({}, {"v"}, {"v"}), 2,
                "feed 'v': expected a tensor but got reference to float");
  std::string handle =
      node("v", "VarHandleOp", {}, type("dtype", "DT_FLOAT") + attr("shape", "shape {}"));
  expectRefused(handle, fetching({}, {"v"}, {"v"}), 2,
                "feed 'v': expected a tensor but got resource");
}

TEST(BadRequest, FeedsOfUnknownOps) {
  expectRefused(node("m", "Mystery"), fetching({}, {"m"}, {"m"}), 2,
                "node 'm' (Mystery): error: feed 'm': the type of this output is not known");
}

// What is fed is not computed, also if it is a target.
TEST(BadRequest, AFedTargetNeedsNothing) {
  Outcome outcome = importText(kGraph, fetching({}, {"b"}, {"b"}));
  EXPECT_EQ(outcome.exitCode, 0) << outcome.diagnostics;
  EXPECT_EQ(outcome.module.find("nd.neg"), std::string::npos) << outcome.module;
}

TEST(BadRequest, FetchesThatAreNoTensors) {
  expectUsageError(fetching({"n"}, {"a"}),
                   "node 'n' (NoOp): error: fetch 'n': the node has no outputs; use --run n");
  expectUsageError(fetching({"b:1"}, {"a"}), "fetch 'b:1': expected an output below 1");
  expectUsageError(fetching({"b:99999999999"}, {"a"}), "expected an output below 1");
  expectUsageError(fetching({}), "expected a fetch or a target");
  std::string handle =
      node("v", "VarHandleOp", {}, type("dtype", "DT_FLOAT") + attr("shape", "shape {}"));
  expectRefused(handle, fetching({"v"}), 4, "fetch 'v:0': expected a tensor but got a handle");
}

TEST(BadRequest, SignaturesHaveNamesOfTheirOwn) {
  DiagnosticList diagnostics;
  auto file = GraphFile::parse("g", kGraph, diagnostics);
  mlir::MLIRContext context;
  EXPECT_FALSE(
      importGraph(context, *file, {fetching({"b"}, {"a"}), fetching({"b"}, {"a"})}, diagnostics));
  EXPECT_EQ(diagnostics.exitCode(), ExitCode::kUsage);
  EXPECT_EQ(formatText(diagnostics.all()[0]), "g: error: two signatures have the name 'main'");
  DiagnosticList unnamed, none;
  EXPECT_FALSE(importGraph(context, *file, {SignatureRequest{"", {"a"}, {"b"}, {}}}, unnamed));
  EXPECT_EQ(formatLines(unnamed, false), "g: error: expected a name for each signature\n");
  EXPECT_FALSE(importGraph(context, *file, llvm::ArrayRef<SignatureRequest>(), none));
  EXPECT_EQ(formatLines(none, false),
            "g: error: expected a fetch or a target; what shall be computed?\n");
}

TEST(BadRequest, JsonHoldsTheSame) {
  Diagnostic diagnostic{
      Severity::kError, ExitCode::kUsage, {"g.pbtxt:1:2", "n\xff", "NoOp"}, "no \"way\""};
  EXPECT_EQ(formatJson(diagnostic),
            "{\"exit_code\":2,\"location\":\"g.pbtxt:1:2\",\"message\":\"no "
            "\\\"way\\\"\",\"node\":\"n\xef\xbf\xbd\",\"op\":\"NoOp\",\"severity\":\"error\"}");
}

TEST(BadRequest, WhatIsNotKeptIsCounted) {
  DiagnosticList warnings, errors;
  for (int i = 0; i < 22; ++i) {
    warnings.warning({"g", "", ""}, "unused");
    errors.error(i == 0 ? ExitCode::kInputOutput : ExitCode::kUsage, {"g", "", "Op"}, "wrong");
    errors.note({"h", "", ""}, "here");
  }
  EXPECT_EQ(errors.exitCode(), ExitCode::kInputOutput);
  EXPECT_EQ(errors.all().size(), 40u); // each with its note
  EXPECT_EQ(formatText(errors.all()[0]), "g: op Op: error: wrong");
  std::string text = formatLines(warnings, /*json=*/false), json = formatLines(errors, true);
  EXPECT_EQ(std::count(text.begin(), text.end(), '\n'), 21);
  EXPECT_TRUE(text.ends_with("\nnote: 2 more problems are not shown\n")) << text;
  EXPECT_TRUE(
      json.ends_with("\n{\"message\":\"2 more problems are not shown\",\"severity\":\"note\"}\n"))
      << json;
}

} // namespace
} // namespace sluice::import
