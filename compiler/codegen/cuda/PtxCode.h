// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PTX of kernels, by LLVM.
#pragma once

#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace llvm {
class Module;
class TargetMachine;
} // namespace llvm

namespace sluice::codegen {

// Of one architecture, "sm_90".
class PtxCode {
public:
  // Names what is wrong with the architecture.
  static mlir::FailureOr<PtxCode> create(llvm::StringRef architecture, mlir::Location location);
  PtxCode(PtxCode &&);
  ~PtxCode();

  // The text of a module that has become one of the llvm dialect. `look` sees the text and the
  // optimized module that it was made of.
  using Look = llvm::function_ref<mlir::LogicalResult(const llvm::Module &, llvm::StringRef text)>;
  mlir::FailureOr<std::string> compile(mlir::gpu::GPUModuleOp kernels, Look look = nullptr);

private:
  explicit PtxCode(std::unique_ptr<llvm::TargetMachine> machine);
  void optimize(llvm::Module &module);

  std::unique_ptr<llvm::TargetMachine> machine_;
};

} // namespace sluice::codegen
