// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lower-control-flow makes gives the same results as the regions it was made from.
#include "compiler/lower/Passes.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "test/compiler/lower/RandomRegions.h"
#include "test/compiler/lower/ResultsOf.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

namespace sluice::lower {
namespace {

class SameResults : public testing::Test {
protected:
  SameResults() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
  }

  mlir::OwningOpRef<mlir::ModuleOp> parse(const std::string &text) {
    return mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
  }

  mlir::MLIRContext context_{mlir::MLIRContext::Threading::DISABLED};
};

TEST_F(SameResults, RandomRegions) {
  for (uint64_t seed = 0; seed < 300; ++seed) {
    std::string text = RandomRegions(seed).graph();
    auto module = parse(text);
    ASSERT_TRUE(module) << text;
    std::string expected = resultsOf(*module, 3, 1);
    EXPECT_NE(expected.find(" 0 left over"), std::string::npos) << expected << "\n" << text;
    EXPECT_EQ(resultsOf(*module, 3, 1, seed), expected) << text;
    std::string other = resultsOf(*module, -2, 4);

    mlir::PassManager passes(&context_);
    passes.addNestedPass<flow::GraphOp>(createLowerControlFlow());
    ASSERT_TRUE(mlir::succeeded(passes.run(*module))) << text;
    module->walk(
        [](mlir::Operation *op) { EXPECT_FALSE((mlir::isa<flow::CondOp, flow::WhileOp>(op))); });
    ASSERT_EQ(resultsOf(*module, 3, 1), expected) << text;
    ASSERT_EQ(resultsOf(*module, 3, 1, seed), expected) << text;
    ASSERT_EQ(resultsOf(*module, -2, 4), other) << text;
  }
}

// Nesting does not recurse in the pass; parser and verifier set the limit.
TEST_F(SameResults, DeepNests) {
  std::string text = "flow.graph @main {\n%a = flow.feed {name = \"a\"} : () -> tensor<i32>\n"
                     "%b = flow.feed {name = \"b\"} : () -> tensor<i32>\n"
                     "%p = nd.less %b, %a : (tensor<i32>, tensor<i32>) -> tensor<i1>\n";
  std::string value = "%a", predicate = "%p", ends;
  constexpr int kDepth = 200;
  for (int i = 0; i < kDepth; ++i) {
    std::string n = std::to_string(i);
    text += "%r" + n + " = flow.cond " + predicate + " (" + predicate + ", " + value +
            ") : (tensor<i1>, tensor<i1>, tensor<i32>) -> tensor<i32> on_true {\n^bb0(%p" + n +
            ": tensor<i1>, %x" + n + ": tensor<i32>):\n";
    value = "%x" + n;
    predicate = "%p" + n;
  }
  text += "%y = nd.neg " + value + " : (tensor<i32>) -> tensor<i32>\n";
  std::string result = "%y";
  for (int i = kDepth - 1; i >= 0; --i) {
    text += "flow.yield " + result +
            " : (tensor<i32>) -> ()\n} on_false {\n"
            "^bb0(%q: tensor<i1>, %z: tensor<i32>):\nflow.yield %z : (tensor<i32>) -> ()\n}\n";
    result = "%r" + std::to_string(i);
  }
  auto module = parse(text + "flow.fetch " + result + " {name = \"r\"} : (tensor<i32>) -> ()\n}\n");
  ASSERT_TRUE(module);
  EXPECT_EQ(resultsOf(*module, 3, 1), "-3 0 left over");
  EXPECT_EQ(resultsOf(*module, 1, 3), "1 0 left over");
  mlir::PassManager passes(&context_);
  passes.addNestedPass<flow::GraphOp>(createLowerControlFlow());
  ASSERT_TRUE(mlir::succeeded(passes.run(*module)));
  EXPECT_EQ(resultsOf(*module, 3, 1), "-3 0 left over");
  EXPECT_EQ(resultsOf(*module, 1, 3), "1 0 left over");
}

} // namespace
} // namespace sluice::lower
