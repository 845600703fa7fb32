// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels around broadcasting and other arithmetic on shapes that are values.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"

#include <algorithm>

namespace sluice::rt {

namespace {

Status cannotBroadcast(const std::string &a, const std::string &b) {
  return invalidArgument("Incompatible shapes: " + a + " vs. " + b);
}

Status broadcastToShape(ShapeCall &call) {
  Shape &output = call.output(0);
  const Shape &input = call.input(0);
  SLUICE_RETURN_IF_ERROR(shapeFromOperand(call, 1, "shape", output));
  if (!input.hasRank() || !output.hasRank())
    return okStatus();
  int added = output.rank() - input.rank();
  if (added < 0)
    return invalidArgument(
        format("Rank of input (%d) must be no greater than rank of output shape (%d).",
               input.rank(), output.rank()));
  for (int i = 0; i < input.rank(); ++i) {
    int64_t from = input.dim(i), to = output.dim(added + i);
    if (from >= 0 && from != 1 && to >= 0 && from != to)
      return cannotBroadcast(input.toString(), output.toString());
    if (from < 0)
      call.sizes().requireEqual(from, to);
    // Only a dim of 1 can become another size.
    if (from > 1 || from == 0)
      output.setDim(added + i, from);
  }
  return okStatus();
}
Status broadcastToRun(KernelCall &call) {
  const Shape &from = call.input(0).shape(), &to = call.output(0).shape();
  Strides fromStrides(from), toStrides(to);
  int added = to.rank() - from.rank();
  Movement movement;
  for (int i = 0; i < to.rank(); ++i) {
    bool repeated = i < added || from.dim(i - added) == 1;
    movement.addDim(to.dim(i), repeated ? 0 : fromStrides[i - added], toStrides[i]);
  }
  return movement.run(call.input(0), call.output(0));
}

Status checkVector(const Shape &shape, int i) {
  if (!shape.hasRank() || shape.rank() == 1)
    return okStatus();
  return invalidArgument(format("In[%d] must be a vector.%s", i, shape.toString().c_str()));
}

// Size of dim `i` of the shape of rank `rank` that a value gives, after padding with 1 in front.
int64_t paddedDim(const Tensor &shape, int64_t i, int64_t rank) {
  int64_t added = rank - shape.elements();
  return i < added ? 1 : shape.asInt(i - added);
}

Status broadcastArgsShape(ShapeCall &call) {
  int64_t rank = -1, known = 0;
  for (int i = 0; i < 2; ++i) {
    SLUICE_RETURN_IF_ERROR(checkVector(call.input(static_cast<size_t>(i)), i));
    const Shape &input = call.input(static_cast<size_t>(i));
    if (input.isComplete()) {
      ++known;
      rank = std::max(rank, input.dim(0));
    }
  }
  call.output(0) = Shape{known == 2 ? rank : Shape::kUnknown};
  return okStatus();
}
Status broadcastArgsRun(KernelCall &call) {
  const Tensor &a = call.input(0), &b = call.input(1);
  int64_t rank = call.output(0).elements();
  for (int64_t i = 0; i < rank; ++i) {
    int64_t x = paddedDim(a, i, rank), y = paddedDim(b, i, rank);
    if (x != y && x != 1 && y != 1)
      return cannotBroadcast(valuesText(a), valuesText(b));
    putInt(call.output(0), i, x == 1 ? y : x);
  }
  return okStatus();
}

Status gradientArgsShape(ShapeCall &call) {
  for (int i = 0; i < 2; ++i) {
    SLUICE_RETURN_IF_ERROR(checkVector(call.input(static_cast<size_t>(i)), i));
    call.output(static_cast<size_t>(i)) = Shape{Shape::kUnknown};
  }
  return okStatus();
}

// Which dims the gradient of each operand must be summed over. A dim that is 1 on both sides
// counts for both unless the shapes are equal: summing it is free and keeps the ranks right.
Status gradientArgsRun(KernelCall &call) {
  const Tensor *inputs[] = {&call.input(0), &call.input(1)};
  for (int i = 0; i < 2; ++i)
    SLUICE_RETURN_IF_ERROR(checkVector(inputs[i]->shape(), i));
  int64_t rank = std::max(inputs[0]->elements(), inputs[1]->elements());
  bool equal = inputs[0]->elements() == inputs[1]->elements();
  for (int64_t i = 0; i < rank; ++i) {
    int64_t x = paddedDim(*inputs[0], i, rank), y = paddedDim(*inputs[1], i, rank);
    equal = equal && x == y;
    if (x != y && x != 1 && y != 1)
      return cannotBroadcast(valuesText(*inputs[0]), valuesText(*inputs[1]));
  }
  for (size_t k = 0; k < 2; ++k) {
    auto reduced = [&](int64_t i) { return !equal && paddedDim(*inputs[k], i, rank) == 1; };
    int64_t count = 0;
    for (int64_t i = 0; i < rank; ++i)
      count += reduced(i);
    SLUICE_ASSIGN_OR_RETURN(call.output(k), Tensor::allocate(call.outputType(k), Shape{count}));
    for (int64_t i = 0, next = 0; i < rank; ++i)
      if (reduced(i))
        putInt(call.output(k), next++, i);
  }
  return okStatus();
}

Status concatOffsetShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkOneElement(call.input(0), "Concat dim tensor"));
  for (size_t i = 0; i < call.numOutputs(); ++i) {
    const Shape &input = call.input(i + 1);
    if (input.hasRank() && input.rank() != 1)
      return invalidArgument(
          format("input %zu should be a vector, but got shape %s", i, input.toString().c_str()));
    call.output(i) = input.hasRank() ? input : Shape{Shape::kUnknown};
  }
  return okStatus();
}
Status concatOffsetRun(KernelCall &call) {
  const Tensor &first = call.input(1);
  int64_t rank = first.elements(), given = call.input(0).asInt(), axis = given, offset = 0;
  if (rank > Shape::kMaxRank || !normalizeAxis(axis, static_cast<int>(rank)))
    return invalidArgument(format("Concat dim is out of range: %lld vs. %lld",
                                  static_cast<long long>(given), static_cast<long long>(rank)));
  for (size_t i = 0; i < call.numOutputs(); ++i) {
    const Tensor &shape = call.input(i + 1);
    if (shape.elements() != rank)
      return invalidArgument(format("input %zu should contain %lld elements, but got %lld", i,
                                    static_cast<long long>(rank),
                                    static_cast<long long>(shape.elements())));
    for (int64_t d = 0; d < rank; ++d) {
      if (d != axis && shape.asInt(d) != first.asInt(d))
        return invalidArgument(format(
            "All dimensions except %lld must match. Input %zu has shape %s and doesn't "
            "match input 0 with shape %s.",
            static_cast<long long>(axis), i, valuesText(shape).c_str(), valuesText(first).c_str()));
      putInt(call.output(i), d, d == axis ? offset : 0);
    }
    if (__builtin_add_overflow(offset, shape.asInt(axis), &offset))
      return invalidArgument("sum of sizes along the concat dim overflows 64 bits");
  }
  return okStatus();
}

