// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-place-loops: which loops a card runs by itself.
//
// The host enqueues the iterations of a loop one after the other, ahead of the card, as long as it
// knows by itself whether there is another one. Where it would have to ask the card, or where an
// iteration takes the card less time than it takes the host to enqueue it, the card does all.
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/CollapseCheck.h"
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/LoopPlacement.h"
#include "compiler/codegen/Passes.h"
#include "dialects/wire/Wire.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENPLACELOOPS
#include "compiler/codegen/Passes.h.inc"

namespace {

struct PlaceLoops : impl::CodegenPlaceLoopsBase<PlaceLoops> {
  using CodegenPlaceLoopsBase::CodegenPlaceLoopsBase;

  // To see what code an element has, it is written.
  void getDependentDialects(DialectRegistry &registry) const override {
    registerCodegenDialects(registry);
    registry.insert<wire::WireDialect>();
  }

  void runOnOperation() override {
    visitProgramsWithCard(getOperation(), [&](ModuleOp program) {
      auto policy = program->getAttrOfType<StringAttr>(kCardLoopsAttr);
      if (!policy || policy.getValue() == "never")
        return;
      bool always = policy.getValue() == "always";
      CardWishes wishes(program);
      visitOutermost(program, [&](Operation *op, unsigned) {
        if (flow::isCollapsed(op))
          return false;
        auto loop = dyn_cast<flow::WhileOp>(op);
        if (!loop || asksForOthers(loop, wishes) || findObstacleOnCard(loop))
          return true;
        if (!place(loop, always))
          return true;
        ++numLoops;
        return false;
      });
    });
  }

  // Whether something in the loop is to be elsewhere than on the first card.
  static bool asksForOthers(flow::WhileOp loop, const CardWishes &wishes) {
    auto isElsewhere = [&](Operation *op) {
      std::optional<int64_t> wish = wishes.of(op);
      return wish && *wish != 0 && *wish != CardWishes::kAnyCard ? WalkResult::interrupt()
                                                                 : WalkResult::advance();
    };
    return loop->walk(isElsewhere).wasInterrupted();
  }

  // Looks at a copy without tokens, which order nothing in a codelet.
  static bool place(flow::WhileOp loop, bool always) {
    OpBuilder b(loop);
    auto copy = cast<flow::WhileOp>(b.clone(*loop));
    removeTokens(copy);
    LoopPlacement placement(copy);
    if (placement.findObstacle() || !placement.hasWork() ||
        !(always || placement.hostWaits() || placement.isShort())) {
      copy.erase();
      return false;
    }
    loop.replaceAllUsesWith(copy.getResults());
    loop.erase();
    placement.apply();
    return true;
  }
};

} // namespace
} // namespace sluice::codegen
