// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What keeps branches with lists out of code, as it is said.
#include "compiler/codegen/ExplainLoops.h"
#include "dialects/interfaces/RegisterDialects.h"

#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace sluice::codegen {
namespace {

const std::string kList = "!list.of<tensor<4xf32>>";

// Of a branch that does `ops` with a list `%v` if `%p` holds, and gives it back.
std::string explain(const std::string &ops) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  std::string text =
      "flow.graph @main {\n"
      "  %p = flow.feed {name = \"p:0\"} : () -> tensor<i1>\n"
      "  %x = flow.feed {name = \"x:0\"} : () -> tensor<3x4xf32>\n"
      "  %l = list.unstack %x {element_shape = tensor<*xf32>} : (tensor<3x4xf32>) -> " +
      kList +
      "\n"
      "  %r = flow.cond %p (%l) : (tensor<i1>, " +
      kList + ") -> " + kList + " on_true {\n  ^bb0(%v: " + kList + "):\n" + ops +
      "    flow.yield %v : (" + kList +
      ") -> ()\n"
      "  } on_false {\n  ^bb0(%v: " +
      kList +
      "):\n"
      "    flow.yield %v : (" +
      kList +
      ") -> ()\n  }\n"
      "  %n = list.length %r : (" +
      kList +
      ") -> tensor<i32>\n"
      "  flow.fetch %n {name = \"n:0\"} : (tensor<i32>) -> ()\n}";
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  EXPECT_TRUE(module) << text;
  return module ? explainLoops(loopVerdicts(*module)) : "";
}

TEST(ExplainLists, OpsThatKernelsRun) {
  const std::string list = kList, other = "tensor<5xf32>";
  const std::string length = " : (" + list + ") -> tensor<i32>\n";
  const std::string zero = "    %k = nd.constant {value = dense<0> : tensor<i32>} : () -> "
                           "tensor<i32>\n";
  const std::string element = "    %e = nd.constant {value = dense<0.0> : tensor<5xf32>} : () -> "
                              "tensor<5xf32>\n";
  const std::string two = "  a flow.cond: there may be two of a list at a time\n",
                    whole = "it works on a list whose elements may differ, or on a whole one\n";
  const struct {
    std::string ops, counts, reasons;
  } rows[] = {
      {zero + "    %m = list.resize %v, %k : (" + list + ", tensor<i32>) -> " + list + "\n",
       "1 ops, 1", two},
      {zero +
           "    %m = list.make %k {element_shape = tensor<*xf32>, identical = true} : "
           "(tensor<i32>) -> " +
           list + "\n",
       "1 ops, 1", "  a list.make: " + whole},
      {zero + "    %m = list.make %k {element_shape = tensor<*xf32>, identical = false} : "
              "(tensor<i32>) -> !list.of<tensor<*xf32>>\n",
       "1 ops, 1", "  a list.make: " + whole},
      {element + "    %m = list.push %v, %e {limit = -1 : i64} : (" + list + ", " + other +
           ") -> " + list + "\n",
       "1 ops, 1", two + "  a list.push: " + whole},
      {"    %e, %m = list.pop %v {element_shape = tensor<*xf32>} : (" + list + ") -> (" + other +
           ", " + list + ")\n",
       "1 ops, 1", two + "  a list.pop: " + whole},
      {"    %e, %m = list.pop %v {element_shape = tensor<*xf32>} : (" + list +
           ") -> (tensor<4xf32>, " + list + ")\n" + "    %n = list.length %v" + length,
       "2 ops, 2", two},
  };
  for (const auto &row : rows)
    EXPECT_EQ(explain(row.ops), "branch: collapsed, " + row.counts + " by kernels\n" + row.reasons);
  EXPECT_EQ(explain("    %n = list.length %v" + length), "branch: collapsed, 1 ops\n");
}

} // namespace
} // namespace sluice::codegen
