// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-carry-variables: loops that train. A variable that a loop reads and writes becomes a
// value that it carries, which is taken before the loop and given back after it.
#include "compiler/codegen/CollapseCheck.h"
#include "compiler/codegen/HoistReads.h"
#include "compiler/codegen/LoopVariables.h"
#include "compiler/codegen/Passes.h"
#include "compiler/optimize/FirstTurn.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/state/Updates.h"
#include "dialects/wire/Restructure.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENCARRYVARIABLES
#include "compiler/codegen/Passes.h.inc"

namespace {

bool isUpdate(Operation *op) { return state::numUpdated(op) > 0 || state::isRowUpdate(op); }

// Puts values in the place of what a loop's ops do to variables, region by region.
class ThreadedValues {
public:
  // `names` say which variable a value names.
  explicit ThreadedValues(const DenseMap<Value, unsigned> &names) : names_(names) {}

  // The same loop, which carries the values of these variables as its last ones.
  flow::WhileOp thread(flow::WhileOp loop, ArrayRef<unsigned> variables, ValueRange values) {
    unsigned carried = loop.getInits().size(), results = loop.getNumResults();
    flow::WhileOp wider = wire::carryMore(loop, values);
    auto last = [&](Block &block, unsigned first) {
      return block.getArguments().slice(first, variables.size());
    };
    Current current = at(variables, ValueRange(last(wider.getBefore().front(), carried)));
    rewrite(wider.getBefore().front(), current);
    auto condition = cast<flow::ConditionOp>(wider.getBefore().front().getTerminator());
    condition.getForwardedMutable().append(valuesOf(variables, current));
    current = at(variables, ValueRange(last(wider.getBody().front(), results)));
    rewrite(wider.getBody().front(), current);
    Operation *yield = wider.getBody().front().getTerminator();
    yield->insertOperands(yield->getNumOperands(), valuesOf(variables, current));
    return wider;
  }

private:
  using Current = DenseMap<unsigned, Value>;
  static Current at(ArrayRef<unsigned> variables, ValueRange values) {
    Current current;
    for (auto [variable, value] : llvm::zip_equal(variables, values))
      current[variable] = value;
    return current;
  }
  static SmallVector<Value> valuesOf(ArrayRef<unsigned> variables, const Current &current) {
    return llvm::map_to_vector(variables, [&](unsigned variable) { return current.at(variable); });
  }

  std::optional<unsigned> variableOf(Value name) const {
    auto found = names_.find(name);
    return found == names_.end() ? std::nullopt : std::optional(found->second);
  }

  void rewrite(Block &block, Current &current) {
    for (Operation &op : llvm::make_early_inc_range(block)) {
      auto read = dyn_cast<state::ReadOp>(op);
      auto assign = dyn_cast<state::AssignOp>(op);
      std::optional<unsigned> variable = read     ? variableOf(read.getVariable())
                                         : assign ? variableOf(assign.getVariable())
                                                  : std::nullopt;
      if (variable && read) {
        read.getValue().replaceAllUsesWith(current.at(*variable));
        replaceToken(&op, read.getDone(), read.getTriggers());
      } else if (variable) {
        current[*variable] = assign.getValue();
        replaceToken(&op, assign.getDone(), assign->getOperands().drop_front());
      } else if (op.getNumRegions() > 0) {
        enter(&op, current);
      }
    }
  }

  // What waits for the access waits for what that has waited for.
  static void replaceToken(Operation *access, Value done, ValueRange awaited) {
    if (!done.use_empty()) {
      OpBuilder b(access);
      auto type = b.getType<flow::TokenType>();
      SmallVector<Value> tokens;
      for (Value value : awaited)
        tokens.push_back(isa<flow::TokenType>(value.getType())
                             ? value
                             : flow::AfterOp::create(b, access->getLoc(), type, value));
      if (tokens.empty())
        tokens.push_back(flow::StartOp::create(b, access->getLoc(), type));
      done.replaceAllUsesWith(flow::JoinOp::create(b, access->getLoc(), type, tokens));
    }
    access->erase();
  }

