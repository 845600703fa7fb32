// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets whose bodies go beyond what they are given: guards end the process and name the node.
#include "test/runtime/executor/graph_builder.h"

#include "runtime/executor/arena.h"
#include "runtime/memory/guard_pages.h"

#include <cstdlib>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;

float *floats(const SluiceTensorRef &ref) { return static_cast<float *>(ref.data); }
float *floats(const SluiceOutputRef &ref) { return static_cast<float *>(ref.data); }

// out = the element behind `in`, of which there is but one.
int32_t readingTooMuch(SluiceCodeletCall *call) {
  *floats(call->outputs[0]) = floats(call->inputs[0])[1];
  return kSluiceOk;
}
// Writes the element behind `out`.
int32_t writingTooMuch(SluiceCodeletCall *call) {
  floats(call->outputs[0])[1] = *floats(call->inputs[0]);
  return kSluiceOk;
}

// Also values that travel within tokens, and constants, which lie in the image: they are operands.
TEST(GuardedCodeletDeathTest, GuardsSurroundOperandsAndResults) {
  static constexpr SluiceCodelet kReading = codeletOf(nullptr, readingTooMuch, 0, nullptr);
  static constexpr SluiceCodelet kWriting = codeletOf(nullptr, writingTooMuch, 0, nullptr);
  auto callGuarded = [](const SluiceCodelet &code, bool constant) {
    guardBuffers(GuardSide::kBehind);
    GraphBuilder g;
    auto x = constant ? g.constant<float>(1) : g.feed("x:0", f32);
    CodeletDesc &c = g.addCodelet(code, 1);
    c.outputs = {{f32, Shape{}, {}}};
    g.fetch("y:0", g.runCodelet("group", 0, {x}), f32);
    auto executor = g.build();
    executor->setOptions({});
    std::vector<Tensor> feeds(constant ? 0 : 1, Tensor::scalar<float>(1));
    (void)executor->call(0, feeds);
    std::exit(0);
  };
  constexpr const char *kBeyond =
      "error: INTERNAL: node 'group': access to byte 4 of a buffer of 4 bytes\n";
  EXPECT_EXIT(callGuarded(kReading, false), testing::ExitedWithCode(70), kBeyond);
  EXPECT_EXIT(callGuarded(kReading, true), testing::ExitedWithCode(70), kBeyond);
  EXPECT_EXIT(callGuarded(kWriting, false), testing::ExitedWithCode(70), kBeyond);
}

TEST(GuardedCodeletDeathTest, GuardsSurroundTheArena) {
  static constexpr SluiceCodelet kBeyondTheArena = codeletOf(
      nullptr,
      [](SluiceCodeletCall *call) -> int32_t {
        *floats(call->outputs[0]) = static_cast<float *>(call->arena)[16];
        return kSluiceOk;
      },
      64, nullptr);
  auto callGuarded = [] {
    threadArena(4096); // a larger one, of a codelet before
    guardBuffers(GuardSide::kBehind);
    GraphBuilder g;
    auto x = g.feed("x:0", f32);
    CodeletDesc &c = g.addCodelet(kBeyondTheArena, 1);
    c.outputs = {{f32, Shape{}, {}}};
    g.fetch("y:0", g.runCodelet("group", 0, {x}), f32);
    (void)g.build()->call(0, std::vector{Tensor::scalar<float>(1)});
    std::exit(0);
  };
  EXPECT_EXIT(callGuarded(), testing::ExitedWithCode(70), "access to byte 64 of a buffer of 64");
}

} // namespace
} // namespace sluice::rt
