// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass import-order-effects: order edges between accesses of one variable or table.
//
// References and handles are traced through whatever forwards them: values of such types that meet
// at one op name the same variables, so a union-find over them gives the groups. Each access is
// then visited in block order, per group and frame, with the classic rule for readers and writers.
// An access that the graph orders already gets no edge; a bounded search finds the common cases.
#include "compiler/import/Passes.h"

#include "dialects/flow/FrameAnalysis.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/state/State.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace mlir;

namespace sluice::import {

#define GEN_PASS_DEF_IMPORTORDEREFFECTS
#include "compiler/import/Passes.h.inc"

namespace {

FlatSymbolRefAttr declarationOf(Operation *op) {
  auto variable = op->getAttrOfType<FlatSymbolRefAttr>("variable");
  return variable ? variable : op->getAttrOfType<FlatSymbolRefAttr>("object");
}

// Branches and loops, which do in their regions what they do.
bool isStructured(Operation *op) { return isa<flow::CondOp, flow::WhileOp>(op); }

bool isRead(Operation *op) {
  auto changes = [](Operation *inner) {
    auto call = dyn_cast<flow::CallOp>(inner);
    return call ? call.getEffects() : inner->hasTrait<HasEffect>() && !inner->hasTrait<OnlyReads>();
  };
  return !op->walk([&](Operation *inner) {
              return changes(inner) ? WalkResult::interrupt() : WalkResult::advance();
            }).wasInterrupted();
}

// The variables and tables that an op with effects reads or, if it is no read, changes.
SmallVector<Value> accessedBy(Operation *op) {
  SmallVector<Value> variables;
  if (op->hasTrait<HasEffect>() || isStructured(op))
    for (Value operand : op->getOperands())
      if (state::namesState(operand) &&
          !(op->hasTrait<OnlyReads>() && !variables.empty())) // the rest are triggers
        variables.push_back(operand);
  return variables;
}

class Ordering {
public:
  Ordering(flow::TokenGraph graph, const flow::FrameAnalysis &frames)
      : graph_(graph), frames_(frames) {}

  uint64_t run() {
    findGroups();
    for (Operation &op : llvm::make_early_inc_range(graph_.getBody().front())) {
      position_[&op] = next_++;
      visit(&op, accessedBy(&op));
    }
    return added_;
  }

private:
  // Accesses of one group in one frame since its last write.
  struct History {
    Operation *lastWrite = nullptr;
    Value afterWrite; // trigger on the last write, shared by those that wait for it
    SmallVector<Operation *> reads;
  };
  using GroupAndFrame = std::pair<void *, unsigned>;

  void findGroups() {
    llvm::StringMap<Value> bySymbol;
    for (Operation &op : graph_.getBody().front()) {
      Value first;
      auto join = [&](Value value) {
        if (!state::namesState(value))
          return;
        groups_.insert(value.getAsOpaquePointer());
        if (first)
          groups_.unionSets(first.getAsOpaquePointer(), value.getAsOpaquePointer());
        first = value;
      };
      if (op.hasTrait<HasEffect>() || isStructured(&op)) {
        // An optimizer's variables stay apart; a declaration's uses are one.
        for (Value result : op.getResults())
          if (FlatSymbolRefAttr symbol = declarationOf(&op); symbol && state::namesState(result))
            if (auto [it, isNew] = bySymbol.try_emplace(symbol.getValue(), result); !isNew)
              join(it->second), join(result);
        continue;
      }
      for (Value operand : op.getOperands())
        join(operand);
      for (Value result : op.getResults())
        join(result);
    }
  }

  void *groupOf(Value value) { return groups_.getOrInsertLeaderValue(value.getAsOpaquePointer()); }

  void visit(Operation *op, ArrayRef<Value> variables) {
    unsigned frame = frames_.frameOf(op);
    SmallVector<void *> seen;
    SmallVector<Operation *> earlier;
    SmallVector<Value> waits;
    for (Value variable : variables) {
      if (llvm::is_contained(seen, groupOf(variable)))
        continue;
      seen.push_back(groupOf(variable));
      History &history = histories_[{seen.back(), frame}];
      if (isRead(op))
        visitRead(op, history, waits);
      else
        visitWrite(op, history, earlier);
    }
    llvm::sort(earlier, [&](Operation *a, Operation *b) { return position_[a] < position_[b]; });
    earlier.erase(llvm::unique(earlier), earlier.end());
    if (!earlier.empty())
      waits.push_back(triggerAfter(earlier, op));
    if (!waits.empty() && !isStructured(op))
      op->insertOperands(op->getNumOperands(), waits);
    else if (!waits.empty())
      gate(op, waits);
  }

  // A branch waits by its predicate, a loop by what it begins with.
  void gate(Operation *op, ArrayRef<Value> waits) {
    OpBuilder builder(op);
    auto loop = dyn_cast<flow::WhileOp>(op);
    size_t count = loop ? loop.getInits().size() : 1;
    for (OpOperand &operand : op->getOpOperands().take_front(count)) {
      Value value = operand.get();
      auto gated = flow::GateOp::create(builder, op->getLoc(), value.getType(), value, waits);
      position_[gated] = position_[op];
      operand.set(gated);
    }
  }

