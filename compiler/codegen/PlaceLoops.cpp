// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-place-loops: which loops a card runs by itself.
//
// The host enqueues the iterations of a loop one after the other, ahead of the card, as long as it
// knows by itself whether there is another one. Where it would have to ask the card, or where an
// iteration takes the card less time than it takes the host to enqueue it, the card does all.
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/CollapseCheck.h"
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/ExplainLoops.h"
#include "compiler/codegen/ListArrays.h"
#include "compiler/codegen/LoopPlacement.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/TestInBody.h"
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
      CardWishes wishes(program);
      for (Region &region : program->getRegions())
        for (Operation &graph : llvm::make_early_inc_range(region.getOps()))
          if (isa<flow::TokenGraph>(graph))
            placeIn(&graph, policy.getValue() == "always", wishes);
    });
  }

private:
  // Which loops of a graph the host runs, and why.
  struct Refused {
    llvm::DenseSet<int64_t> loops;
    llvm::DenseMap<int64_t, std::string> reasons;
  };

  // Lists can be arrays only if all loops that they go through are the card's, which is known once
  // they are arrays. So all loops are taken for the card's at first, and each time that one turns
  // out not to be, the graph is as before and tried without that one. Where each leads to the next,
  // lists stay lists in the end.
  static constexpr unsigned kMostTries = 8;

  void placeIn(Operation *graph, bool always, const CardWishes &wishes) {
    int64_t count = 0;
    auto number = [&](Operation *op) {
      if (flow::isCollapsed(op))
        return WalkResult::skip();
      if (isa<flow::WhileOp>(op))
        op->setAttr(kLoopNumberAttr, Builder(op).getI64IntegerAttr(count++));
      return WalkResult::advance();
    };
    graph->walk<WalkOrder::PreOrder>(number);
    if (count == 0)
      return;
    Refused refused;
    ListsAsArrays lists;
    for (unsigned tries = 1;; ++tries) {
      OwningOpRef<Operation *> before = graph->clone();
      lists = tries > kMostTries ? ListsAsArrays() : listsToArrays(graph, refused.loops, always);
      bool isOther = refuse(graph, always, wishes, lists, refused);
      if (!isOther || lists.count == 0)
        break;
      graph->getRegion(0).takeBody(before->getRegion(0));
    }
    numLists += lists.count;
    placeAll(graph, wishes, lists, refused);
  }

  // Finds out about outermost loops that are not refused; whether there are more of these now.
  static bool refuse(Operation *graph, bool always, const CardWishes &wishes,
                     const ListsAsArrays &lists, Refused &refused) {
    size_t before = refused.loops.size();
    visitOutermost(graph, [&](Operation *op, unsigned) {
      auto loop = dyn_cast<flow::WhileOp>(op);
      if (!loop || flow::isCollapsed(op))
        return !flow::isCollapsed(op);
      if (refused.loops.contains(numberOf(loop)))
        return true;
      std::optional<Obstacle> obstacle;
      if (std::optional<unsigned> card = cardOf(loop, wishes))
        obstacle = findObstacle(loop, *card, always);
      else
        obstacle = Obstacle{loop, "is to be on the host in part, or on several cards"};
      if (!obstacle)
        return false;
      refused.loops.insert(numberOf(loop));
      // That it has lists follows from why they are none.
      auto list = lists.reasons.find(numberOf(loop));
      refused.reasons[numberOf(loop)] =
          list != lists.reasons.end() ? list->second : inWords(*obstacle, loop);
      return true;
    });
    return refused.loops.size() != before;
  }

  void placeAll(Operation *graph, const CardWishes &wishes, const ListsAsArrays &lists,
                Refused &refused) {
    visitOutermost(graph, [&](Operation *op, unsigned) {
      auto loop = dyn_cast<flow::WhileOp>(op);
      if (!loop || flow::isCollapsed(op))
        return !flow::isCollapsed(op);
      int64_t number = numberOf(loop);
      if (refused.loops.contains(number)) {
        loop->setAttr(kOnHostAttr, StringAttr::get(&getContext(), refused.reasons[number]));
        return true;
      }
      apply(loop, *cardOf(loop, wishes), lists.loops.lookup(number));
      ++numLoops;
      return false;
    });
    graph->walk([](flow::WhileOp loop) { loop->removeAttr(kLoopNumberAttr); });
  }

  // The card for which all is that says so in the loop, or the first one; nothing where that is
  // the host, or several cards.
  static std::optional<unsigned> cardOf(flow::WhileOp loop, const CardWishes &wishes) {
    std::optional<int64_t> card;
    auto result = loop->walk([&](Operation *op) {
      std::optional<int64_t> wish = wishes.of(op);
      if (!wish || *wish == CardWishes::kAnyCard)
        return WalkResult::advance();
      bool fits = *wish != CardWishes::kHost && (!card || card == wish);
      card = wish;
      return fits ? WalkResult::advance() : WalkResult::interrupt();
    });
    return result.wasInterrupted() ? std::nullopt
                                   : std::optional(static_cast<unsigned>(card.value_or(0)));
  }

  // Why the host should run it. Looks at a copy without tokens, which order nothing in a codelet.
  static std::optional<Obstacle> findObstacle(flow::WhileOp loop, unsigned card, bool always) {
    if (std::optional<Obstacle> obstacle = findObstacleOnCard(loop))
      return obstacle;
    flow::WhileOp copy = copyOf(loop);
    LoopPlacement placement(copy, card);
    std::optional<Obstacle> obstacle = placement.findObstacle();
    if (!obstacle && !placement.hasWork())
      obstacle = Obstacle{copy, "has nothing to compute on the card"};
    if (!obstacle && !always && !placement.hostWaits() && !placement.isShort())
      obstacle = Obstacle{copy, "is as quick so"};
    if (obstacle && obstacle->op == copy)
      obstacle->op = loop;
    else if (obstacle) // whose name is all that matters
      obstacle->op = originalOf(obstacle->op, copy, loop);
    copy->erase();
    return obstacle;
  }
  static flow::WhileOp copyOf(flow::WhileOp loop) {
    auto copy = cast<flow::WhileOp>(OpBuilder(loop).clone(*loop));
    removeTokens(copy);
    SmallVector<flow::WhileOp> loops; // those inside others come first
    copy->walk([&](flow::WhileOp each) { loops.push_back(each); });
    for (flow::WhileOp each : loops)
      if (flow::WhileOp moved = hasLoopInTest(each) ? moveTestIntoBody(each) : nullptr)
        copy = each == copy ? moved : copy;
    return copy;
  }
  // An op of the same kind and node.
  static Operation *originalOf(Operation *op, flow::WhileOp copy, flow::WhileOp loop) {
    Operation *found = loop;
    loop->walk([&](Operation *other) {
      if (other->getName() == op->getName() && other->getLoc() == op->getLoc())
        found = other;
    });
    return found;
  }

  static void apply(flow::WhileOp loop, unsigned card, size_t lists) {
    flow::WhileOp copy = copyOf(loop);
    loop.replaceAllUsesWith(copy.getResults());
    loop->erase();
    if (lists > 0)
      copy->setAttr(kListsAttr, Builder(copy.getContext()).getI64IntegerAttr(int64_t(lists)));
    LoopPlacement(copy, card).apply();
  }
};

} // namespace
} // namespace sluice::codegen
