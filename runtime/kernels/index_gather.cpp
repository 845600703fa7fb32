// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that pick parts of a tensor by index: gather along one axis, gather_nd along several.
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"

namespace sluice::rt {

namespace {

// Axis and number of batch dims, once the ranks are known.
struct GatherAxes {
  int64_t axis = -1; // -1 while the operand's value is unknown
  int64_t batch = 0;
};

Status readGatherAxes(const Shape &params, const Shape &indices, const Tensor *axisValue,
                      int64_t batchDims, GatherAxes &axes) {
  int64_t batch = batchDims < 0 ? batchDims + indices.rank() : batchDims;
  if (batch < 0 || batch > indices.rank())
    return invalidArgument(format("Expected batch_dims in the range [%d, %d], but got %lld",
                                  -indices.rank(), indices.rank(),
                                  static_cast<long long>(batchDims)));
  if (batch >= params.rank())
    return invalidArgument(params.rank() == 0
                               ? std::string("params must be at least 1 dimensional")
                               : format("batch_dims (%lld) must be less than rank(params) (%d).",
                                        static_cast<long long>(batch), params.rank()));
  axes.batch = batch;
  if (!axisValue)
    return okStatus();
  int64_t axis = axisValue->asInt();
  if (!normalizeAxis(axis, params.rank()))
    return invalidArgument(format("Expected axis in the range [%d, %d), but got %lld",
                                  -params.rank(), params.rank(), static_cast<long long>(axis)));
  if (axis < batch)
    return invalidArgument(format("batch_dims (%lld) must be less than or equal to axis (%lld).",
                                  static_cast<long long>(batch), static_cast<long long>(axis)));
  axes.axis = axis;
  return okStatus();
}

Status gatherShape(ShapeCall &call) {
  const Shape &params = call.input(0), &indices = call.input(1);
  SLUICE_RETURN_IF_ERROR(checkOneElement(call.input(2), "axis"));
  call.output(0) = Shape::unknownRank();
  if (!params.hasRank() || !indices.hasRank())
    return okStatus();
  GatherAxes axes;
  SLUICE_RETURN_IF_ERROR(readGatherAxes(params, indices, call.value(2),
                                        attributes::nd::Gather(call).batchDims(), axes));
  int batch = static_cast<int>(axes.batch), axis = static_cast<int>(axes.axis);
  int rank = params.rank() - 1 + indices.rank() - batch;
  SLUICE_RETURN_IF_ERROR(checkRank(rank));
  Shape output = Shape::unknownDims(rank);
  int next = 0;
  for (; next < batch; ++next) {
    int64_t a = params.dim(next), b = indices.dim(next);
    if (a >= 0 && b >= 0 && a != b)
      return invalidArgument(format("params.shape[%d]: %lld should be equal to indices.shape[%d]: "
                                    "%lld",
                                    next, static_cast<long long>(a), next,
                                    static_cast<long long>(b)));
    output.setDim(next, call.sizes().same(a, b));
  }
  if (axis >= 0) {
    for (; next < axis; ++next)
      output.setDim(next, params.dim(next));
    for (int i = batch; i < indices.rank(); ++i)
      output.setDim(next++, indices.dim(i));
    for (int i = axis + 1; i < params.rank(); ++i)
      output.setDim(next++, params.dim(i));
  }
  call.output(0) = output;
  return okStatus();
}

Status checkIndices(const Tensor &indices, int64_t size) {
  for (int64_t i = 0, n = indices.elements(); i < n; ++i) {
    int64_t index = indices.asInt(i);
    if (index < 0 || index >= size)
      return invalidArgument(format("indices%s = %lld is not in [0, %lld)",
                                    positionText(indices.shape(), i).c_str(),
                                    static_cast<long long>(index), static_cast<long long>(size)));
  }
  return okStatus();
}

Status gatherRun(KernelCall &call) {
  const Tensor &params = call.input(0), &indices = call.input(1);
  GatherAxes axes;
  SLUICE_RETURN_IF_ERROR(readGatherAxes(params.shape(), indices.shape(), &call.input(2),
                                        attributes::nd::Gather(call).batchDims(), axes));
  int batch = static_cast<int>(axes.batch), axis = static_cast<int>(axes.axis);
  int64_t size = params.dim(axis);
  SLUICE_RETURN_IF_ERROR(checkIndices(indices, size));
  if (call.output(0).elements() == 0)
    return okStatus();
  int64_t batches = elementsBetween(params.shape(), 0, batch);
  int64_t outer = elementsBetween(params.shape(), batch, axis);
  int64_t inner = elementsBetween(params.shape(), axis + 1, params.rank());
  int64_t count = elementsBetween(indices.shape(), batch, indices.rank());
  int64_t to = 0;
  for (int64_t b = 0; b < batches; ++b)
    for (int64_t o = 0; o < outer; ++o)
      for (int64_t i = 0; i < count; ++i, to += inner) {
        int64_t from = ((b * outer + o) * size + indices.asInt(b * count + i)) * inner;
        SLUICE_RETURN_IF_ERROR(copyElements(params, from, call.output(0), to, inner));
      }
  return okStatus();
}

Status gatherNdShape(ShapeCall &call) {
  const Shape &params = call.input(0), &indices = call.input(1);
  call.output(0) = Shape::unknownRank();
  if (params.rank() == 0)
    return invalidArgument("params must be at least a vector");
  if (indices.rank() == 0)
    return invalidArgument("indices must be at least a vector");
  if (!params.hasRank() || !indices.hasRank())
    return okStatus();
  int64_t depth = indices.dim(indices.rank() - 1);
  if (depth > params.rank())
    return invalidArgument(
        format("index innermost dimension length must be <= params rank; saw: %lld vs. %d",
               static_cast<long long>(depth), params.rank()));
  if (depth < 0)
    return okStatus();
  SLUICE_RETURN_IF_ERROR(checkRank(indices.rank() - 1 + params.rank() - depth));
  Shape output = removeDim(indices, indices.rank() - 1);
  for (int i = static_cast<int>(depth); i < params.rank(); ++i)
    output.append(params.dim(i));
  call.output(0) = output;
  return okStatus();
}

Status gatherNdRun(KernelCall &call) {
  const Tensor &params = call.input(0), &indices = call.input(1);
  int depth = static_cast<int>(indices.dim(indices.rank() - 1));
  int64_t inner = elementsBetween(params.shape(), depth, params.rank());
  int64_t count = elementsBetween(indices.shape(), 0, indices.rank() - 1);
  // With a depth of 0 nothing can be out of bounds, and the count may be any number.
  for (int64_t i = 0; i < count && (depth > 0 || call.output(0).elements() > 0); ++i) {
    std::optional<int64_t> from = positionOfPoint(indices, i, depth, params.shape());
    if (!from)
      return invalidArgument(
          format("indices%s = %s does not index into param shape %s",
                 positionText(removeDim(indices.shape(), indices.rank() - 1), i).c_str(),
                 indexRowText(indices, i, depth).c_str(), params.shape().toString().c_str()));
    if (inner > 0)
      SLUICE_RETURN_IF_ERROR(copyElements(params, *from * inner, call.output(0), i * inner, inner));
  }
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_gather, {gatherShape, gatherRun})
SLUICE_DEFINE_KERNEL(nd_gather_nd, {gatherNdShape, gatherNdRun})

} // namespace sluice::rt
