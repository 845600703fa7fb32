// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Unification of lists by what ops do to them.
#include "dialects/list/ListClasses.h"

#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sluice::list {

static bool isList(Value value) { return isa<OfType, UnknownType>(value.getType()); }

ListClasses::ListClasses(Operation *root, Of what)
    : what_(what), module_(dyn_cast<ModuleOp>(root)) {
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    for (Region &region : op->getRegions())
      for (BlockArgument argument : region.getArguments())
        if (isList(argument))
          nodeOf(argument);
    for (Value result : op->getResults())
      if (isList(result))
        nodeOf(result);
  });
  root->walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (op != root)
      visit(op);
  });
  findCircles();
}

// Each step to an element is one to another class, or a list would be within itself.
void ListClasses::findCircles() {
  for (unsigned start = 0; start < nodes_.size(); ++start) {
    unsigned node = find(start), steps = 0;
    while (nodes_[node].element != kNone && steps <= nodes_.size()) {
      node = find(nodes_[node].element);
      ++steps;
    }
    if (steps > nodes_.size())
      return note(nodes_[node].evidence, nodes_[node].evidence);
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

unsigned ListClasses::makeNode() {
  nodes_.push_back({static_cast<unsigned>(nodes_.size()), kNone, {}, {}, false});
  return static_cast<unsigned>(nodes_.size() - 1);
}

unsigned ListClasses::nodeOf(Value list) {
  auto [entry, isNew] = numbers_.try_emplace(list, 0);
  if (isNew) {
    unsigned node = entry->second = makeNode();
    lists_.push_back(list);
    learnType(node, list.getType(), list);
    return node;
  }
  return entry->second;
}

void ListClasses::note(Value first, Value second) {
  if (!conflict_)
    conflict_ = {first, second};
}

unsigned ListClasses::elementOf(unsigned node, Value evidence) {
  node = find(node);
  if (nodes_[node].numbers)
    note(nodes_[node].evidence, evidence);
  if (nodes_[node].element == kNone) {
    unsigned element = makeNode();
    nodes_[node].element = element;
    nodes_[node].evidence = evidence;
  }
  return nodes_[node].element;
}

void ListClasses::learnTensor(unsigned node, Type numbers, Value evidence) {
  Node &known = nodes_[find(node)];
  if (known.element != kNone || (known.numbers && known.numbers != numbers))
    return note(known.evidence, evidence);
  if (!known.numbers) {
    known.numbers = numbers;
    known.evidence = evidence;
  }
}

void ListClasses::learnType(unsigned node, Type type, Value evidence) {
  while (auto list = dyn_cast<OfType>(type)) {
    if (auto tensor = dyn_cast<TensorType>(list.getElement()))
      return learnTensor(node, tensor.getElementType(), evidence);
    node = elementOf(node, evidence);
    type = list.getElement();
  }
}

void ListClasses::unite(unsigned a, unsigned b) {
  a = find(a);
  b = find(b);
  if (a == b)
    return;
  Node gone = nodes_[b];
  nodes_[b].parent = a;
  nodes_[a].isOpen |= gone.isOpen;
  if (gone.numbers)
    learnTensor(a, gone.numbers, gone.evidence);
  if (gone.element == kNone)
    return;
  if (nodes_[a].numbers)
    note(nodes_[a].evidence, gone.evidence);
  if (nodes_[a].element != kNone)
    return unite(nodes_[a].element, gone.element);
  nodes_[a].element = gone.element;
  nodes_[a].evidence = gone.evidence;
}

Type ListClasses::typeOf(unsigned number) const {
  SmallVector<unsigned> path; // from the list to what is within all others
  unsigned node = find(number);
  for (; nodes_[node].element != kNone && !llvm::is_contained(path, node);
       node = find(nodes_[node].element))
    path.push_back(node);
  Type numbers = nodes_[node].numbers;
  MLIRContext *context = lists_.front().getContext();
  Type type =
      OfType::get(context, UnrankedTensorType::get(numbers ? numbers : Float32Type::get(context)));
  for (size_t i = 0; i < path.size(); ++i)
    type = OfType::get(context, type);
  return type;
}

// ---- Ops ----------------------------------------------------------------------------------------

void ListClasses::join(Value a, Value b) {
  if (isList(a) && isList(b))
    unite(nodeOf(a), nodeOf(b));
  else if (isList(a) || isList(b))
    note(a, b);
}

void ListClasses::joinAll(ValueRange a, ValueRange b) {
  for (auto [one, other] : llvm::zip_equal(a, b))
    join(one, other);
}

void ListClasses::joinElement(const ElementUse &use) {
  unsigned list = nodeOf(use.list);
  if (isList(use.value))
    unite(elementOf(list, use.value), nodeOf(use.value));
  else
    learnTensor(list, getElementTypeOrSelf(use.value), use.value);
}

void ListClasses::open(ValueRange values) {
  for (Value value : values)
    if (isList(value))
      nodes_[find(nodeOf(value))].isOpen = true;
}

void ListClasses::visitCall(flow::CallOp call) {
  auto callee = module_.lookupSymbol<flow::FuncOp>(call.getCalleeAttr());
  if (!callee)
    return open(call->getOperands());
  for (auto [argument, value] : llvm::zip(callee.getArguments(), call.getArguments()))
    join(value, argument.getResult());
  for (auto [value, result] : llvm::zip(callee.getReturn().getValues(), call.getValues()))
    join(value, result);
}

void ListClasses::visitListOp(Operation *op) {
  std::optional<ElementUse> use = elementUse(op);
  if (use)
    joinElement(*use);
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
  if (auto loop = dyn_cast<flow::WhileOp>(op)) {
    Block &before = loop.getBefore().front(), &body = loop.getBody().front();
    auto condition = cast<flow::ConditionOp>(before.getTerminator());
    size_t inits = loop.getInits().size(), results = loop.getNumResults();
    joinAll(loop->getOperands(), before.getArguments());
    joinAll(body.getTerminator()->getOperands(), before.getArguments().take_front(inits));
    joinAll(condition.getForwarded(), body.getArguments().take_front(results));
    joinAll(condition.getForwarded(), loop.getResults());
    joinAll(loop.getCaptures(), body.getArguments().drop_front(results));
  } else if (auto branch = dyn_cast<flow::CondOp>(op)) {
    for (Region &region : branch->getRegions()) {
      joinAll(branch.getCaptures(), region.getArguments());
      joinAll(region.front().getTerminator()->getOperands(), branch.getResults());
    }
  } else if (auto merge = dyn_cast<flow::MergeOp>(op)) {
    for (Value value : merge.getValues())
      join(value, merge.getValue());
  } else if (auto split = dyn_cast<flow::SwitchOp>(op)) {
    join(split->getOperand(0), split.getOnFalse());
    join(split->getOperand(0), split.getOnTrue());
  } else if (isa<flow::GateOp, flow::EnterOp, flow::ExitOp, flow::NextIterationOp>(op)) {
    join(op->getOperand(0), op->getResult(0));
  } else if (auto call = dyn_cast<flow::CallOp>(op); call && module_) {
    visitCall(call);
  } else if (module_ && isa<flow::ArgumentOp, flow::ReturnOp>(op)) {
    return; // by calls
  } else if (isa_and_nonnull<ListDialect>(op->getDialect()) && !op->hasTrait<UsesCell>()) {
    visitListOp(op);
  } else if (!isa<flow::AfterOp>(op) && !op->hasTrait<OpTrait::IsTerminator>()) {
    open(op->getOperands());
    open(op->getResults());
  }
}

} // namespace sluice::list
