// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes that may not be known, and what shape rules compute with them.
//
// A size is a number, or it is negative: `Shape::kUnknown`, or the name that a SizeAlgebra gave to
// an expression of other sizes. Rules look at numbers only (a negative size is not known) and
// combine sizes with the functions of `Sizes`. So the rule that the executor calls, where all sizes
// are numbers, also tells the compiler how dims that it does not know follow from each other, and
// what has to hold for that.
#pragma once

#include "runtime/memory/shape.h"

namespace sluice::rt {

// What knows expressions. Operands are numbers or names, never `kUnknown`; names are below it.
class SizeAlgebra {
public:
  virtual ~SizeAlgebra() = default;
  virtual int64_t add(int64_t a, int64_t b) = 0;
  virtual int64_t subtract(int64_t a, int64_t b) = 0;
  virtual int64_t multiply(int64_t a, int64_t b) = 0;
  // By a number above 0; rounded down.
  virtual int64_t divide(int64_t a, int64_t by) = 0;
  // The answer of a rule holds only where this holds, too.
  virtual void requireEqual(int64_t a, int64_t b) = 0;
  virtual void requireMultiple(int64_t a, int64_t of) = 0;
  virtual void requireNotAbove(int64_t a, int64_t b) = 0;
  // Without this there is no answer at all, since the op fails. The index is a number, from the end
  // if it is negative.
  virtual void requireIndex(int64_t index, int64_t size) {
    if (index < 0)
      requireNotAbove(-index, size);
    else
      requireNotAbove(index, subtract(size, 1));
  }
};

class Sizes {
public:
  Sizes() = default;
  explicit Sizes(SizeAlgebra *algebra) : algebra_(algebra) {}

  static bool isKnown(int64_t size) { return size >= 0; }

  // Results of numbers are numbers, which must be in range.
  int64_t add(int64_t a, int64_t b) const {
    return isKnown(a) && isKnown(b) ? a + b : isNamed(a, b) ? algebra_->add(a, b) : Shape::kUnknown;
  }
  int64_t subtract(int64_t a, int64_t b) const {
    return isKnown(a) && isKnown(b) ? a - b
           : isNamed(a, b)          ? algebra_->subtract(a, b)
                                    : Shape::kUnknown;
  }
  int64_t multiply(int64_t a, int64_t b) const {
    return isKnown(a) && isKnown(b) ? a * b
           : isNamed(a, b)          ? algebra_->multiply(a, b)
                                    : Shape::kUnknown;
  }
  int64_t divide(int64_t a, int64_t by) const {
    return isKnown(a) ? a / by : isNamed(a, by) ? algebra_->divide(a, by) : Shape::kUnknown;
  }

  // One size for two that must be equal and are not known to differ.
  int64_t same(int64_t a, int64_t b) const {
    if (a == b || b == Shape::kUnknown)
      return a;
    if (a == Shape::kUnknown)
      return b;
    requireEqual(a, b);
    return isKnown(b) ? b : a;
  }

  // For sizes that are not both numbers; nothing where one is not known at all.
  void requireEqual(int64_t a, int64_t b) const {
    if (a != b && isNamed(a, b))
      algebra_->requireEqual(a, b);
  }
  void requireMultiple(int64_t a, int64_t of) const {
    if (isNamed(a, of))
      algebra_->requireMultiple(a, of);
  }
  void requireNotAbove(int64_t a, int64_t b) const {
    if (isNamed(a, b))
      algebra_->requireNotAbove(a, b);
  }
  // Of a size that is no number.
  void requireIndex(int64_t index, int64_t size) const {
    if (isNamed(0, size))
      algebra_->requireIndex(index, size);
  }

private:
  // Whether an algebra has to look at the sizes: one of them is a name, and both are numbers or
  // names.
  bool isNamed(int64_t a, int64_t b) const {
    return algebra_ && a != Shape::kUnknown && b != Shape::kUnknown && (a < 0 || b < 0);
  }
  SizeAlgebra *algebra_ = nullptr;
};

} // namespace sluice::rt
