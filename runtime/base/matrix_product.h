// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A product of matrices as they lie in memory, row after row, and of batches of them.
#pragma once

#include "runtime/base/dtype.h"

namespace sluice::rt {

// What becomes of each element after that.
enum class Activation : int32_t {
  kNone = 0,
  kRelu = 1, // what is below 0 becomes 0
  kGelu = 2, // x / 2 * (1 + tanh(sqrt(2 / pi) * (x + 0.044715 * x^3)))
};

// result = lhs * rhs, or onto + lhs * rhs, where onto may be the result's own memory. Rows of
// `leading` elements; the result has no gaps. A transposed matrix lies there with rows and columns
// exchanged. With an epilogue, the bias is added to each row of that, and the activation follows.
struct MatrixProduct {
  DType element = DType::kF32; // of all of them
  bool lhsTransposed = false, rhsTransposed = false;
  const void *lhs = nullptr, *rhs = nullptr;
  const void *onto = nullptr; // null: none
  void *result = nullptr;
  int64_t m = 0, n = 0, k = 0; // m by k times k by n
  int64_t leadingLhs = 0, leadingRhs = 0;
  int64_t batches = 1;
  int64_t strideLhs = 0, strideRhs = 0; // elements from one to the next; 0: one for all
  bool hasTensorKernel = false;         // where f32 are asked for with factors of 10 bits
  const void *bias = nullptr;           // null: none
  Activation activation = Activation::kNone;
  // Where the result is to lie if somebody has the epilogue done as well; else the product alone
  // lies at `result`.
  void *after = nullptr;
  bool hasEpilogue() const { return bias || activation != Activation::kNone; }
};

// Who computes it.
enum class ProductBy : int32_t {
  kChains = 0,      // a kernel whose sums are the host's, bit by bit
  kLibrary = 1,     // which has enqueued it
  kTensorCores = 2, // a kernel whose sums have an order of the card's
  kLibraryWithEpilogue = 3,
};

} // namespace sluice::rt
