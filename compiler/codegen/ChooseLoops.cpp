// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-choose-loops: which branches and loops become part of codelets.
#include "compiler/codegen/CollapseCheck.h"
#include "compiler/codegen/Passes.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENCHOOSELOOPS
#include "compiler/codegen/Passes.h.inc"

namespace {

struct ChooseLoops : impl::CodegenChooseLoopsBase<ChooseLoops> {
  using CodegenChooseLoopsBase::CodegenChooseLoopsBase;

  void runOnOperation() override {
    visitOutermost(getOperation(), [&](Operation *op, unsigned) {
      if (findObstacle(op)) {
        ++numLeft;
        return true; // what is in it may be collapsed by itself
      }
      removeTokens(op);
      op->setAttr(flow::kCollapseAttr, UnitAttr::get(&getContext()));
      ++numCollapsed;
      return false;
    });
  }
};

} // namespace
} // namespace sluice::codegen
