// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise ops on buffers: a group of them (FusionPlan.h) is one linalg.generic.
#include "compiler/codegen/cpu/BufferElementwise.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/plan/FusionPlan.h"
#include "dialects/nd/Nd.h"

#include "llvm/ADT/MapVector.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

class GroupEmitter {
public:
  GroupEmitter(ArrayRef<Operation *> members, Emitter &emitter)
      : members_(members), emitter_(emitter), b_(emitter.builder()),
        dims_(emitter.shapes().dims(members.front()->getResult(0))) {}

  void emit() {
    for (Operation *op : members_)
      for (unsigned position : elementOperands(op))
        addInput(op->getOpOperand(position));
    SmallVector<GenericOperand> inputs, outputs;
    for (auto &[value, input] : inputs_)
      inputs.push_back(input);
    AffineMap identity = b_.getMultiDimIdentityMap(rank());
    for (Operation *op : members_)
      if (isUsedOutside(op)) {
        outputs.push_back({memoryOf(op->getResult(0)), identity});
        results_.push_back(op->getResult(0));
      }
    if (outputs.empty())
      return;
    buildGeneric(b_, rank(), inputs, outputs, [&](ValueRange elements) { return body(elements); });
  }

private:
  unsigned rank() const { return static_cast<unsigned>(dims_.size()); }
  // Which may be known already.
  Value memoryOf(Value result) {
    return emitter_.isDefined(result) ? emitter_.buffer(result) : emitter_.destination(result);
  }
  bool isMember(Operation *op) const { return llvm::is_contained(members_, op); }
  bool isUsedOutside(Operation *op) const {
    return llvm::any_of(op->getUsers(), [&](Operation *user) { return !isMember(user); });
  }

  // Which of the group's dims each dim of an operand follows: aligned at the last, but for the
  // condition that selects whole rows.
  AffineMap mapOf(OpOperand &operand) {
    ArrayRef<AffineExpr> dims = emitter_.shapes().dims(operand.get());
    size_t first = choosesRows(operand) ? 0 : dims_.size() - dims.size();
    SmallVector<AffineExpr> results;
    for (auto [i, dim] : llvm::enumerate(dims)) {
      bool repeats = dim == 1 && dims_[first + i] != 1;
      results.push_back(repeats ? b_.getAffineConstantExpr(0) : b_.getAffineDimExpr(first + i));
    }
    return AffineMap::get(rank(), 0, results, b_.getContext());
  }

  // A value may come in several ways, each with a map of its own.
  using InputKey = std::pair<Value, AffineMap>;

  void addInput(OpOperand &operand) {
    Value value = operand.get();
    if (Operation *producer = value.getDefiningOp(); producer && isMember(producer))
      return;
    bool isScalar = emitter_.held(value).kind() == HeldKind::kScalar;
    AffineMap map = isScalar ? AffineMap::get(rank(), 0, b_.getContext()) : mapOf(operand);
    keys_[&operand] = {value, map};
    if (!inputs_.contains({value, map}))
      inputs_.insert(
          {{value, map}, {isScalar ? emitter_.inRegister(value) : emitter_.buffer(value), map}});
  }

  SmallVector<Value> body(ValueRange elements) {
    llvm::DenseMap<InputKey, Value> arguments;
    for (auto [input, element] : llvm::zip_equal(inputs_, elements)) {
      Type type = cast<RankedTensorType>(input.first.first.getType()).getElementType();
      arguments[input.first] = toRegisterForm(b_, element, type);
    }
    llvm::DenseMap<Value, Value> computed;
    for (Operation *op : members_) {
      b_.setLoc(op->getLoc());
      SmallVector<Value> operands;
      for (unsigned position : elementOperands(op)) {
        OpOperand &operand = op->getOpOperand(position);
        auto key = keys_.find(&operand);
        operands.push_back(key == keys_.end() ? computed.at(operand.get())
                                              : arguments.at(key->second));
      }
      computed[op->getResult(0)] =
          op->hasTrait<RepeatsElements>() ? operands[0] : emitElement(b_, op, operands);
    }
    return llvm::map_to_vector(results_,
                               [&](Value result) { return toMemoryForm(b_, computed.at(result)); });
  }

  ArrayRef<Operation *> members_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  ArrayRef<AffineExpr> dims_;
  llvm::MapVector<InputKey, GenericOperand> inputs_;
  llvm::DenseMap<OpOperand *, InputKey> keys_;
  SmallVector<Value> results_;
};

// Looks at all elements of the divisor (or exponent) first, because the loop cannot be left.
void checkElements(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  Value checked = op->getOperand(1);
  if (emitter.held(checked).kind() != HeldKind::kBuffer)
    return emitter.failIf(elementFault(b, op, emitter.inRegister(checked)), failureOf(op), op);
  Value buffer = emitter.buffer(checked);
  SmallVector<Value> sizes = emitter.dims(checked);
  Value bad =
      anyElement(b, buffer, sizes, [&](Value element) { return elementFault(b, op, element); });
  emitter.failIf(bad, failureOf(op), op);
}

} // namespace

void emitElementsInMemory(ArrayRef<Operation *> members, Emitter &emitter) {
  GroupEmitter(members, emitter).emit();
}

LogicalResult lowerElementsInMemory(Operation *op, Emitter &emitter) {
  ArrayRef<Operation *> members = emitter.fusion().groupOf(op);
  if (elementCanFail(op))
    checkElements(op, emitter);
  // The group stands where its last member is; nothing between asks for a result of the others.
  // Unless a product had it done.
  if (op == members.back() && !emitter.isDefined(op->getResult(0)))
    emitElementsInMemory(members, emitter);
  return success();
}

} // namespace sluice::codegen
