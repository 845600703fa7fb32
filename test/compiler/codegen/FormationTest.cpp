// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets formed from random graphs: nobody waits for ever, and results stay as they are.
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/WholeGraph.h"
#include "compiler/lower/Passes.h"
#include "compiler/partition/Passes.h"
#include "compiler/place/Passes.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "test/compiler/lower/RandomRegions.h"
#include "test/compiler/lower/ResultsOf.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

#include <map>

namespace sluice::codegen {
namespace {

class Formation : public testing::Test {
protected:
  Formation() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
  }

  mlir::LogicalResult lower(mlir::ModuleOp module) {
    mlir::PassManager passes(&context_);
    passes.addNestedPass<flow::GraphOp>(lower::createLowerControlFlow());
    return passes.run(module);
  }

  mlir::LogicalResult split(mlir::ModuleOp module, uint64_t seed) {
    mlir::PassManager passes(&context_);
    place::PlaceAtRandomOptions options;
    options.seed = seed;
    options.devices = 3;
    passes.addPass(place::createPlaceAtRandom(options));
    passes.addPass(partition::createPartitionSettleLoopPorts());
    passes.addPass(partition::createPartitionSplitByDevice());
    return passes.run(module);
  }

  // No op waits for itself, by way of whatever ranks.
  static bool isFreeOfCircles(mlir::ModuleOp module) {
    llvm::SmallVector<flow::TokenGraph> graphs;
    module->walk([&](flow::GraphOp graph) { graphs.push_back(graph); });
    auto whole = WholeGraph::make(graphs);
    return whole && llvm::all_of(graphs, [&](flow::TokenGraph graph) {
             return llvm::all_of(graph.getBody().front(), [&](mlir::Operation &op) {
               return whole->stageOf(&op).has_value();
             });
           });
  }

  mlir::LogicalResult form(mlir::ModuleOp module, unsigned maxOps) {
    mlir::PassManager passes(&context_);
    CodegenFormCodeletsOptions options;
    options.maxOps = maxOps;
    passes.addPass(createCodegenFormCodelets(options));
    return passes.run(module);
  }

  // Adds up what was formed: codelets, and ops in them.
  static void count(mlir::ModuleOp module, std::pair<unsigned, unsigned> &sum) {
    module->walk([&](flow::CodeletOp codelet) {
      ++sum.first;
      for (mlir::Operation &op : codelet.getBody().front().without_terminator())
        sum.second += !flow::isConstantLike(op.getResult(0));
    });
  }

  mlir::MLIRContext context_{mlir::MLIRContext::Threading::DISABLED};
};

TEST_F(Formation, RandomGraphs) {
  std::map<unsigned, std::pair<unsigned, unsigned>> formed; // by the most ops
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::string text = lower::RandomRegions(seed).graph();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    ASSERT_TRUE(module);
    ASSERT_TRUE(mlir::succeeded(lower(*module)));
    std::string expected = lower::resultsOf(*module, 3, 1, seed);
    std::string other = lower::resultsOf(*module, -2, 4, seed);
    for (unsigned maxOps : {2, 5, 200}) {
      mlir::OwningOpRef<mlir::ModuleOp> copy(module->clone());
      ASSERT_TRUE(mlir::succeeded(form(*copy, maxOps))) << text;
      ASSERT_EQ(lower::resultsOf(*copy, 3, 1, seed), expected) << text;
      ASSERT_EQ(lower::resultsOf(*copy, -2, 4, seed), other) << text;
      count(*copy, formed[maxOps]);
    }
  }
  // Fewer codelets of more ops are better, but these are what the rules allow.
  EXPECT_EQ(formed[2], (std::pair(510u, 1020u)));
  EXPECT_EQ(formed[5], (std::pair(466u, 1066u)));
  EXPECT_EQ(formed[200], (std::pair(463u, 1081u)));
}

TEST_F(Formation, RandomGraphsOnSeveralRanks) {
  std::pair<unsigned, unsigned> formed;
  for (uint64_t seed = 0; seed < 60; ++seed) {
    std::string text = lower::RandomRegions(seed).graph();
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    ASSERT_TRUE(module);
    ASSERT_TRUE(mlir::succeeded(lower(*module)));
    ASSERT_TRUE(mlir::succeeded(split(*module, seed))) << text;
    ASSERT_TRUE(isFreeOfCircles(*module));
    ASSERT_TRUE(mlir::succeeded(form(*module, 200))) << text;
    EXPECT_TRUE(isFreeOfCircles(*module)) << text;
    count(*module, formed);
  }
  EXPECT_EQ(formed, (std::pair(188u, 388u)));
}

// A chain is cut into as few parts as possible, all about as long.
TEST_F(Formation, ACodeletHasAtMost200Ops) {
  for (auto [ops, parts] : {std::pair(200u, 1u), {201u, 2u}, {600u, 3u}}) {
    std::string text = "flow.graph @main {\n"
                       "  %v0 = flow.feed {name = \"x:0\"} : () -> tensor<4xf32>\n";
    for (unsigned i = 1; i <= ops; ++i)
      text += "  %v" + std::to_string(i) + " = nd.neg %v" + std::to_string(i - 1) +
              " : (tensor<4xf32>) -> tensor<4xf32>\n";
    text +=
        "  flow.fetch %v" + std::to_string(ops) + " {name = \"y:0\"} : (tensor<4xf32>) -> ()\n}";
    auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    ASSERT_TRUE(module);
    mlir::PassManager passes(&context_);
    passes.addPass(createCodegenFormCodelets());
    ASSERT_TRUE(mlir::succeeded(passes.run(*module)));
    unsigned sum = 0, codelets = 0;
    module->walk([&](flow::CodeletOp codelet) {
      size_t size = codelet.getBody().front().getOperations().size() - 1; // without its end
      EXPECT_LE(size, 200u);
      sum += size;
      ++codelets;
    });
    EXPECT_EQ(sum, ops);
    EXPECT_EQ(codelets, parts);
  }
}

} // namespace
} // namespace sluice::codegen
