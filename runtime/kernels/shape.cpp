// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels about shapes themselves: asking for them and giving the same elements another one.
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"

#include <limits>

namespace sluice::rt {

namespace {

Status putSize(KernelCall &call, int64_t index, int64_t size) {
  if (call.outputType(0) == DType::kI32 && size > std::numeric_limits<int32_t>::max())
    return invalidArgument(
        format("size %lld does not fit into i32; ask for i64", static_cast<long long>(size)));
  putInt(call.output(0), index, size);
  return okStatus();
}

Status shapeShape(ShapeCall &call) {
  call.output(0) = Shape{call.input(0).rank()};
  return okStatus();
}
Status shapeRun(KernelCall &call) {
  for (int i = 0; i < call.input(0).rank(); ++i)
    SLUICE_RETURN_IF_ERROR(putSize(call, i, call.input(0).dim(i)));
  return okStatus();
}

Status rankRun(KernelCall &call) { return putSize(call, 0, call.input(0).rank()); }
Status sizeRun(KernelCall &call) { return putSize(call, 0, call.input(0).elements()); }

// The dims asked for, with the position of the one to be inferred.
Status readRequest(const Tensor &sizes, Shape &shape, int &inferred) {
  SLUICE_RETURN_IF_ERROR(checkRank(sizes.elements()));
  shape = Shape::unknownDims(static_cast<int>(sizes.elements()));
  inferred = -1;
  for (int i = 0; i < shape.rank(); ++i) {
    int64_t size = sizes.asInt(i);
    if (size == -1 && inferred >= 0)
      return invalidArgument(
          format("Only one input size may be -1, not both %d and %d", inferred, i));
    if (size == -1)
      inferred = i;
    else if (size < 0)
      return invalidArgument(
          format("Size %d must be non-negative, not %lld", i, static_cast<long long>(size)));
    shape.setDim(i, size);
  }
  return okStatus();
}

// The dims other than zeros, for which the size that -1 stands for is found when a size is zero.
Shape withoutZeros(const Shape &shape) {
  Shape rest;
  for (int64_t dim : shape.dims())
    if (dim != 0)
      rest.append(dim);
  return rest;
}

Status fitRequest(const Shape &input, int inferred, Shape &shape) {
  SLUICE_ASSIGN_OR_RETURN(int64_t elements, input.checkedElements());
  Shape known = shape;
  if (inferred >= 0)
    known.setDim(inferred, 1);
  SLUICE_ASSIGN_OR_RETURN(int64_t product, known.checkedElements());
  auto text = [&](const char *what, int64_t requested) {
    return invalidArgument(
        format("Input to reshape is a tensor with %lld values, but the requested shape %s %lld",
               static_cast<long long>(elements), what, static_cast<long long>(requested)));
  };
  if (inferred < 0)
    return product == elements ? okStatus() : text("has", product);
  if (product == 0) {
    if (elements != 0)
      return text("has", product);
    SLUICE_ASSIGN_OR_RETURN(elements, withoutZeros(input).checkedElements());
    SLUICE_ASSIGN_OR_RETURN(product, withoutZeros(known).checkedElements());
    shape.setDim(inferred, elements / product);
    return okStatus();
  }
  if (elements % product)
    return text("requires a multiple of", product);
  shape.setDim(inferred, elements / product);
  return okStatus();
}

// The same where dims of the input have names: known ones first, which are one factor then. What
// cannot be told stays unknown.
void fitNamedRequest(const Shape &input, int inferred, const Sizes &sizes, Shape &shape) {
  int64_t elements = 1, product = 1;
  bool overflows = false;
  for (int64_t dim : input.dims())
    if (dim >= 0)
      overflows |= __builtin_mul_overflow(elements, dim, &elements);
  for (int64_t dim : input.dims())
    if (dim < 0)
      elements = sizes.multiply(dim, elements);
  for (int i = 0; i < shape.rank(); ++i)
    if (i != inferred)
      overflows |= __builtin_mul_overflow(product, shape.dim(i), &product);
  if (overflows) {
    shape = Shape::unknownDims(shape.rank());
  } else if (inferred < 0) {
    sizes.requireEqual(elements, product);
  } else if (product != 0) {
    sizes.requireMultiple(elements, product);
    shape.setDim(inferred, sizes.divide(elements, product));
  }
}

Status reshapedShape(const Shape &input, const Shape &sizesShape, const Tensor *request,
                     const Sizes &sizes, Shape &output) {
  // A scalar stands for one size, as graphs from before vectors were required have it.
  if (sizesShape.rank() > 1)
    return invalidArgument("sizes input must be 1-D, not " + sizesShape.toString());
  if (!request) {
    int64_t rank = sizesShape.rank() == 0 ? 1 : sizesShape.rank() == 1 ? sizesShape.dim(0) : -1;
    SLUICE_RETURN_IF_ERROR(checkRank(rank));
    output = rank < 0 ? Shape::unknownRank() : Shape::unknownDims(static_cast<int>(rank));
    return okStatus();
  }
  int inferred = -1;
  SLUICE_RETURN_IF_ERROR(readRequest(*request, output, inferred));
  if (input.isComplete())
    return fitRequest(input, inferred, output);
  if (input.hasRank())
    fitNamedRequest(input, inferred, sizes, output);
  return okStatus();
}
Status reshapeShape(ShapeCall &call) {
  return reshapedShape(call.input(0), call.input(1), call.value(1), call.sizes(), call.output(0));
}
Status reshapeRun(KernelCall &call) {
  Shape shape;
  SLUICE_RETURN_IF_ERROR(
      reshapedShape(call.input(0).shape(), call.input(1).shape(), &call.input(1), {}, shape));
  call.output(0) = call.input(0).reshaped(shape);
  return okStatus();
}

Status expandedShape(const Shape &input, const Shape &axisShape, const Tensor *axisValue,
                     Shape &output) {
  if (axisShape.isComplete() && axisShape.elements() != 1)
    return invalidArgument("'dim' must be a tensor with a single value");
  output = Shape::unknownRank();
  if (!input.hasRank())
    return okStatus();
  SLUICE_RETURN_IF_ERROR(checkRank(input.rank() + 1));
  output = Shape::unknownDims(input.rank() + 1);
  if (!axisValue)
    return okStatus();
  int64_t axis = axisValue->asInt();
  if (!normalizeAxis(axis, input.rank() + 1))
    return invalidArgument(format("Tried to expand dim index %lld for tensor with %d dimensions.",
                                  static_cast<long long>(axis), input.rank()));
  output = insertDim(input, axis, 1);
  return okStatus();
}
Status expandDimsShape(ShapeCall &call) {
  return expandedShape(call.input(0), call.input(1), call.value(1), call.output(0));
}
Status expandDimsRun(KernelCall &call) {
  Shape shape;
  SLUICE_RETURN_IF_ERROR(
      expandedShape(call.input(0).shape(), call.input(1).shape(), &call.input(1), shape));
  call.output(0) = call.input(0).reshaped(shape);
  return okStatus();
}

Status squeezedShape(const Shape &input, std::span<const int64_t> axes, const Sizes &sizes,
                     Shape &output) {
  output = Shape::unknownRank();
  if (!input.hasRank())
    return okStatus();
  bool drop[Shape::kMaxRank] = {};
  for (int64_t axis : axes) {
    int64_t given = axis;
    if (!normalizeAxis(axis, input.rank()))
      return invalidArgument(
          format("Tried to squeeze dim index %lld for tensor with %d dimensions.",
                 static_cast<long long>(given), input.rank()));
    if (input.dim(static_cast<int>(axis)) > 1 || input.dim(static_cast<int>(axis)) == 0)
      return invalidArgument(format(
          "Can not squeeze dim[%lld], expected a dimension of 1, got %lld",
          static_cast<long long>(axis), static_cast<long long>(input.dim(static_cast<int>(axis)))));
    sizes.requireEqual(input.dim(static_cast<int>(axis)), 1);
    drop[axis] = true;
  }
  // Without axes every dim of 1 goes, so one unknown dim makes the rank unknown.
  Shape kept;
  for (int i = 0; i < input.rank(); ++i) {
    if (axes.empty() && input.dim(i) < 0)
      return okStatus();
    if (axes.empty() ? input.dim(i) != 1 : !drop[i])
      kept.append(input.dim(i));
  }
  output = kept;
  return okStatus();
}
Status squeezeShape(ShapeCall &call) {
  return squeezedShape(call.input(0), attributes::nd::Squeeze(call).axes(), call.sizes(),
                       call.output(0));
}
Status squeezeRun(KernelCall &call) {
  Shape shape;
  SLUICE_RETURN_IF_ERROR(
      squeezedShape(call.input(0).shape(), attributes::nd::Squeeze(call).axes(), {}, shape));
  call.output(0) = call.input(0).reshaped(shape);
  return okStatus();
}

Status shareRun(KernelCall &call) {
  call.output(0) = call.input(0);
  return okStatus();
}

Status shapesDiffer(const Shape &shape, const Shape &expected) {
  return invalidArgument("expected the shape " + expected.toString() + " but got " +
                         shape.toString());
}
// What both shapes say: the dims of one are those of the other.
Status matchShapeShape(ShapeCall &call) {
  return mergeShapes(call.input(0), call.input(1), call.output(0), call.sizes())
             ? okStatus()
             : shapesDiffer(call.input(0), call.input(1));
}
Status matchShapeRun(KernelCall &call) {
  const Shape &shape = call.input(0).shape(), &expected = call.input(1).shape();
  return shape == expected ? shareRun(call) : shapesDiffer(shape, expected);
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_shape, {shapeShape, shapeRun})
SLUICE_DEFINE_KERNEL(nd_rank, {scalarShapeRule, rankRun})
SLUICE_DEFINE_KERNEL(nd_size, {scalarShapeRule, sizeRun})
SLUICE_DEFINE_KERNEL(nd_reshape, {reshapeShape, reshapeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(nd_expand_dims, {expandDimsShape, expandDimsRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(nd_squeeze, {squeezeShape, squeezeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(nd_match_shape, {matchShapeShape, matchShapeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(nd_stop_gradient, {sameShapeRule, shareRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(nd_assume_shape, {sameShapeRule, shareRun, Kernel::kAllocates})

} // namespace sluice::rt
