// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which buffers in the code of a codelet lie in the same memory.
#pragma once

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace sluice::codegen {

enum class Overlap {
  kNone,
  kSame,  // one view of the same memory
  kMaybe, // parts of it, or an output that may take the memory of an input
};

class CardBuffers {
public:
  // The body of a codelet.
  explicit CardBuffers(mlir::func::FuncOp body);

  Overlap overlap(mlir::Value a, mlir::Value b) const;

  // The buffer that this is a view of.
  static mlir::Value rootOf(mlir::Value buffer);
  // Whether it is memory of the codelet's own, which nobody sees afterwards.
  bool isOwn(mlir::Value buffer) const;

private:
  enum class Kind { kInput, kOutput, kArena, kUnknown };
  struct Place {
    Kind kind = Kind::kUnknown;
    int64_t number = 0; // of an input or output; where in the arena it begins
  };
  Place placeOf(mlir::Value root) const;
  Overlap overlapOfRoots(mlir::Value a, mlir::Value b) const;

  llvm::SmallVector<int32_t> inPlace_; // for each output, a bit for each input
};

} // namespace sluice::codegen
