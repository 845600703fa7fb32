// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-choose-loops: which branches and loops become part of codelets.
#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/CollapseCheck.h"
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/Passes.h"
#include "dialects/list/List.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENCHOOSELOOPS
#include "compiler/codegen/Passes.h.inc"

namespace {

struct ChooseLoops : impl::CodegenChooseLoopsBase<ChooseLoops> {
  using CodegenChooseLoopsBase::CodegenChooseLoopsBase;

  // To see what code an element has, it is written.
  void getDependentDialects(DialectRegistry &registry) const override {
    registerCodegenDialects(registry);
  }

  void runOnOperation() override {
    // What becomes of one may depend on another one, before it or after it in the text, from which
    // a list comes.
    bool goesOn = true;
    while (goesOn) {
      goesOn = false;
      unsigned left = 0;
      visitOutermost(getOperation(), [&](Operation *op, unsigned) {
        if (flow::isCollapsed(op))
          return false;
        Collapse collapse = judgeCollapse(op);
        if (collapse.obstacle) {
          ++left;
          return true; // what is in it may be collapsed by itself
        }
        removeTokens(op);
        if (collapse.boxes) {
          Builder b(&getContext());
          op->setAttr(kBoxedOperandsAttr, b.getDenseI64ArrayAttr(collapse.boxes->operands));
          op->setAttr(kBoxedResultsAttr, b.getDenseI64ArrayAttr(collapse.boxes->results));
        }
        op->setAttr(flow::kCollapseAttr, UnitAttr::get(&getContext()));
        ++numCollapsed;
        goesOn |= llvm::any_of(op->getResultTypes(), llvm::IsaPred<list::OfType>);
        return false;
      });
      numLeft = left;
    }
  }
};

} // namespace
} // namespace sluice::codegen
