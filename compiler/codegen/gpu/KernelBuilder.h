// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel and the place that launches it.
//
// A gpu.launch_func in the launching code says how many blocks cover the work, and has the
// parameters. Fewer blocks than that may be launched: a kernel goes over its work in strides of all
// threads that there are.
#pragma once

#include "compiler/codegen/cpu/EmitCodelet.h"
#include "compiler/codegen/gpu/KernelParameters.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"

namespace sluice::codegen {

// Where a thread is: blocks and threads along x.
struct KernelThread {
  mlir::Value block, blocks, thread; // index values
  int64_t threads;                   // of a block
};

class KernelBuilder {
public:
  // The builder stands in a function whose first argument is the SluiceCodeletCall, where the
  // kernel is to be launched. `threads` are those of a block.
  KernelBuilder(mlir::ImplicitLocOpBuilder &b, int64_t threads);

  // What the kernel uses of the launching code.
  KernelParameters &parameters() { return parameters_; }

  // Makes the kernel and launches it. `body` writes the kernel's code at the builder.
  void launch(mlir::Value blocks,
              llvm::function_ref<void(const KernelThread &, mlir::IRMapping &)> body);

  // Within `body`: memory of the block for so many elements, which all of its threads see.
  mlir::Value shared(int64_t elements, mlir::Type element);

private:
  mlir::ImplicitLocOpBuilder &b_;
  int64_t threads_;
  mlir::func::FuncOp caller_;
  KernelParameters parameters_;
  mlir::gpu::GPUFuncOp kernel_;
};

// ---- Kernels of a codelet
// -------------------------------------------------------------------------

// A name for one more kernel of the codelet whose body this is.
std::string addKernelTo(mlir::func::FuncOp codelet, int64_t threads);
// Which of them has the name.
int64_t numberOfKernel(mlir::func::FuncOp codelet, llvm::StringRef name);
// An empty kernel without an end; the builder is in it then.
mlir::gpu::GPUFuncOp createKernel(mlir::ImplicitLocOpBuilder &b, mlir::ModuleOp module,
                                  llvm::StringRef name, mlir::TypeRange parameters,
                                  int64_t threads);
// Memory that all threads of a block see.
mlir::Value addShared(mlir::gpu::GPUFuncOp kernel, mlir::MemRefType type);
// How launches name it.
mlir::SymbolRefAttr kernelSymbol(mlir::MLIRContext *context, llvm::StringRef name);

} // namespace sluice::codegen
