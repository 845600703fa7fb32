// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on their way to LLVM: the order of upstream's conversions.
#include "compiler/codegen/cuda/KernelConversion.h"

#include "compiler/codegen/cuda/MathIntrinsics.h"

#include "mlir/Conversion/AffineToStandard/AffineToStandard.h"
#include "mlir/Conversion/GPUToNVVM/GPUToNVVMPass.h"
#include "mlir/Conversion/ReconcileUnrealizedCasts/ReconcileUnrealizedCasts.h"
#include "mlir/Conversion/SCFToControlFlow/SCFToControlFlow.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/GPU/IR/GPUDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/MemRef/Transforms/Passes.h"
#include "mlir/Target/LLVMIR/Dialect/GPU/GPUToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/NVVM/NVVMToLLVMIRTranslation.h"

using namespace mlir;

namespace sluice::codegen {

// What was said of an scf loop, which the conversions keep beside the branch back, said to LLVM.
static void annotateLoops(gpu::GPUModuleOp kernels) {
  constexpr StringLiteral kName = "llvm.loop_annotation";
  kernels.walk([&](LLVM::BrOp branch) {
    if (auto annotation = branch->getAttrOfType<LLVM::LoopAnnotationAttr>(kName)) {
      branch.setLoopAnnotationAttr(annotation);
      branch->removeAttr(kName);
    }
  });
}

namespace {
struct AnnotateLoops : PassWrapper<AnnotateLoops, OperationPass<gpu::GPUModuleOp>> {
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(AnnotateLoops)
  void runOnOperation() override { annotateLoops(getOperation()); }
};
} // namespace

void registerKernelDialects(DialectRegistry &registry) {
  registry.insert<gpu::GPUDialect, NVVM::NVVMDialect>();
  registerGPUDialectTranslation(registry);
  registerNVVMDialectTranslation(registry);
}

void addKernelConversion(OpPassManager &passes) {
  OpPassManager &kernels = passes.nest<gpu::GPUModuleOp>();
  kernels.addPass(memref::createExpandStridedMetadataPass());
  kernels.addPass(createLowerAffinePass());
  kernels.addPass(createSCFToControlFlowPass());
  // Before the conversion of kernels, which would call libdevice: its functions have other bits.
  kernels.addPass(createMathIntrinsicsPass());
  kernels.addPass(createConvertGpuOpsToNVVMOps());
  kernels.addPass(createReconcileUnrealizedCastsPass());
  kernels.addPass(std::make_unique<AnnotateLoops>());
}

} // namespace sluice::codegen
