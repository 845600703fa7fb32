// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of additions in a sum, which decides about its bits.
#include "runtime/base/parallel.h"
#include "runtime/base/splitmix.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <numeric>
#include <span>
#include <utility>

namespace sluice::rt {
namespace {

using Floats = std::vector<float>;

Tensor axes(const std::vector<int32_t> &values) {
  return tensor<int32_t>({static_cast<int64_t>(values.size())}, values);
}

// What docs/rationale/arithmetic.md says, said again in the plainest way: partial results of fixed
// sizes, and trees over powers of two of them.
float tree(std::span<const float> partials) {
  size_t half = partials.size() / 2;
  return half ? tree(partials.first(half)) + tree(partials.subspan(half)) : partials[0];
}
float combined(std::span<const float> whole, float rest) {
  for (size_t size = 1; !whole.empty(); size *= 2)
    if (whole.size() & size) {
      rest = tree(whole.last(size)) + rest;
      whole = whole.first(whole.size() - size);
    }
  return rest;
}
float sumOfRun(std::span<const float> run) {
  float lanes[8] = {};
  for (size_t i = 0; i < run.size(); ++i)
    lanes[i % 8] += run[i];
  float four[] = {lanes[0] + lanes[4], lanes[1] + lanes[5], lanes[2] + lanes[6],
                  lanes[3] + lanes[7]};
  return (four[0] + four[2]) + (four[1] + four[3]);
}
float sumInTurn(std::span<const float> part) {
  return std::accumulate(part.begin(), part.end(), 0.0f);
}
using Partial = float (*)(std::span<const float>);
float sumInOrder(std::span<const float> values, size_t size, Partial partial) {
  Floats whole;
  for (; values.size() >= size; values = values.subspan(size))
    whole.push_back(partial(values.first(size)));
  return combined(whole, partial(values));
}

TEST(ReduceOrder, IsTheOneOfTheDocumentation) {
  Tensor x = ramp<float>({7000, 3}, 1, 0);
  for (int64_t i = 0; i < x.elements(); ++i) // rounded at almost every step
    x.data<float>()[i] = static_cast<float>(mixBits(static_cast<uint64_t>(i) + 1) >> 40) * 0x1p-20f;
  std::span<const float> values(x.data<float>(), static_cast<size_t>(x.elements()));
  auto run = callKernel(sluice_kernel_nd_reduce_sum_f32, {x, axes({0, 1})}, {intAttr(0)});
  EXPECT_EQ(run->data<float>()[0], sumInOrder(values, 1024, sumOfRun));
  EXPECT_NE(run->data<float>()[0], std::accumulate(values.begin(), values.end(), 0.0f));
  auto rows = callKernel(sluice_kernel_nd_reduce_sum_f32, {x, axes({0})}, {intAttr(0)});
  for (size_t column = 0; column < 3; ++column) {
    Floats of;
    for (size_t i = column; i < values.size(); i += 3)
      of.push_back(values[i]);
    EXPECT_EQ(rows->data<float>()[column], sumInOrder(of, 64, sumInTurn));
    EXPECT_NE(rows->data<float>()[column], std::accumulate(of.begin(), of.end(), 0.0f));
  }
}

// The same for many elements, of which several threads may take some. A partial result is of so
// many chunks of runs as give 1024 elements, each summed up in lanes first.
float sumOfRuns(std::span<const float> values, size_t run) {
  Floats whole;
  float current = 0;
  size_t taken = 0;
  for (; !values.empty(); values = values.subspan(run))
    for (size_t i = 0; i < run; i += 1024) {
      const size_t n = std::min<size_t>(1024, run - i);
      current += sumOfRun(values.subspan(i, n));
      if ((taken += n) < 1024)
        continue;
      whole.push_back(std::exchange(current, 0.0f));
      taken = 0;
    }
  return combined(whole, current);
}

TEST(ReduceOrder, IsThatOfOneThread) {
  for (int64_t run : {1500, 700, 1024, 3, 100'000})
    for (int threads : {1, 3}) {
      ParallelThreads allowed(systemThreads(), threads);
      const int64_t runs = 150'000 / run;
      Tensor x = ramp<float>({runs, 2, run}, 1, 0);
      for (int64_t i = 0; i < x.elements(); ++i)
        x.data<float>()[i] =
            static_cast<float>(mixBits(static_cast<uint64_t>(i) + 1) >> 40) * 0x1p-20f;
      auto sums = callKernel(sluice_kernel_nd_reduce_sum_f32, {x, axes({0, 2})}, {intAttr(0)});
      for (int64_t kept = 0; kept < 2; ++kept) {
        Floats of;
        for (int64_t i = 0; i < runs; ++i) {
          const float *first = x.data<float>() + (2 * i + kept) * run;
          of.insert(of.end(), first, first + run);
        }
        EXPECT_EQ(sums->data<float>()[kept], sumOfRuns(of, static_cast<size_t>(run)))
            << run << " at a time, " << threads << " threads";
      }
    }
}

TEST(ReduceOrder, OfRowsIsThatOfOneThread) {
  for (int64_t columns : {1, 130, 5}) {
    const int64_t rows = 300'000 / columns;
    Tensor x = ramp<float>({rows, 2, columns}, 1, 0);
    for (int64_t i = 0; i < x.elements(); ++i)
      x.data<float>()[i] =
          static_cast<float>(mixBits(static_cast<uint64_t>(i) + 1) >> 40) * 0x1p-20f;
    for (int threads : {1, 3}) {
      ParallelThreads allowed(systemThreads(), threads);
      auto sums = callKernel(sluice_kernel_nd_reduce_sum_f32, {x, axes({0})}, {intAttr(0)});
      for (int64_t column = 0; column < 2 * columns; ++column) {
        Floats of;
        for (int64_t i = column; i < x.elements(); i += 2 * columns)
          of.push_back(x.data<float>()[i]);
        ASSERT_EQ(sums->data<float>()[column], sumInOrder(of, 64, sumInTurn))
            << columns << " columns, " << threads << " threads";
      }
    }
  }
}

} // namespace
} // namespace sluice::rt
