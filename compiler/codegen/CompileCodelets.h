// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the codelets of a module to machine code.
//
// Codelets that compute the same are compiled once. Each gets a constant global, a SluiceCodelet
// (runtime/codelet/abi.h), under the symbol sluice_codelet_<hash>.
#pragma once

#include "compiler/codegen/CodeletCache.h"
#include "compiler/codegen/cpu/TargetOptions.h"
#include "dialects/flow/Flow.h"

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"

#include <string>
#include <vector>

namespace sluice::codegen {

struct CompiledCodelet {
  std::string symbol;
  // All flow.codelet ops that this code is for; the first is the one that was compiled.
  llvm::SmallVector<flow::CodeletOp, 1> ops;
  size_t codeBytes = 0;    // machine code of all of its functions
  double milliseconds = 0; // of compile time, a share of its batch's; next to none from the cache
};

struct CodeletObject {
  // Relocatable object files for the linker, one for each batch.
  std::vector<std::string> objects;
  std::vector<CompiledCodelet> codelets;
};

// Compiles every flow.codelet of a program, which may have several modules, and sets
// `codegen.symbol` on it. A codelet that cannot be compiled, though formed of ops that can, has no
// symbol afterwards; it is no failure.
mlir::FailureOr<CodeletObject> compileCodelets(llvm::ArrayRef<mlir::ModuleOp> modules,
                                               const TargetOptions &options, CodeletCache &cache);

// A module with the functions of all codelets as they are before conversion to LLVM, to look at.
// The context must have the dialects of emitted code loaded.
mlir::FailureOr<mlir::OwningOpRef<mlir::ModuleOp>> emitCodelets(mlir::ModuleOp module,
                                                                const TargetOptions &options);

// The codelet's ops in the order of `failedMember`, the outer ones before the inner.
llvm::SmallVector<mlir::Operation *> codeletMembers(flow::CodeletOp codelet);
// What a positive status of a codelet says; [0] belongs to 1.
llvm::ArrayRef<llvm::StringRef> failureReasons();

// Dialects of emitted code, for contexts in which codelets are compiled.
void registerCodegenDialects(mlir::DialectRegistry &registry);

} // namespace sluice::codegen
