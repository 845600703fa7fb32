// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets, written by hand, that have values in boxes and call kernels on them.
#include "runtime/codelet/boxes.h"
#include "runtime/memory/buffer.h"
#include "test/runtime/executor/graph_builder.h"

#include <vector>

namespace sluice::rt {
namespace {

constexpr DType f32 = DType::kF32;
constexpr int32_t kF32 = static_cast<int32_t>(DType::kF32);

// A call of a kernel on boxes, as the program has it.
CodeletCallDesc callOf(GraphBuilder &g, const char *op, std::vector<uint32_t> inputs,
                       uint32_t result) {
  CodeletMemberDesc member =
      g.member(op, "", std::vector(inputs.size(), GraphBuilder::Value{}), f32);
  CodeletCallDesc call;
  call.kernel = member.kernel;
  for (uint32_t box : inputs)
    call.inputs.push_back({0, box});
  call.outputTypes = {f32};
  call.results = {result};
  return call;
}

CodeletOutputDesc outputIn(uint32_t box) {
  CodeletOutputDesc output{f32, Shape::unknownRank(), {}};
  output.box = box;
  return output;
}

// y = -(a + b): box 2, and then box 3.
int32_t negatedSum(SluiceCodeletCall *call) {
  sluice_box_take(call, 0, 0, 1);
  sluice_box_take(call, 1, 1, 1);
  for (int32_t position : {0, 1}) {
    call->failedMember = static_cast<uint32_t>(position);
    if (int32_t status = sluice_box_run(call, position, 3); status != kSluiceOk)
      return status;
  }
  float first[2] = {1, 1};
  int64_t dims[] = {2};
  return sluice_box_get(call, 3, kF32, 1, dims, first);
}
constexpr SluiceCodelet kNegatedSum = codeletOf(nullptr, negatedSum, 0, nullptr);

std::unique_ptr<Executor> build(GraphBuilder &g, const SluiceCodelet &code) {
  auto a = g.feed("a:0", f32), b = g.feed("b:0", f32);
  std::vector calls{callOf(g, "nd.add", {0, 1}, 2), callOf(g, "nd.neg", {2}, 3)};
  CodeletDesc &c = g.addCodelet(code, 2);
  c.numBoxes = 5;
  c.calls = std::move(calls);
  c.outputs = {outputIn(3)};
  c.errorMembers = {"sum", "negation"};
  g.fetch("y:0", g.runCodelet("group", 0, {a, b}), f32);
  return g.build();
}

Tensor vectorOf(std::vector<float> values) { return Tensor::vector<float>(values); }

TEST(Boxes, KernelsRunOnWhatIsInThem) {
  GraphBuilder g;
  auto executor = build(g, kNegatedSum);
  auto y = executor->call(0, std::vector{vectorOf({1, 2}), vectorOf({3, 4})});
  ASSERT_TRUE(y.ok()) << y.status().toString();
  EXPECT_EQ((*y)[0].values<float>()[0], -4);
  EXPECT_EQ((*y)[0].values<float>()[1], -6);
  EXPECT_EQ(statOf(*executor, "kernels"), 0);
}

TEST(Boxes, AFailureIsThatOfTheKernelAndEndsTheCall) {
  GraphBuilder g;
  auto executor = build(g, kNegatedSum);
  auto y = executor->call(0, std::vector{vectorOf({1, 2}), vectorOf({3, 4, 5})});
  EXPECT_EQ(y.status().toString(),
            "INVALID_ARGUMENT: node 'sum': Incompatible shapes: [2] vs. [3]");
}

TEST(Boxes, DimsThatCodeReliesOnAreLookedAt) {
  GraphBuilder g;
  auto executor = build(g, kNegatedSum);
  auto y = executor->call(0, std::vector{vectorOf({1, 2, 3}), vectorOf({3, 4, 5})});
  EXPECT_EQ(y.status().toString(),
            "INTERNAL: node 'negation': expected a value of shape [2] but got shape [3]");
}

// What the code gets after a failure is 0, and a predicate has to be a scalar.
int32_t predicateOfVector(SluiceCodeletCall *call) {
  bool vector[2] = {true, true}, predicate = true;
  int64_t dims[] = {2};
  sluice_box_put(call, 0, static_cast<int32_t>(DType::kBool), 1, dims, vector);
  int32_t status = sluice_box_get(call, 0, static_cast<int32_t>(DType::kBool), 0, dims, &predicate);
  return predicate ? kSluiceOk : status;
}
constexpr SluiceCodelet kPredicateOfVector = codeletOf(nullptr, predicateOfVector, 0, nullptr);

TEST(Boxes, APredicateIsAScalar) {
  GraphBuilder g;
  auto executor = build(g, kPredicateOfVector);
  auto y = executor->call(0, std::vector{vectorOf({1}), vectorOf({2})});
  EXPECT_EQ(y.status().toString(), "INVALID_ARGUMENT: node 'sum': expected a scalar bool as "
                                   "predicate but got shape [2]");
}

// Box 0 is needed again after the first negation if `isLast` is not set.
template <uint64_t last> int32_t negateTwice(SluiceCodeletCall *call) {
  std::vector<float> x(100, 1);
  int64_t dims[] = {100};
  sluice_box_put(call, 2, kF32, 1, dims, x.data());
  int32_t status = sluice_box_run(call, 1, last);
  sluice_box_move(call, 3, 4, 0);
  sluice_box_move(call, 4, 3, 1);
  return status;
}
constexpr SluiceCodelet kNegateLast = codeletOf(nullptr, negateTwice<1>, 0, nullptr);
constexpr SluiceCodelet kNegateKept = codeletOf(nullptr, negateTwice<0>, 0, nullptr);

TEST(Boxes, AKernelMayWorkWhereItsLastOperandLies) {
  auto allocations = [](const SluiceCodelet &code) {
    GraphBuilder g;
    auto executor = build(g, code);
    uint64_t before = memoryStats().allocations;
    auto y = executor->call(0, std::vector{vectorOf({1}), vectorOf({2})});
    EXPECT_TRUE(y.ok()) << y.status().toString();
    EXPECT_EQ((*y)[0].values<float>()[99], -1);
    return memoryStats().allocations - before;
  };
  EXPECT_EQ(allocations(kNegateLast) + 1, allocations(kNegateKept));
}

TEST(Boxes, NumbersBeyondThemAreDamage) {
  for (int damage : {0, 1, 2}) {
    GraphBuilder g;
    auto a = g.feed("a:0", f32);
    CodeletCallDesc call = callOf(g, "nd.neg", {damage == 0 ? 5u : 4u}, damage == 1 ? 5 : 4);
    CodeletDesc &c = g.addCodelet(kNegatedSum, 1);
    c.numBoxes = 5;
    c.calls = {call};
    c.outputs = {outputIn(damage == 2 ? 5 : 4)};
    g.fetch("y:0", g.runCodelet("group", 0, {a}), f32);
    EXPECT_EQ(g.load().status().toString(), "INTERNAL: the executable's program image is damaged");
  }
}

} // namespace
} // namespace sluice::rt
