// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The order of additions in a sum, which decides about its bits.
#include "runtime/base/splitmix.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <numeric>
#include <span>

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
    EXPECT_EQ(rows->data<float>()[column], sumInOrder(of, 64, [](std::span<const float> part) {
                return std::accumulate(part.begin(), part.end(), 0.0f);
              }));
    EXPECT_NE(rows->data<float>()[column], std::accumulate(of.begin(), of.end(), 0.0f));
  }
}

} // namespace
} // namespace sluice::rt
