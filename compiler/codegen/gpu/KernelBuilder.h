// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel and the place that launches it.
//
// The launching code calls the runtime with the number of the kernel among those of its codelet,
// the number of blocks that cover the work, and the parameters. The runtime may launch fewer blocks
// than that: a kernel goes over its work in strides of all threads that there are.
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
  std::string addToCodelet();

  mlir::ImplicitLocOpBuilder &b_;
  int64_t threads_;
  mlir::func::FuncOp caller_;
  KernelParameters parameters_;
  mlir::gpu::GPUFuncOp kernel_;
  int64_t number_ = 0; // among the kernels of the codelet
};

} // namespace sluice::codegen
