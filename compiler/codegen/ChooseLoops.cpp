// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-choose-loops: which branches and loops become part of codelets.
#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/CollapseCheck.h"
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "compiler/optimize/RegionTypes.h"
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

  using TypesOfGraphs = DenseMap<Operation *, std::unique_ptr<optimize::RegionTypes>>;

  // What the whole graph tells of dims that come in.
  static void noteSameDims(Operation *structured, TypesOfGraphs &graphs) {
    auto graph = structured->getParentOfType<flow::TokenGraph>();
    std::unique_ptr<optimize::RegionTypes> &types = graphs[graph];
    if (!types)
      types = std::make_unique<optimize::RegionTypes>(graph);
    SmallVector<ClassedDim> dims;
    for (OpOperand &operand : structured->getOpOperands())
      for (auto [dim, size] : llvm::enumerate(types->shapeOf(operand.get()).dims()))
        if (size < rt::Shape::kUnknown)
          dims.push_back({operand.getOperandNumber(), static_cast<unsigned>(dim), size});
    setSameDims(structured, dims);
  }

  void runOnOperation() override {
    TypesOfGraphs graphs;
    // What becomes of one may depend on another one, before it or after it in the text, from which
    // a list comes.
    bool goesOn = true;
    while (goesOn) {
      goesOn = false;
      unsigned left = 0;
      visitOutermost(getOperation(), [&](Operation *op, unsigned) {
        if (flow::isCollapsed(op))
          return false;
        noteSameDims(op, graphs);
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
