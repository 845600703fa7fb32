// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-emit-codelets: emitted code, to look at.
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/cpu/TargetOptions.h"
#include "compiler/codegen/cuda/KernelConversion.h"

#include "mlir/Dialect/Func/IR/FuncOps.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENEMITCODELETS
#include "compiler/codegen/Passes.h.inc"

namespace {

struct EmitCodelets : impl::CodegenEmitCodeletsBase<EmitCodelets> {
  using CodegenEmitCodeletsBase::CodegenEmitCodeletsBase;

  void getDependentDialects(DialectRegistry &registry) const override {
    registerCodegenDialects(registry);
    registerKernelDialects(registry);
  }

  void runOnOperation() override {
    TargetOptions target;
    target.march = march;
    auto emitted = emitCodelets(getOperation(), target);
    if (failed(emitted))
      return signalPassFailure();
    for (auto function : (*emitted)->getOps<func::FuncOp>())
      numCodelets += function.getName().ends_with("_body");
    for (NamedAttribute attribute :
         (**emitted)->getDiscardableAttrDictionary()) // that it has kernels
      getOperation()->setDiscardableAttr(attribute.getName(), attribute.getValue());
    Block &body = *getOperation().getBody();
    body.clear();
    body.getOperations().splice(body.end(), (*emitted)->getBody()->getOperations());
  }
};

} // namespace
} // namespace sluice::codegen
