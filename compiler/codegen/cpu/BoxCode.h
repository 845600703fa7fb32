// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for flow.box_…: calls of runtime/codelet/boxes.h.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

namespace sluice::codegen {

void emitBoxOp(Emitter &emitter, mlir::Operation *op);

} // namespace sluice::codegen
