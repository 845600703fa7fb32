// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The worklist and the transfer functions of shape inference.
#include "compiler/optimize/ShapeInference.h"

#include "compiler/optimize/Forwarding.h"
#include "compiler/optimize/KernelEvaluation.h"
#include "compiler/optimize/PackedSlice.h"
#include "dialects/array/Array.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/nd/Nd.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::optimize {

// Shapes, axes, sizes and paddings are this small; kernels may be run on them at every visit.
static constexpr int64_t kMaxKnownElements = 1024;

static bool isSmall(const rt::Shape &shape) {
  if (!shape.isComplete())
    return false;
  auto elements = shape.checkedElements();
  return elements.ok() && *elements <= kMaxKnownElements;
}

// The array or stack of whose elements an op's first result is made.
static Value handleReadBy(Operation *op) {
  return llvm::TypeSwitch<Operation *, Value>(op)
      .Case<array::ReadOp, array::GatherOp, array::ConcatOp>(
          [](auto read) { return read.getHandle(); })
      .Case([](array::StackPopOp pop) { return pop.getStack(); })
      .Default(Value());
}

static bool hasRegions(Operation *op) { return op->getNumRegions() > 0; }

// Arguments of regions repeat the types of operands, so around regions these stay as they are.
ShapeInference::ShapeInference(flow::TokenGraph graph, const LooseTypes &loose, bool forgetClaims)
    : loose_(loose), order_(operandsFirst(graph)), containers_(order_),
      elements_(containers_.count()), readers_(containers_.count()), queued_(order_.size()),
      believesTypes_(!forgetClaims || llvm::any_of(order_, hasRegions)) {
  unsigned numResults = 0;
  for (auto [position, op] : llvm::enumerate(order_)) {
    places_[op] = {static_cast<unsigned>(position), numResults};
    numResults += op->getNumResults();
    if (Value handle = handleReadBy(op))
      if (auto container = containers_.containerOf(handle))
        readers_[*container].push_back(op);
  }
  facts_.resize(numResults);
}

size_t ShapeInference::indexOf(Value value) const {
  auto result = cast<OpResult>(value);
  return places_.lookup(result.getOwner()).firstResult + result.getResultNumber();
}

void ShapeInference::enqueue(Operation *op) {
  unsigned position = places_.lookup(op).position;
  if (queued_[position])
    return;
  queued_[position] = true;
  queue_.push(position);
}

void ShapeInference::drain() {
  while (!queue_.empty()) {
    unsigned position = queue_.top();
    queue_.pop();
    queued_[position] = false;
    visit(order_[position]);
  }
}

void ShapeInference::run() {
  for (Operation *op : order_)
    enqueue(op);
  drain();
  settleMismatches();
}

std::vector<std::pair<Operation *, std::string>> ShapeInference::mismatches() const {
  std::vector<std::pair<Operation *, std::string>> result;
  for (auto &[position, message] : mismatches_)
    result.push_back({order_[position], message});
  return result;
}

// While facts were still becoming vaguer, a rule that failed might later succeed, so its op gave
// nothing. Now the rest must hold whatever these ops give.
void ShapeInference::settleMismatches() {
  optimistic_ = false;
  for (auto &[op, message] : mismatches())
    learnNothing(op);
  drain();
}

void ShapeInference::learn(Value result, ShapeFact fact) {
  if (believesTypes_) {
    rt::Shape declared = shapeOf(result.getType());
    if (fact.value && !declared.compatibleWith(fact.shape))
      fact.value.reset();
    fact.shape = refineShape(declared, fact.shape);
  }
  if (facts_[indexOf(result)].widen(fact))
    for (Operation *user : result.getUsers())
      enqueue(user);
}

void ShapeInference::learnDeclared(Operation *op) {
  for (Value result : op->getResults())
    learn(result, {true, shapeOf(result.getType()), nullptr});
}

