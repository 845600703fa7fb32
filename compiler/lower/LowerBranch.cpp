// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A flow.cond becomes a switch for each capture and a merge for each result:
//
//    capture ──▶ switch ── on_true ──▶ ops of on_true ────▶ merge ──▶ result
//                  ▲ │                                        ▲
//    predicate ────┘ └──── on_false ──▶ ops of on_false ──────┘
//
// Tokens are no values: one that comes in is joined with the start of the branch, one that goes out
// gates the predicate's own way through a switch, and the merge of both ways gives a token.
#include "compiler/lower/RegionsToGraph.h"

using namespace mlir;

namespace sluice::lower {

static flow::YieldOp yieldOf(Region &region) {
  return cast<flow::YieldOp>(region.front().getTerminator());
}

static Region &regionOf(flow::CondOp cond, bool way) {
  return way ? cond.getOnTrue() : cond.getOnFalse();
}

// What block arguments stand for on one side.
void RegionsToGraph::connectCaptures(flow::CondOp cond, bool way, Switches &switches,
                                     Scope &scope) {
  Region &region = regionOf(cond, way);
  StringRef role = way ? wire::kOnTrue : wire::kOnFalse;
  for (auto [capture, argument] : llvm::zip_equal(cond.getCaptures(), region.getArguments())) {
    if (argument.use_empty())
      continue;
    Value here = capture; // a constant needs no switch
    if (isa<flow::TokenType>(capture.getType()))
      here = join(capture, startOf(scope), cond.getLoc());
    else if (!flow::isConstantLike(capture))
      here = steer(switches, capture, way, cond.getLoc(),
                   switches.asked.wishes(role, argument.getArgNumber()));
    argument.replaceAllUsesWith(here);
  }
}

Value RegionsToGraph::mergeResults(flow::CondOp cond, unsigned result, Switches &switches,
                                   MutableArrayRef<Scope> scopes) {
  Value old = cond.getResult(result);
  bool isToken = isa<flow::TokenType>(old.getType());
  SmallVector<Value> ways;
  for (bool way : {false, true}) { // the index of a merge is thus the predicate
    Value value = yieldOf(regionOf(cond, way)).getOperand(result);
    if (isToken)
      value = gate(steer(switches, switches.predicate, way, cond.getLoc()), value, cond.getLoc());
    else if (flow::isConstantLike(value))
      value = steer(switches, value, way, cond.getLoc());
    ways.push_back(tied(value, scopes[way]));
  }
  Type type = isToken ? ways[0].getType() : old.getType();
  auto merge = flow::MergeOp::create(builder_, cond.getLoc(), type, indexType_, tokenType_, ways);
  switches.asked.giveTo(merge, wire::kMerges, result);
  return isToken ? merge.getToken() : merge.getValue();
}

void RegionsToGraph::lowerBranch(flow::CondOp cond, unsigned frame) {
  ++numBranches_;
  for (unsigned i = cond.getNumResults(); i-- > 0;)
    for (bool way : {false, true})
      if (cond.getResult(i).use_empty()) // an operand stays in its place, but uses nothing
        yieldOf(regionOf(cond, way)).setOperand(i, cond.getPredicate());
  wire::Steering asked(cond);
  Switches switches{cond.getPredicate(), asked};
  auto scopeOf = [&](bool way) {
    return Scope{frame, [&, way]() -> Value {
                   return after(steer(switches, switches.predicate, way, cond.getLoc()),
                                cond.getLoc());
                 }};
  };
  Scope scopes[] = {scopeOf(false), scopeOf(true)};
  for (bool way : {true, false}) {
    connectCaptures(cond, way, switches, scopes[way]);
    moveOut(regionOf(cond, way).front(), scopes[way]);
  }
  for (OpResult result : cond->getResults())
    if (!result.use_empty())
      result.replaceAllUsesWith(mergeResults(cond, result.getResultNumber(), switches, scopes));
  cond.erase();
}

} // namespace sluice::lower
