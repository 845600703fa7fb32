// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is counted of calls, and under which names it is told.
#include "test/runtime/executor/graph_builder.h"

#include <map>

namespace sluice::rt {
namespace {

constexpr DType i32 = DType::kI32, f32 = DType::kF32;

std::map<std::string, double> figures(const Executor &executor) {
  std::map<std::string, double> map;
  for (const auto &[name, value] : executor.stats())
    map[name] = value;
  return map;
}

int32_t giveUp(SluiceCodeletCall *) { return kSluiceBail; }
int32_t negate(SluiceCodeletCall *call) {
  for (int i = 0; i < 25; ++i)
    static_cast<float *>(call->outputs[0].data)[i] = -static_cast<float *>(call->inputs[0].data)[i];
  return kSluiceOk;
}
constexpr SluiceCodelet kGivingUp = codeletOf(nullptr, giveUp, 64, nullptr);
constexpr SluiceCodelet kNegate = codeletOf(nullptr, negate, 128, nullptr);

// A loop of 6 rounds, with a codelet in each that gives up and, outside, one that does not; sums of
// floats as kernels, and four tokens that nobody takes.
void addEverything(GraphBuilder &g) {
  uint32_t frame = g.frame("loop", 3);
  auto loop = addCountingLoop(g, frame, g.constant<int32_t>(0), g.constant<int32_t>(6));
  auto x = g.feed("x:0", f32);
  g.add(NodeKind::kSwitch, "switch_x", frame, {g.enter("x", frame, x, true), loop.condition}, 3);
  auto inside = g.last(1);
  CodeletDesc &bails = g.addCodelet(kGivingUp, 1);
  bails.members = {g.member("nd.neg", "neg", {{0, 0}}, f32)};
  bails.outputs = {{f32, Shape{25}, {1, 0}}};
  auto y = g.runCodelet("bails", frame, {inside});
  g.kernel("nd.neg", "neg", frame, {y}, {f32}, f32, false);
  CodeletDesc &runs = g.addCodelet(kNegate, 1);
  runs.outputs = {{f32, Shape{25}, {}}};
  runs.floatOps = 4;
  runs.work = 25; // else nobody knows, and a worker gets it
  g.runCodelet("runs", 0, {x});
  g.add(NodeKind::kMerge, "never", 0, {}, 3);
  auto never = g.last();
  for (int i = 0; i < 4; ++i)
    g.kernel("nd.add", "waits", 0, {x, never}, {f32, f32}, f32, false);
  g.fetch("i:0", loop.exit, i32);
}

TEST(Figures, addUpOverSignatures) {
  GraphBuilder g;
  addEverything(g);
  g.repeatSignature("other");
  auto executor = g.build();
  Tensor x = Tensor::vector<float>(std::vector<float>(25, 1));
  for (size_t signature : {0, 1}) {
    auto result = executor->call(signature, std::span(&x, 1));
    ASSERT_TRUE(result.ok()) << result.status().toString();
    double calls = static_cast<double>(signature) + 1;
    std::map<std::string, double> expected{
        {"firings", 76 * calls},
        {"dead_firings", 10 * calls},
        {"kernels", 19 * calls},       // 7 comparisons, 6 sums and 6 negations
        {"kernels_enqueued", 0},       // none is worth a worker
        {"float_kernels", 12 * calls}, // of them the negations, and those of codelets that gave up
        {"codelets", 7 * calls},
        {"codelet_bails", 6 * calls},
        {"codelet_float_ops", 4 * calls},
        {"float_ops_in_codelets", 0.25},
        {"iterations", 8 * calls}, // that of the root frame as well
        {"frames_entered", calls},
        {"max_live_iterations", 2},
        {"leftover_tokens", 4 * calls},
        {"planned_bytes", 4 * 25 * 4 + 128}, // of all signatures, and the largest arena
    };
    auto told = figures(*executor);
    EXPECT_GE(told["arena_bytes"], 4096);
    told.erase("arena_bytes"); // of whatever this thread has run
    EXPECT_EQ(told, expected);
  }
}

} // namespace
} // namespace sluice::rt