  // Of a branch or loop within: the values go in and come out, if it has to do with variables.
  void enter(Operation *structured, Current &current) {
    llvm::SmallSetVector<unsigned, 4> used;
    structured->walk([&](Operation *op) {
      if (isa<state::ReadOp, state::AssignOp>(op))
        if (std::optional<unsigned> variable = variableOf(op->getOperand(0)))
          used.insert(*variable);
    });
    if (used.empty())
      return;
    SmallVector<unsigned> variables = used.takeVector();
    SmallVector<Value> values = valuesOf(variables, current);
    ValueRange after;
    if (auto loop = dyn_cast<flow::WhileOp>(structured)) {
      after = thread(loop, variables, values).getResults().take_back(values.size());
    } else {
      flow::CondOp wider = wire::carryMore(cast<flow::CondOp>(structured), values);
      for (Region &region : wider->getRegions()) {
        Current inside = at(variables, ValueRange(region.getArguments().take_back(values.size())));
        rewrite(region.front(), inside);
        Operation *yield = region.front().getTerminator();
        yield->insertOperands(yield->getNumOperands(), valuesOf(variables, inside));
      }
      after = wider.getResults().take_back(values.size());
    }
    for (auto [variable, value] : llvm::zip_equal(variables, after))
      current[variable] = value;
  }

  const DenseMap<Value, unsigned> &names_;
};

// A copy of a loop, in front of it, that carries values. What uses the loop uses the copy until
// `undo`.
class Attempt {
public:
  Attempt(flow::WhileOp loop, const LoopVariables &found)
      : loop_(loop), found_(found), b_(loop), token_(b_.getType<flow::TokenType>()),
        before_(loop->getPrevNode()) {
    for (const LoopVariable &variable : found.written)
      variables_.push_back(loop->getOperand(variable.operands[0]));
  }

  flow::WhileOp make() {
    auto copy = cast<flow::WhileOp>(b_.clone(*loop_));
    b_.setInsertionPoint(copy);
    SmallVector<Value> tokens = awaitOperands();
    Value runs = found_.onlyIfBodyRuns ? optimize::buildFirstCondition(b_, copy) : always();
    if (!runs)
      return {};
    copy = carry(copy, take(runs, tokens));
    b_.setInsertionPointAfter(copy);
    given_ = give(runs, copy);
    for (Value result : loop_.getResults()) {
      Value own = copy.getResult(cast<OpResult>(result).getResultNumber());
      Value late = flow::GateOp::create(b_, loop_.getLoc(), own.getType(), own, given_);
      result.replaceAllUsesWith(late);
      results_.push_back(late);
    }
    return copy;
  }

  void keep() {
    for (Operation *write : found_.later)
      write->insertOperands(write->getNumOperands(), given_);
    loop_.erase();
  }

  void undo() {
    for (auto [own, late] : llvm::zip_equal(loop_.getResults(), results_))
      late.replaceAllUsesWith(own);
    while (loop_->getPrevNode() != before_)
      loop_->getPrevNode()->erase();
  }

private:
  SmallVector<Value> awaitOperands() {
    SmallVector<Value> tokens;
    for (Value operand : llvm::SetVector<Value>(loop_->operand_begin(), loop_->operand_end())) {
      Operation *op = operand.getDefiningOp();
      bool isThere = op && op->getNumOperands() == 0 && namesVariable(operand);
      if (!flow::isConstantLike(operand) && !isThere)
        tokens.push_back(flow::AfterOp::create(b_, loop_.getLoc(), token_, operand));
    }
    return tokens;
  }

  Value always() {
    auto type = RankedTensorType::get({}, b_.getI1Type());
    return nd::ConstantOp::create(b_, loop_.getLoc(), type, DenseElementsAttr::get(type, true));
  }

  // The values that variables have before the loop.
  SmallVector<Value> take(Value runs, ArrayRef<Value> tokens) {
    SmallVector<Value> operands{runs};
    SmallVector<Type> types;
    llvm::append_range(operands, variables_);
    llvm::append_range(operands, tokens);
    for (const LoopVariable &variable : found_.written)
      types.push_back(variable.type);
    types.push_back(token_);
    return SmallVector<Value>(
        state::TakeOp::create(b_, *found_.firstRead, types, operands).getValues());
  }

