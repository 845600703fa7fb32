// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One codelet as functions and a table, before conversion to LLVM.
#pragma once

#include "compiler/codegen/cpu/Emitter.h"
#include "dialects/flow/Flow.h"

#include "mlir/IR/BuiltinOps.h"

namespace sluice::codegen {

// Attribute of `<symbol>_body`: bytes of its arena, as far as they are known.
inline constexpr llvm::StringLiteral kArenaBytesAttr = "codegen.arena_bytes";
// Attribute of `<symbol>_body`: the words of SluiceCodelet's inPlace, if any is not 0.
inline constexpr llvm::StringLiteral kInPlaceAttr = "codegen.in_place";

// Attribute of `<symbol>_body`: a row for each of SluiceCodelet's cells, if there are any.
inline constexpr llvm::StringLiteral kCellsAttr = "codegen.cells";

// Adds `<symbol>_body` and, where dims or the size of the arena are not known, `<symbol>_sizes`.
// Fails, and leaves nothing behind, for a codelet that cannot be compiled.
mlir::LogicalResult emitCodelet(flow::CodeletOp codelet, llvm::StringRef symbol,
                                const TargetOptions &options, FindLowering findLowering,
                                mlir::ModuleOp module);

// Attribute of `<symbol>_body` of a codelet of a card: its kernels, a dictionary for each, with
// `name` and `threads`, the threads of a block.
inline constexpr llvm::StringLiteral kKernelsAttr = "codegen.kernels";
// Attribute of `<symbol>_body`: its buffers are on a card.
inline constexpr llvm::StringLiteral kCardAttr = "codegen.card";
// Of such a function with a loop that the card runs by itself: its steps (gpu/LoopTable.h).
inline constexpr llvm::StringLiteral kLoopAttr = "codegen.loop";
// Of the variables of that function which the runtime asks for: "status", "failed_member".
inline constexpr llvm::StringLiteral kVariableAttr = "codegen.variable";

// Adds the SluiceCodelet `<symbol>` that names the two to a module that was converted to the llvm
// dialect. `images` is the symbol of those that its kernels are in, if it has any, and `conditions`
// of those with the kernel that loops of a card need.
void addTable(llvm::StringRef symbol, llvm::StringRef images, llvm::StringRef conditions,
              mlir::ModuleOp module);

} // namespace sluice::codegen
