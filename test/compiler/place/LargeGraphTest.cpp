// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Graphs so deep that recursion would leave the stack, and quadratic work would be felt.
#include "compiler/place/Passes.h"

#include "dialects/interfaces/RegisterDialects.h"
#include "dialects/wire/Wire.h"

#include "mlir/Parser/Parser.h"
#include "mlir/Pass/PassManager.h"

#include <gtest/gtest.h>

namespace sluice::place {
namespace {

constexpr unsigned kDepth = 100'000;

// A chain of ops, each on the one before; `line` makes one from the numbers of both.
template <typename Line> std::string chain(const std::string &before, Line line, bool backwards) {
  std::string text = "module attributes {wire.devices = ["
                     "{name = \"/job:a/replica:0/task:0/device:CPU:0\", address = \"a:1\"}, "
                     "{name = \"/job:a/replica:0/task:1/device:CPU:0\", address = \"b:1\"}]} {\n" +
                     before;
  for (unsigned i = 1; i <= kDepth; ++i) {
    unsigned number = backwards ? kDepth + 1 - i : i;
    text += line("%" + std::to_string(number), "%" + std::to_string(number - 1)) + "\n";
  }
  return text;
}

// Runs a pass; returns the rank of each op and declaration but feeds and fetches, in the order of
// the text.
std::vector<int64_t> place(const std::string &text, std::unique_ptr<mlir::Pass> pass) {
  mlir::DialectRegistry registry;
  registerDialects(registry);
  mlir::MLIRContext context(registry, mlir::MLIRContext::Threading::DISABLED);
  auto module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
  mlir::PassManager passes(&context);
  passes.enableVerifier(false);
  passes.addPass(std::move(pass));
  std::vector<int64_t> ranks;
  if (!module || mlir::failed(passes.run(*module)))
    return ranks;
  module->walk([&](mlir::Operation *op) {
    auto rank = op->getAttrOfType<mlir::IntegerAttr>(wire::kDevice);
    if (rank && !mlir::isa<flow::FeedOp, flow::FetchOp>(op))
      ranks.push_back(rank.getInt());
  });
  return ranks;
}

std::vector<int64_t> ones(size_t count) { return std::vector<int64_t>(count, 1); }

const std::string kGraph =
    "flow.graph @main { %x = flow.feed {name = \"x:0\"} : () -> tensor<f32>\n";
const std::string kEnd =
    "flow.fetch %" + std::to_string(kDepth) + " {name = \"y:0\"} : (tensor<f32>) -> () } }";
const std::string kFirst =
    "%0 = nd.neg %x {wire.requested = \"/task:1\"} : (tensor<f32>) -> tensor<f32>\n";

std::string negate(const std::string &op, const std::string &from) {
  return op + " = nd.neg " + from + " : (tensor<f32>) -> tensor<f32>";
}

// The first op is placed, the last one is next to the fetch: each gets half.
TEST(LargeGraph, LongChain) {
  std::vector<int64_t> expected = ones(kDepth / 2 + 1);
  expected.resize(kDepth + 1, 0);
  EXPECT_EQ(place(chain(kGraph + kFirst, negate, false) + kEnd, createPlaceOnDevices()), expected);
}

TEST(LargeGraph, LongColocation) {
  auto line = [](const std::string &op, const std::string &from) {
    return op + " = nd.neg " + from +
           " {wire.requested = \"/task:1\", wire.colocate = \"s\"} : (tensor<f32>) -> tensor<f32>";
  };
  EXPECT_EQ(place(chain(kGraph + kFirst, line, true) + kEnd, createPlaceOnDevices()),
            ones(kDepth + 1));
}

// A reference through gates, also each used before it is made.
TEST(LargeGraph, LongReference) {
  std::string before = "state.variable @w {key = \"w\", type = tensor<f32>}\n flow.graph @main {\n"
                       "%0, %t = state.reference {variable = @w, wire.requested = \"/task:1\"} : "
                       "() -> (!state.ref<tensor<f32>>, !flow.token)\n";
  auto line = [](const std::string &op, const std::string &from) {
    return op + " = flow.gate " + from +
           ", %t : (!state.ref<tensor<f32>>, !flow.token) -> !state.ref<tensor<f32>>";
  };
  std::string end = "%r, %u = state.read %" + std::to_string(kDepth) +
                    " : (!state.ref<tensor<f32>>) -> (tensor<f32>, !flow.token)\n"
                    "flow.fetch %r {name = \"y:0\"} : (tensor<f32>) -> () } }";
  for (bool backwards : {false, true})
    EXPECT_EQ(place(chain(before, line, backwards) + end, createPlaceOnDevices()),
              ones(kDepth + 3));
}

// Joins, which all follow the consumer of the last one.
TEST(LargeGraph, LongOrder) {
  std::string before = kGraph + "%0 = flow.after %x : (tensor<f32>) -> !flow.token\n";
  auto line = [](const std::string &op, const std::string &from) {
    return op + " = flow.join " + from + " : (!flow.token) -> !flow.token";
  };
  std::string end = "%g = flow.gate %x, %" + std::to_string(kDepth) +
                    " : (tensor<f32>, !flow.token) -> tensor<f32>\n"
                    "%y = nd.neg %g {wire.requested = \"/task:1\"} : (tensor<f32>) -> tensor<f32>\n"
                    "flow.fetch %y {name = \"y:0\"} : (tensor<f32>) -> () } }";
  std::vector<int64_t> expected = ones(kDepth + 3);
  expected.front() = 0; // the after
  for (bool backwards : {false, true})
    EXPECT_EQ(place(chain(before, line, backwards) + end, createPlaceOnDevices()), expected);
}

// Half of the ops are expected on each device; a tenth more or less would be no accident.
TEST(LargeGraph, DrawsAreEven) {
  std::vector<int64_t> ranks =
      place(chain(kGraph + kFirst, negate, false) + kEnd, createPlaceAtRandom({/*seed=*/3, 0}));
  ASSERT_EQ(ranks.size(), kDepth + 1);
  EXPECT_NEAR(static_cast<double>(llvm::count(ranks, 1)), kDepth / 2, kDepth / 20);
}

} // namespace
} // namespace sluice::place