  // Whether anybody can tell that the op is over. A branch that gives nothing has no effects, and
  // what it has read is nobody's.
  static bool tells(Operation *op) { return op->getNumResults() > 0; }

  // What says that the op is over.
  SmallVector<Value> tokensOf(Operation *op, OpBuilder &builder) {
    SmallVector<Value> tokens;
    if (isa<flow::TokenType>(op->getResults().back().getType()))
      return {op->getResults().back()};
    for (Value result : op->getResults()) {
      tokens.push_back(
          flow::AfterOp::create(builder, op->getLoc(), builder.getType<flow::TokenType>(), result));
      position_[tokens.back().getDefiningOp()] = next_;
    }
    return tokens;
  }

  void visitRead(Operation *op, History &history, SmallVector<Value> &waits) {
    if (tells(op))
      history.reads.push_back(op);
    if (!history.lastWrite || isOrdered(history.lastWrite, op))
      return;
    if (!history.afterWrite)
      history.afterWrite = triggerAfter(history.lastWrite, op);
    waits.push_back(history.afterWrite);
    ++added_;
  }

  void visitWrite(Operation *op, History &history, SmallVector<Operation *> &earlier) {
    // Readers wait for the last write, so a write after them waits for it through them.
    if (history.reads.empty() && history.lastWrite)
      history.reads.push_back(history.lastWrite);
    for (Operation *before : history.reads)
      if (!isOrdered(before, op)) {
        earlier.push_back(before);
        ++added_;
      }
    if (tells(op))
      history = {op, Value(), {}};
  }

  // Placed before the op that waits, so that the block stays in topological order.
  Value triggerAfter(ArrayRef<Operation *> before, Operation *waiting) {
    OpBuilder builder(waiting);
    SmallVector<Value> tokens;
    for (Operation *op : before)
      llvm::append_range(tokens, tokensOf(op, builder));
    auto trigger = flow::TriggerOp::create(builder, waiting->getLoc(),
                                           builder.getType<flow::TokenType>(), tokens);
    position_[trigger] = position_[waiting];
    return trigger;
  }

  // Whether `late` waits for `early` by the graph's own edges; no when the search gives up. A value
  // that went through a merge proves nothing: another input may have come first.
  bool isOrdered(Operation *early, Operation *late) {
    constexpr size_t kBudget = 64;
    SmallVector<Operation *> pending{late};
    SmallPtrSet<Operation *, 32> seen;
    while (!pending.empty() && seen.size() < kBudget) {
      Operation *op = pending.pop_back_val();
      if (op == early)
        return true;
      auto merge = dyn_cast<flow::MergeOp>(op);
      for (Value operand : merge ? ValueRange(merge.getTokens()) : ValueRange(op->getOperands())) {
        Operation *producer = operand.getDefiningOp();
        auto found = position_.find(producer);
        bool mayReach = found != position_.end() && found->second >= position_[early];
        if (mayReach && !isa<flow::NextIterationOp>(producer) && seen.insert(producer).second)
          pending.push_back(producer);
      }
    }
    return false;
  }

  flow::TokenGraph graph_;
  const flow::FrameAnalysis &frames_;
  llvm::EquivalenceClasses<void *> groups_;
  llvm::DenseMap<GroupAndFrame, History> histories_;
  DenseMap<Operation *, uint64_t> position_;
  uint64_t next_ = 0;
  uint64_t added_ = 0;
};

// The order of ops in the block means something here, while in a graph it need not.
LogicalResult checkOrder(flow::TokenGraph graph) {
  for (Operation &op : graph.getBody().front())
    for (Value operand : op.getOperands()) {
      Operation *producer = operand.getDefiningOp();
      if (producer->isBeforeInBlock(&op) || isa<flow::NextIterationOp>(producer))
        continue;
      InFlightDiagnostic error =
          op.emitOpError("expected ops in topological order, which decides where reads and writes "
                         "of a variable race, but got one before its operand");
      error.attachNote(producer->getLoc()) << "the operand comes from here";
      return error;
    }
  return success();
}

struct OrderEffects : flow::GraphPass<impl::ImportOrderEffectsBase<OrderEffects>> {
  void runOnGraph(flow::TokenGraph graph) override {
    FailureOr<uint64_t> added = orderEffects(graph);
    if (failed(added))
      return signalPassFailure();
    numEdges += *added;
  }
};

} // namespace

FailureOr<uint64_t> orderEffects(flow::TokenGraph graph) {
  bool any =
      llvm::any_of(graph.getBody().front(), [](Operation &op) { return !accessedBy(&op).empty(); });
  if (!any)
    return 0;
  if (failed(checkOrder(graph)))
    return failure();
  std::optional<flow::FrameAnalysis> frames = flow::FrameAnalysis::run(graph);
  if (!frames)
    return failure();
  return Ordering(graph, *frames).run();
}

} // namespace sluice::import
