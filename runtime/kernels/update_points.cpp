// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that change points of tensors and of variables, one point after the other.
#include "runtime/kernels/update_points.h"

#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/variable_access.h"

namespace sluice::rt {

Status checkPoints(const Shape &indices, const Shape &updates, const Shape &target,
                   const Sizes &sizes) {
  if (indices.rank() == 0)
    return invalidArgument("indices must be at least a vector");
  if (!indices.hasRank() || !target.hasRank())
    return okStatus();
  int64_t depth = depthOfPoints(indices);
  if (depth > target.rank())
    return invalidArgument(
        format("index innermost dimension length must be <= output rank; saw: %lld vs. %d",
               static_cast<long long>(depth), target.rank()));
  if (depth < 0)
    return okStatus();
  Shape expected = dimsOfPoints(indices);
  for (int i = static_cast<int>(depth); i < target.rank(); ++i)
    expected.append(target.dim(i));
  if (!expected.compatibleWith(updates))
    return invalidArgument(
        "Dimensions of indices and output must give those of updates: expected " +
        expected.toString() + " but got updates.shape " + updates.toString() + ", indices.shape " +
        indices.toString() + ", output shape " + target.toString());
  for (int i = 0; i < expected.rank() && updates.hasRank(); ++i)
    sizes.requireEqual(expected.dim(i), updates.dim(i));
  return okStatus();
}

namespace {

// What an update does to one element.
struct Add {
  static constexpr bool kOrders = false;
  static bool apply(bool x, bool y) { return x | y; } // as numbers, of which any but 0 is true
  template <typename T> static T apply(const T &x, const T &y) { return wrapAdd(x, y); }
};
struct Sub {
  static constexpr bool kOrders = false;
  static bool apply(bool x, bool y) { return x != y; }
  template <typename T> static T apply(const T &x, const T &y) { return wrapSub(x, y); }
};
// What is there stays unless the other one is beyond it, so no NaN comes in and none goes.
struct Max {
  static constexpr bool kOrders = true;
  template <typename T> static T apply(const T &x, const T &y) { return x < y ? y : x; }
};
struct Min {
  static constexpr bool kOrders = true;
  template <typename T> static T apply(const T &x, const T &y) { return y < x ? y : x; }
};

struct Points {
  Tensor &target;
  const Tensor &indices, &updates;
  int depth;
  int64_t count, inner;
};

// What it costs to find a point, and to change an element there.
constexpr int64_t kCostOfPoint = 32, kCostOfElement = 8;

// The position of the first element at each point, or -1 where a point is passed over.
Status forEachPoint(const Points &points, bool ignoresBad, auto &&visit) {
  TurnsOfCall turns(kCostOfPoint + costOfAll(points.inner, kCostOfElement));
  for (int64_t i = 0; i < points.count && !turns.end(); ++i) {
    std::optional<int64_t> row =
        positionOfPoint(points.indices, i, points.depth, points.target.shape());
    if (row)
      visit(i, *row * points.inner);
    else if (!ignoresBad)
      return invalidArgument(format("indices%s = %s does not index into shape %s",
                                    positionText(dimsOfPoints(points.indices.shape()), i).c_str(),
                                    indexRowText(points.indices, i, points.depth).c_str(),
                                    points.target.shape().toString().c_str()));
  }
  return okStatus();
}

template <typename Op, typename T> Status combine(const Points &points, bool ignoresBad) {
  T *to = points.target.data<T>();
  const T *from = points.updates.data<T>();
  return forEachPoint(points, ignoresBad, [&](int64_t i, int64_t start) {
    forPieces(points.inner, kCostOfElement, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k)
        to[start + k] = Op::apply(to[start + k], from[i * points.inner + k]);
    });
  });
}

template <typename Op> Status combineAll(const Points &points, bool ignoresBad) {
  switch (points.target.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    if constexpr (!(Op::kOrders && kIsComplex<T>))                                                 \
      return combine<Op, T>(points, ignoresBad);                                                   \
    break;
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  case DType::kBool:
    if constexpr (!Op::kOrders)
      return combine<Op, bool>(points, ignoresBad);
    break;
  default:
    break;
  }
  return invalidArgument("elements of type " + std::string(dtypeName(points.target.dtype())) +
                         " cannot be combined so");
}