Status invertPermutationShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  if (input.hasRank() && input.rank() != 1)
    return invalidArgument("invert_permutation expects a 1D vector.");
  call.output(0) = input.hasRank() ? input : Shape{Shape::kUnknown};
  return okStatus();
}
constexpr int64_t kCostOfIndex = 16;

template <typename T> Status invertPermutationRun(KernelCall &call) {
  int64_t count = call.input(0).elements();
  const T *from = call.input(0).data<T>();
  T *to = call.output(0).data<T>();
  forPieces(count, sizeof(T),
            [=](int64_t begin, int64_t end) { std::fill(to + begin, to + end, T(-1)); });
  TurnsOfCall turns(kCostOfIndex);
  for (int64_t i = 0; i < count && !turns.end(); ++i) {
    int64_t at = from[i];
    if (at < 0 || at >= count)
      return invalidArgument(format("%lld is not between 0 and %lld", static_cast<long long>(at),
                                    static_cast<long long>(count)));
    if (to[at] != T(-1))
      return invalidArgument(
          format("%lld is duplicated in the input.", static_cast<long long>(at)));
    to[at] = static_cast<T>(i);
  }
  return okStatus();
}
template <typename T> constexpr Kernel nd_invert_permutation_kernel() {
  return {invertPermutationShape, invertPermutationRun<T>};
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_broadcast_to, {broadcastToShape, broadcastToRun})
SLUICE_DEFINE_KERNEL(nd_broadcast_args, {broadcastArgsShape, broadcastArgsRun})
SLUICE_DEFINE_KERNEL(nd_broadcast_gradient_args,
                     {gradientArgsShape, gradientArgsRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(nd_concat_offset, {concatOffsetShape, concatOffsetRun})
SLUICE_DEFINE_KERNELS(nd_invert_permutation, INDEX)

} // namespace sluice::rt
