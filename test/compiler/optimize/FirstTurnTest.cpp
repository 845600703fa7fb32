// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The first condition of a loop: whether it is known to be true, and its copy outside.
#include "compiler/optimize/FirstTurn.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace sluice::optimize {
namespace {

// What follows %v0, one after the other; the last one is %vN.
template <typename Line> std::string chain(unsigned length, Line line) {
  std::string text;
  for (unsigned i = 1; i <= length; ++i)
    text += "%v" + std::to_string(i) + " = " + line("%v" + std::to_string(i - 1)) + "\n";
  return text;
}
std::string negations(unsigned length) {
  return chain(length, [](const std::string &before) {
    return "nd.neg " + before + " : (tensor<i32>) -> tensor<i32>";
  });
}
std::string gates(unsigned length) {
  return chain(length, [](const std::string &before) {
    return "flow.gate " + before + ", %t : (tensor<i32>, !flow.token) -> tensor<i32>";
  });
}

class FirstTurn : public testing::Test {
protected:
  FirstTurn() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
  }

  // A loop that runs as long as the last of `ops` is less than 1. It starts with `init` as %v0.
  flow::WhileOp loop(const std::string &ops, unsigned length, const std::string &init = "%zero") {
    std::string last = "%v" + std::to_string(length);
    module_ = mlir::parseSourceString<mlir::ModuleOp>(
        "flow.graph @main {\n"
        "%x = flow.feed {name = \"x\"} : () -> tensor<i32>\n"
        "%zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>\n"
        "%r = flow.while (" +
            init +
            ") () {frame = \"l\", parallel_iterations = 10 : i64} : (tensor<i32>) -> tensor<i32> "
            "before {\n^bb0(%v0: tensor<i32>):\n"
            "%t = flow.after %v0 : (tensor<i32>) -> !flow.token\n" +
            ops +
            "%one = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>\n"
            "%p = nd.less " +
            last +
            ", %one : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
            "flow.condition %p (%v0) : (tensor<i1>, tensor<i32>) -> ()\n"
            "} body {\n^bb0(%i: tensor<i32>):\n"
            "%k = nd.neg %i : (tensor<i32>) -> tensor<i32>\n"
            "flow.yield %k : (tensor<i32>) -> ()\n}\n"
            "flow.fetch %r {name = \"r\"} : (tensor<i32>) -> ()\n}\n",
        &context_);
    EXPECT_TRUE(module_);
    flow::WhileOp found;
    module_->walk([&](flow::WhileOp op) { found = op; });
    return found;
  }
  // How many ops a copy of the condition takes, which is erased again; nothing if there is none.
  std::optional<size_t> copiedOps(flow::WhileOp loop) {
    mlir::OpBuilder builder(loop);
    mlir::Block *block = loop->getBlock();
    size_t before = block->getOperations().size();
    mlir::Value copy = buildFirstCondition(builder, loop);
    size_t after = block->getOperations().size();
    if (!copy)
      EXPECT_EQ(before, after);
    return copy ? std::optional(after - before) : std::nullopt;
  }

  mlir::MLIRContext context_{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

TEST_F(FirstTurn, FollowsFromConstants) {
  EXPECT_TRUE(surelyRuns(loop(negations(3), 3)));
  EXPECT_EQ(copiedOps(loop(negations(3), 3)), 5u);
}

TEST_F(FirstTurn, DependsOnAFeed) {
  EXPECT_FALSE(surelyRuns(loop(negations(3), 3, "%x")));
  EXPECT_EQ(copiedOps(loop(negations(3), 3, "%x")), 5u);
}

// A thousand ops are looked at: the chain, the comparison and what it compares with.
TEST_F(FirstTurn, IsLong) {
  EXPECT_TRUE(surelyRuns(loop(negations(998), 998)));
  EXPECT_EQ(copiedOps(loop(negations(998), 998)), 1000u);
  EXPECT_FALSE(surelyRuns(loop(negations(999), 999)));
  EXPECT_EQ(copiedOps(loop(negations(999), 999)), std::nullopt);
}

// Nothing takes stack for each op.
TEST_F(FirstTurn, IsVeryLong) {
  EXPECT_FALSE(surelyRuns(loop(negations(100'000), 100'000)));
  EXPECT_EQ(copiedOps(loop(negations(100'000), 100'000)), std::nullopt);
  EXPECT_TRUE(surelyRuns(loop(gates(100'000), 100'000)));
  EXPECT_EQ(copiedOps(loop(gates(100'000), 100'000)), 2u);
}

} // namespace
} // namespace sluice::optimize
