// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How ops become constants without any value arriving sooner or more often than before.
#include "compiler/optimize/ConstantFolder.h"

#include "compiler/optimize/Forwarding.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace sluice::optimize {

void ConstantFolder::visit(Operation *op) {
  if (auto constant = dyn_cast<nd::ConstantOp>(op)) {
    known_[constant.getResult()] = {constant.getValue(), {}, {}};
  } else if (auto gate = dyn_cast<flow::GateOp>(op)) {
    visitGate(gate);
  } else if (op->hasTrait<Computes>() && !foldShapeQuestion(op)) {
    foldKernel(op);
  }
}

void ConstantFolder::visitGate(flow::GateOp gate) {
  auto it = known_.find(gate.getValue());
  if (it == known_.end())
    return;
  Tokens gates;
  addGate(it->second, gate, gates);
  gates.insert(gate.getTokens().begin(), gate.getTokens().end());
  Known result{it->second.value, {gates.begin(), gates.end()}, {}};
  known_[gate.getResult()] = std::move(result);
}

void ConstantFolder::addGate(Known &known, Operation *user, Tokens &gates) {
  if (known.gates.empty())
    return;
  if (known.gates.size() == 1) {
    gates.insert(known.gates[0]);
    return;
  }
  if (!known.joined) { // one token for many, else chains of gates would be quadratic
    OpBuilder b(user);
    known.joined =
        flow::JoinOp::create(b, user->getLoc(), b.getType<flow::TokenType>(), known.gates);
  }
  gates.insert(known.joined);
}

Value ConstantFolder::afterOf(Value value, Operation *user) {
  Value &token = afters_[value];
  if (!token) {
    OpBuilder b(user);
    token = flow::AfterOp::create(b, user->getLoc(), b.getType<flow::TokenType>(), value);
  }
  return token;
}

const rt::Tensor *ConstantFolder::tensorFor(ElementsAttr value) {
  std::unique_ptr<rt::Tensor> &tensor = tensors_[value];
  if (!tensor) {
    auto made = tensorOf(value);
    if (!made.ok())
      return nullptr;
    tensor = std::make_unique<rt::Tensor>(std::move(*made));
  }
  return tensor.get();
}

// The operand need not be a constant, but the answer must not be there before it, nor when it is
// dead. A feed is live at the start of a call.
bool ConstantFolder::foldShapeQuestion(Operation *op) {
  if (!op->hasTrait<AsksShape>())
    return false;
  Value operand = op->getOperand(0);
  auto answer = answerFromShape(op, shapeOf(operand.getType()));
  if (!answer)
    return false;
  std::vector<rt::Tensor> results;
  results.push_back(std::move(*answer));
  Tokens gates;
  if (auto it = known_.find(operand); it != known_.end())
    addGate(it->second, op, gates);
  else if (!operand.getDefiningOp<flow::FeedOp>())
    gates.insert(afterOf(operand, op));
  if (!replace(op, results, std::move(gates)))
    return false;
  ++shapes_;
  return true;
}

bool ConstantFolder::foldKernel(Operation *op) {
  llvm::SmallSetVector<Value, 4> used(op->operand_begin(), op->operand_end());
  SmallVector<ElementsAttr> values;
  TensorPointers inputs;
  for (Value operand : op->getOperands()) {
    auto it = known_.find(operand);
    if (it == known_.end())
      return false;
    values.push_back(it->second.value);
  }
  if (!budget_.mayHold(values))
    return false;
  for (ElementsAttr value : values)
    if (inputs.emplace_back(tensorFor(value)); !inputs.back())
      return false;
  if (!budget_.allows(op, values, inputs))
    return false;
  auto results = evaluate(op, inputs);
  if (!results.ok())
    return false; // fails at run time if it runs
  Tokens gates;
  for (Value operand : op->getOperands())
    addGate(known_.find(operand)->second, op, gates);
  if (!replace(op, *results, std::move(gates)))
    return false;
  for (Value operand : used)
    dropUnused(operand);
  ++folded_;
  return true;
}

// A constant that was only a step on the way to another one, and its gate. An op may have used
// both, so that the value has gone already.
void ConstantFolder::dropUnused(Value value) {
  while (known_.contains(value) && value.use_empty()) {
    Operation *op = value.getDefiningOp();
    known_.erase(value);
    auto gate = dyn_cast<flow::GateOp>(op);
    if (!gate)
      forget(cast<nd::ConstantOp>(op).getValue());
    value = gate ? gate.getValue() : Value();
    op->erase();
    if (!value)
      break;
  }
}

// Attributes live as long as their context, but elements of their own can be given back.
void ConstantFolder::forget(ElementsAttr value) {
  tensors_.erase(value);
  auto resource = dyn_cast<DenseResourceElementsAttr>(value);
  if (!resource || !made_.erase(value))
    return;
  budget_.release(bytesOf(value));
  resource.getRawHandle().getResource()->setBlob({});
}

bool ConstantFolder::replace(Operation *op, const std::vector<rt::Tensor> &results, Tokens gates) {
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results))
    if (!shapeOf(result.getType()).compatibleWith(tensor.shape()))
      return false; // a promise was broken before; this is not the place to say so
  if (gates.empty() && llvm::any_of(op->getResults(), mustArrive))
    gates.insert(tokens_.start());
  for (auto [result, tensor] : llvm::zip_equal(op->getResults(), results)) {
    if (result.use_empty())
      continue;
    ElementsAttr value = attributeOf(op->getContext(), tensor);
    if (made_.insert(value).second)
      budget_.store(bytesOf(value));
    tensors_.try_emplace(value, std::make_unique<rt::Tensor>(tensor));
    refineType(result, value.getType());
    result.replaceAllUsesWith(makeConstant(result, value, gates));
  }
  op->erase();
  return true;
}

Value ConstantFolder::makeConstant(OpResult result, ElementsAttr value, const Tokens &gates) {
  OpBuilder b(result.getOwner());
  Location loc = result.getLoc();
  Value made = nd::ConstantOp::create(b, loc, value.getType(), value);
  known_[made] = {value, {}, {}};
  if (gates.empty())
    return made;
  made = flow::GateOp::create(b, loc, made.getType(), made, gates.getArrayRef());
  known_[made] = {value, {gates.begin(), gates.end()}, {}};
  return made;
}

} // namespace sluice::optimize
