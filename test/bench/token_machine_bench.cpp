// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One round of `while (i < n) {i = i + 1; x = x * b}`: token machine beside hand-written floors.
// Prints a JSON line for each case; test/bench/run repeats rounds and makes the table.
#include "test/bench/bare_token_store.h"
#include "test/runtime/executor/graph_builder.h"

#include <algorithm>
#include <cinttypes>
#include <cstdio>
#include <cstdlib>
#include <ctime>

using namespace sluice::rt;
using sluice::bench::BareTokenStore;

namespace {

constexpr int kElements = 16;

// Processor time of this thread: everything here runs on one thread, and neighbours do not count.
double now() {
  timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) * 1e-9;
}

void report(const char *name, double seconds, double iterations, double firings) {
  std::printf("{\"case\": \"%s\", \"ns_per_iteration\": %.4f", name, seconds * 1e9 / iterations);
  if (firings > 0)
    std::printf(", \"ns_per_firing\": %.4f, \"firings_per_iteration\": %.2f",
                seconds * 1e9 / firings, firings / iterations);
  std::printf("}\n");
}

// Adds a loop variable: enter and merge. The back edge is closed by `closeVariable`.
GraphBuilder::Value addVariable(GraphBuilder &g, const char *name, uint32_t frame,
                                GraphBuilder::Value start) {
  auto enter = g.enter(name, frame, start);
  g.add(NodeKind::kMerge, name, frame, {enter, enter}, 1);
  return g.last();
}
void closeVariable(GraphBuilder &g, uint32_t frame, GraphBuilder::Value merge,
                   GraphBuilder::Value next) {
  g.add(NodeKind::kNextIteration, "next", frame, {next}, 1);
  g.node(merge).inputs[1] = g.last();
}

// The loop with x of rank 0 or 1.
std::unique_ptr<Executor> buildLoop(bool scalar) {
  GraphBuilder g;
  constexpr DType i32 = DType::kI32, f32 = DType::kF32;
  auto n = g.feed("n:0", i32), x0 = g.feed("x:0", f32), b0 = g.feed("b:0", f32);
  uint32_t frame = g.frame("while", 10);
  auto i = addVariable(g, "i", frame, g.constant<int32_t>(0));
  auto x = addVariable(g, "x", frame, x0);
  auto limit = g.enter("limit", frame, n, /*constant=*/true);
  auto b = g.enter("b", frame, b0, /*constant=*/true);
  auto less = g.kernel("nd.less", "less", frame, {i, limit}, {i32, i32}, DType::kBool);
  g.add(NodeKind::kSwitch, "switch_i", frame, {i, less}, 2);
  auto body = g.last(1);
  g.add(NodeKind::kSwitch, "switch_x", frame, {x, less}, 2);
  auto bodyX = g.last(1), doneX = g.last(0);
  auto one = g.constant<int32_t>(1);
  closeVariable(g, frame, i, g.kernel("nd.add", "add", frame, {body, one}, {i32, i32}, i32));
  closeVariable(g, frame, x, g.kernel("nd.mul", "mul", frame, {bodyX, b}, {f32, f32}, f32, scalar));
  g.add(NodeKind::kExit, "exit_x", frame, {doneX}, 1);
  g.fetch("x:0", g.last(), f32);
  return g.build();
}

double firingsOf(const Executor &executor) {
  for (const auto &[key, value] : executor.stats())
    if (key == "firings")
      return value;
  return 0;
}

// The loop has x = 1 and this b: each product is another number, and none overflows.
constexpr float kFactor = 1 + 0x1p-23f;
float productOf(int64_t iterations) {
  float x = 1;
  for (int64_t i = 0; i < iterations; ++i)
    x *= kFactor;
  return x;
}

void expectProduct(const char *name, std::span<const float> values, int64_t iterations) {
  const float expected = productOf(iterations);
  for (float value : values)
    if (value != expected) {
      std::fprintf(stderr, "error: %s: expected %.9g but got %.9g\n", name,
                   static_cast<double>(expected), static_cast<double>(value));
      std::exit(1);
    }
}

Tensor filled(bool scalar, float value) {
  if (scalar)
    return Tensor::scalar(value);
  std::vector<float> values(kElements, value);
  return Tensor::vector(std::span<const float>(values));
}

void measureMachine(const char *name, bool scalar, int32_t iterations) {
  std::unique_ptr<Executor> executor = buildLoop(scalar);
  auto call = [&](int32_t n) {
    std::vector<Tensor> feeds{Tensor::scalar(n), filled(scalar, 1), filled(scalar, kFactor)};
    auto result = executor->call(0, feeds);
    if (!result.ok()) {
      std::fprintf(stderr, "error: %s\n", result.status().toString().c_str());
      std::exit(1);
    }
    return std::move((*result)[0]);
  };
  call(100); // reaches the high-water mark
  double firingsBefore = firingsOf(*executor), start = now();
  Tensor x = call(iterations);
  double seconds = now() - start;
  expectProduct(name, x.values<float>(), iterations);
  report(name, seconds, iterations, firingsOf(*executor) - firingsBefore);
}

