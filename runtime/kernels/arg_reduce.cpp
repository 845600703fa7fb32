// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// arg_max and arg_min: position of the first extremum along an axis. NaNs are passed over.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/one_axis.h"

#include <cstring>
#include <vector>

namespace sluice::rt {
namespace {

Result<int> checkedAxis(const Tensor &axis, int rank) {
  if (axis.rank() != 0)
    return invalidArgument("dim must be a scalar, but received tensor of shape: " +
                           axis.shape().toString());
  int64_t value = axis.asInt();
  if (value < -rank || value >= rank)
    return invalidArgument(format("Expected dimension in the range [%d, %d), but got %lld", -rank,
                                  rank, static_cast<long long>(value)));
  return static_cast<int>(value < 0 ? value + rank : value);
}

Status argShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  call.output(0) = Shape::unknownRank();
  if (!input.hasRank())
    return okStatus();
  if (!call.value(1)) {
    if (input.rank() > 0)
      call.output(0) = Shape::unknownDims(input.rank() - 1);
    return okStatus();
  }
  SLUICE_ASSIGN_OR_RETURN(int axis, checkedAxis(*call.value(1), input.rank()));
  if (input.dim(axis) == 0)
    return invalidArgument(
        format("Reduction axis %d is empty in shape %s", axis, input.toString().c_str()));
  call.sizes().requireNotAbove(1, input.dim(axis));
  Shape result;
  for (int i = 0; i < input.rank(); ++i)
    if (i != axis)
      result.append(input.dim(i));
  call.output(0) = std::move(result);
  return okStatus();
}

// Position of the first extremum among n elements that are `stride` apart; 0 if all are NaN.
using FindFn = int64_t (*)(const void *in, int64_t n, int64_t stride);

template <typename T, bool kMax> int64_t findExtremum(const void *in, int64_t n, int64_t stride) {
  auto *x = static_cast<const T *>(in);
  int64_t position = 0;
  Compute<T> best = x[0];
  for (int64_t i = 1; i < n; ++i) {
    Compute<T> value = x[i * stride];
    // The first number replaces a leading NaN; `best == best` is constant for integers.
    bool better = kMax ? value > best : value < best;
    if (better || (best != best && value == value)) {
      best = value;
      position = i;
    }
  }
  return position;
}

// What an element costs, if the next one lies beside it or not.
constexpr int64_t kCostOfNeighbour = 4, kCostOfStep = 16;

struct Lines {
  OneAxis view;
  const unsigned char *in;
  size_t bytes; // of an element
  FindFn find;

  const unsigned char *at(int64_t line, int64_t position) const {
    int64_t first = line / view.inner * view.length * view.inner + line % view.inner;
    return in + static_cast<size_t>(first + position * view.inner) * bytes;
  }
  int64_t findFrom(int64_t line, int64_t begin, int64_t end) const {
    return begin + find(at(line, begin), end - begin, view.inner);
  }
};

// The first extremum of a line is that of the extrema of its pieces.
int64_t findInPieces(const Lines &lines, int64_t line, int64_t cost) {
  const int64_t size = itemsOfPiece(cost), count = (lines.view.length + size - 1) / size;
  std::vector<int64_t> positions(static_cast<size_t>(count));
  forPieces(count, kCostOfPiece, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      positions[static_cast<size_t>(i)] =
          lines.findFrom(line, i * size, std::min(lines.view.length, (i + 1) * size));
  });
  std::vector<unsigned char> values(positions.size() * lines.bytes);
  for (size_t i = 0; i < positions.size(); ++i)
    std::memcpy(values.data() + i * lines.bytes, lines.at(line, positions[i]), lines.bytes);
  return positions[static_cast<size_t>(lines.find(values.data(), count, 1))];
}

Status runArg(KernelCall &call, FindFn find) {
  const Tensor &x = call.input(0);
  Tensor &out = call.output(0);
  SLUICE_ASSIGN_OR_RETURN(int axis, checkedAxis(call.input(1), x.rank()));
  if (out.elements() == 0)
    return okStatus();
  const Lines lines{OneAxis(x.shape(), axis), static_cast<const unsigned char *>(x.raw()),
                    sizeOf(x.dtype()), find};
  const int64_t cost = lines.view.inner == 1 ? kCostOfNeighbour : kCostOfStep;
  const int64_t n = lines.view.outer * lines.view.inner;
  if (lines.view.length / 2 >= itemsOfPiece(cost)) {
    for (int64_t i = 0; i < n && !Cancellation::requestedHere(); ++i)
      putInt(out, i, findInPieces(lines, i, cost));
    return okStatus();
  }
  forPieces(n, costOfAll(lines.view.length, cost), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      putInt(out, i, lines.findFrom(i, 0, lines.view.length));
  });
  return okStatus();
}

template <typename T, bool kMax> constexpr Kernel argKernel() {
  return {argShape, [](KernelCall &call) { return runArg(call, findExtremum<T, kMax>); }};
}
template <typename T> constexpr Kernel nd_arg_max_kernel() { return argKernel<T, true>(); }
template <typename T> constexpr Kernel nd_arg_min_kernel() { return argKernel<T, false>(); }

} // namespace

SLUICE_DEFINE_KERNELS(nd_arg_max, REAL)
SLUICE_DEFINE_KERNELS(nd_arg_min, REAL)

} // namespace sluice::rt