  // Gives the variables what the loop has made of them; the token of that.
  Value give(Value runs, flow::WhileOp carrying) {
    SmallVector<Value> operands(variables_);
    llvm::append_range(operands, carrying.getResults().take_back(variables_.size()));
    return state::GiveOp::create(b_, loop_.getLoc(), token_, runs, operands).getDone();
  }

  flow::WhileOp carry(flow::WhileOp copy, ArrayRef<Value> values) {
    DenseMap<Value, unsigned> names;
    llvm::SetVector<Operation *> updates;
    for (auto [i, variable] : llvm::enumerate(found_.written))
      for (unsigned operand : variable.operands)
        for (Value name : namesInside(copy->getOpOperand(operand), [&](OpOperand &use) {
               if (isUpdate(use.getOwner()))
                 updates.insert(use.getOwner());
             }))
          names[name] = static_cast<unsigned>(i);
    for (Operation *update : updates)
      state::expandUpdate(update);
    SmallVector<unsigned> all = llvm::to_vector(llvm::seq<unsigned>(values.size()));
    flow::WhileOp carrying = ThreadedValues(names).thread(copy, all, values);
    // What is left of names waits only; it is values as well, so that no variable comes in.
    for (auto [name, number] : names)
      name.setType(values[number].getType());
    for (auto [i, variable] : llvm::enumerate(found_.written))
      for (unsigned operand : variable.operands)
        carrying->setOperand(operand + values.size(), values[i]);
    return carrying;
  }

  flow::WhileOp loop_;
  const LoopVariables &found_;
  OpBuilder b_;
  Type token_;
  Operation *before_; // all that is added
  Value given_;       // token
  SmallVector<Value> variables_, results_;
};

// Each loop that is tried has walks over the graph. They look at so many ops in all, which takes
// about a second; of very many loops in a large graph the last ones keep their variables.
constexpr size_t kMostOpsLookedAt = size_t{1} << 20;

struct CarryVariables : flow::GraphPass<impl::CodegenCarryVariablesBase<CarryVariables>> {
  void runOnGraph(flow::TokenGraph graph) override {
    WalkBudget budget;
    SmallVector<flow::WhileOp> loops;
    visitOutermost(graph, [&](Operation *op, unsigned) {
      auto loop = dyn_cast<flow::WhileOp>(op);
      if (loop && llvm::any_of(loop.getCaptures(), namesVariable))
        loops.push_back(loop);
      return false;
    });
    if (llvm::none_of(loops, writesVariable))
      return;
    size_t size = 0;
    graph.walk([&](Operation *) { ++size; });
    size_t tries = std::max<size_t>(1, kMostOpsLookedAt / size);
    for (flow::WhileOp loop : llvm::make_filter_range(loops, writesVariable))
      if (tries-- > 0)
        carry(graph, loop, budget);
      else
        break;
  }

  void carry(flow::TokenGraph graph, flow::WhileOp loop, WalkBudget &budget) {
    auto writes = VariableWrites::of(graph);
    if (!writes || !writes->isInRoot(loop))
      return;
    LoopVariables found = findLoopVariables(loop, *writes, budget);
    if (found.obstacle || found.written.empty())
      return;
    Attempt attempt(loop, found);
    flow::WhileOp carrying = attempt.make();
    if (carrying && isCode(graph, carrying, budget)) {
      attempt.keep();
      numVariables += found.written.size();
      ++numLoops;
    } else {
      attempt.undo();
    }
  }

  static bool writesVariable(flow::WhileOp loop) {
    return loop
        ->walk([](Operation *op) {
          bool isWrite = isa<state::AssignOp>(op) || isUpdate(op);
          return isWrite ? WalkResult::interrupt() : WalkResult::advance();
        })
        .wasInterrupted();
  }

  // Whether it can become code, once variables that it only reads are read before it.
  static bool isCode(flow::TokenGraph graph, flow::WhileOp carrying, WalkBudget &budget) {
    if (llvm::any_of(carrying.getCaptures(), namesVariable)) {
      auto writes = VariableWrites::of(graph);
      return writes && !hoistReads(carrying, findLoopReads(carrying, *writes, budget), false);
    }
    return !judgeCollapse(carrying).obstacle;
  }
};

} // namespace
} // namespace sluice::codegen
