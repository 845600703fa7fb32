// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The lattice of shapes and small values.
#include "compiler/optimize/ShapeFact.h"

#include "runtime/kernels/shape_rules.h"

namespace sluice::optimize {

rt::Shape joinShapes(const rt::Shape &a, const rt::Shape &b) {
  if (!a.hasRank() || !b.hasRank() || a.rank() != b.rank())
    return rt::Shape::unknownRank();
  rt::Shape result = a;
  for (int i = 0; i < a.rank(); ++i)
    if (a.dim(i) != b.dim(i))
      result.setDim(i, rt::Shape::kUnknown);
  return result;
}

rt::Shape refineShape(const rt::Shape &declared, const rt::Shape &computed) {
  rt::Shape result;
  return rt::mergeShapes(declared, computed, result) ? result : declared;
}

static bool sameValue(const rt::Tensor &a, const rt::Tensor &b) {
  if (&a == &b)
    return true;
  return a.dtype() == b.dtype() && a.shape() == b.shape() &&
         (a.bytes() == 0 || std::memcmp(a.raw(), b.raw(), a.bytes()) == 0);
}

bool ShapeFact::widen(const ShapeFact &other) {
  if (!other.reached)
    return false;
  if (!reached) {
    *this = other;
    return true;
  }
  bool changed = false;
  if (rt::Shape joined = joinShapes(shape, other.shape); !(joined == shape)) {
    shape = std::move(joined);
    changed = true;
  }
  if (value && !(other.value && sameValue(*value, *other.value))) {
    value.reset();
    changed = true;
  }
  return changed;
}

} // namespace sluice::optimize
