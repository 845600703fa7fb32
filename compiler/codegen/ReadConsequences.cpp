// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values are followed through a loop, its regions and those inside.
#include "compiler/codegen/ReadConsequences.h"

#include "compiler/codegen/VariableWrites.h"
#include "dialects/interfaces/KernelOps.h"

#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

class Consequences {
public:
  Consequences(flow::WhileOp loop, ArrayRef<Operation *> reads) : loop_(loop) {
    for (Operation *read : reads)
      insert(read->getResults());
    for (size_t i = 0; i < values_.size() && !decide_; ++i)
      if (!isToken(values_[i])) // a token tells when, not what
        for (OpOperand &use : values_[i].getUses())
          visit(use.getOwner(), use.getOperandNumber());
  }
  bool decideHowLong() const { return decide_; }

private:
  void insert(ValueRange values) { values_.insert(values.begin(), values.end()); }

  void visit(Operation *op, unsigned number) {
    Operation *around = op->getParentOp();
    if (isa<flow::ConditionOp>(op)) {
      decide_ |= number == 0;
      if (number > 0) {
        values_.insert(cast<flow::WhileOp>(around).getBody().getArgument(number - 1));
        if (around != loop_)
          values_.insert(around->getResult(number - 1));
      }
    } else if (isa<flow::YieldOp>(op)) {
      values_.insert(isa<flow::WhileOp>(around) ? Value(around->getRegion(0).getArgument(number))
                                                : Value(around->getResult(number)));
    } else if (auto branch = dyn_cast<flow::CondOp>(op)) {
      insert(number == 0 ? ValueRange(branch.getResults()) : ValueRange());
      for (Region &region : branch->getRegions())
        if (number > 0)
          values_.insert(region.getArgument(number - 1));
    } else if (auto inner = dyn_cast<flow::WhileOp>(op)) {
      unsigned fromEnd = op->getNumOperands() - 1 - number;
      if (number < inner.getInits().size())
        values_.insert(inner.getBefore().getArgument(number));
      else
        for (Region &region : op->getRegions())
          values_.insert(region.getArguments().drop_back(fromEnd).back());
    } else if (op->hasTrait<HasEffect>()) {
      visitEffect(op);
    } else if (!isa<flow::GateOp>(op) || number == 0) {
      insert(op->getResults());
    }
  }

  // What one effect leaves in an array, another one may take. A variable may be awaited elsewhere.
  void visitEffect(Operation *op) {
    decide_ |= !op->hasTrait<OnlyReads>() && llvm::any_of(op->getOperands(), namesVariable);
    if (areEffectsIn_ || op->hasTrait<OnlyReads>()) // whose operands are variables and triggers
      return;
    areEffectsIn_ = true;
    loop_->walk([&](Operation *other) {
      if (other->hasTrait<HasEffect>())
        insert(other->getResults());
    });
  }

  flow::WhileOp loop_;
  llvm::SetVector<Value> values_;
  bool decide_ = false, areEffectsIn_ = false;
};

} // namespace

bool decideHowLong(flow::WhileOp loop, ArrayRef<Operation *> reads) {
  return Consequences(loop, reads).decideHowLong();
}

} // namespace sluice::codegen
