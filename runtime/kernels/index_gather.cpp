// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that pick parts of a tensor by index: gather along one axis, gather_nd along several.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"

#include <atomic>
#include <limits>

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

// What it costs to look at an index, and to begin with what it names.
constexpr int64_t kCostOfIndex = 8, kCostOfSlice = 32;

// Integers of any type, which mostly are i32.
class Indices {
public:
  explicit Indices(const Tensor &tensor)
      : tensor_(&tensor),
        narrow_(tensor.dtype() == DType::kI32 ? tensor.data<int32_t>() : nullptr) {}
  int64_t operator[](int64_t i) const { return narrow_ ? narrow_[i] : tensor_->asInt(i); }

private:
  const Tensor *tensor_;
  const int32_t *narrow_;
};

// The first of what pieces find.
class FirstPosition {
public:
  void found(int64_t position) {
    int64_t first = first_.load(std::memory_order_relaxed);
    while (position < first &&
           !first_.compare_exchange_weak(first, position, std::memory_order_relaxed)) {
    }
  }
  std::optional<int64_t> get() const {
    const int64_t first = first_.load(std::memory_order_relaxed);
    return first == kNone ? std::nullopt : std::optional(first);
  }

private:
  static constexpr int64_t kNone = std::numeric_limits<int64_t>::max();
  std::atomic<int64_t> first_ = kNone;
};

Status checkIndices(const Tensor &indices, int64_t size) {
  FirstPosition bad;
  const Indices positions(indices);
  forPieces(indices.elements(), kCostOfIndex, [=, &bad](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      if (int64_t index = positions[i]; index < 0 || index >= size)
        return bad.found(i);
  });
  if (!bad.get())
    return okStatus();
  return invalidArgument(format(
      "indices%s = %lld is not in [0, %lld)", positionText(indices.shape(), *bad.get()).c_str(),
      static_cast<long long>(indices.asInt(*bad.get())), static_cast<long long>(size)));
}

// Copies slices of equal size, of elements that can be moved.
class Slices {
public:
  Slices(const Tensor &from, Tensor &to, int64_t elements)
      : from_(&from), to_(&to), elements_(elements),
        bytes_(isPlain(from.dtype()) ? static_cast<size_t>(elements) * sizeOf(from.dtype())
                                     : kMany),
        here_(from.data<char>()), there_(to.data<char>()) {}
  void copy(int64_t from, int64_t to) const {
    if (bytes_ > kFew)
      (void)copyElements(*from_, from * elements_, *to_, to * elements_, elements_).ok();
    else
      std::memcpy(there_ + static_cast<size_t>(to) * bytes_,
                  here_ + static_cast<size_t>(from) * bytes_, bytes_);
  }

private:
  static constexpr size_t kMany = ~size_t{0}, kFew = 4096;

  const Tensor *from_;
  Tensor *to_;
  int64_t elements_;
  size_t bytes_;
  const char *here_;
  char *there_;
};

int64_t costOfSlice(const Tensor &tensor, int64_t elements) {
  const int64_t bytes =
      tensor.dtype() == DType::kString ? 128 : static_cast<int64_t>(sizeOf(tensor.dtype()));
  return kCostOfSlice + costOfAll(elements, bytes);
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
  SLUICE_RETURN_IF_ERROR(copyElements(params, 0, call.output(0), 0, 0)); // if they can be moved
  if (Cancellation::requestedHere()) // then indices may not have been checked
    return cancelledWork();
  const Slices slices(params, call.output(0), inner);
  const Indices positions(indices);
  auto gatherSome = [=](int64_t begin, int64_t end) {
    while (begin < end) { // slices of one batch and one outer index
      const int64_t block = begin / count, last = std::min(end, (block + 1) * count);
      for (int64_t i = block / outer * count + begin % count; begin < last; ++begin, ++i)
        slices.copy(block * size + positions[i], begin);
    }
  };
  forPieces(batches * outer * count, costOfSlice(params, inner), gatherSome);
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
  if (depth == 0 && call.output(0).elements() == 0)
    return okStatus();
  if (inner > 0) // if they can be moved
    SLUICE_RETURN_IF_ERROR(copyElements(params, 0, call.output(0), 0, 0));
  FirstPosition bad;
  const Slices slices(params, call.output(0), inner);
  const int64_t cost = costOfSlice(params, inner) + depth * kCostOfIndex;
  forPieces(count, cost, [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i) {
      std::optional<int64_t> from = positionOfPoint(indices, i, depth, params.shape());
      if (!from)
        return bad.found(i);
      if (inner > 0)
        slices.copy(*from, i);
    }
  });
  if (!bad.get())
    return okStatus();
  return invalidArgument(
      format("indices%s = %s does not index into param shape %s",
             positionText(removeDim(indices.shape(), indices.rank() - 1), *bad.get()).c_str(),
             indexRowText(indices, *bad.get(), depth).c_str(), params.shape().toString().c_str()));
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_gather, {gatherShape, gatherRun})
SLUICE_DEFINE_KERNEL(nd_gather_nd, {gatherNdShape, gatherNdRun})

} // namespace sluice::rt
