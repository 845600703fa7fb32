// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass differentiate-join-products: sums of products that loops of the graph file carry.
//
// A graph that brings the derivative of a loop along multiplies in each iteration and adds to what
// it carries. As links of chains these products can be computed for many iterations at once, like
// those of derivatives that are built here.
#include "compiler/differentiate/LoopSums.h"
#include "compiler/differentiate/Passes.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/flow/LoopCounters.h"
#include "dialects/wire/Steering.h"

using namespace mlir;

namespace sluice::differentiate {
#define GEN_PASS_DEF_DIFFERENTIATEJOINPRODUCTS
#include "compiler/differentiate/Passes.h.inc"
} // namespace sluice::differentiate

namespace {

using namespace sluice;

// The addition of which this is an operand, if nothing else uses it, and shapes are known to be
// such that nothing is repeated.
nd::AddOp onlyAddition(Value part) {
  auto sum = part.hasOneUse() ? dyn_cast<nd::AddOp>(*part.user_begin()) : nullptr;
  auto type = dyn_cast<RankedTensorType>(part.getType());
  return sum && type && type.hasStaticShape() && sum.getType() == type ? sum : nullptr;
}

struct JoinProducts
    : flow::GraphPass<differentiate::impl::DifferentiateJoinProductsBase<JoinProducts>> {
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<flow::WhileOp> loops;
    graph->walk([&](flow::WhileOp loop) { loops.push_back(loop); });
    for (flow::WhileOp loop : loops)
      for (BlockArgument argument : loop.getBody().getArguments())
        if (std::optional<unsigned> position = flow::carriedPosition(argument, loop))
          join(loop, *position, argument);
  }

  // Of what an iteration does to a value that the loop carries, if it only adds to it.
  void join(flow::WhileOp loop, unsigned position, Value sum) {
    SmallVector<nd::AddOp> additions;
    for (nd::AddOp next = onlyAddition(sum); next; next = onlyAddition(next.getResult()))
      additions.push_back(next);
    if (additions.empty() || !isCarriedOn(loop, position, additions.back().getResult()))
      return;
    for (nd::AddOp addition : additions) {
      Value part = addition.getLhs() == sum ? addition.getRhs() : addition.getLhs();
      sum = link(addition, sum, part);
    }
  }

  // Whether that is what the next iteration begins with, and nobody has another look at it.
  static bool isCarriedOn(flow::WhileOp loop, unsigned position, Value next) {
    OpOperand &yielded = loop.getBody().front().getTerminator()->getOpOperand(position);
    Value before = loop.getBefore().getArgument(position);
    return next.hasOneUse() && yielded.get() == next && before.hasOneUse();
  }

  Value link(nd::AddOp addition, Value sum, Value part) {
    auto product = part.getDefiningOp<nd::MatmulOp>();
    if (!product || !part.hasOneUse() || part.getType() != sum.getType() ||
        !differentiate::canBeLink(product))
      return addition.getResult();
    OpBuilder b(addition);
    auto linked = nd::MatmulOntoOp::create(b, product.getLoc(), addition.getType(), sum,
                                           product.getLhs(), product.getRhs(),
                                           product.getTransposeLhs(), product.getTransposeRhs());
    wire::giveWishes(linked, wire::wishesOf(addition));
    addition.getResult().replaceAllUsesWith(linked.getResult());
    addition.erase();
    product.erase();
    ++numJoined;
    return linked.getResult();
  }
};

} // namespace
