// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what is put into lists to what is taken from them.
#include "compiler/optimize/ListElements.h"

#include "compiler/optimize/ShapeFact.h"
#include "dialects/interfaces/KernelOps.h"

using namespace mlir;

namespace sluice::optimize {

ListElements::ListElements(flow::TokenGraph graph, const DimNames &names)
    : classes_(graph.getOperation()), threads_(graph.getOperation()), names_(names),
      facts_(classes_.size()), readers_(classes_.size()) {
  for (unsigned i = 0; i < facts_.size(); ++i)
    if (classes_.isOpen(i))
      facts_[i] = {rt::Shape::unknownRank(), std::nullopt};
}

bool ListElements::isRead(Operation *op) {
  std::optional<list::ElementUse> use = list::elementUse(op);
  return use && use->value.getDefiningOp() == op;
}

void ListElements::findReaders(ArrayRef<Operation *> ops) {
  for (Operation *op : ops)
    if (isRead(op))
      readers_[classes_.classOf(list::elementUse(op)->list)].push_back(op);
}

ArrayRef<Operation *> ListElements::readersOf(Operation *op) const {
  std::optional<list::ElementUse> use = list::elementUse(op);
  return readers_[classes_.classOf(use ? use->list : op->getResults().back())];
}

bool ListElements::learn(unsigned number, Fact fact) {
  std::optional<Fact> &known = facts_[number];
  fact.shape = names_.ofCall(fact.shape);
  if (fact.elements)
    for (AffineExpr &element : *fact.elements)
      if (element && !names_.isOfCall(element))
        element = {};
  if (known)
    fact = {joinShapes(known->shape, fact.shape), joinElements(known->elements, fact.elements)};
  if (known && known->shape == fact.shape && known->elements == fact.elements)
    return false;
  known = std::move(fact);
  return true;
}

rt::Shape ListElements::shapeOf(Value list) const {
  std::optional<unsigned> number = classes_.findClass(list);
  return number && facts_[*number] ? facts_[*number]->shape : rt::Shape::unknownRank();
}

// One of the elements of which a tensor is made, or the tensor of a number of them.
static rt::Shape elementOf(const rt::Shape &whole, list::ElementUse::Form form) {
  if (form == list::ElementUse::kElement || !whole.hasRank() || whole.rank() == 0)
    return form == list::ElementUse::kElement ? whole : rt::Shape::unknownRank();
  rt::Shape element;
  if (form == list::ElementUse::kPieces)
    element.append(rt::Shape::kUnknown);
  for (int64_t size : whole.dims().subspan(1))
    element.append(size);
  return element;
}
static rt::Shape wholeOf(const rt::Shape &element, list::ElementUse::Form form, int64_t count) {
  if (form == list::ElementUse::kElement || !element.hasRank())
    return element;
  bool isPieces = form == list::ElementUse::kPieces;
  if (isPieces && element.rank() == 0)
    return rt::Shape::unknownRank();
  rt::Shape whole{isPieces ? rt::Shape::kUnknown : count};
  for (int64_t size : element.dims().subspan(isPieces ? 1 : 0))
    whole.append(size);
  return whole;
}

bool ListElements::write(const list::ElementUse &use, const Fact *value) {
  if (!value)
    return false;
  bool isElement = use.form == list::ElementUse::kElement;
  return learn(classes_.classOf(use.list),
               {elementOf(value->shape, use.form), isElement ? value->elements : std::nullopt});
}

bool ListElements::declare(Operation *op) {
  if (op->getNumResults() == 0 || !isa<list::OfType>(op->getResults().back().getType()))
    return false;
  std::optional<unsigned> number = classes_.findClass(op->getResults().back());
  if (!number || !threads_.factsOf(op->getResults().back()).mayBeEmpty)
    return false;
  if (isa<list::DeclareShapeOp>(op))
    return learn(*number, {rt::Shape::unknownRank(), std::nullopt});
  auto make = dyn_cast<list::MakeOp>(op);
  auto shape = make ? dyn_cast<TensorType>(make.getElementShape()) : TensorType();
  return shape && shape.hasStaticShape() && learn(*number, {sluice::shapeOf(shape), std::nullopt});
}

// How many elements there are along the new first dim.
static int64_t countOf(Operation *op, const ListFacts &facts) {
  if (auto stack = dyn_cast<list::StackOp>(op)) {
    auto count = static_cast<int64_t>(stack.getNumElements());
    return count >= 0 ? count : facts.length.value_or(rt::Shape::kUnknown);
  }
  Value indices;
  if (auto rows = dyn_cast<list::RowsOp>(op))
    indices = rows.getIndices();
  else if (auto gather = dyn_cast<list::GatherOp>(op))
    indices = gather.getIndices();
  auto type = indices ? dyn_cast<RankedTensorType>(indices.getType()) : RankedTensorType();
  return type && type.hasStaticShape() ? type.getNumElements() : rt::Shape::kUnknown;
}

std::optional<ListElements::Fact> ListElements::read(Operation *op,
                                                     const list::ElementUse &use) const {
  auto element = dyn_cast<TensorType>(cast<list::OfType>(use.list.getType()).getElement());
  if (!element)
    return Fact{sluice::shapeOf(use.value.getType()), std::nullopt};
  const std::optional<Fact> &known = facts_[classes_.classOf(use.list)];
  ListFacts facts = threads_.factsOf(use.list);
  std::optional<rt::Shape> shape = known ? std::optional(known->shape) : std::nullopt;
  bool isWhole = use.form != list::ElementUse::kElement;
  // What an empty element is, or one of no elements would be.
  auto said = op->getAttrOfType<TypeAttr>("element_shape");
  auto empty = said ? dyn_cast<TensorType>(said.getValue()) : TensorType();
  bool isAsked = isa<list::OnlyOp>(op); // of what is there
  if (empty && !isAsked && (isWhole || facts.mayBeEmpty)) {
    rt::Shape zeros = sluice::shapeOf(empty);
    if (facts.declared)
      zeros = refineShape(zeros, sluice::shapeOf(facts.declared));
    if (zeros.isComplete())
      shape = shape ? joinShapes(*shape, zeros) : zeros;
  }
  if (!shape)
    return {};
  bool asksShape = false;
  if (auto peek = dyn_cast<list::PeekOp>(op))
    asksShape = static_cast<bool>(peek.getShape());
  else if (auto pop = dyn_cast<list::PopOp>(op))
    asksShape = static_cast<bool>(pop.getShape());
  if (asksShape && facts.mayBeEmpty)
    shape = rt::Shape::unknownRank();
  else
    shape = refineShape(sluice::shapeOf(element), *shape);
  if (empty && (isWhole || isAsked)) // else the op fails
    shape = refineShape(sluice::shapeOf(empty), *shape);
  bool isSet = known && !facts.mayBeEmpty && !isWhole;
  return Fact{wholeOf(*shape, use.form, countOf(op, facts)),
              isSet ? known->elements : std::nullopt};
}

unsigned ListElements::refine() {
  unsigned refined = 0;
  for (Value list : classes_.lists()) {
    auto type = dyn_cast<list::OfType>(list.getType());
    auto element = type ? dyn_cast<TensorType>(type.getElement()) : TensorType();
    const std::optional<Fact> &fact = facts_[classes_.classOf(list)];
    if (!element || !fact)
      continue;
    Type better = list::OfType::get(
        type.getContext(),
        tensorTypeOf(element.getElementType(), refineShape(sluice::shapeOf(element), fact->shape)));
    refined += better != type;
    list.setType(better);
  }
  return refined;
}

} // namespace sluice::optimize
