// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Long kernels on one thread and on several, beside loops over the same memory and, in turns, a
// library. Prints a JSON line for each, with the best of the rounds in milliseconds.
//
// Usage: kernel-bench THREADS ROUNDS [RIVAL]
#include "test/bench/kernel_case.h"
#include "test/bench/measuring.h"

#include "runtime/base/denormal_mode.h"
#include "runtime/base/parallel.h"
#include "runtime/kernels/kernel_symbols.h"

#include <string>
#include <thread>

using namespace sluice::rt;
using namespace sluice::bench;

namespace {

constexpr KernelCase kCases[] = {
    {"add", KernelOp::kAdd, false, false},
    {"exp", KernelOp::kExp, false, false},
    {"tanh", KernelOp::kTanh, false, false},
    {"sum over everything", KernelOp::kSum, true, true},
    {"sum over the last axis", KernelOp::kSum, false, true},
    {"sum over the first axis", KernelOp::kSum, true, false},
    {"maximum over the last axis", KernelOp::kMax, false, true},
    {"minus a number of each row", KernelOp::kSubtractOfRows, false, false},
};
constexpr int64_t kElements = kBenchRows * kBenchColumns;

// ---- Ours -------------------------------------------------------------------------------------

const Kernel &kernelOf(KernelOp op) {
  switch (op) {
  case KernelOp::kAdd:
    return sluice_kernel_nd_add_f32;
  case KernelOp::kSubtractOfRows:
    return sluice_kernel_nd_sub_f32;
  case KernelOp::kExp:
    return sluice_kernel_nd_exp_f32;
  case KernelOp::kTanh:
    return sluice_kernel_nd_tanh_f32;
  case KernelOp::kSum:
    return sluice_kernel_nd_reduce_sum_f32;
  case KernelOp::kMax:
    return sluice_kernel_nd_reduce_max_f32;
  }
  std::abort();
}

Tensor axesOf(const KernelCase &c) {
  std::vector<int32_t> axes;
  if (c.overRows)
    axes.push_back(0);
  if (c.overColumns)
    axes.push_back(1);
  return Tensor::vector<int32_t>(axes);
}

// A firing whose output is there.
class OurKernel {
public:
  OurKernel(const KernelCase &c, Numbers &x, Numbers &y)
      : kernel_(kernelOf(c.op)), inputs_{viewOf(x, kBenchColumns)} {
    if (c.isReduction())
      inputs_.push_back(axesOf(c));
    else if (c.isBinary())
      inputs_.push_back(viewOf(y, c.op == KernelOp::kAdd ? kBenchColumns : 1));
    for (const Tensor &input : inputs_)
      pointers_.push_back(&input);
    keepDims_.kind = Attr::Kind::kInt;
    if (c.isReduction())
      attrs_ = {&keepDims_, 1};
    const Shape shape = c.isReduction() ? reduced(c) : Shape{kBenchRows, kBenchColumns};
    outputs_[0] = *Tensor::allocate(DType::kF32, shape);
  }
  void run() {
    KernelCall call(pointers_, outputs_, attrs_, types_, nullptr);
    if (!kernel_.run(call).ok())
      std::abort();
  }
  Tensor &output() { return outputs_[0]; }

private:
  static Tensor viewOf(Numbers &numbers, int64_t columns) {
    return *Tensor::view(DType::kF32, {kBenchRows, columns}, numbers.data());
  }
  static Shape reduced(const KernelCase &c) {
    Shape shape;
    if (!c.overRows)
      shape.append(kBenchRows);
    if (!c.overColumns)
      shape.append(kBenchColumns);
    return shape;
  }

