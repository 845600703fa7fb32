// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on the code of codelets for GPUs.
#ifndef SLUICE_CODEGEN_GPU_PASSES
#define SLUICE_CODEGEN_GPU_PASSES

include "mlir/Pass/PassBase.td"

def CodegenMergeGenerics : Pass<"codegen-merge-generics", "::mlir::ModuleOp"> {
  let summary = "join loops over buffers that go over the same positions";
  let description = [{
    In functions with `codegen.card`, linalg.generics whose loops have the same known sizes become one,
    where nothing with effects stands between them and no position touches what another one writes. Memory
    of the codelet's own that nobody reads any more is not written.

    Each pair of buffers in a group is compared, of which a group has 48 at most.

    *Requires* and *Produces* generics on buffers without reductions, in bodies of codelets.
  }];
  let dependentDialects = ["::mlir::linalg::LinalgDialect"];
  let statistics = [
    Statistic<"numMerged", "merged", "generics that became part of another">,
  ];
}

def CodegenEnqueue : Pass<"codegen-enqueue", "::mlir::ModuleOp"> {
  let summary = "turn loops over buffers into kernels that are enqueued";
  let description = [{
    In functions with `codegen.card`, those of codelets whose buffers are in a card's memory, each linalg.generic becomes a kernel, with a
    thread for each position of its loops, and a call of the runtime that launches it; neighbouring
    dims become one loop where every operand is contiguous along both. Copies of buffers become calls
    that enqueue them. What is left runs on the host.

    A kernel takes pointers and scalars. Which kernels a codelet has stands in the attribute
    `codegen.kernels` of its body.

    *Requires* generics on buffers without reductions; functions whose first argument is the
    codelet's call. *Produces* a gpu.module `kernels` beside the functions.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numKernels", "kernels", "generics that became kernels">,
  ];
}

#endif
