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
    thread for each position of its loops, and a gpu.launch_func; neighbouring
    dims become one loop where every operand is contiguous along both. Copies of buffers become calls
    that enqueue them, or kernels in and behind a loop. What is left computes numbers.

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

def CodegenRunLoopsOnCard : Pass<"codegen-run-loops-on-card", "::mlir::ModuleOp"> {
  let summary = "turn the loop of a card's codelet into steps that the card repeats";
  let description = [{
    In functions with `codegen.card` that have an scf.while, the loop and what follows it become steps: kernels that read
    what they work with, and what numbers have come to, in words of the card's memory. Numbers are computed by kernels of
    one thread. Of a loop with little work the steps of an iteration are one kernel of one block. What is left runs on the host: it computes
    what is the same in all iterations, and hands it to `sluice_run_loop`. The attribute `codegen.loop` of the function has the steps.

    *Requires* kernels and launches that `codegen-enqueue` makes.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::gpu::GPUDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numLoops", "loops", "loops that became steps">,
    Statistic<"numBlocks", "blocks", "loops of which an iteration is a kernel of one block">,
  ];
}

def CodegenLaunchKernels : Pass<"codegen-launch-kernels", "::mlir::ModuleOp"> {
  let summary = "turn launches into calls of the runtime";
  let description = [{
    Each gpu.launch_func becomes a call of `sluice_launch` with the number of the kernel among `codegen.kernels`, the number
    of blocks and the addresses of the parameters.

    *Requires* functions whose first argument is the codelet's call.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::LLVM::LLVMDialect"];
}

#endif
