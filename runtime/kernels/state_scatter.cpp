// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that update rows of a variable. All indices are checked before the first row changes.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/elements/vocabulary.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/variable_access.h"

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfElement = 8; // to change one

Status checkScatter(const Variable &variable, const Tensor &indices, const Tensor &updates) {
  const Shape &shape = variable.value.shape();
  SLUICE_RETURN_IF_ERROR(checkVariableType(variable, updates.dtype()));
  if (shape.rank() == 0)
    return invalidArgument("params must be at least 1-D, got shape []");
  Shape expected = indices.shape();
  for (int i = 1; i < shape.rank(); ++i)
    expected.append(shape.dim(i));
  if (updates.rank() != 0 && !(updates.shape() == expected))
    return invalidArgument(
        format("Must have updates.shape = indices.shape + params.shape[1:] or updates.shape = [], "
               "got updates.shape %s, indices.shape %s, params.shape %s",
               updates.shape().toString().c_str(), indices.shape().toString().c_str(),
               shape.toString().c_str()));
  for (int64_t i = 0, n = indices.elements(); i < n; ++i)
    if (int64_t index = indices.asInt(i); index < 0 || index >= shape.dim(0))
      return invalidArgument(
          format("indices%s = %lld is not in [0, %lld)", positionText(indices.shape(), i).c_str(),
                 static_cast<long long>(index), static_cast<long long>(shape.dim(0))));
  return okStatus();
}

// What a row scatter works on, after all checks.
struct Rows {
  Variable *variable;
  const Tensor *indices, *updates;
  int64_t inner;
  bool one; // a single update for every element
};

Result<Rows> openRows(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Variable * variable, initializedVariable(call.input(0)));
  SLUICE_RETURN_IF_ERROR(checkScatter(*variable, call.input(1), call.input(2)));
  SLUICE_RETURN_IF_ERROR(makeWritable(*variable));
  const Shape &shape = variable->value.shape();
  int64_t inner = variable->value.elements() == 0 ? 0 : elementsBetween(shape, 1, shape.rank());
  return Rows{variable, &call.input(1), &call.input(2), inner, call.input(2).rank() == 0};
}

Status scatterUpdateRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Rows rows, openRows(call));
  for (int64_t i = 0, n = rows.inner ? rows.indices->elements() : 0; i < n; ++i) {
    Movement row;
    row.addDim(rows.inner, rows.one ? 0 : 1, 1);
    row.startAt(rows.one ? 0 : i * rows.inner, rows.indices->asInt(i) * rows.inner);
    SLUICE_RETURN_IF_ERROR(row.run(*rows.updates, rows.variable->value));
  }
  return okStatus();
}

// What an update does to one element.
struct Add {
  template <typename T> static T apply(const T &x, const T &y) { return wrapAdd(x, y); }
};
struct Sub {
  template <typename T> static T apply(const T &x, const T &y) { return wrapSub(x, y); }
};
struct Mul {
  template <typename T> static T apply(const T &x, const T &y) { return wrapMul(x, y); }
};
struct Div {
  template <typename T> static T apply(const T &x, const T &y) {
    if constexpr (kIsInt<T>)
      return element::truncatedQuotient(x, y);
    else
      return x / y;
  }
};
// What is there stays unless the other one is beyond it, so no NaN comes in and none goes.
struct Max {
  template <typename T> static T apply(const T &x, const T &y) { return x < y ? y : x; }
};
struct Min {
  template <typename T> static T apply(const T &x, const T &y) { return y < x ? y : x; }
};
template <typename Op, typename T>
inline constexpr bool kHas =
    !(kIsComplex<T> && (std::is_same_v<Op, Max> || std::is_same_v<Op, Min>));

template <typename Op, typename T> void combineRows(const Rows &rows) {
  using C = Compute<T>;
  T *to = rows.variable->value.data<T>();
  const T *from = rows.updates->data<T>();
  for (int64_t i = 0, n = rows.indices->elements(); i < n; ++i) {
    T *row = to + rows.indices->asInt(i) * rows.inner;
    forPieces(rows.inner, kCostOfElement, [&](int64_t begin, int64_t end) {
      for (int64_t k = begin; k < end; ++k)
        row[k] = T(Op::apply(C(row[k]), C(rows.one ? from[0] : from[i * rows.inner + k])));
    });
  }
}

Status checkDivisors(const Tensor &divisors) {
  if (!isInt(divisors.dtype()))
    return okStatus();
  for (int64_t i = 0, n = divisors.elements(); i < n; ++i)
    if (divisors.asInt(i) == 0)
      return invalidArgument("Integer division by zero: updates" +
                             positionText(divisors.shape(), i));
  return okStatus();
}

template <typename Op> Status scatterRun(KernelCall &call) {
  if constexpr (std::is_same_v<Op, Div>)
    SLUICE_RETURN_IF_ERROR(checkDivisors(call.input(2)));
  SLUICE_ASSIGN_OR_RETURN(Rows rows, openRows(call));
  switch (rows.updates->dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    if constexpr (kHas<Op, T>) {                                                                   \
      combineRows<Op, T>(rows);                                                                    \
      return okStatus();                                                                           \
    }                                                                                              \
    break;
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  default:
    break;
  }
  return invalidArgument("cannot update elements of type " +
                         std::string(dtypeName(rows.updates->dtype())) + " so");
}

} // namespace

SLUICE_DEFINE_UPDATE_KERNEL(state_scatter_update, scatterUpdateRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_scatter_add, scatterRun<Add>)
SLUICE_DEFINE_UPDATE_KERNEL(state_scatter_sub, scatterRun<Sub>)
SLUICE_DEFINE_UPDATE_KERNEL(state_scatter_mul, scatterRun<Mul>)
SLUICE_DEFINE_UPDATE_KERNEL(state_scatter_div, scatterRun<Div>)
SLUICE_DEFINE_UPDATE_KERNEL(state_scatter_max, scatterRun<Max>)
SLUICE_DEFINE_UPDATE_KERNEL(state_scatter_min, scatterRun<Min>)

} // namespace sluice::rt