Status replace(const Points &points, bool ignoresBad) {
  Status moved = okStatus();
  SLUICE_RETURN_IF_ERROR(forEachPoint(points, ignoresBad, [&](int64_t i, int64_t start) {
    Movement row;
    row.addDim(points.inner, 1, 1);
    row.startAt(i * points.inner, start);
    if (moved.ok() && points.inner > 0)
      moved = row.run(points.updates, points.target);
  }));
  return moved;
}

} // namespace

Status updatePoints(Tensor &target, const Tensor &indices, const Tensor &updates, PointUpdate how) {
  SLUICE_RETURN_IF_ERROR(checkPoints(indices.shape(), updates.shape(), target.shape()));
  if (updates.dtype() != target.dtype())
    return invalidArgument(format("expected updates of type %s but got %s",
                                  std::string(dtypeName(target.dtype())).c_str(),
                                  std::string(dtypeName(updates.dtype())).c_str()));
  int depth = static_cast<int>(depthOfPoints(indices.shape()));
  int64_t inner =
      target.elements() == 0 ? 0 : elementsBetween(target.shape(), depth, target.rank());
  int64_t count = dimsOfPoints(indices.shape()).elements();
  Points points{target, indices, updates, depth, count, inner};
  if (points.count == 0)
    return okStatus();
  // Before the first change, so that there is all or nothing.
  if (!how.ignoresBadIndices)
    SLUICE_RETURN_IF_ERROR(forEachPoint(points, false, [](int64_t, int64_t) {}));
  if (Cancellation::requestedHere()) // not all may have been looked at
    return cancelledWork();
  if (how.how == "update")
    return replace(points, how.ignoresBadIndices);
  if (how.how == "add")
    return combineAll<Add>(points, how.ignoresBadIndices);
  if (how.how == "sub")
    return combineAll<Sub>(points, how.ignoresBadIndices);
  if (how.how == "max")
    return combineAll<Max>(points, how.ignoresBadIndices);
  return combineAll<Min>(points, how.ignoresBadIndices);
}

namespace {

PointUpdate howOf(const KernelCall &call) {
  attributes::SharedBy<attributes::nd::UpdatePoints, attributes::state::UpdatePoints> given(call);
  return {given.how(), given.ignoreBadIndices()};
}

Status updatePointsShape(ShapeCall &call) {
  call.output(0) = call.input(0);
  return checkPoints(call.input(1), call.input(2), call.input(0), call.sizes());
}
// The result may be the memory of any operand of its shape. That of the input only changes where
// points are, and of another one a copy is read.
Status updatePointsRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  Tensor &result = call.output(0);
  Tensor copies[2];
  const Tensor *others[] = {&call.input(1), &call.input(2)};
  for (auto [i, other] : {std::pair{0, others[0]}, std::pair{1, others[1]}})
    if (result.elements() > 0 && other->raw() == result.raw()) {
      SLUICE_ASSIGN_OR_RETURN(copies[i], other->clone());
      others[i] = &copies[i];
    }
  SLUICE_RETURN_IF_ERROR(checkPoints(others[0]->shape(), others[1]->shape(), input.shape()));
  if (result.raw() != input.raw())
    SLUICE_RETURN_IF_ERROR(copyElements(input, 0, result, 0, input.elements()));
  return updatePoints(result, *others[0], *others[1], howOf(call));
}

Status updateVariableRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, initializedVariable(call.input(0)));
  SLUICE_RETURN_IF_ERROR(makeWritable(*variable));
  return updatePoints(variable->value, call.input(1), call.input(2), howOf(call));
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_update_points, {updatePointsShape, updatePointsRun, Kernel::kInPlace})
SLUICE_DEFINE_UPDATE_KERNEL(state_update_points, updateVariableRun)

} // namespace sluice::rt
