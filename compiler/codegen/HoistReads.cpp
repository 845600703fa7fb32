// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-hoist-reads: loops that could be compiled but for the variables that they read take the
// values of the variables. Reads stay where they are if that would not be enough: then iterations
// overlap, and the first one need not wait for what only later ones use.
#include "compiler/codegen/HoistReads.h"

#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/Passes.h"
#include "compiler/optimize/FirstTurn.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENHOISTREADS
#include "compiler/codegen/Passes.h.inc"

namespace {

// A copy of a loop, in front of it, that captures values instead of variables. The copy has the
// uses of the loop until `undo`.
class Attempt {
public:
  Attempt(flow::WhileOp loop, const LoopReads &reads)
      : loop_(loop), reads_(reads), builder_(loop), tokenType_(builder_.getType<flow::TokenType>()),
        last_(loop->getPrevNode()) {
    copy_ = builder_.clone(*loop, copies_);
    builder_.setInsertionPoint(copy_);
    loop.getResults().replaceAllUsesWith(copy_->getResults());
  }

  // What keeps the copy out, told of the loop's own ops.
  std::optional<Obstacle> make() {
    awaitOperands();
    for (bool onlyIfBodyRuns : {false, true}) // the condition may be computed from the others
      if (std::optional<Obstacle> obstacle = takeSnapshots(onlyIfBodyRuns))
        return obstacle;
    std::optional<Obstacle> obstacle = judgeCollapse(copy_).obstacle;
    if (obstacle && obstacle->isCard) // a loop with work for a card needs what it reads there, once
      return std::nullopt;
    if (obstacle)
      obstacle->op = originalOf(obstacle->op);
    return obstacle;
  }

  void keep() {
    builder_.setInsertionPoint(loop_);
    if (!reads_.later.empty()) {
      SmallVector<Value> tokens;
      for (Value value : values_)
        tokens.push_back(after(value));
      Value read = flow::TriggerOp::create(builder_, loop_.getLoc(), tokenType_, tokens);
      for (Operation *write : reads_.later) // also where nothing was read
        write->insertOperands(write->getNumOperands(), read);
    }
    loop_.erase();
  }

  void undo() {
    copy_->getResults().replaceAllUsesWith(loop_.getResults());
    while (loop_->getPrevNode() != last_)
      loop_->getPrevNode()->erase();
  }

private:
  flow::WhileOp copy() { return cast<flow::WhileOp>(copy_); }
  Value after(Value value) {
    return flow::AfterOp::create(builder_, value.getLoc(), tokenType_, value);
  }

  // Obstacles are never ops that were added.
  Operation *originalOf(Operation *op) {
    for (auto [original, copy] : copies_.getOperationMap())
      if (copy == op)
        return original;
    return loop_;
  }

  void awaitOperands() {
    for (Value operand : llvm::SetVector<Value>(loop_->operand_begin(), loop_->operand_end())) {
      Operation *op = operand.getDefiningOp();
      bool isThere = op && op->getNumOperands() == 0 && namesVariable(operand);
      if (!flow::isConstantLike(operand) && !isThere)
        tokens_.push_back(after(operand));
    }
  }

  std::optional<Obstacle> takeSnapshots(bool onlyIfBodyRuns) {
    SmallVector<const Snapshot *> chosen;
    for (const Snapshot &snapshot : reads_.snapshots)
      if (snapshot.onlyIfBodyRuns == onlyIfBodyRuns)
        chosen.push_back(&snapshot);
    if (chosen.empty())
      return std::nullopt;
    if (std::optional<Obstacle> obstacle = findUnlikeTypes(chosen, onlyIfBodyRuns))
      return obstacle;
    SmallVector<Value> values;
    if (!onlyIfBodyRuns)
      for (const Snapshot *snapshot : chosen)
        values.push_back(
            read(builder_, *snapshot, loop_->getOperand(snapshot->operands[0]), tokens_));
    else if (Value first = optimize::buildFirstCondition(builder_, copy()))
      values = readIf(first, chosen);
    else
      return Obstacle{chosen.front()->reads.front(),
                      "reads a variable, maybe without a value, and may not take place"};
    for (auto [snapshot, value] : llvm::zip_equal(chosen, values))
      for (unsigned operand : snapshot->operands)
        replace(copy_->getOpOperand(operand), value);
    values_.append(values);
    return std::nullopt;
  }

  // A variable without a value stands for zeros, whose dims have to be known.
  std::optional<Obstacle> findUnlikeTypes(ArrayRef<const Snapshot *> snapshots, bool needsZeros) {
    for (const Snapshot *snapshot : snapshots)
      for (state::ReadOp read : snapshot->reads) {
        Type type = read.getValue().getType();
        state::ReadOp first = snapshot->reads.front();
        if (!canHold(type))
          return Obstacle{read, "gives a value that code cannot hold"};
        bool hasZeros = cast<RankedTensorType>(type).hasStaticShape();
        if (type != first.getValue().getType() || (needsZeros && !hasZeros))
          return Obstacle{read, "reads a variable whose size is not known"};
      }
    return std::nullopt;
  }

  // Other reads wait for this one.
  Value read(OpBuilder &builder, const Snapshot &snapshot, Value variable,
             SmallVector<Value> &tokens) {
    state::ReadOp first = snapshot.reads.front();
    SmallVector<Value> operands{variable};
    llvm::append_range(operands, tokens);
    auto read = state::ReadOp::create(builder, first.getLoc(), first.getResultTypes(), operands);
    tokens = {read.getDone()};
    return read.getValue();
  }

