// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From an access to an array or stack to an op on a list.
#pragma once

#include "compiler/raise/Containers.h"

namespace sluice::raise {

// Whether a result is the scalar that orders accesses.
bool isFlowOf(mlir::Operation *op, mlir::Value result);

// The list that an array or stack starts as. Of what its op gives, only the handle is in use
// afterwards. With `isObserved` the scalars that ordered accesses wait for what they waited for.
mlir::Value makeList(Container &container, bool isObserved);
// The list that a gradient array starts as, when its array is this list.
mlir::Value makeGradient(mlir::Operation *before, mlir::Value forward);
// The list of a gradient array after an op that asked for it: who has it from there waits for what
// the op waited for.
mlir::Value afterGrad(array::GradOp grad, mlir::Value list, bool isObserved);
// The list after an access to a list; nothing uses the access any more.
mlir::Value rewriteAccess(mlir::Operation *access, Container &container, mlir::Value list,
                          bool isObserved);

} // namespace sluice::raise
