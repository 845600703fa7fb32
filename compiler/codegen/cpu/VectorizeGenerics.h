// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From linalg.generic on buffers to loops over vectors.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/PatternMatch.h"

namespace sluice::codegen {

struct VectorShape {
  unsigned bits = 256; // of a vector register
  // So many registers of the widest element are one step of the main loop.
  unsigned unroll = 2;
};

// Replaces a generic by loops. All iterators must be parallel, and maps may only choose among them;
// buffers may be strided views of any size. Fails and changes nothing otherwise.
mlir::LogicalResult vectorizeGeneric(mlir::linalg::GenericOp op, mlir::RewriterBase &rewriter,
                                     VectorShape shape = {});

} // namespace sluice::codegen
