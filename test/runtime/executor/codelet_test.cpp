// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Codelets whose bodies are written by hand: when they fire, where their results lie, what happens
// when the code gives up.
#include "test/runtime/executor/graph_builder.h"

#include "runtime/executor/arena.h"

#include <atomic>
#include <cstring>

namespace sluice::rt {
namespace {

constexpr DType i32 = DType::kI32, f32 = DType::kF32, boolean = DType::kBool;
using Value = GraphBuilder::Value;

// How members name what they read.
constexpr Value input(uint32_t i) { return {0, i}; }
constexpr Value resultOf(uint32_t member) { return {member + 1, 0}; }

float *floats(const SluiceTensorRef &ref) { return static_cast<float *>(ref.data); }
float *floats(const SluiceOutputRef &ref) { return static_cast<float *>(ref.data); }

// ---- The codelets -------------------------------------------------------------------------------

// out = a * b + a, of scalars.
int32_t scalarBody(SluiceCodeletCall *call) {
  float a = *floats(call->inputs[0]), b = *floats(call->inputs[1]);
  *floats(call->outputs[0]) = a * b + a;
  return kSluiceOk;
}
constexpr SluiceCodelet kScalar = codeletOf(nullptr, scalarBody, 0, nullptr);

// out = a / b of scalar integers, which the code leaves to the kernel when b is 0.
int32_t divideBody(SluiceCodeletCall *call) {
  auto *a = static_cast<int32_t *>(call->inputs[0].data);
  auto *b = static_cast<int32_t *>(call->inputs[1].data);
  if (*b == 0)
    return kSluiceBail;
  *static_cast<int32_t *>(call->outputs[0].data) = *a / *b;
  return kSluiceOk;
}
constexpr SluiceCodelet kDivide = codeletOf(nullptr, divideBody, 0, nullptr);

// out = a * b + a of vectors of equal sizes; a * b passes through the arena.
int32_t vectorSizes(SluiceCodeletCall *call) {
  int64_t n = call->inputs[0].dims[0];
  if (call->inputs[1].dims[0] != n)
    return kSluiceBail;
  call->outputs[0].dims[0] = n;
  call->arenaBytes = n * int64_t{sizeof(float)};
  return kSluiceOk;
}
std::atomic<const void *> lastArena, lastDestination;
int32_t vectorBody(SluiceCodeletCall *call) {
  EXPECT_EQ(reinterpret_cast<uintptr_t>(call->arena) % 64, 0u);
  auto *product = static_cast<float *>(call->arena);
  int64_t n = call->outputs[0].dims[0];
  for (int64_t i = 0; i < n; ++i)
    product[i] = floats(call->inputs[0])[i] * floats(call->inputs[1])[i];
  for (int64_t i = 0; i < n; ++i)
    floats(call->outputs[0])[i] = product[i] + floats(call->inputs[0])[i];
  lastArena = call->arena;
  lastDestination = call->outputs[0].data;
  return kSluiceOk;
}
constexpr uint32_t kIntoFirst[] = {1};
constexpr SluiceCodelet kVector = codeletOf(vectorSizes, vectorBody, 0, kIntoFirst);

// What a loop that meets a mistake does: says who and why.
int32_t failingBody(SluiceCodeletCall *call) {
  call->failedMember = 1;
  return 2;
}
constexpr SluiceCodelet kFailing = codeletOf(nullptr, failingBody, 0, nullptr);

// Counts to 3 and says that each round had two float ops.
int32_t loopBody(SluiceCodeletCall *call) {
  call->loopOps += 6;
  *floats(call->outputs[0]) = *floats(call->inputs[0]) + 3;
  return kSluiceOk;
}
constexpr SluiceCodelet kLoop = codeletOf(nullptr, loopBody, 0, nullptr);

// A loop that adds 1 to its array where the output lies, until it meets a negative number.
int32_t updatingBody(SluiceCodeletCall *call) {
  const float *from = floats(call->inputs[0]);
  float *to = floats(call->outputs[0]);
  if (from != to)
    std::memcpy(to, from, 50 * sizeof(float));
  for (int i = 0; i < 50; ++i) {
    if (to[i] < 0)
      return 1;
    to[i] += 1;
  }
  return kSluiceOk;
}
constexpr SluiceCodelet kUpdating = codeletOf(nullptr, updatingBody, 0, kIntoFirst);

void addMultiplyAdd(GraphBuilder &g, const SluiceCodelet &code, Shape shape) {
  CodeletDesc &c = g.addCodelet(code, 2);
  c.members = {g.member("nd.mul", "product", {input(0), input(1)}, f32),
               g.member("nd.add", "sum", {resultOf(0), input(0)}, f32)};
  c.outputs = {{f32, std::move(shape), resultOf(1)}};
  c.floatOps = 2;
}

Tensor vectorOf(std::vector<float> values) { return Tensor::vector<float>(values); }

std::vector<float> listOf(const Tensor &tensor) {
  return {tensor.data<float>(), tensor.data<float>() + tensor.elements()};
}

// a and b are fed, "y:0" is fetched.
std::unique_ptr<Executor> multiplyAdd(GraphBuilder &g, const SluiceCodelet &code, Shape shape) {
  auto a = g.feed("a:0", f32), b = g.feed("b:0", f32);
  addMultiplyAdd(g, code, std::move(shape));
  g.fetch("y:0", g.runCodelet("group", 0, {a, b}), f32);
  return g.build();
}

// ---- Tests --------------------------------------------------------------------------------------

TEST(Codelet, ScalarsTravelWithinTokens) {
  GraphBuilder g;
  auto executor = multiplyAdd(g, kScalar, Shape{});
  uint64_t before = memoryStats().allocations;
  auto y = executor->call(0, std::vector{Tensor::scalar(3.f), Tensor::scalar(4.f)});
  EXPECT_EQ(memoryStats().allocations, before);
  ASSERT_TRUE(y.ok()) << y.status().toString();
  EXPECT_EQ(*(*y)[0].data<float>(), 15);
  EXPECT_EQ(statOf(*executor, "codelets"), 1);
  EXPECT_EQ(statOf(*executor, "kernels"), 0);
  EXPECT_EQ(statOf(*executor, "codelet_float_ops"), 2);
  EXPECT_EQ(statOf(*executor, "float_ops_in_codelets"), 1);
}

TEST(Codelet, SizesAreComputedForEachFiring) {
  GraphBuilder g;
  auto executor = multiplyAdd(g, kVector, Shape::unknownDims(1));
  for (size_t n : {1, 100, 7, 0, 5000}) {
    std::vector<float> a(n, 3), b(n, 4);
    auto y = executor->call(0, std::vector{vectorOf(a), vectorOf(b)});
    ASSERT_TRUE(y.ok()) << y.status().toString();
    EXPECT_EQ(listOf((*y)[0]), std::vector<float>(n, 15));
  }
  EXPECT_EQ(statOf(*executor, "codelet_bails"), 0);
}

// The feeds are held by the caller; a value that nobody else holds is overwritten.
TEST(Codelet, TakesOverWhatNobodyElseHolds) {
  for (bool held : {true, false}) {
    GraphBuilder g;
    auto a = g.feed("a:0", f32), b = g.feed("b:0", f32);
    auto x = held ? a : g.kernel("nd.neg", "neg", 0, {a}, {f32}, f32, false);
    addMultiplyAdd(g, kVector, Shape::unknownDims(1));
    g.fetch("y:0", g.runCodelet("group", 0, {x, b}), f32);
    auto executor = g.build();
    std::vector feeds{vectorOf(std::vector<float>(50, 3)), vectorOf(std::vector<float>(50, 4))};
    ASSERT_TRUE(executor->call(0, feeds).ok()); // makes the arena
    uint64_t before = memoryStats().allocations;
    auto y = executor->call(0, feeds);
    EXPECT_EQ(memoryStats().allocations - before, 1u); // of the codelet or of the kernel
    ASSERT_TRUE(y.ok()) << y.status().toString();
    EXPECT_EQ(listOf((*y)[0])[49], held ? 15 : -15);
    EXPECT_EQ(listOf(feeds[0])[49], 3);
  }
}

TEST(Codelet, ResultsDoNotLieInTheArena) {
  GraphBuilder g;
  auto executor = multiplyAdd(g, kVector, Shape::unknownDims(1));
  std::vector feeds{vectorOf(std::vector<float>(50, 3)), vectorOf(std::vector<float>(50, 4))};
  auto first = executor->call(0, feeds);
  const void *arena = lastArena;
  auto second = executor->call(0, std::vector{vectorOf(std::vector<float>(50, 1)), feeds[1]});
  EXPECT_EQ(lastArena, arena);
  EXPECT_NE(lastDestination, arena);
  EXPECT_EQ(listOf((*first)[0])[0], 15);
  EXPECT_EQ(listOf((*second)[0])[0], 5);
  EXPECT_GE(arenaBytes(), 50 * sizeof(float));
}

TEST(Codelet, MembersRunWhenAGuardDoesNotHold) {
  GraphBuilder g;
  auto executor = multiplyAdd(g, kVector, Shape::unknownDims(1));
  auto y = executor->call(0, std::vector{vectorOf({1, 2, 3, 4, 5}), vectorOf({10})});
  ASSERT_TRUE(y.ok()) << y.status().toString();
  EXPECT_EQ(listOf((*y)[0]), (std::vector<float>{11, 22, 33, 44, 55}));
  EXPECT_EQ(statOf(*executor, "codelet_bails"), 1);
  EXPECT_EQ(statOf(*executor, "codelet_float_ops"), 0);
  EXPECT_EQ(statOf(*executor, "float_kernels"), 2);
}

TEST(Codelet, WithoutCodeMembersRunAlways) {
  GraphBuilder g;
  auto a = g.feed("a:0", f32), b = g.feed("b:0", f32);
  addMultiplyAdd(g, kVector, Shape::unknownRank());
  g.signature().codelets[0].code = CodeletDesc::kNoCode;
  g.fetch("y:0", g.runCodelet("group", 0, {a, b}), f32);
  auto executor = g.build();
  auto y = executor->call(0, std::vector{vectorOf({1, 2, 3}), vectorOf({10})});
  ASSERT_TRUE(y.ok()) << y.status().toString();
  EXPECT_EQ(listOf((*y)[0]), (std::vector<float>{11, 22, 33}));
  EXPECT_EQ(statOf(*executor, "float_kernels"), 2);
}

TEST(Codelet, MembersFailUnderTheirOwnNames) {
  GraphBuilder g;
  auto executor = multiplyAdd(g, kVector, Shape::unknownDims(1));
  auto y = executor->call(0, std::vector{vectorOf({1, 2, 3}), vectorOf({1, 2})});
  EXPECT_EQ(y.status().node(), "product");
  EXPECT_EQ(y.status().code(), Code::kInvalidArgument);

  GraphBuilder integers;
  auto a = integers.feed("a:0", i32), b = integers.feed("b:0", i32);
  CodeletDesc &c = integers.addCodelet(kDivide, 2);
  c.members = {integers.member("nd.div", "quotient", {input(0), input(1)}, i32)};
  c.outputs = {{i32, Shape{}, resultOf(0)}};
  integers.fetch("y:0", integers.runCodelet("group", 0, {a, b}), i32);
  auto dividing = integers.build();
  auto good = dividing->call(0, std::vector{Tensor::scalar(7), Tensor::scalar(2)});
  EXPECT_EQ(*(*good)[0].data<int32_t>(), 3);
  auto bad = dividing->call(0, std::vector{Tensor::scalar(7), Tensor::scalar(0)});
  EXPECT_EQ(bad.status().node(), "quotient");
}

TEST(Codelet, CodeWithLoopsHasATableOfErrors) {
  GraphBuilder g;
  auto a = g.feed("a:0", f32);
  CodeletDesc &c = g.addCodelet(kFailing, 1);
  c.outputs = {{f32, Shape{}, {}}};
  c.errorMembers = {"loop/less", "loop/div"};
  c.errorReasons = {"negative exponent", "integer division by zero"};
  g.fetch("y:0", g.runCodelet("group", 0, {a}), f32);
  auto y = g.build()->call(0, std::vector{Tensor::scalar(1.f)});
  EXPECT_EQ(y.status().toString(), "INVALID_ARGUMENT: node 'loop/div': integer division by zero");
}

// A loop may overwrite its operand and fail then: the call ends, and what others hold is as it was.
TEST(Codelet, ErrorsMayComeAfterWritesInPlace) {
  for (bool held : {true, false}) {
    GraphBuilder g;
    auto a = g.feed("a:0", f32);
    auto x = held ? a : g.kernel("nd.neg", "neg", 0, {a}, {f32}, f32, false);
    CodeletDesc &c = g.addCodelet(kUpdating, 1);
    c.outputs = {{f32, Shape{50}, {}}};
    c.errorMembers = {"loop/set_row"};
    c.errorReasons = {"outside"};
    g.fetch("y:0", g.runCodelet("group", 0, {x}), f32);
    g.fetch("a:0", a, f32);
    auto executor = g.build();
    float sign = held ? 1 : -1;
    std::vector<float> good(50, 3 * sign), bad(good);
    bad[49] = -sign;
    for (const std::vector<float> &values : {bad, good, bad}) {
      Tensor feed = vectorOf(values);
      uint64_t before = memoryStats().allocations;
      auto y = executor->call(0, std::vector{feed});
      EXPECT_EQ(memoryStats().allocations - before, 1u); // of the codelet or of the kernel
      EXPECT_EQ(listOf(feed), values);
      if (y.ok())
        EXPECT_EQ(listOf((*y)[0]), std::vector<float>(50, 4));
      else
        EXPECT_EQ(y.status().node(), "loop/set_row");
      EXPECT_EQ(y.ok(), values == good);
    }
  }
}

TEST(Codelet, CountsFloatOpsOfLoops) {
  GraphBuilder g;
  auto a = g.feed("a:0", f32);
  CodeletDesc &c = g.addCodelet(kLoop, 1);
  c.outputs = {{f32, Shape{}, {}}};
  c.floatOps = 1;
  auto y = g.runCodelet("group", 0, {a});
  g.fetch("y:0", g.kernel("nd.neg", "neg", 0, {y}, {f32}, f32), f32);
  auto executor = g.build();
  ASSERT_TRUE(executor->call(0, std::vector{Tensor::scalar(1.f)}).ok());
  EXPECT_EQ(statOf(*executor, "codelet_float_ops"), 7);
  EXPECT_EQ(statOf(*executor, "float_ops_in_codelets"), 7. / 8);
}

// It waits for all inputs, and a dead one makes all outputs dead.
TEST(Codelet, IsStrict) {
  for (bool taken : {false, true}) {
    GraphBuilder g;
    auto a = g.feed("a:0", f32), b = g.feed("b:0", f32), p = g.feed("p:0", boolean);
    g.add(NodeKind::kSwitch, "switch", 0, {a, p}, 3);
    auto onFalse = g.last(0), onTrue = g.last(1);
    addMultiplyAdd(g, kScalar, Shape{});
    auto y = g.runCodelet("group", 0, {onTrue, b});
    g.add(NodeKind::kMerge, "merge", 0, {y, onFalse}, 3);
    g.fetch("y:0", g.last(), f32);
    auto executor = g.build();
    auto result = executor->call(
        0, std::vector{Tensor::scalar(3.f), Tensor::scalar(4.f), Tensor::scalar(taken)});
    ASSERT_TRUE(result.ok()) << result.status().toString();
    EXPECT_EQ(*(*result)[0].data<float>(), taken ? 15 : 3);
    EXPECT_EQ(statOf(*executor, "codelets"), taken ? 1 : 0);
    EXPECT_EQ(executor->leftoverTokens(), 0u);
  }
}

// Each iteration's codelet is independent, so many are on their way at once, some on workers.
TEST(Codelet, IterationsRunAtOnceOnWorkers) {
  GraphBuilder g;
  constexpr int kRounds = 20, kElements = 300000;
  auto a = g.feed("a:0", f32), b = g.feed("b:0", f32);
  uint32_t frame = g.frame("loop", 10);
  auto loop = addCountingLoop(g, frame, g.constant<int32_t>(0), g.constant<int32_t>(kRounds));
  auto inA = g.enter("a", frame, a, true), inB = g.enter("b", frame, b, true);
  g.add(NodeKind::kSwitch, "switch_a", frame, {inA, loop.condition}, 3);
  auto bodyA = g.last(1);
  addMultiplyAdd(g, kVector, Shape::unknownDims(1));
  auto first = g.runCodelet("group", frame, {bodyA, inB});
  g.runCodelet("again", frame, {first, inB});
  g.fetch("i:0", loop.exit, i32);
  auto executor = g.build();
  RunOptions options;
  options.workers = 2;
  executor->setOptions(options);
  auto result = executor->call(0, std::vector{vectorOf(std::vector<float>(kElements, 3)),
                                              vectorOf(std::vector<float>(kElements, 4))});
  ASSERT_TRUE(result.ok()) << result.status().toString();
  EXPECT_EQ(statOf(*executor, "codelets"), 2 * kRounds);
  EXPECT_GT(statOf(*executor, "kernels_enqueued"), 0);
  EXPECT_EQ(executor->leftoverTokens(), 0u);
}

TEST(Codelet, MemoryLimitsHoldForArenas) {
  GraphBuilder g;
  auto executor = multiplyAdd(g, kVector, Shape::unknownDims(1));
  std::vector feeds{vectorOf(std::vector<float>(1 << 20, 3)),
                    vectorOf(std::vector<float>(1 << 20, 4))};
  setMemoryLimit(memoryStats().liveBytes + (5 << 20)); // the result fits, the arena does not
  auto y = executor->call(0, feeds);
  setMemoryLimit(0);
  EXPECT_EQ(y.status().code(), Code::kResourceExhausted);
  EXPECT_EQ(y.status().node(), "group");
  EXPECT_TRUE(executor->call(0, feeds).ok());
}

TEST(Codelet, DamagedTablesAreRefused) {
  auto loads = [](auto damage) {
    GraphBuilder g;
    auto a = g.feed("a:0", f32), b = g.feed("b:0", f32);
    addMultiplyAdd(g, kScalar, Shape{});
    g.runCodelet("group", 0, {a, b});
    damage(g.signature().codelets[0]);
    return g.load().ok();
  };
  EXPECT_TRUE(loads([](CodeletDesc &) {}));
  EXPECT_FALSE(loads([](CodeletDesc &c) { c.code = 7; }));
  EXPECT_FALSE(loads([](CodeletDesc &c) {
    c.code = CodeletDesc::kNoCode;
    c.members.clear();
  }));
  EXPECT_FALSE(loads([](CodeletDesc &c) { c.numInputs = 3; }));
  EXPECT_FALSE(loads([](CodeletDesc &c) { c.members[0].inputs[0] = resultOf(0); })); // its own
  EXPECT_FALSE(loads([](CodeletDesc &c) { c.members[0].inputs[0] = input(2); }));
  EXPECT_FALSE(loads([](CodeletDesc &c) { c.members[1].kernel = 99; }));
  EXPECT_FALSE(loads([](CodeletDesc &c) { c.outputs[0].shape = Shape::unknownDims(1); }));
  EXPECT_FALSE(loads([](CodeletDesc &c) { c.outputs.clear(); }));
}

} // namespace
} // namespace sluice::rt
