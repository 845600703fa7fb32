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

class ExplainLoops : public testing::Test {
protected:
  ExplainLoops() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
  }

  mlir::ModuleOp parse(const std::string &text) {
    module_ = mlir::parseSourceString<mlir::ModuleOp>(text, &context_);
    EXPECT_TRUE(module_) << text;
    return *module_;
  }
  std::string explain(const std::string &text) { return explainLoops(loopVerdicts(parse(text))); }

  mlir::MLIRContext context_{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

std::string repeated(unsigned times, const std::string &text) {
  std::string all;
  for (unsigned i = 0; i < times; ++i)
    all += text;
  return all;
}

// A branch that takes `%x`, does `ops` with it as `%v` if `%p` holds, and gives it back.
std::string branch(const std::string &type, const std::string &ops, const std::string &rest = "") {
  return "flow.graph @main {\n"
         "  %p = flow.feed {name = \"p:0\"} : () -> tensor<i1>\n"
         "  %x = flow.feed {name = \"x:0\"} : () -> " +
         type +
         "\n"
         "  %r = flow.cond %p (%x) : (tensor<i1>, " +
         type + ") -> " + type +
         " on_true {\n"
         "  ^bb0(%v: " +
         type + "):\n" + ops + "    flow.yield %v : (" + type +
         ") -> ()\n"
         "  } on_false {\n"
         "  ^bb0(%v: " +
         type +
         "):\n"
         "    flow.yield %v : (" +
         type +
         ") -> ()\n"
         "  }\n"
         "  flow.fetch %r {name = \"r:0\"} : (" +
         type + ") -> ()\n" + rest + "}";
}
std::string negations(unsigned count, const std::string &type) {
  std::string ops;
  for (unsigned i = 0; i < count; ++i)
    ops += "    %n" + std::to_string(i) + " = nd.neg %v : (" + type + ") -> " + type + "\n";
  return ops;
}

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

TEST_F(ExplainLoops, SaysWhatIsDone) {
  mlir::ModuleOp module = parse(kBranches);
  std::vector<LoopVerdict> verdicts = loopVerdicts(module);
  ASSERT_EQ(verdicts.size(), 2u);
  EXPECT_FALSE(verdicts[0].isCollapsed);
  EXPECT_EQ(verdicts[0].reason, "gives nothing that anybody needs");
  EXPECT_TRUE(verdicts[1].isCollapsed) << verdicts[1].reason;

  mlir::PassManager passes(&context_);
  passes.addPass(createCodegenChooseLoops());
  ASSERT_TRUE(mlir::succeeded(passes.run(module)));
  std::vector<bool> collapsed;
  module->walk([&](flow::CondOp branch) { collapsed.push_back(flow::isCollapsed(branch)); });
  EXPECT_EQ(collapsed, (std::vector<bool>{false, true}));
}

// ---- What keeps a branch out --------------------------------------------------------------------

TEST_F(ExplainLoops, TokensThatGoInOrOut) {
  EXPECT_EQ(explain(R"(
flow.graph @main {
  %p = flow.feed {name = "p:0"} : () -> tensor<i1>
  %t = flow.start : () -> !flow.token
  %r = flow.cond %p (%t) : (tensor<i1>, !flow.token) -> tensor<i1> on_true {
  ^bb0(%v: !flow.token):
    %c = nd.constant {value = dense<true> : tensor<i1>} : () -> tensor<i1>
    flow.yield %c : (tensor<i1>) -> ()
  } on_false {
  ^bb0(%v: !flow.token):
    %c = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    flow.yield %c : (tensor<i1>) -> ()
  } loc("choice")
  flow.fetch %r {name = "r:0"} : (tensor<i1>) -> ()
  %s = flow.cond %p (%p) : (tensor<i1>, tensor<i1>) -> !flow.token on_true {
  ^bb0(%v: tensor<i1>):
    %a = flow.after %v : (tensor<i1>) -> !flow.token
    flow.yield %a : (!flow.token) -> ()
  } on_false {
  ^bb0(%v: tensor<i1>):
    %a = flow.after %v : (tensor<i1>) -> !flow.token
    flow.yield %a : (!flow.token) -> ()
  }
  flow.target %s {name = "s"} : (!flow.token) -> ()
})"),
            "branch 'choice': not collapsed, it waits for a token\n"
            "branch: not collapsed, it gives a token\n");
}

TEST_F(ExplainLoops, TokensThatABranchInsideGives) {
  const std::string type = "tensor<f32>";
  const std::string region = "{\n    ^bb0(%w: tensor<f32>):\n"
                             "      %a = flow.after %w : (tensor<f32>) -> !flow.token\n"
                             "      flow.yield %a : (!flow.token) -> ()\n    }";
  const std::string inner =
      "    %c = nd.less %v, %v : (tensor<f32>, tensor<f32>) -> tensor<i1>\n"
      "    %t = flow.cond %c (%v) : (tensor<i1>, tensor<f32>) -> !flow.token on_true " +
      region + " on_false " + region +
      " loc(\"inner\")\n"
      "    %g = flow.gate %v, %t : (tensor<f32>, !flow.token) -> tensor<f32>\n";
  EXPECT_EQ(explain(branch(type, inner)),
            "branch: not collapsed, since 'inner' (flow.cond) gives a token\n"
            "  branch 'inner': not collapsed, it gives a token\n");
}

TEST_F(ExplainLoops, ValuesThatNoBoxHolds) {
  const std::string reason = "branch: not collapsed, it carries ";
  EXPECT_EQ(explain(branch("!array.handle<tensor<*xf32>>", "")),
            reason + "a TensorArray or stack\n");
  EXPECT_EQ(explain(branch("!list.of<!list.of<tensor<4xf32>>>", "")), reason + "a list of lists\n");
  EXPECT_EQ(explain(branch("!list.of<!list.any>", "")),
            reason + "a list of elements of several types\n");
  for (const char *type :
       {"tensor<4xf64>", "tensor<4xf16>", "tensor<bf16>", "tensor<4xui16>", "tensor<?xi1>",
        "tensor<1x2x1x2x1x2x1x2xf32>", "tensor<1x2x1x2x1x2x1x2x1xf32>", "tensor<4xcomplex<f32>>",
        "tensor<*xf32>", "tensor<2x!nd.string>", "!list.of<tensor<?xf32>>"})
    EXPECT_EQ(explain(branch(type, "")), "branch: collapsed, 0 ops\n") << type;
}

// No code, or none without guards.
TEST_F(ExplainLoops, OpsThatKernelsRun) {
  EXPECT_EQ(explain(branch("tensor<4xf32>",
                           "    %k = nd.constant {value = dense<2> : tensor<i32>} : () -> "
                           "tensor<i32>\n"
                           "    %s, %i = nd.top_k %v, %k : (tensor<4xf32>, tensor<i32>) -> "
                           "(tensor<2xf32>, tensor<2xi32>)\n")),
            "branch: collapsed, 1 ops, 1 by kernels\n"
            "  a nd.top_k: it sorts, which its kernel does\n");
  EXPECT_EQ(
      explain(branch("tensor<2x2xi32>",
                     "    %m = nd.matmul %v, %v {transpose_lhs = false, transpose_rhs = false, "
                     "adjoint_lhs = false, adjoint_rhs = false} : (tensor<2x2xi32>, "
                     "tensor<2x2xi32>) -> tensor<2x2xi32>\n")),
      "branch: collapsed, 1 ops, 1 by kernels\n"
      "  a nd.matmul: there is code only for floats\n");
  EXPECT_EQ(explain(branch("tensor<4xi32>",
                           "    %a = nd.constant {value = dense<0> : tensor<i32>} : () -> "
                           "tensor<i32>\n"
                           "    %g = nd.gather %v, %v, %a {batch_dims = 0} : (tensor<4xi32>, "
                           "tensor<4xi32>, tensor<i32>) -> tensor<4xi32>\n")),
            "branch: collapsed, 1 ops\n");
  EXPECT_EQ(explain(branch("tensor<?x?xf32>",
                           "    %o = nd.constant {value = dense<[1, 0]> : tensor<2xi32>} : () -> "
                           "tensor<2xi32>\n"
                           "    %t = nd.transpose %v, %o {conjugate = false} : (tensor<?x?xf32>, "
                           "tensor<2xi32>) -> tensor<?x?xf32>\n"
                           "    %s = nd.add %v, %t : (tensor<?x?xf32>, tensor<?x?xf32>) -> "
                           "tensor<?x?xf32>\n")),
            "branch: collapsed, 2 ops, 1 by kernels\n"
            "  a nd.add: it may need what only a straight line can check, as sizes or indices\n");
}

TEST_F(ExplainLoops, ConstantsOfMoreThan4096Bytes) {
  auto constant = [](const char *type) {
    return std::string("    %c = nd.constant {value = dense<1> : ") + type + "} : () -> " + type +
           " loc(\"table\")\n";
  };
  for (const char *type : {"tensor<1024xi32>", "tensor<4096xui8>"})
    EXPECT_EQ(explain(branch("tensor<i32>", constant(type))), "branch: collapsed, 0 ops\n") << type;
  for (const char *type : {"tensor<1025xi32>", "tensor<513xi64>"})
    EXPECT_EQ(explain(branch("tensor<i32>", constant(type))),
              "branch: not collapsed, since 'table' (nd.constant) cannot be compiled\n")
        << type;
}

TEST_F(ExplainLoops, OpsOfMoreThan256Operands) {
  auto pack = [](unsigned count) {
    std::string size = std::to_string(count);
    return "    %k = nd.pack %v" + repeated(count - 1, ", %v") +
           " {axis = 0 : i64} : (tensor<i32>" + repeated(count - 1, ", tensor<i32>") +
           ") -> tensor<" + size + "xi32>\n";
  };
  EXPECT_EQ(explain(branch("tensor<i32>", pack(256))), "branch: collapsed, 1 ops\n");
  EXPECT_EQ(explain(branch("tensor<i32>", pack(257))),
            "branch: collapsed, 1 ops, 1 by kernels\n"
            "  a nd.pack: there is no code for these operands\n");
}

TEST_F(ExplainLoops, MoreThan1024Ops) {
  const std::string constants =
      "    %c = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>\n";
  EXPECT_EQ(explain(branch("tensor<f32>", constants + negations(1024, "tensor<f32>"))),
            "branch: collapsed, 1024 ops\n");
  EXPECT_EQ(explain(branch("tensor<f32>", negations(1025, "tensor<f32>"))),
            "branch: not collapsed, it has more than 1024 ops, which would be compiled for long\n");
}

TEST_F(ExplainLoops, MoreThan1024Values) {
  auto taking = [](unsigned captures) { // beside the predicate and a result
    std::string arguments = "%a0: tensor<i1>";
    for (unsigned i = 1; i < captures; ++i)
      arguments += ", %a" + std::to_string(i) + ": tensor<i1>";
    std::string region = "{\n^bb0(" + arguments + "):\n  flow.yield %a0 : (tensor<i1>) -> ()\n}";
    return "flow.graph @main {\n%p = flow.feed {name = \"p:0\"} : () -> tensor<i1>\n"
           "%r = flow.cond %p (%p" +
           repeated(captures - 1, ", %p") + ") : (tensor<i1>" + repeated(captures, ", tensor<i1>") +
           ") -> tensor<i1> on_true " + region + " on_false " + region +
           "\nflow.fetch %r {name = \"r:0\"} : (tensor<i1>) -> ()\n}";
  };
  EXPECT_EQ(explain(taking(1022)), "branch: collapsed, 0 ops\n");
  EXPECT_EQ(explain(taking(1023)), "branch: not collapsed, it takes and gives more than 1024 "
                                   "values, which would be compiled for long\n");
}

// ---- Large ops ----------------------------------------------------------------------------------

// However large the ops are, and however many: a recurrent layer's gradient has two products a
// step.
TEST_F(ExplainLoops, SeveralLargeOps) {
  const std::string type = "tensor<2097153xf32>";
  EXPECT_EQ(explain(branch(type, negations(2, type))), "branch: collapsed, 2 ops\n");
}

// ---- Loops --------------------------------------------------------------------------------------

// In a frame of rank 1, two loops, the inner of which is collapsed.
const char *const kNested = R"(
module attributes {wire.rank = 1 : i64} {
flow.graph @train {
  %x = flow.feed {name = "x:0"} : () -> tensor<4xf32>
  %n = flow.feed {name = "n:0"} : () -> tensor<i32>
  %last:2 = flow.while (%n, %x) () {frame = "outer", parallel_iterations = 7 : i64}
      : (tensor<i32>, tensor<4xf32>) -> (tensor<i32>, tensor<4xf32>) before {
  ^bb0(%i: tensor<i32>, %x1: tensor<4xf32>):
    %p = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    flow.condition %p (%i, %x1) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()
  } body {
  ^bb0(%i: tensor<i32>, %x2: tensor<4xf32>):
    %k = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>
    %a, %flow, %done = array.create %k {clear_after_read = true, dtype = f32, dynamic_size = false,
      element_shape = tensor<*xf32>, identical_element_shapes = true, name = "a"}
      : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) loc("array")
    %inner = flow.while (%x2) () {frame = "inner", parallel_iterations = 10 : i64}
      : (tensor<4xf32>) -> tensor<4xf32> before {
    ^bb0(%y1: tensor<4xf32>):
      %p = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
      flow.condition %p (%y1) : (tensor<i1>, tensor<4xf32>) -> ()
    } body {
    ^bb0(%y2: tensor<4xf32>):
      %y3 = nd.add %y2, %y2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
      %y4 = nd.neg %y3 : (tensor<4xf32>) -> tensor<4xf32>
      flow.yield %y4 : (tensor<4xf32>) -> ()
    }
    flow.yield %i, %inner : (tensor<i32>, tensor<4xf32>) -> ()
  } loc("loop")
  flow.fetch %last#1 {name = "y:0"} : (tensor<4xf32>) -> ()
}
})";

