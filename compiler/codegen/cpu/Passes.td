// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes on the code of codelets for CPUs, on their way to LLVM.
#ifndef SLUICE_CODEGEN_CPU_PASSES
#define SLUICE_CODEGEN_CPU_PASSES

include "mlir/Pass/PassBase.td"

def CodegenCutGenerics : Pass<"codegen-cut-generics", "::mlir::ModuleOp"> {
  let summary = "let several threads share large linalg.generic ops on buffers";
  let description = [{
    A generic that is large becomes a function that runs it within a box: a range of the variable
    of each loop. In its place stands a call of the runtime, which cuts the loops into boxes by
    their sizes, and lets threads that are idle take part. What the generic uses travels in a
    structure on the caller's stack. Where sizes are not known, the code compares them and keeps
    the loops as they are for small ones. A codelet's body says that it was cancelled if boxes may
    have been left out for that.

    *Requires* buffers, and that every loop indexes every output: others stay, and so do those that
    are small. *Produces* functions with a generic each, on views of the same buffers.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::func::FuncDialect",
                           "::mlir::LLVM::LLVMDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect"];
  let statistics = [
    Statistic<"numCut", "cut", "generics that several threads share">,
  ];
}

def CodegenVectorizeGenerics : Pass<"codegen-vectorize-generics"> {
  let summary = "turn linalg.generic on buffers into loops over vectors";
  let description = [{
    The innermost loop of a generic runs in steps of whole vectors, the rest of it element by
    element; the steps are copies of the body with more or fewer lanes, so that an element is
    computed by the same operations wherever it lies. Neighbouring dims become one loop where every
    operand is contiguous along both. Operands may be views: elements that are no neighbours are
    loaded and stored one by one.

    *Requires* buffers: a generic on tensors stays, and so does one with reductions or with maps
    that compute indices. *Produces* scf loops of vector, memref and arith ops.
  }];
  let dependentDialects = ["::mlir::arith::ArithDialect", "::mlir::memref::MemRefDialect",
                           "::mlir::scf::SCFDialect", "::mlir::vector::VectorDialect"];
  let options = [
    Option<"vectorBits", "vector-bits", "unsigned", "256", "bits of a vector register">,
    Option<"unroll", "unroll", "unsigned", "2", "registers of a step of the main loop">,
  ];
  let statistics = [
    Statistic<"numGenerics", "vectorized", "generics that became loops over vectors">,
  ];
}

#endif
