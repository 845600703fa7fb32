// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that cut boxes out of tensors, with and without steps, and put them back.
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/slicing.h"

namespace sluice::rt {

namespace {

Status checkSliceOperands(const ShapeCall &call) {
  const Shape &input = call.input(0);
  for (size_t i = 1; i <= 2; ++i) {
    const Shape &operand = call.input(i);
    bool wrong = operand.hasRank() && operand.rank() != 1;
    if (operand.isComplete() && !wrong && input.hasRank())
      wrong = operand.dim(0) != input.rank();
    if (wrong)
      return invalidArgument(
          format("Expected begin and size arguments to be 1-D tensors of size %d, but got shapes "
                 "%s and %s instead.",
                 input.rank(), call.input(1).toString().c_str(), call.input(2).toString().c_str()));
  }
  return okStatus();
}

// Size of one dim of a slice, whose size may not be known; values are null while unknown.
Status sliceDim(int d, int64_t dim, const Tensor *begins, const Tensor *requests,
                const Sizes &sizes, int64_t &result) {
  int64_t begin = begins ? begins->asInt(d) : 0, request = requests ? requests->asInt(d) : 0;
  auto outside = [&](const char *name, int64_t limit, int64_t got) {
    return invalidArgument(format("Expected %s[%d] in [0, %lld], but got %lld", name, d,
                                  static_cast<long long>(limit), static_cast<long long>(got)));
  };
  if (begins && dim >= 0 && (begin < 0 || begin > dim))
    return outside("begin", dim, begin);
  int64_t rest = begins && begin >= 0 ? sizes.subtract(dim, begin) : Shape::kUnknown;
  if (requests && (request < -1 || (rest >= 0 && request > rest)))
    return outside("size", rest < 0 ? -1 : rest, request);
  // What begins before the dim fails, whatever size it asks for.
  bool fails = begins && begin < 0;
  result = !requests || fails ? Shape::kUnknown : request == -1 ? rest : request;
  if (begins && requests && !fails)
    sizes.requireNotAbove(request == -1 ? begin : request, request == -1 ? dim : rest);
  return okStatus();
}

Status sliceShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkSliceOperands(call));
  int rank = call.input(0).rank();
  for (size_t i = 1; i <= 2 && rank < 0; ++i)
    if (call.input(i).isComplete())
      rank = static_cast<int>(std::min<int64_t>(call.input(i).dim(0), Shape::kMaxRank + 1));
  SLUICE_RETURN_IF_ERROR(checkRank(rank));
  Shape result = rank < 0 ? Shape::unknownRank() : Shape::unknownDims(rank);
  for (int d = 0; d < rank; ++d) {
    int64_t dim = call.input(0).hasRank() ? call.input(0).dim(d) : -1, size;
    SLUICE_RETURN_IF_ERROR(sliceDim(d, dim, call.value(1), call.value(2), call.sizes(), size));
    result.setDim(d, size);
  }
  call.output(0) = result;
  return okStatus();
}
Status sliceRun(KernelCall &call) {
  const Shape &input = call.input(0).shape(), &output = call.output(0).shape();
  if (output.elements() == 0)
    return okStatus();
  Strides from(input), to(output);
  Movement movement;
  int64_t start = 0;
  for (int d = 0; d < input.rank(); ++d) {
    start += call.input(1).asInt(d) * from[d];
    movement.addDim(output.dim(d), from[d], to[d]);
  }
  movement.startAt(start, 0);
  return movement.run(call.input(0), call.output(0));
}

template <typename Call> SliceMasks masksOf(const Call &call) {
  using namespace attributes::nd;
  attributes::SharedBy<StridedSlice, StridedSliceGrad> masks(call);
  auto bits = [](int64_t mask) { return static_cast<uint64_t>(mask); };
  return {bits(masks.beginMask()), bits(masks.endMask()), bits(masks.ellipsisMask()),
          bits(masks.newAxisMask()), bits(masks.shrinkAxisMask())};
}

SliceRequest requestOf(const ShapeCall &call) {
  return {call.input(1), call.input(2), call.input(3), call.value(1),
          call.value(2), call.value(3), masksOf(call), call.sizes()};
}
SliceRequest requestOf(const KernelCall &call) {
  return {call.input(1).shape(), call.input(2).shape(), call.input(3).shape(), &call.input(1),
          &call.input(2),        &call.input(3),        masksOf(call)};
}

Status stridedSliceShape(ShapeCall &call) {
  ResolvedSlice slice;
  SLUICE_RETURN_IF_ERROR(resolveSlice(call.input(0), requestOf(call), slice));
  call.output(0) = slice.result;
  return okStatus();
}

// The box in the large tensor, walked in the order of the small one. Both tensors have elements.
void addSliceDims(const Shape &large, const ResolvedSlice &slice, bool intoLarge,
                  Movement &movement) {
  Strides strides(large);
  Shape small = Shape::unknownDims(large.rank());
  int64_t start = 0;
  for (int d = 0; d < large.rank(); ++d) {
    small.setDim(d, slice.sizes[d]);
    start += slice.begins[d] * strides[d];
  }
  Strides packed(small);
  for (int d = 0; d < large.rank(); ++d) {
    // A box of one entry may have any stride, also one whose product would overflow.
    int64_t step = slice.sizes[d] == 1 ? 0 : slice.steps[d] * strides[d];
    if (intoLarge)
      movement.addDim(slice.sizes[d], packed[d], step);
    else
      movement.addDim(slice.sizes[d], step, packed[d]);
  }
  movement.startAt(intoLarge ? 0 : start, intoLarge ? start : 0);
}

Status stridedSliceRun(KernelCall &call) {
  const Shape &large = call.input(0).shape();
  ResolvedSlice slice;
  SLUICE_RETURN_IF_ERROR(resolveSlice(large, requestOf(call), slice));
  if (call.output(0).elements() == 0)
    return okStatus();
  Movement movement;
  addSliceDims(large, slice, false, movement);
  return movement.run(call.input(0), call.output(0));
}

Status stridedSliceGradShape(ShapeCall &call) {
  Shape &output = call.output(0);
  SLUICE_RETURN_IF_ERROR(shapeFromOperand(call, 0, "shape", output));
  ResolvedSlice slice;
  SLUICE_RETURN_IF_ERROR(resolveSlice(output, requestOf(call), slice));
  if (!slice.result.compatibleWith(call.input(4)))
    return invalidArgument("shape of dy was " + call.input(4).toString() + " instead of " +
                           slice.result.toString());
  return okStatus();
}
Status stridedSliceGradRun(KernelCall &call) {
  const Shape &large = call.output(0).shape();
  ResolvedSlice slice;
  SLUICE_RETURN_IF_ERROR(resolveSlice(large, requestOf(call), slice));
  clearElements(call.output(0));
  if (call.input(4).elements() == 0)
    return okStatus();
  Movement movement;
  addSliceDims(large, slice, true, movement);
  return movement.run(call.input(4), call.output(0));
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_slice, {sliceShape, sliceRun})
SLUICE_DEFINE_KERNEL(nd_strided_slice, {stridedSliceShape, stridedSliceRun})
SLUICE_DEFINE_KERNEL(nd_strided_slice_grad, {stridedSliceGradShape, stridedSliceGradRun})

} // namespace sluice::rt
