// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which loops no longer read variables, and what keeps reads in the others.
#include "compiler/codegen/ExplainLoops.h"
#include "compiler/codegen/Passes.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "dialects/state/State.h"

#include "mlir/IR/Verifier.h"
#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

namespace sluice::codegen {
namespace {

const std::string kCollapsed = "loop 'l': collapsed";
const std::string kRow = "tensor<4xf32>", kRef = "!state.ref<tensor<4xf32>>";

std::string read(const std::string &result, const std::string &variable, const std::string &after) {
  return "  " + result + ", " + result + "_done = state.read " + variable + ", " + after + " : (" +
         kRef + ", " + kRow + ") -> (" + kRow + ", !flow.token) loc(\"read\")\n";
}
const std::string kAdd = "  %z = nd.add %y, %u : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n";
const std::string kReads = read("%u", "%v", "%y") + kAdd;
const std::string kReadsTwo =
    read("%u1", "%v", "%y") + read("%u2", "%c", "%y") +
    "  %z = nd.add %u1, %u2 : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n";
const std::string kLess = "  %p = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\n";
// The loop goes on while the sum of the variable is small.
const std::string kWaits =
    read("%u", "%v", "%y") +
    "  %axis = nd.constant {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>\n"
    "  %sum = nd.reduce_sum %u, %axis {keep_dims = false} : (tensor<4xf32>, tensor<1xi32>) -> "
    "tensor<f32>\n"
    "  %one = nd.constant {value = dense<1.0> : tensor<f32>} : () -> tensor<f32>\n"
    "  %p = nd.less %sum, %one : (tensor<f32>, tensor<f32>) -> tensor<i1>\n";
const std::string kNothing = "  %z = nd.neg %y : (tensor<4xf32>) -> tensor<4xf32>\n";

// A loop over a count %i and a row %y that captures one variable as %v, and another one as %c if it
// is used.
std::string loop(const std::string &before, const std::string &body,
                 const std::string &start = "%x") {
  bool takesTwo = (before + body).find("%c,") != std::string::npos;
  auto second = [&](const std::string &text) { return takesTwo ? text : ""; };
  const std::string arguments =
      "  ^bb0(%i: tensor<i32>, %y: tensor<4xf32>, %m: tensor<i32>, %v: " + kRef +
      second(", %c: " + kRef) + "):\n";
  return "%r:2 = flow.while (%zero, " + start + ") (%n, %w" + second(", %b") +
         ") {frame = \"l\", parallel_iterations = 10 : i64} : (tensor<i32>, tensor<4xf32>, "
         "tensor<i32>, " +
         kRef + second(", " + kRef) + ") -> (tensor<i32>, tensor<4xf32>) before {\n" + arguments +
         before +
         "  flow.condition %p (%i, %y) : (tensor<i1>, tensor<i32>, tensor<4xf32>) -> ()\n"
         "} body {\n" +
         arguments + body +
         "  %k1 = nd.constant {value = dense<1> : tensor<i32>} : () -> tensor<i32>\n"
         "  %j = nd.add %i, %k1 : (tensor<i32>, tensor<i32>) -> tensor<i32>\n"
         "  flow.yield %j, %z : (tensor<i32>, tensor<4xf32>) -> ()\n} loc(\"loop\")\n";
}
std::string assign(const std::string &token, const std::string &variable,
                   const std::string &value) {
  return token + " = state.assign " + variable + ", " + value + " {validate_shape = true} : (" +
         kRef + ", " + kRow + ") -> !flow.token loc(\"assign\")\nflow.target " + token +
         " {name = \"" + token.substr(1) + "\"} : (!flow.token) -> ()\n";
}
// A branch that may write the variable.
std::string maybeAssign(const std::string &token, const std::string &variable) {
  return token + " = flow.cond %q (" + variable + ", %x) : (tensor<i1>, " + kRef + ", " + kRow +
         ") -> !flow.token on_true {\n^bb0(%v: " + kRef + ", %y: " + kRow +
         "):\n"
         "  %d = state.assign %v, %y {validate_shape = true} : (" +
         kRef + ", " + kRow +
         ") -> !flow.token loc(\"assign\")\n  flow.yield %d : (!flow.token) -> ()\n"
         "} on_false {\n^bb0(%v: " +
         kRef + ", %y: " + kRow +
         "):\n"
         "  %d = flow.after %y : (" +
         kRow +
         ") -> !flow.token\n"
         "  flow.yield %d : (!flow.token) -> ()\n}\nflow.target " +
         token + " {name = \"" + token.substr(1) + "\"} : (!flow.token) -> ()\n";
}
std::string graph(const std::string &ops, const std::string &initial = "") {
  return "state.variable @w {key = \"w\", type = tensor<4xf32>" + initial +
         "}\n"
         "state.variable @b {key = \"b\", type = tensor<4xf32>}\nflow.graph @main {\n"
         "%x = flow.feed {name = \"x\"} : () -> tensor<4xf32>\n"
         "%n = flow.feed {name = \"n\"} : () -> tensor<i32>\n"
         "%q = flow.feed {name = \"q\"} : () -> tensor<i1>\n"
         "%zero = nd.constant {value = dense<0> : tensor<i32>} : () -> tensor<i32>\n"
         "%w, %wd = state.reference {variable = @w} : () -> (" +
         kRef +
         ", !flow.token)\n"
         "%b, %bd = state.reference {variable = @b} : () -> (" +
         kRef + ", !flow.token)\n" + ops +
         "flow.fetch %r#1 {name = \"r\"} : (tensor<4xf32>) -> ()\n}\n";
}

class HoistReads : public testing::Test {
protected:
  HoistReads() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context_.appendDialectRegistry(registry);
  }

