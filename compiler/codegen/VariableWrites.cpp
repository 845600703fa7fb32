// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References are traced through whatever forwards them, as import-order-effects does it, here also
// through regions. An op that takes one and is not known to read only may write.
#include "compiler/codegen/VariableWrites.h"

#include "compiler/codegen/ReadConsequences.h"
#include "dialects/state/State.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::codegen {

bool namesVariable(Value value) {
  return isa<state::RefType, state::ResourceType>(value.getType());
}

std::optional<VariableWrites> VariableWrites::of(flow::TokenGraph graph) {
  auto frames = flow::FrameAnalysis::run(graph);
  if (!frames)
    return std::nullopt;
  VariableWrites writes(std::move(*frames));
  for (auto variable : graph->getParentOfType<ModuleOp>().getOps<state::VariableOp>())
    if (variable.getInitial())
      writes.initialized_[variable.getSymNameAttr()] = variable.getType();
  bool isClear = true;
  graph->walk([&](Operation *op) { isClear &= writes.visit(op); });
  if (!isClear)
    return std::nullopt;
  for (auto [variable, op] : writes.accesses_) {
    auto &known = op->hasTrait<OnlyReads>() ? writes.reads_ : writes.writes_;
    known[writes.classes_.getOrInsertLeaderValue(variable.getAsOpaquePointer())].push_back(op);
  }
  return writes;
}

bool VariableWrites::surelyHolds(Value variable, Type type) const {
  Operation *op = variable.getDefiningOp();
  auto symbol = op ? op->getAttrOfType<FlatSymbolRefAttr>("variable") : FlatSymbolRefAttr();
  return symbol && initialized_.lookup(symbol.getAttr()) == type;
}

void VariableWrites::join(Value a, Value b) {
  if (namesVariable(a) && namesVariable(b))
    classes_.unionSets(a.getAsOpaquePointer(), b.getAsOpaquePointer());
}

void VariableWrites::join(ValueRange a, ValueRange b) {
  for (auto [one, other] : llvm::zip_equal(a, b))
    join(one, other);
}

// False for an op that gives references of which nothing is known.
bool VariableWrites::visit(Operation *op) {
  if (op->hasTrait<CrossesDevices>() || op->hasTrait<MayWait>())
    crossings_.push_back(op);
  if (auto loop = dyn_cast<flow::WhileOp>(op)) {
    Block &before = loop.getBefore().front(), &body = loop.getBody().front();
    auto condition = cast<flow::ConditionOp>(before.getTerminator());
    unsigned carried = loop.getInits().size(), forwarded = loop.getNumResults();
    join(loop.getInits(), before.getArguments().take_front(carried));
    join(loop.getInits(), body.getTerminator()->getOperands());
    join(condition.getForwarded(), body.getArguments().take_front(forwarded));
    join(condition.getForwarded(), loop.getResults());
    join(loop.getCaptures(), before.getArguments().drop_front(carried));
    join(loop.getCaptures(), body.getArguments().drop_front(forwarded));
  } else if (auto branch = dyn_cast<flow::CondOp>(op)) {
    for (Region &region : branch->getRegions()) {
      join(branch.getCaptures(), region.getArguments());
      join(branch.getResults(), region.front().getTerminator()->getOperands());
    }
  } else if (op->hasTrait<HasEffect>()) {
    visitEffect(op);
    return llvm::none_of(op->getResults(), namesVariable) || op->hasAttr("variable");
  } else if (op->hasTrait<Steers>()) {
    if (op->getNumRegions() || op->hasTrait<OpTrait::IsTerminator>())
      return true;
    Value first; // all that one op forwards is joined
    for (ValueRange values : {ValueRange(op->getOperands()), ValueRange(op->getResults())})
      for (Value value : values)
        if (namesVariable(value)) {
          first = first ? first : value;
          join(first, value);
        }
  } else {
    return llvm::none_of(op->getResults(), namesVariable);
  }
  return true;
}

void VariableWrites::visitEffect(Operation *op) {
  for (Value operand : op->getOperands())
    if (namesVariable(operand))
      accesses_.push_back({operand, op});
  auto symbol = op->getAttrOfType<FlatSymbolRefAttr>("variable");
  for (Value result : op->getResults())
    if (symbol && namesVariable(result))
      join(bySymbol_.try_emplace(symbol.getValue(), result).first->second, result);
}

ArrayRef<Operation *> VariableWrites::find(const Accesses &accesses, Value variable) const {
  auto leader = classes_.findLeader(variable.getAsOpaquePointer());
  if (leader == classes_.member_end()) // nothing else names it
    return {};
  auto it = accesses.find(*leader);
  return it == accesses.end() ? ArrayRef<Operation *>() : ArrayRef<Operation *>(it->second);
}

bool VariableWrites::isInRoot(Operation *op) const {
  return isa<flow::TokenGraph>(op->getParentOp()) &&
         frames_.frameOf(op) == flow::FrameAnalysis::kRoot;
}

void VariableWrites::forget(Operation *loop, const llvm::SmallPtrSetImpl<Operation *> &reads) {
  for (auto &[leader, known] : reads_)
    llvm::erase_if(known, [&](Operation *read) { return reads.contains(read); });
  for (auto &[leader, known] : awaiting_)
    llvm::erase(known, loop);
}

// Where reads of one variable are that may be repeated until it is written: loops, or ops of
// frames.
SmallVector<Operation *> VariableWrites::findAwaiting(ArrayRef<Operation *> reads) const {
  SmallVector<Operation *> awaiting;
  llvm::MapVector<Operation *, SmallVector<Operation *>> byLoop; // the outermost one
  for (Operation *read : reads) {
    Operation *op = read, *loop = nullptr;
    for (; !isa<flow::TokenGraph>(op->getParentOp()); op = op->getParentOp())
      if (isa<flow::WhileOp>(op->getParentOp()))
        loop = op->getParentOp();
    if (!isInRoot(op))
      awaiting.push_back(loop ? loop : op);
    else if (loop)
      byLoop[loop].push_back(read);
  }
  for (auto &[loop, inside] : byLoop)
    if (decideHowLong(cast<flow::WhileOp>(loop), inside))
      awaiting.push_back(loop);
  return awaiting;
}

bool VariableWrites::isAwaited(Value variable, flow::WhileOp loop) {
  auto leader = classes_.findLeader(variable.getAsOpaquePointer());
  if (leader == classes_.member_end()) // nothing else names it
    return false;
  auto [awaiting, isNew] = awaiting_.try_emplace(*leader);
  if (isNew)
    awaiting->second = findAwaiting(find(reads_, variable));
  return llvm::any_of(awaiting->second, [&](Operation *op) { return op != loop; });
}

} // namespace sluice::codegen
