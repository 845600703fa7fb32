// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// For which lists there is code, and for what is done to them.
#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/Eligibility.h"
#include "compiler/codegen/ListCells.h"
#include "dialects/list/List.h"

#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

static bool isListType(Type type) { return isa<list::OfType>(type); }

bool canHoldList(Type type) {
  auto list = dyn_cast<list::OfType>(type);
  auto row = list ? dyn_cast<RankedTensorType>(list.getElement()) : RankedTensorType();
  return row && canHold(row);
}

bool rowsAreAlike(Value list) {
  auto type = cast<list::OfType>(list.getType());
  auto row = dyn_cast<TensorType>(type.getElement());
  if (row && row.hasStaticShape())
    return true;
  Operation *op = list.getDefiningOp();
  if (!op)
    return false;
  auto isNew = [](Value value) {
    while (auto gate = value.getDefiningOp<flow::GateOp>())
      value = gate.getValue();
    return value.getDefiningOp<list::MakeOp>();
  };
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](flow::GateOp gate) { return rowsAreAlike(gate.getValue()); })
      .Case<list::DeclareLimitOp, list::ResizeOp>(
          [](auto same) { return rowsAreAlike(same.getList()); })
      .Case([](list::ZerosLikeOp zeros) { return rowsAreAlike(zeros.getList()); })
      .Case([&](list::ScatterOp scatter) { return static_cast<bool>(isNew(scatter.getList())); })
      .Case([](list::MakeOp make) { return !make.getIdentical(); }) // else it learns their shape
      .Case([](list::UnstackOp) { return true; })
      .Default([&](Operation *other) {
        auto boxed = other->getAttrOfType<DenseI64ArrayAttr>(kBoxedResultsAttr);
        return flow::isCollapsed(other) &&
               !(boxed &&
                 llvm::is_contained(boxed.asArrayRef(), cast<OpResult>(list).getResultNumber()));
      });
}

bool usesList(Operation *op) {
  return llvm::any_of(op->getOperandTypes(), isListType) ||
         llvm::any_of(op->getResultTypes(), isListType);
}

// ---- Elements and rows --------------------------------------------------------------------------

static RankedTensorType rowOf(Value list) {
  return cast<RankedTensorType>(cast<list::OfType>(list.getType()).getElement());
}

static bool fits(Value list, Value element) {
  auto value = dyn_cast<RankedTensorType>(element.getType());
  return value && value.getElementType() == rowOf(list).getElementType() &&
         succeeded(verifyCompatibleShape(rowOf(list), value));
}

// What is known of rows holds for what is put there: code does not look.
static bool saysAsMuch(RankedTensorType row, Type value) {
  return llvm::all_of(llvm::zip_equal(row.getShape(), cast<RankedTensorType>(value).getShape()),
                      [](auto sizes) {
                        auto [known, given] = sizes;
                        return ShapedType::isDynamic(known) || known == given;
                      });
}

// Whether an op says of empty elements all that rows are, or nothing.
bool isWholeRow(Value list, Type shape) {
  auto tensor = dyn_cast<RankedTensorType>(shape);
  return tensor && tensor.hasStaticShape() && tensor.getShape() == rowOf(list).getShape();
}
static bool emptyFits(Value list, Type shape) {
  auto tensor = dyn_cast<TensorType>(shape);
  return tensor && (!tensor.hasRank() || isWholeRow(list, shape) ||
                    (tensor.getRank() == rowOf(list).getRank() &&
                     llvm::all_of(tensor.getShape(), ShapedType::isDynamic)));
}

// Whether what a list says of its elements is known of its rows: code knows no more of them.
static bool isKnownOfRows(Value list, Type shape) {
  auto tensor = dyn_cast<TensorType>(shape);
  auto ranked = dyn_cast_if_present<RankedTensorType>(tensor);
  return tensor && (!ranked ||
                    (ranked.getRank() == rowOf(list).getRank() && saysAsMuch(ranked, rowOf(list))));
}

bool hasCodeForList(Operation *op) {
  for (TypeRange types : {TypeRange(op->getOperandTypes()), TypeRange(op->getResultTypes())})
    for (Type type : types)
      if (isListType(type) && !canHoldList(type))
        return false;
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([](list::MakeOp make) { // else it learns the shape of its elements
        auto shape = dyn_cast<TensorType>(make.getElementShape());
        return isKnownOfRows(make.getResult(), shape) &&
               (!make.getIdentical() || shape.hasStaticShape());
      })
      .Case([](list::GetOp get) { return fits(get.getList(), get.getValue()); })
      .Case<list::PeekOp, list::PopOp>([](auto look) {
        return fits(look.getList(), look.getValue()) && !look.getShape() &&
               emptyFits(look.getList(), look.getElementShape());
      })
      .Case<list::SetOp, list::AccumulateOp, list::PushOp>([](auto write) {
        return fits(write.getList(), write.getValue()) &&
               saysAsMuch(rowOf(write.getList()), write.getValue().getType());
      })
      .Case<list::LengthOp, list::ResizeOp, list::DeclareLimitOp>([](auto) { return true; })
      .Default([](Operation *) { return false; });
}

} // namespace sluice::codegen
