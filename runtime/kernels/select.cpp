// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// select(cond, x, y): elements of x where cond holds, else of y. Elements are moved by their size.
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/broadcast.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"

#include <string>

namespace sluice::rt {
namespace {

// Then cond may be a vector that selects whole rows, and nothing else broadcasts.
template <typename Call> bool leadingMode(const Call &call) {
  return attributes::nd::Select(call).leading();
}

Status mismatch(const char *pattern, const Shape &a, const Shape &b) {
  return invalidArgument(format(pattern, a.toString().c_str(), b.toString().c_str()));
}

// Whether cond is a vector over the first dim of x. Both ranks are known.
bool selectsRows(const Shape &cond, const Shape &x) { return cond.rank() == 1 && x.rank() != 1; }

Status leadingShape(ShapeCall &call) {
  const Shape &cond = call.input(0);
  Shape result;
  const Sizes &sizes = call.sizes();
  if (!mergeShapes(call.input(1), call.input(2), result, sizes))
    return mismatch("'then' and 'else' must have the same size.  but received: %s vs. %s",
                    call.input(1), call.input(2));
  if (cond.hasRank() && result.hasRank() && !cond.isScalar()) {
    if (selectsRows(cond, result)) {
      if (result.rank() == 0)
        return mismatch("'then' must be at least a vector, but saw shape: %.0s%s", cond, result);
      if (!Shape{cond.dim(0)}.compatibleWith(Shape{result.dim(0)}))
        return mismatch("Number of batches of 'then' must match size of 'cond', but saw: %s vs. %s",
                        result, cond);
      result.setDim(0, sizes.same(result.dim(0), cond.dim(0)));
    } else if (!mergeShapes(cond, result, result, sizes)) {
      return mismatch(
          "'cond' must be a scalar, a vector or of the shape of 'then', but saw: %s vs. %s", cond,
          call.input(1));
    }
  }
  call.output(0) = std::move(result);
  return okStatus();
}

Status selectShape(ShapeCall &call) {
  if (leadingMode(call))
    return leadingShape(call);
  Result<Shape> result = broadcastShapes(call.input(1), call.input(2), call.sizes());
  if (result.ok())
    result = broadcastShapes(call.input(0), *result, call.sizes());
  if (!result.ok())
    return invalidArgument("condition " + call.input(0).toString() + ", then " +
                           call.input(1).toString() + ", and else " + call.input(2).toString() +
                           " must be broadcastable");
  call.output(0) = std::move(*result);
  return okStatus();
}

struct Bytes16 {
  uint64_t low, high;
};

template <typename T>
void selectLoop(const void *const *in, const int64_t *strides, void *out, int64_t n) {
  auto *cond = static_cast<const bool *>(in[0]);
  auto *x = static_cast<const T *>(in[1]);
  auto *y = static_cast<const T *>(in[2]);
  auto *o = static_cast<T *>(out);
  int64_t c = strides[0], sx = strides[1], sy = strides[2];
  for (int64_t i = 0; i < n; ++i) {
    const T *from = cond[i * c] ? x + i * sx : y + i * sy;
    if (from != o + i) // the output may be an input
      o[i] = *from;
  }
}

ElementLoop loopFor(DType dtype) {
  if (dtype == DType::kString)
    return selectLoop<std::string>;
  if (!isPlain(dtype))
    return nullptr;
  switch (sizeOf(dtype)) {
  case 1:
    return selectLoop<uint8_t>;
  case 2:
    return selectLoop<uint16_t>;
  case 4:
    return selectLoop<uint32_t>;
  case 8:
    return selectLoop<uint64_t>;
  default:
    return selectLoop<Bytes16>;
  }
}

Status runSelect(KernelCall &call) {
  Tensor &out = call.output(0);
  ElementLoop loop = loopFor(out.dtype());
  if (!loop)
    return unimplemented(format("select does not support elements of type %s",
                                std::string(dtypeName(out.dtype())).c_str()));
  const Tensor &cond = call.input(0);
  Shape condShape = cond.shape();
  if (leadingMode(call) && selectsRows(condShape, out.shape()))
    while (condShape.rank() < out.rank())
      condShape.append(1);
  size_t bytes = sizeOf(out.dtype());
  const ElementOperand operands[] = {{cond.raw(), &condShape, 1},
                                     {call.input(1).raw(), &call.input(1).shape(), bytes},
                                     {call.input(2).raw(), &call.input(2).shape(), bytes}};
  const int64_t cost = out.dtype() == DType::kString ? 256 : 8;
  runBroadcast(out.shape(), operands, out.raw(), bytes, loop, cost);
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_select, {selectShape, runSelect, Kernel::kInPlace})

} // namespace sluice::rt
