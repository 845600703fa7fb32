// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps from a module for NVPTX to one that a host can run.
#pragma once

#include "llvm/ADT/SmallVector.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/Module.h"
#include "llvm/Support/Error.h"

#include <string>

namespace sluice::codegen {

// A variable of a block: where it went in the array that holds all of them.
struct SharedVariable {
  std::string name;
  uint64_t bytes, alignment;
  llvm::Constant *address;
};

// A kernel as the table lists it.
struct TwinKernel {
  llvm::Function *function = nullptr; // with the parameters as they are
  llvm::SmallVector<uint32_t> parameterBytes;
  uint32_t block[3] = {0, 0, 0};
  uint32_t sharedBytes = 0;
  bool flushesDenormals = false;
};

inline llvm::Error twinError(const llvm::Twine &message) {
  return llvm::createStringError(llvm::inconvertibleErrorCode(), message);
}

// Kernels, before anything is changed.
llvm::Expected<llvm::SmallVector<TwinKernel>> findKernels(llvm::Module &module);

// Calls of intrinsics of the GPU become calls of the simulator's functions.
llvm::Error replaceIntrinsics(llvm::Module &module);

// Shared variables become places in one array, each aligned as it says and no better, with room
// between them. Dynamic shared memory is found through `dynamicShared`, a pointer.
llvm::Expected<llvm::SmallVector<SharedVariable>> placeShared(llvm::Module &module,
                                                              llvm::GlobalVariable *dynamicShared);

// A call of the simulator before each access to memory, except to a thread's own variables.
void instrumentAccesses(llvm::Module &module);

// The table, and for each kernel a function that takes its parameters from where cuLaunchKernel has
// them. `symbol` is visible.
void emitTable(llvm::Module &module, llvm::StringRef symbol, uint64_t imageHash,
               uint32_t architecture, llvm::ArrayRef<TwinKernel> kernels,
               llvm::ArrayRef<SharedVariable> shared, llvm::GlobalVariable *dynamicShared);

} // namespace sluice::codegen
