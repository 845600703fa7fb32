// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-place-variables: which variables of a rank live in the memory of its card.
//
// Those that a card's ops read, if all that is done to them can be done there: reads, assignments,
// and updates, which become arithmetic on what was read. What an update works with side by side, as
// a weight and its momentum, lies side by side.
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/HandsOn.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"
#include "dialects/state/Updates.h"
#include "dialects/wire/Memory.h"
#include "dialects/wire/Wire.h"

#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENPLACEVARIABLES
#include "compiler/codegen/Passes.h.inc"

namespace {

struct Accesses {
  SmallVector<Value> names;         // references and handles
  std::optional<unsigned> wantedOn; // the card of the first op that works with it on one
  bool isBarred = false;
};

class VariablePlacer {
public:
  explicit VariablePlacer(ModuleOp program) : program_(program), lots_(program), wishes_(program) {
    for (auto variable : program.getOps<state::VariableOp>())
      if (canLieOnCard(variable.getType())) {
        variables_[variable.getSymNameAttr()] = variable;
        together_.insert(variable.getSymNameAttr());
      }
  }

  unsigned run() {
    program_.walk([&](Operation *op) {
      if (auto reference = dyn_cast<state::ReferenceOp>(op))
        trace(reference.getVariableAttr().getAttr(), reference.getResult());
      else if (auto handle = dyn_cast<state::HandleOp>(op))
        trace(handle.getVariableAttr().getAttr(), handle.getResult());
    });
    joinUpdated();
    llvm::MapVector<StringAttr, unsigned> chosen = choose();
    for (auto &[update, names] : updated_)
      if (chosen.contains(names.front()))
        state::expandUpdate(update);
    for (auto [name, card] : chosen)
      move(name, card);
    return chosen.size();
  }

private:
  static bool canLieOnCard(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.hasStaticShape() && tensor.getElementType().isIntOrFloat() &&
           !isFewNumbers(tensor);
  }

  // Follows what names a variable to all its uses.
  void trace(StringAttr variable, Value name) {
    if (!variables_.contains(variable))
      return;
    Accesses &accesses = accesses_[variable];
    accesses.isBarred |= !isa<flow::GraphOp>(name.getDefiningOp()->getParentOp());
    SmallVector<Value> open{name};
    while (!open.empty()) {
      Value next = open.pop_back_val();
      auto [known, isNew] = variableOf_.try_emplace(next, variable);
      if (known->second != variable) // it may be one or the other
        accesses.isBarred = accesses_[known->second].isBarred = true;
      if (!isNew)
        continue;
      accesses.names.push_back(next);
      for (OpOperand &use : next.getUses()) {
        if (isHandedOn(use))
          llvm::append_range(open, receiving(use.getOwner()));
        else
          visit(variable, use, accesses);
      }
    }
  }

  void visit(StringAttr variable, OpOperand &use, Accesses &accesses) {
    Operation *op = use.getOwner();
    Type type = variables_[variable].getType();
    if (auto read = dyn_cast<state::ReadOp>(op)) {
      if (use.getOperandNumber() > 0)
        return;
      accesses.isBarred |= read.getValue().getType() != type;
      if (!accesses.wantedOn) // which walks
        accesses.wantedOn = cardOfReader(read.getValue());
    } else if (auto assign = dyn_cast<state::AssignOp>(op)) {
      accesses.isBarred |= assign.getValue().getType() != type;
    } else if (use.getOperandNumber() < state::numUpdated(op)) {
      accesses.isBarred |= !canExpand(op, cast<RankedTensorType>(type));
      updated_[op].push_back(variable);
    } else {
      accesses.isBarred |= !isa<state::IsInitializedOp, state::VariableShapeOp, flow::AfterOp>(op);
    }
  }

  // Whether all it computes with are numbers, or of the variable's type.
  static bool canExpand(Operation *op, RankedTensorType type) {
    auto scalar = RankedTensorType::get({}, type.getElementType());
    return llvm::all_of(op->getOperands(), [&](Value operand) {
      if (isa<state::RefType, state::ResourceType>(operand.getType()))
        return state::heldBy(operand) == type;
      return !isa<TensorType>(operand.getType()) || operand.getType() == type ||
             operand.getType() == scalar;
    });
  }

