// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is said of branches and loops is what codegen-choose-loops does with them.
#include "compiler/codegen/ExplainLoops.h"
#include "compiler/codegen/Passes.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

namespace sluice::codegen {
namespace {

// Nobody needs the result of the first branch.
const char *const kBranches = R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %x = flow.feed {name = "x:0"} : () -> tensor<4xf32>
  %a = flow.cond %p (%x) : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32> on_true {
  ^bb0(%v: tensor<4xf32>):
    %n = nd.neg %v : (tensor<4xf32>) -> tensor<4xf32>
    flow.yield %n : (tensor<4xf32>) -> ()
  } on_false {
  ^bb0(%v: tensor<4xf32>):
    flow.yield %v : (tensor<4xf32>) -> ()
  }
  %b = flow.cond %p (%x) : (tensor<i1>, tensor<4xf32>) -> tensor<4xf32> on_true {
  ^bb0(%v: tensor<4xf32>):
    %n = nd.neg %v : (tensor<4xf32>) -> tensor<4xf32>
    flow.yield %n : (tensor<4xf32>) -> ()
  } on_false {
  ^bb0(%v: tensor<4xf32>):
    flow.yield %v : (tensor<4xf32>) -> ()
  }
  flow.fetch %b {name = "b:0"} : (tensor<4xf32>) -> ()
})";

TEST(ExplainLoops, SaysWhatIsDone) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(kBranches, &context);
  ASSERT_TRUE(module);
  std::vector<LoopVerdict> verdicts = loopVerdicts(*module);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_FALSE(verdicts[0].isCollapsed);
  EXPECT_EQ(verdicts[0].reason, "gives nothing that anybody needs");
  EXPECT_TRUE(verdicts[1].isCollapsed) << verdicts[1].reason;

  mlir::PassManager passes(&context);
  passes.addPass(createCodegenChooseLoops());
  ASSERT_TRUE(mlir::succeeded(passes.run(*module)));
  std::vector<bool> collapsed;
  module->walk([&](flow::CondOp branch) { collapsed.push_back(flow::isCollapsed(branch)); });
  EXPECT_EQ(collapsed, (std::vector<bool>{false, true}));
}

} // namespace
} // namespace sluice::codegen
