// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The pass around vectorizeGeneric.
#include "compiler/codegen/cpu/Passes.h"
#include "compiler/codegen/cpu/VectorizeGenerics.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENVECTORIZEGENERICS
#include "compiler/codegen/cpu/Passes.h.inc"

namespace {

struct CodegenVectorizeGenerics
    : public impl::CodegenVectorizeGenericsBase<CodegenVectorizeGenerics> {
  using CodegenVectorizeGenericsBase::CodegenVectorizeGenericsBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> generics;
    getOperation()->walk([&](linalg::GenericOp op) { generics.push_back(op); });
    IRRewriter rewriter(&getContext());
    for (linalg::GenericOp op : generics)
      if (succeeded(vectorizeGeneric(op, rewriter, {vectorBits, unroll})))
        ++numGenerics;
  }
};

} // namespace
} // namespace sluice::codegen
