// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a linalg.generic for several elements at once.
#pragma once

#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace sluice::codegen {

// The vector of `lanes` elements of a type; the type itself for one lane.
mlir::Type lanesOf(mlir::Type element, int64_t lanes);

// Repeats the body's ops at the builder on `lanes` elements, and returns what the body yields.
// `arguments` stand for the block's arguments and are `lanesOf` their types; `position` holds the
// loop variables, of which the last is that of the first lane. Element by element the arithmetic is
// the same for every number of lanes: an op that has no vector form runs lane by lane.
llvm::SmallVector<mlir::Value> emitLanes(mlir::ImplicitLocOpBuilder &b, mlir::Block &body,
                                         mlir::ValueRange arguments, mlir::ValueRange position,
                                         int64_t lanes);

} // namespace sluice::codegen