void ShapeInference::learnNothing(Operation *op) {
  for (Value result : op->getResults())
    learn(result, {true, rt::Shape::unknownRank(), nullptr});
}

void ShapeInference::visit(Operation *op) {
  if (auto constant = dyn_cast<nd::ConstantOp>(op)) {
    ShapeFact fact{true, shapeOf(constant.getType()), nullptr};
    if (isSmall(fact.shape) && dtypeOf(constant.getType()) != rt::DType::kString)
      if (auto tensor = tensorOf(constant.getValue()); tensor.ok())
        fact.value = std::make_shared<const rt::Tensor>(std::move(*tensor));
    return learn(constant.getResult(), std::move(fact));
  }
  if (auto merge = dyn_cast<flow::MergeOp>(op))
    return visitMerge(merge);
  if (auto read = dyn_cast<state::ReadOp>(op))
    return visitRead(read);
  if (Value forwarded = forwardedOperand(op)) {
    ShapeFact fact = factOf(forwarded);
    if (fact.reached)
      writeElements(op);
    for (Value result : forwardedResults(op))
      learn(result, fact);
    return;
  }
  if (hidesOperands(op)) {
    for (auto [result, operand] : llvm::zip(op->getResults(), op->getOperands()))
      learn(result, {factOf(operand).reached, factOf(operand).shape, nullptr});
    return;
  }
  if (isKernelOp(op))
    return visitKernel(op);
  learnDeclared(op);
}

void ShapeInference::visitMerge(flow::MergeOp merge) {
  for (Value value : merge.getValues())
    learn(merge.getValue(), factOf(value));
  learn(merge.getIndex(), {true, rt::Shape(), nullptr});
}

void ShapeInference::visitRead(state::ReadOp read) {
  Type variable = read.getVariable().getType();
  auto ref = dyn_cast<state::RefType>(variable);
  Type value = ref ? ref.getValue() : cast<state::ResourceType>(variable).getValue();
  if (!isa<TensorType>(value)) // a list
    return learn(read.getValue(), {true, rt::Shape(), nullptr});
  auto tensor = dyn_cast<RankedTensorType>(value);
  bool holds = tensor && tensor.hasStaticShape() && !loose_.contains(value);
  learn(read.getValue(), {true, holds ? shapeOf(tensor) : rt::Shape::unknownRank(), nullptr});
}

void ShapeInference::visitKernel(Operation *op) {
  SmallVector<Value> inputs = kernelInputs(op);
  std::vector<const rt::Shape *> shapes;
  TensorPointers values;
  const rt::Shape scalar{};
  for (Value input : inputs) {
    const ShapeFact &fact = factOf(input);
    bool isTensor = isa<TensorType>(input.getType()); // handles have no shape to wait for
    if (isTensor && !fact.reached)
      return;
    shapes.push_back(isTensor ? &fact.shape : &scalar);
    values.push_back(fact.value.get());
  }
  auto results = evaluateShapes(op, shapes, values);
  if (!results.ok()) {
    mismatches_[places_.lookup(op).position] = results.status().message();
    if (!optimistic_)
      learnNothing(op);
    return;
  }
  mismatches_.erase(places_.lookup(op).position);
  if (auto slice = dyn_cast<nd::SliceOp>(op)) // dims stay although the vector is not known
    if (auto packed = PackedSlice::of(slice))
      (*results)[0] = refineShape((*results)[0], packed->shapeFrom(*shapes[0]));
  std::vector<ShapeFact> outputs;
  for (rt::Shape &shape : *results)
    outputs.push_back({true, std::move(shape), nullptr});
  if (!outputs.empty() && !readElements(op, outputs[0].shape))
    return;
  writeElements(op);
  learnValues(op, inputs, outputs);
  for (auto [result, fact] : llvm::zip_equal(kernelOutputs(op), outputs))
    learn(result, std::move(fact));
}

