// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise sums, copy-on-write.
#include "runtime/state/addition.h"

#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"

namespace sluice::rt {

Result<Tensor> zeros(DType dtype, const Shape &shape) {
  if (dtype == DType::kHandle)
    return invalidArgument("a handle has no zero");
  SLUICE_ASSIGN_OR_RETURN(Tensor tensor, Tensor::allocate(dtype, shape));
  if (isPlain(dtype))
    clearInPieces(tensor.raw(), tensor.bytes());
  return tensor;
}

template <typename T> static void combine(Tensor &to, const Tensor &from, bool subtract) {
  T *a = to.data<T>();
  const T *b = from.data<T>();
  int64_t count = to.elements();
  forPieces(count, std::max<int64_t>(4, sizeof(T)), [=](int64_t begin, int64_t end) {
    if (subtract)
      for (int64_t i = begin; i < end; ++i)
        a[i] = wrapSub(a[i], b[i]);
    else
      for (int64_t i = begin; i < end; ++i)
        a[i] = wrapAdd(a[i], b[i]);
  });
}

static Status update(Tensor &to, const Tensor &from, bool subtract) {
  if (to.dtype() != from.dtype() || !(to.shape() == from.shape()))
    return invalidArgument("expected equal types and shapes but got " + to.shape().toString() +
                           " and " + from.shape().toString());
  if (!to.solelyOwned()) {
    SLUICE_ASSIGN_OR_RETURN(to, to.clone());
  }
  switch (to.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    combine<T>(to, from, subtract);                                                                \
    return Cancellation::requestedHere() ? cancelledWork() : okStatus();
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  default:
    return invalidArgument("cannot add elements of type " + std::string(dtypeName(to.dtype())));
  }
}

Status addInto(Tensor &sum, const Tensor &value) { return update(sum, value, false); }
Status subtractFrom(Tensor &difference, const Tensor &value) {
  return update(difference, value, true);
}

} // namespace sluice::rt