TEST_F(ExplainLoops, OfLoopsAllIsTold) {
  std::vector<LoopVerdict> verdicts = loopVerdicts(parse(kNested));
  ASSERT_EQ(verdicts.size(), 2u);
  const LoopVerdict &outer = verdicts[0], &inner = verdicts[1];
  EXPECT_EQ(outer.signature, "train");
  EXPECT_EQ(outer.rank, 1u);
  EXPECT_EQ(outer.title, "loop 'outer'");
  EXPECT_EQ(outer.name, "outer");
  EXPECT_TRUE(outer.isLoop);
  EXPECT_FALSE(outer.isCollapsed);
  EXPECT_EQ(outer.depth, 0u);
  EXPECT_EQ(outer.window, 7);
  EXPECT_EQ(outer.carried.size(), 2u);
  EXPECT_EQ(outer.keeper, "'array' (array.create)");
  EXPECT_EQ(outer.keeperNode, "array");
  EXPECT_EQ(outer.ops, 4u); // the inner loop and what is in it
  EXPECT_TRUE(inner.isCollapsed);
  EXPECT_EQ(inner.depth, 1u);
  EXPECT_EQ(inner.ops, 2u);
  EXPECT_EQ(explainLoops(verdicts),
            "loop 'outer': not collapsed, since 'array' (array.create) cannot be compiled\n"
            "  loop 'inner': collapsed, 2 ops\n");
}

TEST_F(ExplainLoops, SizesThatChange) {
  EXPECT_EQ(explain(R"(
flow.graph @main {
  %x = flow.feed {name = "x:0"} : () -> tensor<?xf32>
  %r = flow.while (%x) () {frame = "grows", parallel_iterations = 10 : i64} : (tensor<?xf32>)
      -> tensor<?xf32> before {
  ^bb0(%v: tensor<?xf32>):
    %p = nd.constant {value = dense<false> : tensor<i1>} : () -> tensor<i1>
    flow.condition %p (%v) : (tensor<i1>, tensor<?xf32>) -> ()
  } body {
  ^bb0(%v: tensor<?xf32>):
    %axis = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>
    %w = nd.concat %v, %v, %axis : (tensor<?xf32>, tensor<?xf32>, tensor<i32>) -> tensor<?xf32>
    flow.yield %w : (tensor<?xf32>) -> ()
  }
  flow.fetch %r {name = "r:0"} : (tensor<?xf32>) -> ()
})"),
            "loop 'grows': collapsed, 1 ops, 1 by kernels\n"
            "  a flow.while: its sizes are not known or change\n");
}

} // namespace
} // namespace sluice::codegen
