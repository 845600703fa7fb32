// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of branches, loops, composites and codelets.
#include "dialects/flow/CodeletSymbol.h"
#include "dialects/flow/Compatible.h"
#include "dialects/flow/Flow.h"
#include "dialects/interfaces/Memories.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;
using namespace sluice::flow;

static LogicalResult verifyArguments(Operation *op, Region &region, TypeRange expected,
                                     StringRef name) {
  if (region.getArgumentTypes() != expected)
    return op->emitOpError("expected block arguments of the types (")
           << expected << ") in '" << name << "' but got (" << region.getArgumentTypes() << ")";
  return success();
}

static LogicalResult mismatch(Operation *terminator, ValueRange values, TypeRange expected) {
  return terminator->emitOpError("expected values of the types (")
         << expected << ") but got (" << values.getTypes() << ")";
}

// Values that a merge would take.
static LogicalResult verifyValues(Operation *terminator, ValueRange values, TypeRange expected) {
  bool fit = values.size() == expected.size();
  for (size_t i = 0; fit && i < expected.size(); ++i)
    fit = mayBecome(values[i].getType(), expected[i]);
  return fit ? success() : mismatch(terminator, values, expected);
}

static LogicalResult verifyTypes(Operation *terminator, ValueRange values, TypeRange expected) {
  return values.getTypes() == expected ? success() : mismatch(terminator, values, expected);
}

template <typename Terminator> static Terminator terminatorOf(Operation *op, Region &region) {
  auto terminator =
      region.front().empty() ? Terminator() : dyn_cast<Terminator>(region.front().back());
  if (!terminator)
    op->emitOpError("expected a region that ends in ") << Terminator::getOperationName();
  return terminator;
}

static LogicalResult verifyNoPrimitives(Operation *op, Region &region) {
  for (Operation &inner : region.front())
    if (isa<SwitchOp, MergeOp, EnterOp, ExitOp, NextIterationOp, LoopCondOp, FeedOp, FetchOp,
            TargetOp>(inner))
      return inner.emitOpError("expected no primitive, feed, fetch or target in a region of ")
             << op->getName();
  return success();
}

static LogicalResult verifyYield(Operation *op, Region &region, TypeRange expected) {
  auto yield = terminatorOf<YieldOp>(op, region);
  return yield ? verifyValues(yield, yield.getValues(), expected) : failure();
}

static LogicalResult verifyComputesOnly(Region &region) {
  WalkResult walk = region.walk([](Operation *inner) {
    if (inner->hasTrait<sluice::Computes>() || inner->hasTrait<sluice::UsesCell>() ||
        inner->hasTrait<sluice::UsesBox>() || inner->hasTrait<sluice::CopiesBetweenMemories>() ||
        isa<CondOp, WhileOp, ConditionOp, YieldOp>(inner))
      return WalkResult::advance();
    inner->emitOpError("expected only nd ops, branches and loops in a codelet");
    return WalkResult::interrupt();
  });
  return failure(walk.wasInterrupted());
}

// What will be part of a codelet fires as one and only computes.
static LogicalResult verifyCollapsed(Operation *op) {
  Attribute attribute = op->getAttr(kCollapseAttr);
  if (!attribute)
    return success();
  if (!isa<UnitAttr>(attribute))
    return op->emitOpError("expected '")
           << kCollapseAttr << "' to be a unit attribute but got " << attribute;
  auto isToken = [](Type type) { return isa<TokenType>(type); };
  if (llvm::any_of(op->getOperandTypes(), isToken) || llvm::any_of(op->getResultTypes(), isToken))
    return op->emitOpError("expected no control tokens in or out of what has '")
           << kCollapseAttr << "'";
  return success(llvm::all_of(
      op->getRegions(), [](Region &region) { return succeeded(verifyComputesOnly(region)); }));
}

LogicalResult CondOp::verifyRegions() {
  if (failed(verifyPredicate(*this, getPredicate()))) // C1
    return failure();
  std::pair<Region *, StringRef> branches[] = {{&getOnTrue(), "on_true"},
                                               {&getOnFalse(), "on_false"}};
  for (auto [region, name] : branches)
    if (failed(verifyArguments(*this, *region, getCaptures().getTypes(), name)) || // C2
        failed(verifyYield(*this, *region, getResultTypes())) ||                   // C3
        failed(verifyNoPrimitives(*this, *region)))                                // C4
      return failure();
  return verifyCollapsed(*this); // C5
}

