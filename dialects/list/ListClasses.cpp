// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unification of lists by what ops do to them.
#include "dialects/list/ListClasses.h"

#include "dialects/flow/HandedOn.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sluice::list {

static bool isList(Value value) { return isa<OfType, UnknownType>(value.getType()); }

// In three steps, so that what a list holds itself is known before it is an element: where two
// elements differ, the list that both are in is mixed, and they are not.
ListClasses::ListClasses(Operation *root, Of what) : what_(what) {
  if (isa<ModuleOp>(root))
    functions_.emplace(root);
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (isList(argument))
          nodeOf(argument);
    for (Value result : op->getResults())
      if (isList(result))
        nodeOf(result);
  });
  if (nodes_.empty())
    return;
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root)
      visit(op);
  });
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (std::optional<ElementUse> use = elementUse(op); use && !isList(use->value))
      learnTensor(nodeOf(use->list), getElementTypeOrSelf(use->value));
  });
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (std::optional<ElementUse> use = elementUse(op); use && isList(use->value))
      learnElement(nodeOf(use->list), nodeOf(use->value));
  });
  findCircles();
}

// A list that would be within itself holds any.
void ListClasses::findCircles() {
  std::vector<unsigned> reachedFrom(nodes_.size(), kNone);
  for (unsigned start = 0; start < nodes_.size(); ++start) {
    unsigned node = find(start);
    for (; node != kNone && reachedFrom[node] == kNone; node = elementClassOf(node))
      reachedFrom[node] = start;
    if (node != kNone && reachedFrom[node] == start)
      makeMixed(node); // which opens the circle
  }
}

unsigned ListClasses::classOf(Value list) const { return find(numbers_.lookup(list)); }

std::optional<unsigned> ListClasses::findClass(Value list) const {
  auto number = numbers_.find(list);
  return number == numbers_.end() ? std::nullopt : std::optional(find(number->second));
}

// ---- Nodes --------------------------------------------------------------------------------------

unsigned ListClasses::find(unsigned node) const {
  while (nodes_[node].parent != node)
    node = nodes_[node].parent;
  return node;
}

unsigned ListClasses::elementClassOf(unsigned node) const {
  unsigned element = nodes_[node].element;
  return element == kNone ? kNone : find(element);
}

unsigned ListClasses::makeNode() {
  auto number = static_cast<unsigned>(nodes_.size());
  nodes_.emplace_back().parent = number;
  return number;
}

unsigned ListClasses::nodeOf(Value list) {
  auto [entry, isNew] = numbers_.try_emplace(list, 0);
  if (isNew) {
    unsigned node = entry->second = makeNode();
    lists_.push_back(list);
    learnType(node, list.getType());
    return node;
  }
  return entry->second;
}

void ListClasses::makeMixed(unsigned node) {
  Node &known = nodes_[find(node)];
  known.isMixed = true;
  known.numbers = {};
  known.element = kNone;
}

void ListClasses::learnTensor(unsigned node, Type numbers) {
  Node &known = nodes_[find(node)];
  if (known.element != kNone || (known.numbers && known.numbers != numbers))
    makeMixed(node);
  else if (!known.isMixed)
    known.numbers = numbers;
}

void ListClasses::learnElement(unsigned node, unsigned element) {
  Node &known = nodes_[find(node)];
  if (known.numbers || (known.element != kNone && !mayBeOne(known.element, element)))
    makeMixed(node);
  else if (known.element != kNone)
    unite(known.element, element);
  else if (!known.isMixed)
    known.element = element;
}

void ListClasses::learnType(unsigned node, Type type) {
  while (auto list = dyn_cast<OfType>(type)) {
    type = list.getElement();
    if (isa<AnyType>(type))
      return makeMixed(node);
    if (auto tensor = dyn_cast<TensorType>(type))
      return learnTensor(node, tensor.getElementType());
    unsigned element = makeNode();
    learnElement(node, element);
    node = element;
  }
}

// Step by step to what is within both.
bool ListClasses::mayBeOne(unsigned a, unsigned b) const {
  for (unsigned depth = 0; depth < kDeepest; ++depth) {
    if (a == kNone || b == kNone || (a = find(a)) == (b = find(b)))
      return true;
    const Node &one = nodes_[a], &other = nodes_[b];
    if (one.isMixed || other.isMixed)
      return true;
    if ((one.numbers && other.element != kNone) || (other.numbers && one.element != kNone) ||
        (one.numbers && other.numbers && one.numbers != other.numbers))
      return false;
    a = one.element;
    b = other.element;
  }
  return false;
}

