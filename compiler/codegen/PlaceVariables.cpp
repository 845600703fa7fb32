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

constexpr unsigned kCard = 0;

struct Accesses {
  SmallVector<Value> names; // references and handles
  bool isWanted = false, isBarred = false;
};

class VariablePlacer {
public:
  explicit VariablePlacer(ModuleOp program) : program_(program), lots_(program) {
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
    llvm::SmallSetVector<StringAttr, 8> chosen = choose();
    for (auto &[update, names] : updated_)
      if (chosen.contains(names.front()))
        state::expandUpdate(update);
    for (StringAttr name : chosen)
      move(name);
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
      accesses.isWanted = accesses.isWanted || cardReads(read.getValue()); // which walks
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

  // Whether an op of the card works with the value, behind what hands it on.
  static bool cardReads(Value value) {
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
        } else if (canRunOnCard(op)) {
          SmallVector<unsigned> operands = *cardOperands(op);
          if (llvm::is_contained(operands, use.getOperandNumber()) && !isForHost(op, operands))
            return true;
        }
      }
    }
    return false;
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

  llvm::SmallSetVector<StringAttr, 8> choose() {
    DenseSet<StringAttr> barred, wanted; // leaders
    for (auto &[name, variable] : variables_) {
      const Accesses &accesses = accesses_[name];
      if (accesses.isBarred)
        barred.insert(together_.getLeaderValue(name));
      if (lots_.areDrawn() ? lots_.next() : accesses.isWanted)
        wanted.insert(together_.getLeaderValue(name));
    }
    llvm::SmallSetVector<StringAttr, 8> chosen;
    for (auto &[name, variable] : variables_) {
      StringAttr leader = together_.getLeaderValue(name);
      if (wanted.contains(leader) && !barred.contains(leader))
        chosen.insert(name);
    }
    return chosen;
  }

  void move(StringAttr name) {
    state::VariableOp variable = variables_[name];
    RankedTensorType type = wire::onCard(cast<RankedTensorType>(variable.getType()), kCard);
    variable.setType(type);
    for (Value value : accesses_[name].names)
      value.setType(state::holding(value.getType(), type));
  }

  ModuleOp program_;
  CardLots lots_;
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
