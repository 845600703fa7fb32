// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets that are given operands, or say things, for which they were not made.
#include "runtime/executor/codelet_firing.h"
#include "runtime/kernels/kernel_symbols.h"
#include "test/runtime/executor/graph_builder.h"

#include <gtest/gtest.h>

#include <cstring>

namespace sluice::rt {
namespace {

constexpr DType i32 = DType::kI32, f32 = DType::kF32;
constexpr uint32_t kIntoFirst[] = {1};

float *floats(const SluiceOutputRef &ref) { return static_cast<float *>(ref.data); }

Tensor vectorOf(std::vector<float> values) { return Tensor::vector<float>(values); }

std::vector<float> listOf(const Tensor &tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.elements()};
}

// The code allows it, but the operand is not what the result has to be.
TEST(Codelet, TakesOverOnlyWhatHasTheResultsTypeAndShape) {
  static constexpr SluiceCodelet kOnes = codeletOf(
      nullptr,
      [](SluiceCodeletCall *call) -> int32_t {
        std::fill_n(floats(call->outputs[0]), 50, 1.f);
        return kSluiceOk;
      },
      0, kIntoFirst);
  for (Tensor feed : {*Tensor::allocate(i32, Shape{50}), *Tensor::allocate(f32, Shape{2, 25}),
                      *Tensor::allocate(f32, Shape{50})}) {
    std::memset(feed.raw(), 0, feed.bytes());
    GraphBuilder g;
    DType type = feed.dtype();
    auto a = g.feed("a:0", type);
    auto x = g.kernel("nd.neg", "neg", 0, {a}, {type}, type, false);
    g.addCodelet(kOnes, 1).outputs = {{f32, Shape{50}, {}}};
    g.fetch("y:0", g.runCodelet("group", 0, {x}), f32);
    auto executor = g.build();
    uint64_t before = memoryStats().allocations;
    auto y = executor->call(0, std::vector{feed});
    ASSERT_TRUE(y.ok()) << y.status().toString();
    bool alike = type == f32 && feed.rank() == 1;
    EXPECT_EQ(memoryStats().allocations - before, alike ? 1u : 2u);
    EXPECT_EQ((*y)[0].dtype(), f32);
    EXPECT_EQ((*y)[0].shape(), Shape{50});
    EXPECT_EQ(listOf((*y)[0]), std::vector<float>(50, 1));
  }
}

TEST(Codelet, CodeThatCannotBeReplacedMustNotGiveUp) {
  static constexpr SluiceCodelet kGivingUp =
      codeletOf(nullptr, [](SluiceCodeletCall *) -> int32_t { return kSluiceBail; }, 0, nullptr);
  GraphBuilder g;
  auto a = g.feed("a:0", f32);
  g.addCodelet(kGivingUp, 1).outputs = {{f32, Shape{}, {}}};
  g.fetch("y:0", g.runCodelet("group", 0, {a}), f32);
  auto y = g.build()->call(0, std::vector{Tensor::scalar(1.f)});
  EXPECT_EQ(y.status().toString(),
            "INTERNAL: node 'group': a codelet without members has given up");
}

TEST(Codelet, WhatTheTableOfErrorsLacksIsAnInternalError) {
  Codelet codelet;
  codelet.errorMembers = {"first", "second"};
  codelet.errorReasons = {"too small", "too large", "too odd"};
  EXPECT_EQ(codeletError(codelet, 3, 1).toString(), "INVALID_ARGUMENT: node 'second': too odd");
  EXPECT_EQ(codeletError(codelet, 1, 0).toString(), "INVALID_ARGUMENT: node 'first': too small");
  const std::pair<int32_t, uint32_t> unknown[] = {{4, 1}, {3, 2}, {-7, 0}};
  for (auto [status, member] : unknown)
    EXPECT_EQ(codeletError(codelet, status, member).toString(),
              "INTERNAL: a codelet has failed with status " + std::to_string(status));
}

// One of whose two results is no float.
TEST(Codelet, AMemberWithAFloatAmongItsResultsCountsAsOne) {
  CodeletMember member;
  member.kernel = &sluice_kernel_nd_top_k_f32;
  member.inputs = {0, 1};
  member.outputTypes = {f32, i32};
  member.firstResult = 2;
  Attr sorted;
  sorted.kind = Attr::Kind::kInt;
  member.attrs = {&sorted, 1};
  Codelet codelet;
  codelet.numInputs = 2;
  codelet.members = {member};
  codelet.numResults = 2;
  codelet.outputs = {{i32, Shape{1}, 4, 3}, {f32, Shape{1}, 4, 2}};
  Tensor x = vectorOf({1, 3, 2}), k = Tensor::scalar<int32_t>(1), outputs[2];
  const Tensor *inputs[] = {&x, &k};
  CodeletCounts counts;
  ASSERT_TRUE(runMembers(codelet, inputs, outputs, counts).ok());
  EXPECT_EQ(*outputs[0].data<int32_t>(), 1);
  EXPECT_EQ(*outputs[1].data<float>(), 3);
  EXPECT_EQ(counts.floatKernels, 1u);
}

} // namespace
} // namespace sluice::rt
