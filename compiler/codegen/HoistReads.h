// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads of variables before a loop instead of in it.
#pragma once

#include "compiler/codegen/LoopReads.h"

namespace sluice::codegen {

// Unit attribute of a branch that the pass made, in which there is nothing to collapse.
inline constexpr llvm::StringLiteral kReadsAttr = "codegen.reads";

// What keeps a loop that reads variables out of compiled code although reads may take place before
// it; nothing if it can be collapsed then, or if it reads none. In the first case, and with `keep`,
// the loop is replaced by one that does so; else it stays as it is.
std::optional<Obstacle> hoistReads(flow::WhileOp loop, const LoopReads &reads, bool keep);

} // namespace sluice::codegen
