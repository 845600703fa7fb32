// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// top_k(x, k): the k largest of each row in falling order; ties by rising index, NaN before all.
//
// Elements become 64-bit keys that sort in the same order, so one sort serves all element types.
#include "runtime/base/arithmetic.h"
#include "runtime/kernels/declare.h"

#include <algorithm>
#include <bit>
#include <vector>

namespace sluice::rt {
namespace {

Result<int64_t> checkedK(const Tensor &k) {
  if (k.rank() != 0)
    return invalidArgument("k must be scalar, got shape " + k.shape().toString());
  if (k.asInt() < 0)
    return invalidArgument(format("Need k >= 0, got %lld", static_cast<long long>(k.asInt())));
  return k.asInt();
}

Status topKShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  int64_t k = Shape::kUnknown;
  if (call.value(1)) {
    SLUICE_ASSIGN_OR_RETURN(k, checkedK(*call.value(1)));
  }
  Shape result = input;
  if (input.hasRank()) {
    if (input.rank() == 0)
      return invalidArgument("input must be >= 1-D, got shape []");
    int64_t columns = input.dim(input.rank() - 1);
    if (columns >= 0 && k > columns)
      return invalidArgument(format("input must have at least k columns. Had %lld, needed %lld",
                                    static_cast<long long>(columns), static_cast<long long>(k)));
    result.setDim(input.rank() - 1, k);
  }
  call.output(0) = result;
  call.output(1) = std::move(result);
  return okStatus();
}

struct Candidate {
  uint64_t key;
  int64_t index;
  bool operator<(const Candidate &other) const {
    return key != other.key ? key > other.key : index < other.index;
  }
};

template <typename T> uint64_t sortKey(const T &x) {
  constexpr uint64_t top = uint64_t(1) << 63;
  if constexpr (kIsFloat<T>) {
    double value = static_cast<Compute<T>>(x);
    if (value != value)
      return ~uint64_t(0);
    auto bits = std::bit_cast<uint64_t>(value == 0 ? 0.0 : value);
    return bits & top ? ~bits : bits | top;
  } else if constexpr (std::is_signed_v<T>) {
    return static_cast<uint64_t>(static_cast<int64_t>(x)) ^ top;
  } else {
    return x;
  }
}

using KeyLoop = void (*)(const void *row, std::span<Candidate> candidates);

template <typename T> void keyLoop(const void *row, std::span<Candidate> candidates) {
  auto *x = static_cast<const T *>(row);
  for (size_t i = 0; i < candidates.size(); ++i)
    candidates[i] = {sortKey(x[i]), static_cast<int64_t>(i)};
}

void storeRow(KernelCall &call, int64_t row, const unsigned char *in,
              std::span<const Candidate> best) {
  Tensor &values = call.output(0), &indices = call.output(1);
  size_t bytes = sizeOf(values.dtype());
  int64_t first = row * static_cast<int64_t>(best.size());
  auto *out = static_cast<unsigned char *>(values.raw()) + static_cast<size_t>(first) * bytes;
  for (size_t i = 0; i < best.size(); ++i) {
    std::memcpy(out + i * bytes, in + static_cast<size_t>(best[i].index) * bytes, bytes);
    if (indices.dtype() == DType::kI64)
      indices.data<int64_t>()[first + static_cast<int64_t>(i)] = best[i].index;
    else
      indices.data<int32_t>()[first + static_cast<int64_t>(i)] =
          static_cast<int32_t>(best[i].index);
  }
}

Status runTopK(KernelCall &call, KeyLoop keys) {
  const Tensor &x = call.input(0);
  SLUICE_ASSIGN_OR_RETURN(int64_t k, checkedK(call.input(1)));
  if (k == 0 || x.elements() == 0)
    return okStatus();
  int64_t columns = x.dim(x.rank() - 1);
  size_t rowBytes = static_cast<size_t>(columns) * sizeOf(x.dtype());
  auto *in = static_cast<const unsigned char *>(x.raw());
  std::vector<Candidate> candidates(static_cast<size_t>(columns));
  for (int64_t row = 0, rows = x.elements() / columns; row < rows; ++row, in += rowBytes) {
    keys(in, candidates);
    std::partial_sort(candidates.begin(), candidates.begin() + k, candidates.end());
    storeRow(call, row, in, {candidates.data(), static_cast<size_t>(k)});
  }
  return okStatus();
}

template <typename T> constexpr Kernel nd_top_k_kernel() {
  return {topKShape, [](KernelCall &call) { return runTopK(call, keyLoop<T>); }};
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_top_k, REAL)

} // namespace sluice::rt