void ShapeInference::learnElements(Value handle, rt::Shape shape) {
  auto container = containers_.containerOf(handle);
  if (container && elements_[*container].widen({true, std::move(shape), nullptr}))
    for (Operation *reader : readers_[*container])
      enqueue(reader);
}

// A shape with its first dim replaced, or removed.
static rt::Shape withFirstDim(const rt::Shape &shape, std::optional<int64_t> first) {
  if (!shape.hasRank() || shape.rank() == 0)
    return rt::Shape::unknownRank();
  rt::Shape result;
  if (first)
    result.append(*first);
  for (int64_t dim : shape.dims().subspan(1))
    result.append(dim);
  return result;
}

void ShapeInference::writeElements(Operation *op) {
  if (auto push = dyn_cast<array::StackPushOp>(op))
    learnElements(push.getStack(), factOf(push.getValue()).shape);
  else if (auto write = dyn_cast<array::WriteOp>(op))
    learnElements(write.getHandle(), factOf(write.getValue()).shape);
  else if (auto scatter = dyn_cast<array::ScatterOp>(op))
    learnElements(scatter.getHandle(), withFirstDim(factOf(scatter.getValue()).shape, {}));
  else if (auto split = dyn_cast<array::SplitOp>(op))
    learnElements(split.getHandle(),
                  withFirstDim(factOf(split.getValue()).shape, rt::Shape::kUnknown));
  else if (auto create = dyn_cast<array::CreateOp>(op)) {
    // Elements that were never written are read as zeros if their shape is known.
    if (rt::Shape shape = shapeOf(create.getElementShape()); shape.isComplete())
      learnElements(create.getHandle(), std::move(shape));
  }
}

bool ShapeInference::readElements(Operation *op, rt::Shape &result) const {
  Value handle = handleReadBy(op);
  auto container = handle ? containers_.containerOf(handle) : std::nullopt;
  if (!container)
    return true;
  const ShapeFact &elements = elements_[*container];
  if (!elements.reached)
    return false;
  rt::Shape shape = elements.shape;
  if (isa<array::ConcatOp>(op)) {
    shape = withFirstDim(shape, rt::Shape::kUnknown);
  } else if (isa<array::GatherOp>(op) && shape.hasRank()) {
    const rt::Shape &indices = factOf(op->getOperand(1)).shape;
    shape = rt::Shape({indices.rank() == 1 ? indices.dim(0) : rt::Shape::kUnknown});
    for (int64_t dim : elements.shape.dims())
      shape.append(dim);
  }
  result = refineShape(result, shape);
  return true;
}

// Sizes are computed from sizes: these computations are repeated here, so that what is reshaped
// to the shape of something else is known to have it.
void ShapeInference::learnValues(Operation *op, ArrayRef<Value> inputs,
                                 std::vector<ShapeFact> &outputs) {
  if (!op->hasTrait<Computes>())
    return;
  if (op->hasTrait<AsksShape>())
    if (auto answer = answerFromShape(op, factOf(inputs[0]).shape)) {
      outputs[0].value = std::make_shared<const rt::Tensor>(std::move(*answer));
      return;
    }
  for (auto [type, fact] : llvm::zip_equal(kernelOutputTypes(op), outputs))
    if (!rt::isInt(type) || (fact.shape.isComplete() && !isSmall(fact.shape)))
      return;
  TensorPointers values;
  for (Value input : inputs)
    if (values.emplace_back(factOf(input).value.get()); !values.back())
      return;
  auto computed = evaluate(op, values);
  if (!computed.ok())
    return; // fails at run time if it runs
  for (auto [fact, tensor] : llvm::zip_equal(outputs, *computed)) {
    if (!fact.shape.compatibleWith(tensor.shape()) || !isSmall(tensor.shape()))
      continue;
    fact.shape = tensor.shape(); // more than the rule says where sizes depend on values
    fact.value = std::make_shared<const rt::Tensor>(std::move(tensor));
  }
}

} // namespace sluice::optimize
