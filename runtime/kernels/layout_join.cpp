// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that put tensors together along an axis or take one apart: pack, concat, unpack, split.
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/shape_rules.h"

namespace sluice::rt {

namespace {

// Part of a tensor: `size` entries from `offset` on along an axis.
struct Section {
  int64_t outer, inner, axisSize, offset, size;

  Section(const Shape &whole, int axis, int64_t offset, int64_t size)
      : outer(elementsBetween(whole, 0, axis)),
        inner(elementsBetween(whole, axis + 1, whole.rank())), axisSize(whole.dim(axis)),
        offset(offset), size(size) {}

  Status write(const Tensor &part, Tensor &whole) const {
    if (part.elements() == 0)
      return okStatus();
    Movement movement;
    movement.startAt(0, offset * inner);
    movement.addDim(outer, size * inner, axisSize * inner);
    movement.addDim(size * inner, 1, 1);
    return movement.run(part, whole);
  }
  Status read(const Tensor &whole, Tensor &part) const {
    if (part.elements() == 0)
      return okStatus();
    Movement movement;
    movement.startAt(offset * inner, 0);
    movement.addDim(outer, axisSize * inner, size * inner);
    movement.addDim(size * inner, 1, 1);
    return movement.run(whole, part);
  }
};

Status axisOutside(int64_t axis, int rank) {
  return invalidArgument(
      format("axis = %lld not in [%d, %d)", static_cast<long long>(axis), -rank, rank));
}

Status packShape(ShapeCall &call) {
  if (call.numInputs() == 0)
    return invalidArgument("expected at least one tensor to pack");
  Shape part = Shape::unknownRank();
  for (size_t i = 0; i < call.numInputs(); ++i)
    if (!mergeShapes(part, call.input(i), part, call.sizes()))
      return invalidArgument(
          format("Shapes of all inputs must match: values[0].shape = %s != values[%zu].shape = %s",
                 call.input(0).toString().c_str(), i, call.input(i).toString().c_str()));
  call.output(0) = Shape::unknownRank();
  if (!part.hasRank())
    return okStatus();
  SLUICE_RETURN_IF_ERROR(checkRank(part.rank() + 1));
  int64_t axis = attributes::nd::Pack(call).axis();
  if (!normalizeAxis(axis, part.rank() + 1))
    return axisOutside(axis, part.rank() + 1);
  call.output(0) = insertDim(part, axis, static_cast<int64_t>(call.numInputs()));
  return okStatus();
}
Status packRun(KernelCall &call) {
  const Shape &whole = call.output(0).shape();
  int64_t axis = attributes::nd::Pack(call).axis();
  normalizeAxis(axis, whole.rank());
  for (size_t i = 0; i < call.numInputs(); ++i) {
    Section section(whole, static_cast<int>(axis), static_cast<int64_t>(i), 1);
    SLUICE_RETURN_IF_ERROR(section.write(call.input(i), call.output(0)));
  }
  return okStatus();
}

Status unpackShape(ShapeCall &call) {
  const Shape &whole = call.input(0);
  int64_t axis = attributes::nd::Unpack(call).axis();
  int64_t count = static_cast<int64_t>(call.numOutputs());
  Shape part = Shape::unknownRank();
  if (whole.hasRank()) {
    if (!normalizeAxis(axis, whole.rank()))
      return axisOutside(axis, whole.rank());
    int64_t size = whole.dim(static_cast<int>(axis));
    if (size >= 0 && size != count)
      return invalidArgument(format("Input shape axis %lld must equal %lld, got shape %s",
                                    static_cast<long long>(axis), static_cast<long long>(count),
                                    whole.toString().c_str()));
    call.sizes().requireEqual(size, count);
    part = removeDim(whole, axis);
  }
  for (size_t i = 0; i < call.numOutputs(); ++i)
    call.output(i) = part;
  return okStatus();
}
Status unpackRun(KernelCall &call) {
  const Shape &whole = call.input(0).shape();
  int64_t axis = attributes::nd::Unpack(call).axis();
  normalizeAxis(axis, whole.rank());
  for (size_t i = 0; i < call.numOutputs(); ++i) {
    Section section(whole, static_cast<int>(axis), static_cast<int64_t>(i), 1);
    SLUICE_RETURN_IF_ERROR(section.read(call.input(0), call.output(i)));
  }
  return okStatus();
}

// Rank and dims that the parts of a concatenation agree on, whatever the axis is. `axis` is -1
// while unknown; then no dims can be compared.
Status joinParts(ShapeCall &call, size_t parts, int64_t axis, Shape &whole) {
  for (size_t i = 0; i < parts; ++i) {
    const Shape &part = call.input(i);
    if (!part.hasRank())
      continue;
    if (part.rank() != whole.rank())
      return invalidArgument(
          format("ConcatOp : Ranks of all input tensors should match: shape[0] = %s vs. "
                 "shape[%zu] = %s",
                 call.input(0).toString().c_str(), i, part.toString().c_str()));
    for (int d = 0; d < part.rank() && axis >= 0; ++d) {
      if (d == axis)
        continue;
      if (whole.dim(d) >= 0 && part.dim(d) >= 0 && whole.dim(d) != part.dim(d))
        return invalidArgument(
            format("ConcatOp : Dimension %d in both shapes must be equal: shape[0] = %s vs. "
                   "shape[%zu] = %s",
                   d, call.input(0).toString().c_str(), i, part.toString().c_str()));
      whole.setDim(d, call.sizes().same(whole.dim(d), part.dim(d)));
    }
  }
  return okStatus();
}

// Sum of the parts' sizes along the axis, unknown if one of them is.
Status joinedSize(ShapeCall &call, size_t parts, int axis, int64_t &sum) {
  sum = 0;
  for (size_t i = 0; i < parts; ++i) {
    int64_t size = call.input(i).hasRank() ? call.input(i).dim(axis) : Shape::kUnknown, checked;
    if (sum >= 0 && size >= 0 && __builtin_add_overflow(sum, size, &checked))
      return invalidArgument("ConcatOp : sum of sizes along the axis overflows 64 bits");
    sum = call.sizes().add(sum, size);
  }
  return okStatus();
}

Status concatShape(ShapeCall &call) {
  if (call.numInputs() < 2)
    return invalidArgument("expected at least one tensor to concatenate");
  size_t parts = call.numInputs() - 1;
  SLUICE_RETURN_IF_ERROR(checkOneElement(call.input(parts), "Concat dim tensor"));
  call.output(0) = Shape::unknownRank();
  int rank = -1;
  for (size_t i = 0; i < parts && rank < 0; ++i)
    rank = call.input(i).rank();
  if (rank < 0)
    return okStatus();
  Shape whole = Shape::unknownDims(rank);
  int64_t axis = -1;
  if (const Tensor *value = call.value(parts)) {
    axis = value->asInt();
    if (!normalizeAxis(axis, rank))
      return invalidArgument(
          format("ConcatOp : Expected concatenating dimensions in the range [%d, %d), but got %lld",
                 -rank, rank, static_cast<long long>(axis)));
  }
  SLUICE_RETURN_IF_ERROR(joinParts(call, parts, axis, whole));
  if (axis >= 0) {
    int64_t sum = 0;
    SLUICE_RETURN_IF_ERROR(joinedSize(call, parts, static_cast<int>(axis), sum));
    whole.setDim(static_cast<int>(axis), sum);
  }
  call.output(0) = whole;
  return okStatus();
}
Status concatRun(KernelCall &call) {
  size_t parts = call.numInputs() - 1;
  const Shape &whole = call.output(0).shape();
  int64_t axis = call.input(parts).asInt(), offset = 0;
  normalizeAxis(axis, whole.rank());
  for (size_t i = 0; i < parts; ++i) {
    int64_t size = call.input(i).dim(static_cast<int>(axis));
    Section section(whole, static_cast<int>(axis), offset, size);
    SLUICE_RETURN_IF_ERROR(section.write(call.input(i), call.output(0)));
    offset += size;
  }
  return okStatus();
}

// Reads the axis operand of a split. `axis` stays -1 while it or the rank is unknown; then all
// parts are filled with what is known of the rank.
Status readSplitAxis(ShapeCall &call, size_t operand, int64_t &axis) {
  SLUICE_RETURN_IF_ERROR(checkOneElement(call.input(operand), "split_dim"));
  const Shape &whole = call.input(0);
  Shape part = whole.hasRank() ? Shape::unknownDims(whole.rank()) : Shape::unknownRank();
  for (size_t i = 0; i < call.numOutputs(); ++i)
    call.output(i) = part;
  axis = -1;
  if (!whole.hasRank() || !call.value(operand))
    return okStatus();
  axis = call.value(operand)->asInt();
  if (!normalizeAxis(axis, whole.rank()))
    return invalidArgument(format("-input rank(-%d) <= split_dim < input rank (%d), but got %lld",
                                  whole.rank(), whole.rank(), static_cast<long long>(axis)));
  for (size_t i = 0; i < call.numOutputs(); ++i) {
    call.output(i) = whole;
    call.output(i).setDim(static_cast<int>(axis), Shape::kUnknown);
  }
  return okStatus();
}

Status splitShape(ShapeCall &call) {
  int64_t axis;
  SLUICE_RETURN_IF_ERROR(readSplitAxis(call, 1, axis));
  int64_t parts = static_cast<int64_t>(call.numOutputs());
  int64_t size = axis < 0 ? -1 : call.input(0).dim(static_cast<int>(axis));
  if (size == Shape::kUnknown || parts == 0)
    return okStatus();
  if (size >= 0 && size % parts)
    return invalidArgument(format(
        "Number of ways to split should evenly divide the split dimension, but got "
        "split_dim %lld (size = %lld) and num_split %lld",
        static_cast<long long>(axis), static_cast<long long>(size), static_cast<long long>(parts)));
  call.sizes().requireMultiple(size, parts);
  for (size_t i = 0; i < call.numOutputs(); ++i)
    call.output(i).setDim(static_cast<int>(axis), call.sizes().divide(size, parts));
  return okStatus();
}

Status checkSplitSizes(const Tensor &sizes, int64_t whole, int &inferred, int64_t &sum) {
  inferred = -1;
  sum = 0;
  for (int i = 0; i < sizes.elements(); ++i) {
    int64_t size = sizes.asInt(i);
    if (size == -1 && inferred >= 0)
      return invalidArgument("There can only be one -1 in the input.");
    if (size == -1)
      inferred = i;
    else if (size < 0)
      return invalidArgument(format("Split size at index %d must be >= 0. Got: %lld", i,
                                    static_cast<long long>(size)));
    else if (__builtin_add_overflow(sum, size, &sum))
      return invalidArgument("sum of split sizes overflows 64 bits");
  }
  if (whole >= 0 && (inferred < 0 ? sum != whole : sum > whole))
    return invalidArgument(
        format("Determined shape must either match input shape along split_dim exactly if fully "
               "specified, or be less than the size of the input along split_dim if not fully "
               "specified.  Got: %lld",
               static_cast<long long>(sum)));
  return okStatus();
}

Status splitVShape(ShapeCall &call) {
  int64_t axis;
  SLUICE_RETURN_IF_ERROR(readSplitAxis(call, 2, axis));
  const Shape &sizesShape = call.input(1);
  if ((sizesShape.hasRank() && sizesShape.rank() != 1) ||
      (sizesShape.isComplete() && sizesShape.dim(0) != static_cast<int64_t>(call.numOutputs())))
    return invalidArgument(
        format("size of the split_tensor must be 1-D and have the same elements as outputs got %s "
               "vs. [%zu]",
               sizesShape.toString().c_str(), call.numOutputs()));
  const Tensor *sizes = call.value(1);
  if (!sizes)
    return okStatus();
  int64_t whole = axis < 0 ? -1 : call.input(0).dim(static_cast<int>(axis)), sum;
  int inferred;
  SLUICE_RETURN_IF_ERROR(checkSplitSizes(*sizes, whole, inferred, sum));
  if (inferred < 0)
    call.sizes().requireEqual(whole, sum);
  else
    call.sizes().requireNotAbove(sum, whole);
  int64_t rest = call.sizes().subtract(whole, sum);
  for (int i = 0; axis >= 0 && i < sizes->elements(); ++i) {
    call.output(static_cast<size_t>(i))
        .setDim(static_cast<int>(axis), i == inferred ? rest : sizes->asInt(i));
  }
  return okStatus();
}

// The sizes are those of the outputs, so both forms of split run alike; the axis comes last.
Status splitRun(KernelCall &call) {
  const Shape &whole = call.input(0).shape();
  int64_t axis = call.input(call.numInputs() - 1).asInt(), offset = 0;
  normalizeAxis(axis, whole.rank());
  for (size_t i = 0; i < call.numOutputs(); ++i) {
    int64_t size = call.output(i).dim(static_cast<int>(axis));
    Section section(whole, static_cast<int>(axis), offset, size);
    SLUICE_RETURN_IF_ERROR(section.read(call.input(0), call.output(i)));
    offset += size;
  }
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_pack, {packShape, packRun})
SLUICE_DEFINE_KERNEL(nd_unpack, {unpackShape, unpackRun})
SLUICE_DEFINE_KERNEL(nd_concat, {concatShape, concatRun})
SLUICE_DEFINE_KERNEL(nd_split, {splitShape, splitRun})
SLUICE_DEFINE_KERNEL(nd_split_v, {splitVShape, splitRun})

} // namespace sluice::rt
