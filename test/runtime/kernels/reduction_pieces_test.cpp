// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions in pieces, by several threads: the bits of those that are not cut.
#include "runtime/base/cancellation.h"
#include "runtime/base/parallel.h"
#include "runtime/base/splitmix.h"
#include "runtime/kernels/reducers.h"
#include "runtime/kernels/reduction_pieces.h"

#include <cstring>
#include <gtest/gtest.h>
#include <vector>

namespace sluice::rt {
namespace {

struct Case {
  std::vector<int64_t> dims;
  uint32_t axes;
  const char *what;
};
const Case kCases[] = {
    {{700001}, 1, "one run"},
    {{1 << 20}, 1, "one run of whole pieces"},
    {{1500, 2, 401}, 0b101, "several short runs make a partial result"},
    {{300, 2, 2500}, 0b101, "a partial result has the rest of a run and the next run's begin"},
    {{256, 2, 4096}, 0b101, "runs without a rest"},
    {{9001, 130}, 0b01, "rows of columns"},
    {{3, 80000, 7}, 0b010, "rows of few columns, several times"},
    {{4, 300, 3, 150, 2}, 0b01010, "rows with dims between that are kept"},
    {{1000, 1003}, 0b10, "many short units"},
    {{17, 50000}, 0b10, "many long units"},
    {{1000, 1003}, 0b01, "many units of columns"},
};

// Every addition of which is rounded.
template <typename T> std::vector<T> numbers(const std::vector<int64_t> &dims) {
  uint64_t count = 1;
  for (int64_t dim : dims)
    count *= static_cast<uint64_t>(dim);
  std::vector<T> values;
  for (uint64_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(static_cast<int64_t>(mixBits(i + 1) >> 34)) / T(1 << 20));
  return values;
}

template <typename T, typename Reduce>
std::vector<T> reduced(const ReductionLayout &layout, const std::vector<T> &in, Reduce reduce) {
  std::vector<T> out(static_cast<size_t>(layout.keptCount) + 1, T(-1));
  ReductionLayout mine(layout);
  reduce(mine,
         ReductionData{reinterpret_cast<const unsigned char *>(in.data()),
                       reinterpret_cast<unsigned char *>(out.data())},
         ReducerOf<element::Sum, T>::reducer);
  EXPECT_EQ(out.back(), T(-1)) << "expected nothing behind the outputs";
  return out;
}

template <typename T> class PiecesOfReductions : public testing::Test {};
using Types = testing::Types<float, double, int32_t>;
TYPED_TEST_SUITE(PiecesOfReductions, Types);

TYPED_TEST(PiecesOfReductions, HaveTheBitsOfOne) {
  for (const Case &one : kCases) {
    const auto in = numbers<TypeParam>(one.dims);
    const ReductionLayout layout(one.dims, AxisSet(one.axes));
    const auto expected = reduced(layout, in, [](ReductionLayout &all, auto data, auto &reducer) {
      reduceUnits(all, {0, all.units()}, data, reducer);
    });
    for (int threads : {1, 2, 5}) {
      ParallelThreads allowed(systemThreads(), threads);
      EXPECT_EQ(reduced(layout, in, reduceInPieces), expected)
          << one.what << " with " << threads << " threads";
    }
  }
}

TEST(PiecesOfReductions, EndWhenTheyAreCancelled) {
  Cancellation cancellation;
  cancellation.request();
  CancellationScope scope(cancellation);
  for (const Case &one : kCases) {
    const auto in = numbers<float>(one.dims);
    const ReductionLayout layout(one.dims, AxisSet(one.axes));
    const auto out = reduced(layout, in, reduceInPieces);
    EXPECT_EQ(out, std::vector<float>(out.size(), -1)) << one.what << ": expected nothing written";
  }
}

} // namespace
} // namespace sluice::rt
