// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of ops between lists and whole tensors, which are made of elements or cut into them.
#include "dialects/list/ListDerivatives.h"

#include "llvm/ADT/SmallSet.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::list;

static SmallVector<NamedAttribute> addedTo(Gradient &gradient) {
  return {gradient.flag("accumulate", true), gradient.flag("grow", false),
          gradient.flag("once", false)};
}

// ---- Rows ---------------------------------------------------------------------------------------

// What is known of a row of `whole`, as the type and, where that leaves something open, as operand.
static Type rowToRead(Gradient &gradient, Value whole, SmallVectorImpl<Value> &operands) {
  Type row = partType(whole);
  if (!isStatic(row))
    operands.push_back(innerSizes(gradient, whole));
  return row;
}

void UnstackOp::buildGradient(Gradient &gradient) {
  SmallVector<Value> operands{gradient.ofResult()};
  Type row = rowToRead(gradient, getValue(), operands);
  auto whole = dyn_cast<RankedTensorType>(getValue().getType());
  int64_t count = whole && !whole.isDynamicDim(0) ? whole.getDimSize(0) : -1;
  gradient.set(0, gradient.one<StackOp>(
                      Gradient::elementOf(getValue()), operands,
                      {elementShape(gradient, row), gradient.number("num_elements", count)}));
}

void StackOp::buildGradient(Gradient &gradient) {
  Value value = gradient.ofResult();
  Type any = UnrankedTensorType::get(Gradient::elementOf(value));
  gradient.set(0, gradient.one<UnstackOp>(getList().getType(), value, elementShape(gradient, any)));
}

static Value withRows(Gradient &gradient, Value list, Value indices, Value rows) {
  return gradient.like<ScatterOp>({list, indices, rows}, addedTo(gradient));
}

void RowsOp::buildGradient(Gradient &gradient) {
  Value indices = getIndices();
  Type type = gradient.builder().getI32Type();
  if (Gradient::elementOf(indices) != type)
    indices = gradient.one<nd::CastOp>(type, indices);
  auto ranked = dyn_cast<RankedTensorType>(indices.getType());
  if (!ranked || ranked.getRank() != 1)
    indices = nd::flat(gradient, indices);
  gradient.set(0, withRows(gradient, gradient.zerosLike(getList()), indices, gradient.ofResult()));
}

void GatherOp::buildGradient(Gradient &gradient) {
  Value list = orZeros(gradient, getResult());
  if (Value value = gradient.ofResult(0))
    list = withRows(gradient, list, getIndices(), value);
  gradient.set(0, getBeyond() ? asLongAs(gradient, list, getList()) : list);
}

static bool mayRepeat(Value indices) {
  auto ranked = dyn_cast<RankedTensorType>(indices.getType());
  if (ranked && ranked.hasStaticShape() && ranked.getNumElements() <= 1)
    return false;
  auto known = nd::constantInts(indices);
  return !known || llvm::SmallSet<int64_t, 8>(known->begin(), known->end()).size() < known->size();
}

// Of rows that are written to one element the last one stays, and no other counts.
static Value whereLast(Gradient &gradient, Value rows, Value indices, Value list) {
  Type type = gradient.builder().getI64Type();
  Value numbers = nd::numbersBelow(gradient, gradient.shapeOf(indices));
  Value last =
      gradient.one<nd::UnsortedSegmentMaxOp>(type, {numbers, indices, lengthOf(gradient, list)});
  Value stays = gradient.one<nd::GatherOp>(type, {last, indices, gradient.int64(0)},
                                           gradient.number("batch_dims", 0));
  Value isLast = gradient.one<nd::EqualOp>(gradient.builder().getI1Type(), {stays, numbers});
  return nd::whereRowsHold(gradient, isLast, rows);
}

void ScatterOp::buildGradient(Gradient &gradient) {
  Value list = gradient.ofResult();
  bool replaces = !getAccumulate() && !getOnce();
  if (gradient.wants(2)) {
    SmallVector<Value> operands{list, getIndices()};
    Type row = rowToRead(gradient, getValue(), operands);
    Value rows = gradient.one<RowsOp>(Gradient::elementOf(getValue()), operands,
                                      elementShape(gradient, row));
    gradient.set(2, replaces && mayRepeat(getIndices())
                        ? whereLast(gradient, rows, getIndices(), list)
                        : rows);
  }
  if (!gradient.wants(0))
    return;
  if (replaces && hasDerivative(getValue())) // else it is as with `list.set`
    list = gradient.like<list::ScatterOp>({list, getIndices(), gradient.zerosLike(getValue())},
                                          {gradient.flag("accumulate", false),
                                           gradient.flag("grow", false),
                                           gradient.flag("once", false)});
  gradient.set(0, getGrow() ? asLongAs(gradient, list, getList()) : list);
}

// ---- Pieces -------------------------------------------------------------------------------------

static Value withPieces(Gradient &gradient, Value list, Value whole, Value lengths) {
  return gradient.like<SplitOp>({list, whole, lengths}, addedTo(gradient));
}

void ConcatOp::buildGradient(Gradient &gradient) {
  Value list = orZeros(gradient, getResult());
  if (Value value = gradient.ofResult(0))
    list = withPieces(gradient, list, value, getLengths());
  gradient.set(0, list);
}

void JoinOp::buildGradient(Gradient &gradient) {
  if (Value value = gradient.ofResult(0))
    gradient.set(0, withPieces(gradient, gradient.zerosLike(getList()), value, getLengths()));
}

// All elements are written, so nothing is left of what was there unless it is added to.
void SplitOp::buildGradient(Gradient &gradient) {
  Value list = gradient.ofResult();
  if (gradient.wants(0) && getAccumulate())
    gradient.set(0, getGrow() ? asLongAs(gradient, list, getList()) : list);
  if (!gradient.wants(1))
    return;
  Type piece = partType(getValue(), ShapedType::kDynamic);
  SmallVector<Value> operands{list, getLengths()};
  if (!isStatic(partType(getValue())))
    operands.push_back(
        nd::joined(gradient, {gradient.ints({-1}), innerSizes(gradient, getValue())}));
  Type element = Gradient::elementOf(getValue());
  gradient.set(1, gradient
                      .make<JoinOp>({element, gradient.builder().getI64Type()}, operands,
                                    elementShape(gradient, piece))
                      .getValue());
}