  // Where an op of a card works with the value, behind what hands it on.
  std::optional<unsigned> cardOfReader(Value value) const {
    DenseSet<Value> seen;
    SmallVector<Value> open{value};
    while (!open.empty()) {
      Value next = open.pop_back_val();
      if (!seen.insert(next).second)
        continue;
      for (OpOperand &use : next.getUses()) {
        Operation *op = use.getOwner();
        if (isHandedOn(use)) {
          llvm::append_range(open, receiving(op));
        } else if (isa<wire::CopyOp>(op) && wire::cardOf(op->getResult(0))) {
          return wire::cardOf(op->getResult(0)); // a loop that the card runs
        } else if (canRunOnCard(op)) {
          SmallVector<unsigned> operands = *cardOperands(op);
          std::optional<int64_t> wish = wishes_.of(op);
          if (llvm::is_contained(operands, use.getOperandNumber()) && wish != CardWishes::kHost &&
              !(wish ? isForHostAnyhow(op, operands) : isForHost(op, operands)))
            return static_cast<unsigned>(std::max<int64_t>(0, wish.value_or(0)));
        }
      }
    }
    return std::nullopt;
  }

  void joinUpdated() {
    for (auto &[op, names] : updated_) {
      llvm::SmallSetVector<StringAttr, 4> distinct(names.begin(), names.end());
      for (StringAttr name : names) {
        together_.unionSets(names.front(), name);
        accesses_[name].isBarred |= distinct.size() != state::numUpdated(op);
      }
    }
  }

  // The card for those that lie side by side: the first that is drawn, or asked for by a name.
  llvm::MapVector<StringAttr, unsigned> choose() {
    DenseSet<StringAttr> barred; // leaders
    DenseMap<StringAttr, unsigned> wanted, asked;
    for (auto &[name, variable] : variables_) {
      const Accesses &accesses = accesses_[name];
      StringAttr leader = together_.getLeaderValue(name);
      std::optional<int64_t> wish = lots_.areDrawn() ? std::nullopt : wishOf(name);
      if (accesses.isBarred || wish == CardWishes::kHost)
        barred.insert(leader);
      if (wish && *wish >= 0)
        asked.try_emplace(leader, static_cast<unsigned>(*wish));
      if (std::optional<unsigned> card = lots_.areDrawn() ? lots_.next() : accesses.wantedOn)
        wanted.try_emplace(leader, *card);
    }
    llvm::MapVector<StringAttr, unsigned> chosen;
    for (auto &[name, variable] : variables_) {
      StringAttr leader = together_.getLeaderValue(name);
      auto card = wanted.find(leader), other = asked.find(leader);
      if (card != wanted.end() && !barred.contains(leader))
        chosen[name] = other == asked.end() ? card->second : other->second;
    }
    return chosen;
  }

  std::optional<int64_t> wishOf(StringAttr name) {
    for (Value reference : accesses_[name].names)
      if (std::optional<int64_t> wish = wishes_.of(reference.getLoc()))
        return wish;
    return wishes_.of(variables_[name].getLoc());
  }

  void move(StringAttr name, unsigned card) {
    state::VariableOp variable = variables_[name];
    RankedTensorType type = wire::onCard(cast<RankedTensorType>(variable.getType()), card);
    variable.setType(type);
    for (Value value : accesses_[name].names)
      value.setType(state::holding(value.getType(), type));
  }

  ModuleOp program_;
  CardLots lots_;
  CardWishes wishes_;
  llvm::MapVector<StringAttr, state::VariableOp> variables_; // that could lie there
  DenseMap<StringAttr, Accesses> accesses_;
  DenseMap<Value, StringAttr> variableOf_;
  llvm::MapVector<Operation *, SmallVector<StringAttr>> updated_;
  llvm::EquivalenceClasses<StringAttr> together_; // what updates work with side by side
};

struct PlaceVariables : impl::CodegenPlaceVariablesBase<PlaceVariables> {
  // To see what code an element has, it is written.
  void getDependentDialects(DialectRegistry &registry) const override {
    registerCodegenDialects(registry);
    registry.insert<wire::WireDialect>();
  }
  void runOnOperation() override {
    visitProgramsWithCard(getOperation(),
                          [&](ModuleOp program) { numVariables += VariablePlacer(program).run(); });
  }
};

} // namespace
} // namespace sluice::codegen
