// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// References are traced through whatever forwards them, as import-order-effects does it, here also
// through regions. An op that takes one and is not known to read only may write.
#include "compiler/codegen/VariableWrites.h"

#include "compiler/codegen/ReadConsequences.h"
#include "compiler/optimize/FirstTurn.h"
#include "dialects/state/State.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::codegen {

bool namesVariable(Value value) {
  return isa<state::RefType, state::ResourceType>(value.getType());
}

std::optional<VariableWrites> VariableWrites::of(flow::GraphOp graph) {
  auto frames = flow::FrameAnalysis::run(graph);
  if (!frames)
    return std::nullopt;
  VariableWrites writes(std::move(*frames));
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
  return isa<flow::GraphOp>(op->getParentOp()) && frames_.frameOf(op) == flow::FrameAnalysis::kRoot;
}

void VariableWrites::forget(const llvm::SmallPtrSetImpl<Operation *> &reads) {
  for (auto &[leader, known] : reads_)
    llvm::erase_if(known, [&](Operation *read) { return reads.contains(read); });
}

// Operands without which the op gives no result, whatever is taken or comes first.
static SmallVector<Value> needsOf(Operation *op) {
  if (auto merge = dyn_cast<flow::MergeOp>(op))
    return SmallVector<Value>(merge.getTokens());
  if (auto branch = dyn_cast<flow::CondOp>(op))
    return {branch.getPredicate()};
  auto loop = dyn_cast<flow::WhileOp>(op);
  if (!loop)
    return SmallVector<Value>(op->getOperands());
  SmallVector<Value> needs; // of the first condition
  llvm::SetVector<Value> inside;
  inside.insert(loop.getBefore().front().getTerminator()->getOperand(0));
  for (size_t i = 0; i < inside.size(); ++i) {
    if (auto argument = dyn_cast<BlockArgument>(inside[i]))
      needs.push_back(optimize::operandOf(loop, argument).get());
    else
      inside.insert_range(needsOf(inside[i].getDefiningOp()));
  }
  return needs;
}

// Whether one of the values comes only after the op.
static bool waitFor(ValueRange values, Operation *early) {
  llvm::SetVector<Operation *> seen;
  auto see = [&](ValueRange needs) {
    for (Value value : needs)
      if (Operation *op = value.getDefiningOp())
        seen.insert(op);
  };
  see(values);
  for (size_t i = 0; i < seen.size(); ++i) {
    if (seen[i] == early)
      return true;
    see(needsOf(seen[i]));
  }
  return false;
}

namespace {
struct Reach {
  bool loop = false, otherDevice = false;
};
} // namespace

// What may have to wait for the op.
static Reach reachOf(Operation *op, flow::WhileOp loop) {
  Reach reach;
  SmallVector<Operation *> pending{op};
  llvm::SmallPtrSet<Operation *, 32> seen;
  while (!pending.empty())
    for (Operation *user : pending.pop_back_val()->getUsers())
      if (seen.insert(user).second) {
        reach.loop |= user == loop;
        reach.otherDevice |= user->hasTrait<CrossesDevices>();
        pending.push_back(user);
      }
  return reach;
}

WriteOrder VariableWrites::orderOf(Operation *write, flow::WhileOp loop) const {
  if (!isInRoot(write) || !isInRoot(loop))
    return WriteOrder::kLoose;
  if (waitFor(write->getOperands(), loop))
    return WriteOrder::kAfter;
  if (waitFor(loop->getOperands(), write))
    return WriteOrder::kBefore;
  Reach reach = reachOf(write, loop);
  return reach.loop || reach.otherDevice ? WriteOrder::kLoose : WriteOrder::kRacing;
}

bool VariableWrites::isAwaited(Value variable, flow::WhileOp loop) const {
  return llvm::any_of(find(reads_, variable), [&](Operation *read) {
    if (loop->isProperAncestor(read))
      return false;
    flow::WhileOp outermost;
    Operation *op = read;
    for (; !isa<flow::GraphOp>(op->getParentOp()); op = op->getParentOp())
      if (auto around = dyn_cast<flow::WhileOp>(op->getParentOp()))
        outermost = around;
    return (outermost && decideHowLong(outermost, {read})) || !isInRoot(op);
  });
}

} // namespace sluice::codegen