  // What is said of the loops after the pass.
  std::string verdict(const std::string &ops) { return verdictOf(graph(ops, initial_)); }
  std::string verdictOf(const std::string &module) {
    module_ = mlir::parseSourceString<mlir::ModuleOp>(module, &context_);
    EXPECT_TRUE(module_) << module;
    if (!module_)
      return "";
    mlir::PassManager passes(&context_);
    passes.addNestedPass<flow::GraphOp>(createCodegenHoistReads());
    EXPECT_TRUE(mlir::succeeded(passes.run(*module_)) && mlir::succeeded(mlir::verify(*module_)));
    std::string text = explainLoops(loopVerdicts(*module_));
    text.resize(text.find('\n')); // the first one's
    return text.starts_with(kCollapsed) ? kCollapsed : text;
  }
  // How many writes wait for something, beside their operands.
  unsigned waitingWrites() {
    unsigned count = 0;
    module_->walk([&](state::AssignOp write) { count += !write.getAfter().empty(); });
    return count;
  }

  std::string initial_; // of the variable
  mlir::MLIRContext context_{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module_;
};

const std::string kLeft = "loop 'l': not collapsed, since ";

TEST_F(HoistReads, WritesInTheLoop) {
  EXPECT_EQ(verdict(loop(kLess, kReads)), kCollapsed);
  const std::string write = "  %d = state.assign_add %c, %y : (" + kRef + ", " + kRow +
                            ") -> !flow.token loc(\"write\")\n";
  EXPECT_EQ(verdict(loop(kLess, kReads + write)),
            kLeft + "'write' (state.assign_add) writes a variable");
}

TEST_F(HoistReads, OtherUses) {
  const std::string ask = "  %s, %d = state.variable_shape %v : (" + kRef +
                          ") -> (tensor<1xi32>, !flow.token) loc(\"shape\")\n";
  EXPECT_EQ(verdict(loop(kLess, kReads + ask)),
            kLeft + "'shape' (state.variable_shape) uses a variable otherwise than by reading it");
}

TEST_F(HoistReads, ReadsThatMayNotTakePlace) {
  const std::string branch = "  %h = nd.less %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i1>\n"
                             "  %u = flow.cond %h (%v, %y) : (tensor<i1>, " +
                             kRef + ", " + kRow + ") -> " + kRow +
                             " on_true {\n  ^bb1(%a: " + kRef + ", %e: " + kRow + "):\n" +
                             read("%f", "%a", "%e") + "  flow.yield %f : (" + kRow +
                             ") -> ()\n  } on_false {\n  ^bb1(%a: " + kRef + ", %e: " + kRow +
                             "):\n  flow.yield %e : (" + kRow + ") -> ()\n  }\n";
  const std::string reason =
      "'read' (state.read) reads a variable, maybe without a value, and may not take place";
  EXPECT_EQ(verdict(loop(kLess, branch + kAdd)), kLeft + reason);
  // In each iteration there is another read of the same variable.
  const std::string twice = "  %z = nd.add %u, %u0 : (tensor<4xf32>, tensor<4xf32>) -> "
                            "tensor<4xf32>\n";
  EXPECT_EQ(verdict(loop(kLess, read("%u0", "%v", "%y") + branch + twice)), kCollapsed);
  // It has a value when the process starts, which nothing takes away.
  initial_ = ", initial = dense<1.0> : tensor<4xf32>";
  EXPECT_EQ(verdict(loop(kLess, branch + kAdd)), kCollapsed);
}

// As the weights of a cell, which are read once its input is there. If both fail, either may be
// told.
TEST_F(HoistReads, ReadsThatWaitForWhatMayFail) {
  const std::string wait =
      "  %h = nd.floor_div %i, %m : (tensor<i32>, tensor<i32>) -> tensor<i32>\n"
      "  %t = flow.after %h : (tensor<i32>) -> !flow.token\n"
      "  %g = flow.gate %y, %t : (tensor<4xf32>, !flow.token) -> "
      "tensor<4xf32>\n";
  EXPECT_EQ(verdict(loop(kLess, wait + read("%u", "%v", "%g") + kAdd)), kCollapsed);
}

TEST_F(HoistReads, AnotherObstacle) {
  const std::string makes =
      "  %k = nd.constant {value = dense<4> : tensor<i32>} : () -> tensor<i32>\n"
      "  %a, %flow, %made = array.create %k {clear_after_read = true, dtype = f32, dynamic_size = "
      "false, element_shape = tensor<*xf32>, identical_element_shapes = true, name = \"a\"} : "
      "(tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token) loc(\"array\")\n"
      "  %z = nd.neg %u : (tensor<4xf32>) -> tensor<4xf32>\n";
  EXPECT_EQ(verdict(loop(kLess, read("%u", "%v", "%y") + makes)),
            kLeft + "'array' (array.create) cannot be compiled");
}

TEST_F(HoistReads, ValuesWithoutZeros) {
  auto with = [&](const std::string &type) {
    std::string text = graph(loop(kLess, read("%u", "%v", "%y") + kNothing));
    for (const std::string &reference : {"!state.ref<" + kRow + ">", "type = " + kRow})
      for (size_t at; (at = text.find(reference)) != std::string::npos;)
        text.replace(at + reference.find(kRow), kRow.size(), type);
    size_t result = text.find("-> (" + kRow + ", !flow.token) loc(\"read\")");
    return text.replace(result + 4, kRow.size(), type);
  };
  EXPECT_EQ(verdictOf(with("tensor<?xf32>")),
            kLeft + "'read' (state.read) reads a variable whose size is not known");
  EXPECT_EQ(verdictOf(with("tensor<4xcomplex<f32>>")),
            kLeft + "'read' (state.read) gives a value that code cannot hold");
  EXPECT_EQ(verdictOf(with("tensor<4xi1>")), kCollapsed);
  EXPECT_EQ(verdictOf(with("tensor<2x3xui8>")), kCollapsed);
}

// A read outside of the body takes place however often the loop runs.
TEST_F(HoistReads, LoopsThatWaitForAWrite) {
  const std::string reason =
      "'read' (state.read) may read until another value is written, which ends the loop";
  const std::string waits = loop(kWaits, kNothing);
  EXPECT_EQ(verdict(waits), kCollapsed);
  EXPECT_EQ(verdict(waits + assign("%t", "%w", "%x")), kLeft + reason);
  EXPECT_EQ(verdict(waits + maybeAssign("%t", "%w")), kLeft + reason);
  // Neither of these can end it.
  EXPECT_EQ(verdict(waits + assign("%t", "%w", "%r#1")), kCollapsed);
  EXPECT_EQ(verdict(assign("%t", "%w", "%x") +
                    "%late = flow.gate %x, %t : (tensor<4xf32>, !flow.token) -> tensor<4xf32>\n" +
                    loop(kWaits, kNothing, "%late")),
            kCollapsed);
}

// Values of several variables are of one moment.
TEST_F(HoistReads, WritesInUnknownOrder) {
  EXPECT_EQ(verdict(loop(kLess, kReads) + maybeAssign("%t", "%w")), kCollapsed);
  EXPECT_EQ(verdict(loop(kLess, kReadsTwo) + maybeAssign("%t", "%w")), kCollapsed);
  EXPECT_EQ(verdict(loop(kLess, kReadsTwo) + maybeAssign("%t", "%w") + maybeAssign("%t2", "%b")),
            kLeft + "'assign' (state.assign) may write one of several variables while the loop "
                    "reads them");
}

TEST_F(HoistReads, RacingWritesWait) {
  const std::string two = assign("%t", "%w", "%x") + assign("%t2", "%b", "%r#1");
  EXPECT_EQ(verdict(loop(kLess, kReadsTwo) + two), kCollapsed);
  EXPECT_EQ(waitingWrites(), 1u); // the other one needs a result of the loop anyway
}

// What is asked of the first loop's reads has to be asked of them where they are then.
TEST_F(HoistReads, SeveralLoopsRaceWithOneWrite) {
  std::string second = loop(kLess, kReads), third = second;
  second.replace(second.find("%r:2"), 4, "%s:2").replace(second.find("\"l\""), 3, "\"m\"");
  third.replace(third.find("%r:2"), 4, "%t:2").replace(third.find("\"l\""), 3, "\"o\"");
  EXPECT_EQ(verdict(loop(kLess, kReads) + second + third + assign("%done", "%w", "%x") +
                    "flow.fetch %s#1 {name = \"s\"} : (tensor<4xf32>) -> ()\n"
                    "flow.fetch %t#1 {name = \"t\"} : (tensor<4xf32>) -> ()\n"),
            kCollapsed);
  module_->walk([&](state::AssignOp write) { EXPECT_EQ(write.getAfter().size(), 3u); });
}

// The first loop waits for the write, the second one for the first: the write cannot wait for
// either.
TEST_F(HoistReads, WritesThatAreAwaitedDoNotWait) {
  const std::string first = loop(kWaits, kNothing);
  std::string second = loop(kLess, kReads, "%r#1");
  second.replace(second.find("%r:2"), 4, "%s:2").replace(second.find("\"l\""), 3, "\"m\"");
  EXPECT_EQ(verdict(first + second + "flow.fetch %s#1 {name = \"s\"} : (tensor<4xf32>) -> ()\n" +
                    assign("%t", "%w", "%x")),
            kLeft + "'read' (state.read) may read until another value is written, which ends the "
                    "loop");
  EXPECT_EQ(waitingWrites(), 0u);
  std::string all = explainLoops(loopVerdicts(*module_));
  EXPECT_NE(all.find("loop 'm': collapsed"), std::string::npos) << all;
}

} // namespace
} // namespace sluice::codegen
