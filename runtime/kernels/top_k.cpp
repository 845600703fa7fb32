// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// top_k(x, k): the k largest of each row in falling order; ties by rising index, NaN before all.
//
// Elements become 64-bit keys that sort in the same order, so one sort serves all element types.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
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
    call.sizes().requireNotAbove(k, columns);
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

// Of the elements from `first` on.
using KeyLoop = void (*)(const void *row, int64_t first, std::span<Candidate> candidates);

template <typename T>
void keyLoop(const void *row, int64_t first, std::span<Candidate> candidates) {
  auto *x = static_cast<const T *>(row) + first;
  for (size_t i = 0; i < candidates.size(); ++i)
    candidates[i] = {sortKey(x[i]), first + static_cast<int64_t>(i)};
}

// What a candidate costs, to be sorted or to be merged.
constexpr int64_t kCostOfSorting = 32, kCostOfMerging = 16;

struct Rows {
  const unsigned char *in;
  int64_t columns, k;
  size_t bytes; // of a row
  KeyLoop keys;

  const unsigned char *at(int64_t row) const { return in + static_cast<size_t>(row) * bytes; }
  // The best of some columns, in order.
  std::span<const Candidate> best(int64_t row, int64_t first, std::span<Candidate> some) const {
    keys(at(row), first, some);
    const size_t count = std::min(some.size(), static_cast<size_t>(k));
    std::partial_sort(some.begin(), some.begin() + static_cast<int64_t>(count), some.end());
    return some.first(count);
  }
};

// Parts of a row that are sorted, each with as many candidates as can be among the best.
using SortedParts = std::vector<std::vector<Candidate>>;

SortedParts sortParts(const Rows &rows, int64_t row) {
  const int64_t size = itemsOfPiece(kCostOfSorting);
  SortedParts parts(static_cast<size_t>((rows.columns + size - 1) / size));
  forPieces(static_cast<int64_t>(parts.size()), kCostOfPiece, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::vector<Candidate> part(static_cast<size_t>(std::min(size, rows.columns - i * size)));
      part.resize(rows.best(row, i * size, part).size());
      parts[static_cast<size_t>(i)] = std::move(part);
    }
  });
  return parts;
}

std::vector<Candidate> mergeTwo(std::span<const Candidate> a, std::span<const Candidate> b,
                                size_t most) {
  std::vector<Candidate> merged(std::min(most, a.size() + b.size()));
  TurnsOfCall turns(kCostOfMerging);
  for (Candidate &next : merged) {
    if (turns.end())
      break;
    std::span<const Candidate> &from = b.empty() || (!a.empty() && a.front() < b.front()) ? a : b;
    next = from.front();
    from = from.subspan(1);
  }
  return merged;
}

// Of a row that is several pieces. No two candidates are equal, so there is one order.
std::vector<Candidate> bestOfLongRow(const Rows &rows, int64_t row) {
  SortedParts parts = sortParts(rows, row);
  while (parts.size() > 1 && !Cancellation::requestedHere()) {
    SortedParts merged((parts.size() + 1) / 2);
    const int64_t each = costOfAll(static_cast<int64_t>(2 * parts[0].size()), kCostOfMerging);
    forPieces(static_cast<int64_t>(merged.size()), each, [&](int64_t begin, int64_t end) {
      for (size_t i = static_cast<size_t>(begin); i < static_cast<size_t>(end); ++i)
        merged[i] = 2 * i + 1 == parts.size()
                        ? std::move(parts[2 * i])
                        : mergeTwo(parts[2 * i], parts[2 * i + 1], static_cast<size_t>(rows.k));
    });
    parts = std::move(merged);
  }
  return std::move(parts[0]);
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
  const Rows rows{static_cast<const unsigned char *>(x.raw()), columns, k,
                  static_cast<size_t>(columns) * sizeOf(x.dtype()), keys};
  const int64_t count = x.elements() / columns;
  if (columns > itemsOfPiece(kCostOfSorting)) {
    for (int64_t row = 0; row < count; ++row) {
      std::vector<Candidate> best = bestOfLongRow(rows, row);
      if (Cancellation::requestedHere())
        return cancelledWork();
      storeRow(call, row, rows.at(row), best);
    }
    return okStatus();
  }
  forPieces(count, costOfAll(columns, kCostOfSorting), [&](int64_t begin, int64_t end) {
    std::vector<Candidate> candidates(static_cast<size_t>(columns));
    for (int64_t row = begin; row < end; ++row)
      storeRow(call, row, rows.at(row), rows.best(row, 0, candidates));
  });
  return okStatus();
}

template <typename T> constexpr Kernel nd_top_k_kernel() {
  return {topKShape, [](KernelCall &call) { return runTopK(call, keyLoop<T>); }};
}

} // namespace

SLUICE_DEFINE_KERNELS(nd_top_k, REAL)

} // namespace sluice::rt
