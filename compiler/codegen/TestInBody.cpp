// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Moves the test of a loop into its body.
#include "compiler/codegen/TestInBody.h"

#include "dialects/nd/Nd.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::codegen {

bool hasLoopInTest(flow::WhileOp loop) {
  return loop.getBefore()
      .walk([](flow::WhileOp) { return WalkResult::interrupt(); })
      .wasInterrupted();
}

// Which carried values the condition forwards.
static std::optional<SmallVector<unsigned>> forwardedPositions(flow::WhileOp loop) {
  Block &before = loop.getBefore().front();
  SmallVector<unsigned> positions;
  for (Value value : cast<flow::ConditionOp>(before.getTerminator()).getForwarded()) {
    auto argument = dyn_cast<BlockArgument>(value);
    if (!argument || argument.getOwner() != &before ||
        argument.getArgNumber() >= loop.getInits().size())
      return std::nullopt;
    positions.push_back(argument.getArgNumber());
  }
  return positions;
}

static void addArguments(Block &block, TypeRange types, Location loc) {
  for (Type type : types)
    block.addArgument(type, loc);
}

// Clones what is in a block but its end, whose operands it gives.
static SmallVector<Value> cloneInto(OpBuilder &b, Block &from, IRMapping &values) {
  for (Operation &op : from.without_terminator())
    b.clone(op, values);
  return llvm::map_to_vector(from.getTerminator()->getOperands(),
                             [&](Value value) { return values.lookupOrDefault(value); });
}

flow::WhileOp moveTestIntoBody(flow::WhileOp loop) {
  std::optional<SmallVector<unsigned>> forwarded = forwardedPositions(loop);
  if (!forwarded)
    return nullptr;
  OpBuilder b(loop);
  Location loc = loop.getLoc();
  Block &test = loop.getBefore().front(), &rest = loop.getBody().front();
  unsigned carried = loop.getInits().size();
  TypeRange all = test.getArgumentTypes(), own = all.take_front(carried);
  SmallVector<Type> ownTypes(own), allTypes(all);
  auto bit = RankedTensorType::get({}, b.getI1Type());
  SmallVector<Value> inits{nd::ConstantOp::create(b, loc, bit, DenseElementsAttr::get(bit, true))};
  llvm::append_range(inits, loop.getInits());
  auto made = flow::WhileOp::create(b, loc, ownTypes, inits, loop.getCaptures(), loop.getFrame(),
                                    loop.getParallelIterations());
  made->setDiscardableAttrs(loop->getDiscardableAttrDictionary());

  Block *before = b.createBlock(&made.getBefore());
  before->addArgument(bit, loc);
  addArguments(*before, allTypes, loc);
  flow::ConditionOp::create(b, loc, before->getArgument(0),
                            before->getArguments().drop_front().take_front(carried));

  Block *body = b.createBlock(&made.getBody());
  addArguments(*body, allTypes, loc);
  IRMapping inTest;
  inTest.map(test.getArguments(), body->getArguments());
  Value goesOn = cloneInto(b, test, inTest).front();
  auto branch = flow::CondOp::create(b, loc, ownTypes, goesOn, body->getArguments());
  SmallVector<Value> next{goesOn};
  llvm::append_range(next, branch.getResults());
  flow::YieldOp::create(b, loc, next);

  Block *yes = b.createBlock(&branch.getOnTrue());
  addArguments(*yes, allTypes, loc);
  IRMapping inRest;
  for (auto [i, position] : llvm::enumerate(*forwarded))
    inRest.map(rest.getArgument(static_cast<unsigned>(i)), yes->getArgument(position));
  for (unsigned i = carried; i < allTypes.size(); ++i)
    inRest.map(rest.getArgument(static_cast<unsigned>(forwarded->size()) + i - carried),
               yes->getArgument(i));
  flow::YieldOp::create(b, loc, cloneInto(b, rest, inRest));

  Block *no = b.createBlock(&branch.getOnFalse());
  addArguments(*no, allTypes, loc);
  flow::YieldOp::create(b, loc, no->getArguments().take_front(carried));

  for (auto [result, position] : llvm::zip_equal(loop.getResults(), *forwarded))
    result.replaceAllUsesWith(made.getResult(position));
  loop->erase();
  return made;
}

} // namespace sluice::codegen
