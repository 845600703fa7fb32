// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explores a branch backwards from its ends.
#include "compiler/raise/Branch.h"

#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace sluice::raise {

Capture Branch::originOf(const GraphFacts &facts, Value value, bool way) const {
  Capture origin{value, Value()};
  while (auto op = origin.value.getDefiningOp<flow::SwitchOp>()) {
    bool isTrue = origin.value == op.getOnTrue();
    if (!isTrue && origin.value != op.getOnFalse())
      break; // its token
    if (facts.deadness.literalOf(op.getPredicate(), isTrue) != literals[way])
      break;
    Value asked = op.getPredicate(); // a constant is always there
    if (plainPredicate(asked) != plainPredicate(predicate) && !flow::isConstantLike(asked))
      origin.awaited = asked;
    origin.value = op.getData();
  }
  return origin;
}

bool Branch::isDecided(const Capture &origin, Value value) const {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return origin.value != value && !origin.awaited && origin.value == predicate && type &&
         type.getRank() == 0;
}

bool Branch::isInside(const GraphFacts &facts, Value value, bool way) const {
  return facts.isLiveOnlyIf(value, literals[way]);
}

// Whether it comes from a switch that is reached only if the predicate goes the other way.
bool Branch::isNeverLive(const GraphFacts &facts, Value value, bool way) const {
  Value origin = originOf(facts, value, way).value;
  return origin != value && isInside(facts, origin, !way);
}

// Whether the value's op is copied: it is live on this way only, or passes on tokens to such ops
// only. A trigger may wait for what is on the other way, too.
bool Branch::belongs(const GraphFacts &facts, Value value, bool way) const {
  Operation *op = value.getDefiningOp();
  if (flow::isConstantLike(value) || isa<flow::StartOp>(op))
    return false;
  if (isInside(facts, value, way))
    return true;
  auto isThere = [&](Value operand) {
    if (isa<flow::TriggerOp>(op) && isInside(facts, operand, !way))
      return true; // dead here, which does not matter
    unsigned condition = facts.deadness.conditionOf(operand);
    return facts.deadness.conjunction(condition, conditions[way]) == conditions[way];
  };
  return isTokenPlumbing(op) && facts.frames.frameOf(op) == frame &&
         llvm::all_of(op->getOperands(), isThere) &&
         llvm::all_of(op->getUsers(), [&](Operation *user) { return inside[way].contains(user); });
}

void Branch::explore(const GraphFacts &facts, Value end, bool way) {
  SmallVector<Value> open{originOf(facts, end, way).value};
  while (!open.empty()) {
    Value value = open.pop_back_val();
    if (!belongs(facts, value, way) || !inside[way].insert(value.getDefiningOp()))
      continue;
    for (Value operand : value.getDefiningOp()->getOperands())
      if (isInside(facts, operand, !way))
        explore(facts, operand, !way);
      else
        open.push_back(originOf(facts, operand, way).value);
  }
}

bool Branch::needsCapture(const GraphFacts &facts, const Capture &origin, Value value,
                          bool way) const {
  if (isDecided(origin, value) || inside[way].contains(origin.value.getDefiningOp()) ||
      isInside(facts, origin.value, !way))
    return false;
  bool isThere = flow::isConstantLike(origin.value) || origin.value.getDefiningOp<flow::StartOp>();
  return !isThere || origin.awaited;
}

SmallVector<Capture> Branch::awaitedBy(const GraphFacts &facts, Value value, bool way) const {
  SmallVector<Capture> result;
  SmallVector<Value> open{value};
  DenseSet<Value> seen;
  while (!open.empty()) {
    Value next = open.pop_back_val();
    if (!seen.insert(next).second)
      continue;
    Capture origin = originOf(facts, next, way);
    if (needsCapture(facts, origin, next, way))
      result.push_back(origin);
    else if (Operation *op = origin.value.getDefiningOp(); inside[way].contains(op))
      open.append(op->operand_begin(), op->operand_end());
  }
  return result;
}

void Branch::findCaptures(const GraphFacts &facts) {
  captures.clear();
  DenseSet<std::pair<Value, Value>> seen;
  auto use = [&](Value value, bool way) {
    Capture origin = originOf(facts, value, way);
    if (needsCapture(facts, origin, value, way) &&
        seen.insert({origin.value, origin.awaited}).second)
      captures.push_back(origin);
  };
  for (bool way : {true, false}) {
    for (Operation *op : inside[way])
      for (Value operand : op->getOperands())
        use(operand, way);
    for (const BranchEnd &end : ends)
      if (end.values[way])
        use(end.values[way], way);
  }
}

bool Branch::isPart(const OpOperand &use) const {
  Operation *user = use.getOwner();
  return inside[0].contains(user) || inside[1].contains(user) ||
         llvm::any_of(ends, [&](const BranchEnd &end) {
           return end.user == user && llvm::is_contained(end.values, use.get());
         });
}

// What is needed outside, too, stays there beside its copy, and so does all that it needs. But an
// effect happens once, and what derivatives are asked for by is one value.
std::string Branch::findLeak() const {
  SmallVector<std::pair<Operation *, Operation *>> staying; // each with who needs it
  DenseSet<Operation *> seen;
  auto stay = [&](Operation *op, Operation *user) {
    if ((inside[0].contains(op) || inside[1].contains(op)) && seen.insert(op).second)
      staying.push_back({op, user});
  };
  for (bool way : {true, false})
    for (Operation *op : inside[way])
      for (OpOperand &use : op->getUses())
        if (!isPart(use))
          stay(op, use.getOwner());
  for (size_t i = 0; i < staying.size(); ++i) {
    auto [op, user] = staying[i];
    if (hasEffect(op))
      return describe(op) + " has an effect and is needed by " + describe(user) +
             ", which is not part of the branch";
    if (isa<flow::IndependentOp>(op))
      return describe(op) + " is a value of its own for derivatives and is needed by " +
             describe(user) + ", which is not part of the branch";
    for (Value operand : op->getOperands())
      stay(operand.getDefiningOp(), user);
  }
  return "";
}

std::string Branch::findObstacle(const GraphFacts &facts) const {
  for (const BranchEnd &end : ends)
    for (bool way : {true, false})
      if (end.values[way] && isNeverLive(facts, end.values[way], way))
        return describe(end.values[way].getDefiningOp()) + " never gives a live value";
  for (bool way : {true, false})
    for (Operation *op : inside[way]) {
      if (isPrimitive(op))
        return "there is " + op->getName().getStringRef().str() + " " + describe(op) + " in it";
      for (Value operand : op->getOperands())
        if (isNeverLive(facts, operand, way))
          return describe(operand.getDefiningOp()) + " never gives a live value";
      for (Value result : op->getResults())
        if (hasEffect(op) && facts.deadness.conditionOf(result) != conditions[way])
          return describe(op) + " has an effect under another condition";
    }
  return findLeak();
}

void Branch::explore(const GraphFacts &facts) {
  // From the last end to the first one: what only passes tokens to what is inside is inside.
  llvm::sort(ends, [&](const BranchEnd &a, const BranchEnd &b) {
    return facts.position.at(a.user) > facts.position.at(b.user);
  });
  inside = {};
  llvm::erase_if(ends, [&](const BranchEnd &end) {
    if (!end.isMerge() && (inside[0].contains(end.user) || inside[1].contains(end.user)))
      return true;
    for (bool way : {true, false})
      if (end.values[way])
        explore(facts, end.values[way], way);
    return false;
  });
  std::reverse(ends.begin(), ends.end());
  findCaptures(facts);
  obstacle = findObstacle(facts);
}

} // namespace sluice::raise