void ListClasses::unite(unsigned a, unsigned b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  bool isMixed = nodes_[a].isMixed || nodes_[b].isMixed || !mayBeOne(a, b);
  Node gone = nodes_[b];
  nodes_[b].parent = a;
  nodes_[a].isOpen |= gone.isOpen;
  if (isMixed)
    return makeMixed(a);
  if (gone.numbers)
    nodes_[a].numbers = gone.numbers;
  if (nodes_[a].element != kNone && gone.element != kNone)
    return unite(nodes_[a].element, gone.element);
  if (gone.element != kNone)
    nodes_[a].element = gone.element;
}

Type ListClasses::typeOf(unsigned number) const {
  SmallVector<unsigned> path; // from the list to what is within all others
  unsigned node = find(number);
  for (; nodes_[node].element != kNone; node = find(nodes_[node].element))
    path.push_back(node);
  Type numbers = nodes_[node].numbers;
  MLIRContext *context = lists_.front().getContext();
  Type element = UnrankedTensorType::get(numbers ? numbers : Float32Type::get(context));
  if (nodes_[node].isMixed)
    element = AnyType::get(context);
  Type type = OfType::get(context, element);
  for (size_t i = 0; i < path.size(); ++i)
    type = OfType::get(context, type);
  return type;
}

// ---- Ops ----------------------------------------------------------------------------------------

void ListClasses::join(Value a, Value b) {
  if (isList(a) && isList(b))
    unite(nodeOf(a), nodeOf(b));
}

void ListClasses::open(ValueRange values) {
  for (Value value : values)
    if (isList(value))
      nodes_[find(nodeOf(value))].isOpen = true;
}

void ListClasses::visitCall(flow::CallOp call) {
  auto callee = functions_->lookup<flow::FuncOp>(call.getCalleeAttr().getAttr());
  if (!callee)
    return open(call->getOperands());
  for (auto [argument, value] : llvm::zip(callee.getArguments(), call.getArguments()))
    join(value, argument.getResult());
  for (auto [value, result] : llvm::zip(callee.getReturn().getValues(), call.getValues()))
    join(value, result);
}

void ListClasses::visitListOp(Operation *op) {
  std::optional<ElementUse> use = elementUse(op);
  if (op->getNumResults() == 0 || !isList(op->getResults().back()) || onlyLooks(op))
    return;
  for (OpOperand &operand : op->getOpOperands()) {
    bool isElement = use && use->value == operand.get() && operand.getOperandNumber() > 0;
    bool goesOn = operand.getOperandNumber() == 0 && !isa<ZerosLikeOp>(op);
    if (isList(operand.get()) && !isElement && (what_ == Of::kType || goesOn))
      join(operand.get(), op->getResults().back());
  }
}

void ListClasses::visit(Operation *op) {
  if (flow::visitHandedOn(op, [&](Value from, Value to) { join(from, to); }))
    return;
  if (auto merge = dyn_cast<flow::MergeOp>(op)) {
    for (Value value : merge.getValues())
      join(value, merge.getValue());
  } else if (auto split = dyn_cast<flow::SwitchOp>(op)) {
    join(split->getOperand(0), split.getOnFalse());
    join(split->getOperand(0), split.getOnTrue());
  } else if (isa<flow::GateOp, flow::EnterOp, flow::ExitOp, flow::NextIterationOp>(op)) {
    join(op->getOperand(0), op->getResult(0));
  } else if (auto call = dyn_cast<flow::CallOp>(op); call && functions_) {
    visitCall(call);
  } else if (functions_ && isa<flow::ArgumentOp, flow::ReturnOp>(op)) {
    return; // by calls
  } else if (isa_and_nonnull<ListDialect>(op->getDialect()) && !op->hasTrait<UsesCell>()) {
    visitListOp(op);
  } else if (!isa<flow::AfterOp>(op) && !op->hasTrait<OpTrait::IsTerminator>()) {
    open(op->getOperands());
    open(op->getResults());
  }
}

} // namespace sluice::list
