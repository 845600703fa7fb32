// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops on buffers.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"

namespace sluice::codegen {

// The code of a group of them (plan/FusionPlan.h), at the emitter's place.
void emitElementsInMemory(llvm::ArrayRef<mlir::Operation *> members, Emitter &emitter);

} // namespace sluice::codegen