LogicalResult WhileOp::verifyRegions() {
  if (getFrame().empty() || static_cast<int64_t>(getParallelIterations()) < 1) // C1
    return emitOpError("expected a frame name and parallel_iterations of at least 1");
  SmallVector<Type> forwarded, captured(getCaptures().getTypes());
  SmallVector<Type> before(getInits().getTypes()), carried;
  before.append(captured);
  // A carried value may change its shape, so that its type says less than that of the first one.
  for (auto [init, argument] : llvm::zip(getInits(), getBefore().getArguments())) {
    if (mayBecome(init.getType(), argument.getType()))
      before[carried.size()] = argument.getType();
    carried.push_back(argument.getType());
  }
  if (failed(verifyArguments(*this, getBefore(), before, "before"))) // C2
    return failure();
  auto condition = terminatorOf<ConditionOp>(*this, getBefore());
  if (!condition)
    return failure();
  forwarded.assign(condition.getForwarded().getTypes().begin(),
                   condition.getForwarded().getTypes().end());
  SmallVector<Type> body(forwarded);
  body.append(captured);
  if (failed(verifyArguments(*this, getBody(), body, "body")) || // C3
      failed(verifyYield(*this, getBody(), carried)))
    return failure();
  if (failed(verifyTypes(condition, condition.getForwarded(), getResultTypes()))) // C4
    return failure();
  for (Region *region : {&getBefore(), &getBody()}) // C5
    if (failed(verifyNoPrimitives(*this, *region)))
      return failure();
  return verifyCollapsed(*this); // C6
}

LogicalResult ConditionOp::verify() { return verifyPredicate(*this, getPredicate()); } // C1

LogicalResult BoxRunOp::verifyRegions() {
  Block &block = getBody().front();
  auto yield = terminatorOf<YieldOp>(*this, getBody());
  Operation *op = yield ? yield->getPrevNode() : nullptr;
  bool fits = op && getBody().hasOneBlock() && yield.getValues() == op->getResults() &&
              block.getNumArguments() == getInputs().size();
  for (Operation *other = fits ? op->getPrevNode() : nullptr; other; other = other->getPrevNode())
    fits &= other->hasTrait<sluice::IsConstant>();
  if (!fits) // C1
    return emitOpError(
               "expected constants, one op and a yield of its results in the region, with an "
               "argument for each of ")
           << getInputs().size() << " boxes";
  if (getResults().size() != op->getNumResults()) // C2
    return emitOpError("expected ")
           << op->getNumResults() << " boxes for results but got " << getResults().size();
  return success();
}

// A region that gets the inputs and gives the results.
template <typename OpT> static LogicalResult verifyBody(OpT op) {
  if (failed(verifyArguments(op, op.getBody(), op.getInputs().getTypes(), "body")))
    return failure();
  auto yield = terminatorOf<YieldOp>(op, op.getBody());
  return yield ? verifyTypes(yield, yield.getValues(), op.getResultTypes()) : failure();
}

// The block's arguments from which the value follows.
static llvm::BitVector argumentsBehind(Value value, Block &block) {
  llvm::BitVector found(block.getNumArguments());
  SmallVector<Value> open{value};
  llvm::SmallPtrSet<Operation *, 16> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    Operation *op = next.getDefiningOp();
    if (!op)
      found.set(cast<BlockArgument>(next).getArgNumber());
    else if (seen.insert(op).second)
      llvm::append_range(open, op->getOperands());
  }
  return found;
}

LogicalResult CompositeOp::verifyRegions() {
  if (getName().empty()) // C1
    return emitOpError("expected the name of an op but got an empty one");
  if (failed(verifyBody(*this))) // C2, C3
    return failure();
  for (Operation &inner : getBody().front().without_terminator()) // C4
    if (!inner.hasTrait<sluice::Computes>())
      return inner.emitOpError("expected only ops that compute in a composite");
  Block &body = getBody().front();
  for (auto [number, value] : llvm::enumerate(body.getTerminator()->getOperands())) // C5
    if (int input = argumentsBehind(value, body).find_first_unset(); input != -1)
      return emitOpError("expected result #")
             << number << " to follow from every input but it does not from input #" << input;
  return success();
}

LogicalResult CodeletOp::verifyRegions() {
  if (failed(verifyBody(*this))) // C1, C2
    return failure();
  if (failed(verifyComputesOnly(getBody()))) // C3
    return failure();
  Attribute symbol = getOperation()->getAttr(kSymbolAttr);
  auto name = dyn_cast_or_null<StringAttr>(symbol);
  if (symbol && !(name && isCodeletSymbol(name.getValue()))) // C4
    return emitOpError("expected '") << kSymbolAttr << "' to be '" << kCodeletSymbolPrefix
                                     << "' and hexadecimal digits but got " << symbol;
  return success();
}
