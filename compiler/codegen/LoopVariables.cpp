// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that nothing outside can disturb once its operands are there may as well run all at once.
// So it may take a variable's value at that moment, and give it back when it has ended, if
//   - all that it does to the variable is reading, assigning, updating by a rule of arithmetic, and
//     replacing single rows;
//   - it reads the variable, in any iteration, before it writes it, so that it fails where there is
//     no value, unless there always is one;
//   - nothing else writes the variable meanwhile: writes that race with the loop can wait for it.
#include "compiler/codegen/LoopVariables.h"

#include "compiler/optimize/FirstTurn.h"
#include "dialects/state/Updates.h"

using namespace mlir;

namespace sluice::codegen {

SmallVector<Value> namesInside(OpOperand &capture, function_ref<void(OpOperand &)> visit) {
  SmallVector<Value> names;
  auto enter = [&](OpOperand &operand) {
    Operation *op = operand.getOwner();
    unsigned fromEnd = op->getNumOperands() - 1 - operand.getOperandNumber();
    for (Region &region : op->getRegions())
      names.push_back(region.getArguments().drop_back(fromEnd).back());
  };
  enter(capture);
  for (size_t i = 0; i < names.size(); ++i)
    for (OpOperand &use : names[i].getUses()) {
      Operation *op = use.getOwner();
      auto inner = dyn_cast<flow::WhileOp>(op);
      if (auto gate = dyn_cast<flow::GateOp>(op); gate && use.getOperandNumber() == 0)
        names.push_back(gate.getResult());
      else if (isa<flow::CondOp>(op) ||
               (inner && use.getOperandNumber() >= inner.getInits().size()))
        enter(use);
      else
        visit(use);
    }
  return names;
}

namespace {

StringAttr symbolOf(Value variable) {
  Operation *op = variable.getDefiningOp();
  if (!isa_and_present<state::ReferenceOp, state::HandleOp>(op))
    return {};
  return op->getAttrOfType<FlatSymbolRefAttr>("variable").getAttr();
}

bool isUpdate(OpOperand &use) {
  Operation *op = use.getOwner();
  return use.getOperandNumber() < state::numUpdated(op) ||
         (use.getOperandNumber() == 0 && state::isRowUpdate(op));
}

// Whether an update computes with numbers and what has the variable's type only.
bool canExpand(Operation *update, RankedTensorType type) {
  if (state::isRowUpdate(update))
    return true;
  auto scalar = RankedTensorType::get({}, type.getElementType());
  return llvm::all_of(update->getOperandTypes(), [&](Type operand) {
    if (isa<state::RefType, state::ResourceType>(operand))
      return true; // each variable is asked by itself
    return !isa<TensorType>(operand) || operand == type || operand == scalar;
  });
}

// What a loop does to one variable.
struct Accesses {
  SmallVector<Operation *> reads, writes; // updates are both
  std::optional<Obstacle> other;
};

void visitUse(OpOperand &use, RankedTensorType type, Accesses &accesses) {
  Operation *op = use.getOwner();
  bool isFirst = use.getOperandNumber() == 0;
  if (auto read = dyn_cast<state::ReadOp>(op)) {
    if (isFirst)
      accesses.reads.push_back(read);
    if (isFirst && read.getValue().getType() != type)
      accesses.other = {op, "reads a variable whose size is not known"};
  } else if (auto assign = dyn_cast<state::AssignOp>(op); assign && isFirst) {
    accesses.writes.push_back(assign);
    if (assign.getValue().getType() != type)
      accesses.other = {op, "assigns a value whose size is not known"};
  } else if (isUpdate(use)) {
    accesses.reads.push_back(op);
    accesses.writes.push_back(op);
    if (state::heldBy(use.get()) != type || !canExpand(op, type))
      accesses.other = {op, "updates a variable by a value whose size is not known"};
  } else if (!isa<flow::AfterOp>(op)) {
    accesses.other = {op, "writes a variable"};
  }
}

// The op that first reads the variable for sure, before anything is written: in `before`, which
// runs anyway, or in the body. Null if that may write first.
Operation *sureReadIn(flow::WhileOp loop, const Accesses &accesses) {
  Operation *found = nullptr;
  for (Operation *read : accesses.reads) {
    if (read->getParentRegion() == &loop.getBefore())
      return read;
    bool isFirst = read->getParentRegion() == &loop.getBody() &&
                   llvm::none_of(accesses.writes, [&](Operation *write) {
                     Operation *here = loop.getBody().front().findAncestorOpInBlock(*write);
                     return here && here != read && here->isBeforeInBlock(read);
                   });
    if (isFirst && (!found || read->isBeforeInBlock(found)))
      found = read;
  }
  return found;
}

} // namespace

static std::optional<Obstacle> sortWrites(flow::WhileOp loop, VariableWrites &writes,
                                          WritesAround &around, Value variable,
                                          LoopVariables &found) {
  for (Operation *write : writes.of(variable)) {
    if (loop->isProperAncestor(write))
      continue;
    WriteOrder order = around.orderOf(write);
    if (order == WriteOrder::kLoose || writes.isAwaited(variable, loop))
      return Obstacle{write, "may write a variable while the loop does so, too"};
    if (order == WriteOrder::kRacing)
      found.later.insert(write);
  }
  return std::nullopt;
}

using ByName = llvm::MapVector<StringAttr, std::pair<LoopVariable, Accesses>>;

static ByName accessesOf(flow::WhileOp loop) {
  ByName variables;
  for (OpOperand &capture : loop.getCapturesMutable()) {
    if (!namesVariable(capture.get()))
      continue;
    StringAttr symbol = symbolOf(capture.get());
    auto type = dyn_cast<RankedTensorType>(state::heldBy(capture.get()));
    auto &[variable, accesses] = variables[symbol];
    variable.symbol = symbol;
    variable.type = type;
    variable.operands.push_back(capture.getOperandNumber());
    namesInside(capture, [&](OpOperand &use) { visitUse(use, type, accesses); });
    bool isKnown = symbol && type && type.hasStaticShape();
    if (!isKnown && !accesses.other)
      accesses.other = {loop, "takes a variable of which not everything is known"};
  }
  return variables;
}

// Adds what a loop writes, or says why it cannot be carried.
static std::optional<Obstacle> add(flow::WhileOp loop, const LoopVariable &variable,
                                   const Accesses &accesses, const VariableWrites &writes,
                                   LoopVariables &found) {
  if (accesses.other)
    return accesses.other;
  bool writesInBefore = llvm::any_of(accesses.writes, [&](Operation *write) {
    return loop.getBefore().isAncestor(write->getParentRegion());
  });
  bool isSure = writes.surelyHolds(loop->getOperand(variable.operands[0]), variable.type);
  Operation *read = isSure ? accesses.writes.front() : sureReadIn(loop, accesses);
  if (writesInBefore || !read)
    return Obstacle{accesses.writes.front(), "writes a variable, maybe before it is read"};
  bool onlyIfBodyRuns =
      !isSure && read->getParentRegion() == &loop.getBody() && !optimize::surelyRuns(loop);
  if (!found.written.empty() && onlyIfBodyRuns != found.onlyIfBodyRuns)
    return Obstacle{read, "reads one of several variables where it does not read the others"};
  found.onlyIfBodyRuns = onlyIfBodyRuns;
  if (!found.firstRead)
    found.firstRead = read->getLoc();
  found.written.push_back(variable);
  return std::nullopt;
}

LoopVariables findLoopVariables(flow::WhileOp loop, VariableWrites &writes, WalkBudget &budget) {
  LoopVariables found;
  WritesAround around(writes, loop, budget);
  for (auto &[symbol, what] : accessesOf(loop)) {
    auto &[variable, accesses] = what;
    if (found.obstacle || (accesses.writes.empty() && !accesses.other))
      continue;
    found.obstacle = add(loop, variable, accesses, writes, found);
    if (!found.obstacle)
      found.obstacle =
          sortWrites(loop, writes, around, loop->getOperand(variable.operands[0]), found);
  }
  return found;
}

} // namespace sluice::codegen
