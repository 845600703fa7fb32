// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A loop that nothing outside can disturb once its operands are there may as well run all at once,
// at any moment from then on. So all its reads may be one, at such a moment, if
//   - nothing in the loop writes the variable;
//   - the read takes place in the loop anyway, or else it could fail where nothing did, unless the
//     variable has a value at any time;
//   - the loop does not wait for a write that it would now never see;
//   - no other write comes between the reads of several variables, which would then not be of one
//     moment. Writes that race with the loop wait for all of them, where they can. Of one variable
//     at most they cannot.
#include "compiler/codegen/LoopReads.h"

#include "compiler/codegen/ReadConsequences.h"
#include "compiler/optimize/FirstTurn.h"

using namespace mlir;

namespace sluice::codegen {

CaptureUses usesOfCapture(flow::WhileOp loop, OpOperand &capture) {
  CaptureUses uses;
  auto enter = [&](Operation *structured, unsigned fromEnd) {
    for (Region &region : structured->getRegions())
      uses.names.push_back(region.getArguments().drop_back(fromEnd).back());
  };
  auto fromEnd = [](Operation *op, OpOperand &operand) {
    return op->getNumOperands() - 1 - operand.getOperandNumber();
  };
  enter(loop, fromEnd(loop, capture));
  for (size_t i = 0; i < uses.names.size(); ++i)
    for (OpOperand &use : uses.names[i].getUses()) {
      Operation *op = use.getOwner();
      unsigned number = use.getOperandNumber();
      if (auto read = dyn_cast<state::ReadOp>(op); read && number == 0)
        uses.reads.push_back(read);
      else if (auto gate = dyn_cast<flow::GateOp>(op))
        uses.names.push_back(gate.getResult());
      else if (isa<flow::CondOp>(op) ||
               (isa<flow::WhileOp>(op) && number >= cast<flow::WhileOp>(op).getInits().size()))
        enter(op, fromEnd(op, use));
      else if (!isa<state::ReadOp, flow::AfterOp>(op)) // these two wait, and no more
        uses.other = {op, op->hasTrait<HasEffect>() && !op->hasTrait<OnlyReads>()
                              ? "writes a variable"
                              : "uses a variable otherwise than by reading it"};
    }
  return uses;
}

// ---- Whether a read takes place -----------------------------------------------------------------

namespace {
enum class Occurs { kNotSurely, kIfBodyRuns, kSurely };
} // namespace

static Occurs occurrenceOf(Operation *read, flow::WhileOp loop) {
  for (Region *region = read->getParentRegion();; region = region->getParentRegion()) {
    auto around = dyn_cast<flow::WhileOp>(region->getParentOp());
    if (!around)
      return Occurs::kNotSurely; // a branch
    bool isSure = region == &around.getBefore() || optimize::surelyRuns(around);
    if (around == loop)
      return isSure ? Occurs::kSurely : Occurs::kIfBodyRuns;
    if (!isSure)
      return Occurs::kNotSurely;
  }
}

// One sure read answers for all of the same variable.
static std::optional<Obstacle> findDoubt(flow::WhileOp loop, const VariableWrites &writes,
                                         Snapshot &snapshot) {
  Value variable = loop->getOperand(snapshot.operands[0]);
  if (llvm::all_of(snapshot.reads, [&](state::ReadOp read) {
        return writes.surelyHolds(variable, read.getValue().getType());
      })) {
    snapshot.onlyIfBodyRuns = false;
    return std::nullopt;
  }
  Occurs occurs = Occurs::kNotSurely;
  bool areInBody = true;
  for (state::ReadOp read : snapshot.reads) {
    occurs = std::max(occurs, occurrenceOf(read, loop));
    areInBody &= loop.getBody().isAncestor(read->getParentRegion());
  }
  snapshot.onlyIfBodyRuns = occurs != Occurs::kSurely;
  if (occurs == Occurs::kSurely || (occurs == Occurs::kIfBodyRuns && areInBody))
    return std::nullopt;
  return Obstacle{snapshot.reads.front(),
                  "reads a variable, maybe without a value, and may not take place"};
}

// ---- Writes -------------------------------------------------------------------------------------

// Whether it is one variable that nothing writes in an order that is not known.
static std::optional<Obstacle> sortWrites(flow::WhileOp loop, VariableWrites &writes,
                                          WritesAround &around, const Snapshot &snapshot,
                                          LoopReads &found, unsigned &numLoose) {
  Value variable = loop->getOperand(snapshot.operands[0]);
  bool isLoose = false, mayRace = false;
  for (Operation *write : writes.of(variable)) {
    if (loop->isProperAncestor(write))
      return Obstacle{write, "writes a variable"};
    WriteOrder order = around.orderOf(write);
    if (order == WriteOrder::kRacing && writes.isAwaited(variable, loop))
      order = WriteOrder::kLoose; // who waits for it may be awaited by the loop
    isLoose |= order == WriteOrder::kLoose;
    mayRace |= order == WriteOrder::kLoose || order == WriteOrder::kRacing;
    if (order == WriteOrder::kRacing)
      found.later.insert(write);
    if (isLoose && numLoose > 0)
      return Obstacle{write, "may write one of several variables while the loop reads them"};
  }
  if (mayRace &&
      decideHowLong(loop, SmallVector<Operation *>(snapshot.reads.begin(), snapshot.reads.end())))
    return Obstacle{snapshot.reads.front(),
                    "may read until another value is written, which ends the loop"};
  numLoose += isLoose;
  return std::nullopt;
}

static void addTo(std::vector<Snapshot> &snapshots, flow::WhileOp loop, OpOperand &capture,
                  ArrayRef<state::ReadOp> reads) {
  auto known = llvm::find_if(snapshots, [&](const Snapshot &snapshot) {
    return loop->getOperand(snapshot.operands[0]) == capture.get();
  });
  Snapshot &snapshot = known == snapshots.end() ? snapshots.emplace_back() : *known;
  snapshot.operands.push_back(capture.getOperandNumber());
  snapshot.reads.append(reads.begin(), reads.end());
}

// In the order in which the loop reads, so that of several variables without a value the same one
// is missed first.
static void sortReads(flow::WhileOp loop, std::vector<Snapshot> &snapshots) {
  DenseMap<Operation *, unsigned> positions;
  loop->walk([&](state::ReadOp read) { positions[read] = positions.size(); });
  auto isEarlier = [&](state::ReadOp a, state::ReadOp b) { return positions[a] < positions[b]; };
  for (Snapshot &snapshot : snapshots)
    llvm::sort(snapshot.reads, isEarlier);
  llvm::sort(snapshots, [&](const Snapshot &a, const Snapshot &b) {
    return isEarlier(a.reads.front(), b.reads.front());
  });
}

LoopReads findLoopReads(flow::WhileOp loop, VariableWrites &writes, WalkBudget &budget) {
  LoopReads found;
  for (OpOperand &capture : loop.getCapturesMutable()) {
    if (!namesVariable(capture.get()))
      continue;
    CaptureUses uses = usesOfCapture(loop, capture);
    if (!found.obstacle)
      found.obstacle = uses.other;
    if (!uses.reads.empty())
      addTo(found.snapshots, loop, capture, uses.reads);
  }
  sortReads(loop, found.snapshots);
  WritesAround around(writes, loop, budget);
  unsigned numLoose = 0;
  for (Snapshot &snapshot : found.snapshots) {
    if (!found.obstacle)
      found.obstacle = findDoubt(loop, writes, snapshot);
    if (!found.obstacle)
      found.obstacle = sortWrites(loop, writes, around, snapshot, found, numLoose);
  }
  return found;
}

} // namespace sluice::codegen