// So many ops that have nothing to do with each other, and the sum of some.
constexpr int kWide = 1000;
std::unique_ptr<Executor> buildWide() {
  GraphBuilder g;
  constexpr DType f32 = DType::kF32;
  auto x = g.feed("x:0", f32);
  GraphBuilder::Value last = x;
  for (int i = 0; i < kWide; ++i)
    last = g.kernel("nd.mul", "mul", 0, {x, x}, {f32, f32}, f32);
  g.fetch("y:0", last, f32);
  return g.build();
}

void measureWide(int32_t calls) {
  std::unique_ptr<Executor> executor = buildWide();
  std::vector<Tensor> feeds{Tensor::scalar(3.f)};
  auto run = [&](int32_t count) {
    for (int32_t i = 0; i < count; ++i) {
      auto result = executor->call(0, feeds);
      if (!result.ok() || *(*result)[0].data<float>() != 9) {
        std::fprintf(stderr, "error: machine_wide: expected 9\n");
        std::exit(1);
      }
    }
  };
  run(10);
  double firingsBefore = firingsOf(*executor), start = now();
  run(calls);
  double seconds = now() - start;
  report("machine_wide", seconds, calls, firingsOf(*executor) - firingsBefore);
}

// Keeps the compiler from guessing a value or dropping its computation.
template <typename T> void opaque(T &value) { asm volatile("" : "+m"(value) : : "memory"); }

void measureVectorFloor(int64_t iterations) {
  alignas(64) float x[kElements], b[kElements];
  std::fill_n(x, kElements, 1.0f);
  std::fill_n(b, kElements, kFactor);
  opaque(x);
  opaque(b);
  opaque(iterations);
  double start = now();
  for (int64_t i = 0; i < iterations; ++i) {
#pragma clang loop unroll(full)
    for (int k = 0; k < kElements; ++k)
      x[k] *= b[k];
  }
  opaque(x);
  double seconds = now() - start;
  expectProduct("floor_loop_vector", x, iterations);
  report("floor_loop_vector", seconds, static_cast<double>(iterations), 0);
}

void measureScalarFloor(int64_t iterations) {
  float x = 1, b = kFactor;
  opaque(b);
  opaque(iterations);
  double start = now();
  for (int64_t i = 0; i < iterations; ++i)
    x *= b; // floats: the compiler may not turn this into a power
  opaque(x);
  double seconds = now() - start;
  expectProduct("floor_loop_scalar", {&x, 1}, iterations);
  report("floor_loop_scalar", seconds, static_cast<double>(iterations), 0);
}

// The same graph without its dead exits.
void measureBareStore(int64_t iterations) {
  using Kind = BareTokenStore::Kind;
  BareTokenStore store;
  uint32_t i = store.add(Kind::kMerge, 1), x = store.add(Kind::kMerge, 1);
  uint32_t less = store.add(Kind::kLess, 1, static_cast<double>(iterations));
  uint32_t switchI = store.add(Kind::kSwitch, 2), switchX = store.add(Kind::kSwitch, 2);
  uint32_t add = store.add(Kind::kAdd, 1, 1.0), multiply = store.add(Kind::kMultiply, 1, 1.0);
  uint32_t nextI = store.add(Kind::kNextIteration, 1), nextX = store.add(Kind::kNextIteration, 1);
  store.connect(i, less, 0);
  store.connect(i, switchI, 0);
  store.connect(x, switchX, 0);
  store.connect(less, switchI, 1);
  store.connect(less, switchX, 1);
  store.connect(switchI, add, 0);
  store.connect(switchX, multiply, 0);
  store.connect(add, nextI, 0);
  store.connect(multiply, nextX, 0);
  store.connect(nextI, i, 0);
  store.connect(nextX, x, 0);
  store.start();
  store.put(i, 0);
  store.put(x, 1);
  double start = now();
  uint64_t firings = store.run();
  double seconds = now() - start;
  // In the last iteration nothing goes on behind the switches.
  constexpr uint64_t kNodes = 9, kUpToSwitches = 5;
  if (firings != kNodes * static_cast<uint64_t>(iterations) + kUpToSwitches) {
    std::fprintf(stderr, "error: the bare token store has fired %" PRIu64 " times\n", firings);
    std::exit(1);
  }
  report("floor_token_store", seconds, static_cast<double>(iterations),
         static_cast<double>(firings));
}

} // namespace

int main(int argc, char **argv) {
  int iterations = argc > 1 ? std::atoi(argv[1]) : 1000000;
  if (iterations < 1) {
    std::fprintf(stderr, "usage: token-machine-bench [ITERATIONS]\n");
    return 2;
  }
  measureMachine("machine_scalar", /*scalar=*/true, iterations);
  measureWide(std::max(1, iterations / kWide));
  measureBareStore(iterations);
  measureScalarFloor(iterations * int64_t{10});
  measureMachine("machine_vector", /*scalar=*/false, iterations);
  measureVectorFloor(iterations * int64_t{10});
  return 0;
}