  // Zeros where the loop's body does not run: a variable that nobody reads needs no value.
  SmallVector<Value> readIf(Value condition, ArrayRef<const Snapshot *> snapshots) {
    Location loc = loop_.getLoc();
    if (!tokens_.empty())
      condition = flow::GateOp::create(builder_, loc, condition.getType(), condition, tokens_);
    SmallVector<Value> variables;
    SmallVector<Type> types;
    for (const Snapshot *snapshot : snapshots) {
      state::ReadOp first = snapshot->reads.front();
      variables.push_back(loop_->getOperand(snapshot->operands[0]));
      types.push_back(first.getValue().getType());
    }
    auto branch = flow::CondOp::create(builder_, loc, types, condition, variables);
    branch->setAttr(kReadsAttr, builder_.getUnitAttr());
    SmallVector<Location> locations(variables.size(), loc);
    for (Region &region : branch->getRegions()) {
      OpBuilder inside(builder_.getContext());
      Block *block = inside.createBlock(&region, {}, TypeRange(ValueRange(variables)), locations);
      SmallVector<Value> values, inOrder;
      for (auto [snapshot, argument] : llvm::zip_equal(snapshots, block->getArguments()))
        values.push_back(&region == &branch.getOnTrue() ? read(inside, *snapshot, argument, inOrder)
                                                        : zeros(inside, *snapshot));
      flow::YieldOp::create(inside, loc, values);
    }
    return SmallVector<Value>(branch.getResults());
  }

  // Not a constant, which would make the program larger by the variable's size.
  Value zeros(OpBuilder &builder, const Snapshot &snapshot) {
    state::ReadOp read = snapshot.reads.front();
    auto type = cast<RankedTensorType>(read.getValue().getType());
    auto constant = [&](RankedTensorType of, DenseElementsAttr value) -> Value {
      return nd::ConstantOp::create(builder, read.getLoc(), of, value);
    };
    auto dimsType = RankedTensorType::get({type.getRank()}, builder.getI64Type());
    auto zeroType = RankedTensorType::get({}, type.getElementType());
    Value dims = constant(dimsType, DenseElementsAttr::get(dimsType, type.getShape()));
    Value zero = constant(
        zeroType, DenseElementsAttr::get(zeroType, builder.getZeroAttr(type.getElementType())));
    return nd::FillOp::create(builder, read.getLoc(), type, dims, zero);
  }

  // What was the variable in the copy becomes its value.
  void replace(OpOperand &capture, Value value) {
    CaptureUses uses = usesOfCapture(copy(), capture);
    capture.set(value);
    for (Value name : uses.names)
      name.setType(value.getType());
    for (state::ReadOp read : uses.reads)
      replaceRead(read);
  }

  // The value need not wait for what the read has waited for, only what waits for the read.
  static void replaceRead(state::ReadOp read) {
    read.getValue().replaceAllUsesWith(read.getVariable());
    if (!read.getDone().use_empty()) {
      OpBuilder builder(read);
      auto tokenType = builder.getType<flow::TokenType>();
      SmallVector<Value> tokens;
      for (Value trigger : read.getTriggers())
        tokens.push_back(isa<flow::TokenType>(trigger.getType())
                             ? trigger
                             : flow::AfterOp::create(builder, read.getLoc(), tokenType, trigger));
      if (tokens.empty())
        tokens.push_back(flow::StartOp::create(builder, read.getLoc(), tokenType));
      read.getDone().replaceAllUsesWith(
          flow::JoinOp::create(builder, read.getLoc(), tokenType, tokens));
    }
    read.erase();
  }

  flow::WhileOp loop_;
  const LoopReads &reads_;
  OpBuilder builder_;
  Type tokenType_;
  Operation *last_; // before all that is added
  IRMapping copies_;
  Operation *copy_ = nullptr;
  SmallVector<Value> tokens_; // that reads wait for
  SmallVector<Value> values_; // that were read
};

} // namespace

std::optional<Obstacle> hoistReads(flow::WhileOp loop, const LoopReads &reads, bool keep) {
  if (reads.obstacle || reads.snapshots.empty())
    return reads.obstacle;
  Attempt attempt(loop, reads);
  std::optional<Obstacle> obstacle = attempt.make();
  if (obstacle || !keep)
    attempt.undo();
  else
    attempt.keep();
  return obstacle;
}

namespace {

struct HoistReads : flow::GraphPass<impl::CodegenHoistReadsBase<HoistReads>> {
  using GraphPass::GraphPass;

  void runOnGraph(flow::TokenGraph graph) override {
    std::optional<VariableWrites> writes; // made when a loop needs it
    WalkBudget budget;
    visitOutermost(graph, [&](Operation *op, unsigned) {
      auto loop = dyn_cast<flow::WhileOp>(op);
      if (!loop || llvm::none_of(loop.getCaptures(), namesVariable))
        return true;
      if (!writes && !(writes = VariableWrites::of(graph)))
        return false;
      return !hoist(loop, writes, budget);
    });
  }

  bool hoist(flow::WhileOp loop, std::optional<VariableWrites> &writes, WalkBudget &budget) {
    LoopReads reads = findLoopReads(loop, *writes, budget);
    bool isInRoot = writes->isInRoot(loop);
    llvm::SmallPtrSet<Operation *, 8> moved;
    for (const Snapshot &snapshot : reads.snapshots)
      moved.insert(snapshot.reads.begin(), snapshot.reads.end());
    if (moved.empty() || hoistReads(loop, reads, /*keep=*/true))
      return false;
    if (isInRoot)
      writes->forget(loop, moved); // there no longer
    else                           // they may be in another loop now
      writes.reset();
    numReads += reads.snapshots.size();
    ++numLoops;
    return true;
  }
};

} // namespace
} // namespace sluice::codegen
