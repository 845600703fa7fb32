// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// When writes happen, as seen from a loop, and what is known of that when walks may take no longer.
#include "compiler/codegen/WriteOrder.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "dialects/state/State.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace sluice::codegen {
namespace {

// Four writes: loop 'l' waits for the first one, and the second one for a result of the loop. The
// third one has a result of another loop, which has that of 'l' at a place that its first condition
// does not look at; it may be there early. The fourth one has nothing to do with loops.
constexpr const char *kGraph = R"(
state.variable @w {key = "w", type = tensor<i32>}
flow.graph @main {
  %x = flow.feed {name = "x"} : () -> tensor<i32>
  %y = flow.feed {name = "y"} : () -> tensor<i32>
  %w, %wd = state.reference {variable = @w} : () -> (!state.ref<tensor<i32>>, !flow.token)
  %b = state.assign %w, %x {validate_shape = true} : (!state.ref<tensor<i32>>, tensor<i32>) -> !flow.token
  %late = flow.gate %y, %b : (tensor<i32>, !flow.token) -> tensor<i32>
  %r:2 = flow.while (%x, %late) () {frame = "l", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) before {
  ^bb0(%i: tensor<i32>, %j: tensor<i32>):
    %p = nd.less %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %j: tensor<i32>):
    flow.yield %i, %j : (tensor<i32>, tensor<i32>) -> ()
  }
  %s:2 = flow.while (%x, %r#1) () {frame = "m", parallel_iterations = 1 : i64} : (tensor<i32>, tensor<i32>) -> (tensor<i32>, tensor<i32>) before {
  ^bb0(%i: tensor<i32>, %j: tensor<i32>):
    %p = nd.less %i, %i : (tensor<i32>, tensor<i32>) -> tensor<i1>
    flow.condition %p (%i, %j) : (tensor<i1>, tensor<i32>, tensor<i32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %j: tensor<i32>):
    flow.yield %i, %j : (tensor<i32>, tensor<i32>) -> ()
  }
  %a = state.assign %w, %r#0 {validate_shape = true} : (!state.ref<tensor<i32>>, tensor<i32>) -> !flow.token
  %c = state.assign %w, %s#0 {validate_shape = true} : (!state.ref<tensor<i32>>, tensor<i32>) -> !flow.token
  %d = state.assign %w, %y {validate_shape = true} : (!state.ref<tensor<i32>>, tensor<i32>) -> !flow.token
  flow.target %a {name = "a"} : (!flow.token) -> ()
  flow.target %c {name = "c"} : (!flow.token) -> ()
  flow.target %d {name = "d"} : (!flow.token) -> ()
}
)";

std::vector<WriteOrder> ordersWith(WalkBudget budget) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kGraph, &context);
  EXPECT_TRUE(module);
  auto graph = *module->getOps<flow::GraphOp>().begin();
  auto writes = VariableWrites::of(graph);
  EXPECT_TRUE(writes);
  flow::WhileOp first = *graph.getOps<flow::WhileOp>().begin();
  WritesAround around(*writes, first, budget);
  std::vector<WriteOrder> orders;
  for (state::AssignOp write : graph.getOps<state::AssignOp>())
    orders.push_back(around.orderOf(write));
  return orders;
}

TEST(WriteOrder, IsThatOfWhatOpsNeed) {
  EXPECT_EQ(ordersWith({}), (std::vector{WriteOrder::kBefore, WriteOrder::kAfter,
                                         WriteOrder::kRacing, WriteOrder::kRacing}));
}

TEST(WriteOrder, IsNotKnownBeyondTheBudget) {
  EXPECT_EQ(ordersWith({1}), std::vector(4, WriteOrder::kLoose));
}

} // namespace
} // namespace sluice::codegen
