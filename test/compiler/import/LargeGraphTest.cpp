// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Large graphs: nothing recurses, nothing is quadratic.
#include "test/compiler/import/ImportTest.h"

#include "compiler/import/GraphCheck.h"

namespace sluice::import {
namespace {

constexpr int kMany = 100'000;

std::unique_ptr<GraphFile> file(const std::string &text, DiagnosticList &diagnostics) {
  return GraphFile::parse("g", text, diagnostics);
}

void expectImported(const std::string &text, const SignatureRequest &request) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  DiagnosticList diagnostics;
  auto graph = file(text, diagnostics);
  ASSERT_TRUE(graph);
  EXPECT_TRUE(importGraph(context, *graph, request, diagnostics));
}

TEST(LargeGraph, DeepChainInReverseOrder) {
  std::string text;
  for (int i = kMany; i > 0; --i)
    text += node("n" + std::to_string(i), "Neg", {"n" + std::to_string(i - 1)}, kFloat);
  expectImported(text + one("n0"), fetching({"n" + std::to_string(kMany)}));
}

TEST(LargeGraph, DeepChainOfControlEdges) {
  std::string text = node("n0", "NoOp");
  for (int i = 1; i <= kMany; ++i)
    text += node("n" + std::to_string(i), "NoOp", {"^n" + std::to_string(i - 1)});
  expectImported(text, fetching({}, {}, {"n" + std::to_string(kMany)}));
}

TEST(LargeGraph, WideFanOut) {
  std::string text = one("x");
  std::vector<std::string> all;
  for (int i = 0; i < kMany; ++i) {
    all.push_back("n" + std::to_string(i));
    text += node(all.back(), "Neg", {"x"}, kFloat);
  }
  text += node("s", "AddN", all, kFloat + attr("N", "i: " + std::to_string(kMany)));
  expectImported(text, fetching({"s"}));
}

TEST(LargeGraph, ManyAccessesOfOneVariable) {
  std::string text =
      one("c") + node("v", "VariableV2", {}, type("dtype", "DT_FLOAT") + attr("shape", "shape {}"));
  std::vector<std::string> all;
  for (int i = 0; i < kMany / 4; ++i) {
    text += node("r" + std::to_string(i), "Neg", {"v"}, kFloat);
    text += node("w" + std::to_string(i), "AssignAdd", {"v", "c"}, kFloat);
    all.push_back("^r" + std::to_string(i));
    all.push_back("^w" + std::to_string(i));
  }
  expectImported(text + node("all", "NoOp", all), fetching({}, {}, {"all"}));
}

TEST(LargeGraph, LongCyclesAreNamedShortly) {
  std::string text;
  for (int i = 0; i < kMany; ++i)
    text += node("n" + std::to_string(i), "Neg", {"n" + std::to_string((i + 1) % kMany)}, kFloat);
  Outcome outcome = importText(text, fetching({"n0"}));
  EXPECT_EQ(outcome.exitCode, 1);
  EXPECT_LT(outcome.diagnostics.size(), 1000u);
}

TEST(LargeGraph, ManyErrorsAreNotAllKept) {
  std::string text;
  for (int i = 0; i < kMany; ++i)
    text += node("n", "NoOp");
  DiagnosticList diagnostics;
  OpTable table;
  auto graph = file(text, diagnostics);
  EXPECT_FALSE(Graph::resolve(
      *graph, table, [](const OpSignature &) { return true; }, diagnostics));
  EXPECT_LT(diagnostics.all().size(), 100u);
  EXPECT_GT(diagnostics.suppressed(), 99'000u);
}

} // namespace
} // namespace sluice::import
