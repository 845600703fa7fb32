// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From what is put into lists to what is taken from them.
#include "compiler/optimize/ListElements.h"

#include "compiler/optimize/ShapeFact.h"
#include "dialects/interfaces/KernelOps.h"

using namespace mlir;

namespace sluice::optimize {

ListElements::ListElements(flow::TokenGraph graph)
    : classes_(graph.getOperation()), threads_(graph.getOperation()), shapes_(classes_.size()),
      readers_(classes_.size()) {
  for (unsigned i = 0; i < shapes_.size(); ++i)
    if (classes_.isOpen(i))
      shapes_[i] = rt::Shape::unknownRank();
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

bool ListElements::learn(unsigned number, const rt::Shape &shape) {
  std::optional<rt::Shape> &known = shapes_[number];
  rt::Shape joined = known ? joinShapes(*known, shape) : shape;
  if (known && *known == joined)
    return false;
  known = joined;
  return true;
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

bool ListElements::write(const list::ElementUse &use, Type value) {
  return value && learn(classes_.classOf(use.list), elementOf(shapeOf(value), use.form));
}

bool ListElements::declare(Operation *op) {
  if (op->getNumResults() == 0 || !isa<list::OfType>(op->getResults().back().getType()))
    return false;
  std::optional<unsigned> number = classes_.findClass(op->getResults().back());
  if (!number || !threads_.factsOf(op->getResults().back()).mayBeEmpty)
    return false;
  if (isa<list::DeclareShapeOp>(op))
    return learn(*number, rt::Shape::unknownRank());
  auto make = dyn_cast<list::MakeOp>(op);
  auto shape = make ? dyn_cast<TensorType>(make.getElementShape()) : TensorType();
  return shape && shape.hasStaticShape() && learn(*number, shapeOf(shape));
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

Type ListElements::read(Operation *op, const list::ElementUse &use) const {
  auto element = dyn_cast<TensorType>(cast<list::OfType>(use.list.getType()).getElement());
  if (!element)
    return use.value.getType();
  unsigned number = classes_.classOf(use.list);
  ListFacts facts = threads_.factsOf(use.list);
  std::optional<rt::Shape> shape = shapes_[number];
  bool isWhole = use.form != list::ElementUse::kElement;
  // What an empty element is, or one of no elements would be.
  auto said = op->getAttrOfType<TypeAttr>("element_shape");
  auto empty = said ? dyn_cast<TensorType>(said.getValue()) : TensorType();
  bool isAsked = isa<list::OnlyOp>(op); // of what is there
  if (empty && !isAsked && (isWhole || facts.mayBeEmpty)) {
    rt::Shape known = shapeOf(empty);
    if (facts.declared)
      known = refineShape(known, shapeOf(facts.declared));
    if (known.isComplete())
      shape = shape ? joinShapes(*shape, known) : known;
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
    shape = refineShape(shapeOf(element), *shape);
  if (empty && (isWhole || isAsked)) // else the op fails
    shape = refineShape(shapeOf(empty), *shape);
  return tensorTypeOf(element.getElementType(), wholeOf(*shape, use.form, countOf(op, facts)));
}

unsigned ListElements::refine() {
  unsigned refined = 0;
  for (Value list : classes_.lists()) {
    auto type = dyn_cast<list::OfType>(list.getType());
    auto element = type ? dyn_cast<TensorType>(type.getElement()) : TensorType();
    const std::optional<rt::Shape> &shape = shapes_[classes_.classOf(list)];
    if (!element || !shape)
      continue;
    Type better =
        list::OfType::get(type.getContext(), tensorTypeOf(element.getElementType(),
                                                          refineShape(shapeOf(element), *shape)));
    refined += better != type;
    list.setType(better);
  }
  return refined;
}

} // namespace sluice::optimize
