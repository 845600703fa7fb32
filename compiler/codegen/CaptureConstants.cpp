// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass codegen-capture-constants: large constants come into branches and loops from outside.
//
// Code copies small constants. A large one lies in the program once and is an input of codelets, so
// a loop that holds one could not become code.
#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/Passes.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENCAPTURECONSTANTS
#include "compiler/codegen/Passes.h.inc"

namespace {

struct CaptureConstants : flow::GraphPass<impl::CodegenCaptureConstantsBase<CaptureConstants>> {
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<nd::ConstantOp> large;
    graph.walk([&](nd::ConstantOp constant) {
      bool isInside = !isa<flow::TokenGraph>(constant->getParentOp());
      if (isInside && canHold(constant.getType()) && !canCompile(constant))
        large.push_back(constant);
    });
    for (nd::ConstantOp constant : large) {
      SmallVector<Region *> regions; // the outermost is the last
      for (Region *region = constant->getParentRegion();
           !isa<flow::TokenGraph>(region->getParentOp());
           region = region->getParentOp()->getParentRegion())
        regions.push_back(region);
      OpBuilder b(regions.back()->getParentOp());
      Value value = b.clone(*constant)->getResult(0);
      for (Region *region : llvm::reverse(regions))
        value = wire::captureIn(region->getParentOp(), *region, value);
      constant.getResult().replaceAllUsesWith(value);
      constant.erase();
    }
    numConstants += large.size();
  }
};

} // namespace
} // namespace sluice::codegen