  const Kernel &kernel_;
  std::vector<Tensor> inputs_;
  std::vector<const Tensor *> pointers_;
  Attr keepDims_;
  std::span<const Attr> attrs_;
  Tensor outputs_[1];
  DType types_[1] = {DType::kF32};
};

// ---- The floor: the same memory, by threads that are made for it ------------------------------

float sumOf(const float *x, int64_t n) {
  constexpr int kLanes = 32;
  float lanes[kLanes] = {};
  for (int64_t i = 0; i < n; i += kLanes)
    for (int lane = 0; lane < kLanes; ++lane)
      lanes[lane] += x[i + lane];
  float sum = 0;
  for (float lane : lanes)
    sum += lane;
  return sum;
}
volatile float ignored;

void passOver(const KernelCase &c, const float *x, const float *y, float *out, int64_t n) {
  if (c.isReduction())
    ignored = sumOf(x, n);
  else if (c.op == KernelOp::kAdd)
    for (int64_t i = 0; i < n; ++i)
      out[i] = x[i] + y[i];
  else
    for (int64_t i = 0; i < n; ++i)
      out[i] = x[i] + 1;
}

void passOverByThreads(const KernelCase &c, int threads, Numbers &x, Numbers &y, Numbers &out) {
  std::vector<std::thread> others;
  const int64_t each = kElements / threads / 32 * 32;
  for (int i = 1; i < threads; ++i)
    others.emplace_back([&, i] {
      const int64_t begin = i * each, end = i + 1 == threads ? kElements : begin + each;
      passOver(c, x.data() + begin, y.data() + begin, out.data() + begin, end - begin);
    });
  passOver(c, x.data(), y.data(), out.data(), threads == 1 ? kElements : each);
  for (std::thread &other : others)
    other.join();
}

// ---- Rivals -----------------------------------------------------------------------------------

struct Rival {
  MakeKernelRivalFn *make = nullptr;
  RunKernelRivalFn *run = nullptr;
};

void requireAlike(const KernelCase &c, Tensor &ours, Numbers &other) {
  for (int64_t i = 0; i < ours.elements(); ++i) {
    const float expected = ours.data<float>()[i], got = other.data()[i];
    if (!(std::abs(expected - got) <= 1e-3f + 1e-3f * std::abs(expected))) {
      std::fprintf(stderr, "error: %s: expected %g but the rival got %g\n", c.name,
                   static_cast<double>(expected), static_cast<double>(got));
      std::exit(1);
    }
  }
}

// ---- Rounds -----------------------------------------------------------------------------------

struct Options {
  int threads, rounds;
  Rival rival;
};

// The best time on one thread, and on several.
struct Times {
  double alone = 1e300, together = 1e300;
  double &of(bool isTogether) { return isTogether ? together : alone; }
  void take(bool isTogether, const std::function<void()> &call) {
    call(); // whoever helps is awake then
    for (int again = 0; again < 3; ++again)
      of(isTogether) = std::min(of(isTogether), timeOf(call, 0) / 1e6);
  }
  std::string text() const {
    char text[64];
    std::snprintf(text, sizeof text, "[%.4g, %.4g]", alone, together);
    return text;
  }
};

void measure(const KernelCase &c, const Options &options) {
  Numbers x(kElements, 0.7f), y(kElements, 0.3f), out(kElements);
  OurKernel kernel(c, x, y);
  void *rivals[2] = {};
  kernel.run();
  for (bool isTogether : {false, true})
    if (options.rival.make) {
      rivals[isTogether] =
          options.rival.make(&c, isTogether ? options.threads : 1, x.data(), y.data(), out.data());
      options.rival.run(rivals[isTogether]);
      requireAlike(c, kernel.output(), out);
    }
  Times ours, floor, rival;
  for (int round = 0; round < options.rounds; ++round)
    for (bool isTogether : {false, true}) {
      const int threads = isTogether ? options.threads : 1;
      floor.take(isTogether, [&] { passOverByThreads(c, threads, x, y, out); });
      {
        ParallelThreads parallel(systemThreads(), threads);
        ours.take(isTogether, [&] { kernel.run(); });
      }
      if (rivals[isTogether])
        rival.take(isTogether, [&] { options.rival.run(rivals[isTogether]); });
    }
  std::printf("{\"kernel\": \"%s\", \"ours\": %s, \"floor\": %s, \"rival\": %s}\n", c.name,
              ours.text().c_str(), floor.text().c_str(), rivals[0] ? rival.text().c_str() : "null");
  std::fflush(stdout);
}

} // namespace

int main(int argc, char **argv) {
  if (argc < 3) {
    std::fprintf(stderr, "usage: kernel-bench THREADS ROUNDS [RIVAL]\n");
    return 2;
  }
  Options options{std::atoi(argv[1]), std::atoi(argv[2]), {}};
  if (argc > 3) {
    OpenLibrary library(argv[3]);
    options.rival = {library.function<MakeKernelRivalFn>(kMakeKernelRival),
                     library.function<RunKernelRivalFn>(kRunKernelRival)};
  }
  FlushDenormals flush;
  watch = CLOCK_MONOTONIC; // as there are several threads
  for (const KernelCase &c : kCases)
    measure(c, options);
  return 0;
}
