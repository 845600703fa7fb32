// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration of the list dialect, and what its ops ask of their types.
#include "dialects/list/List.h"
#include "dialects/list/Maps.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/list/ListDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/list/ListTypes.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/list/ListOps.cpp.inc"

using namespace mlir;
using namespace sluice::list;

void ListDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/list/ListTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/list/ListOps.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/list/Maps.cpp.inc"
      >();
}

unsigned sluice::list::cellOf(Operation *op) {
  return static_cast<unsigned>(op->getAttrOfType<IntegerAttr>("cell").getInt());
}

bool sluice::list::onlyLooks(Operation *op) {
  return isa<LengthOp, PeekOp, OnlyOp, ElementShapeOp, StackOp, RowsOp, JoinOp>(op);
}

std::optional<ElementUse> sluice::list::elementUse(Operation *op) {
  using Use = std::optional<ElementUse>;
  auto as = [](ElementUse::Form form) {
    return [form](auto one) { return Use({one.getList(), one.getValue(), form}); };
  };
  return llvm::TypeSwitch<Operation *, Use>(op)
      .Case([](UnstackOp one) { return Use({one.getResult(), one.getValue(), ElementUse::kRows}); })
      .Case<GetOp, SetOp, AccumulateOp, PushOp, PopOp, PeekOp, OnlyOp>(as(ElementUse::kElement))
      .Case<StackOp, RowsOp, GatherOp, ScatterOp>(as(ElementUse::kRows))
      .Case<JoinOp, ConcatOp, SplitOp>(as(ElementUse::kPieces))
      .Default(Use());
}

static bool isList(Type type) { return isa<OfType, UnknownType>(type); }

static LogicalResult verifyShapeType(Operation *op, StringRef name, Type type) {
  if (isa<TensorType>(type))
    return success();
  return op->emitOpError("expected a tensor type as ") << name << " but got " << type;
}

// A list is changed, not made into another kind of list.
static LogicalResult verifySameList(Operation *op, Type list, Type result) {
  if (list == result)
    return success();
  return op->emitOpError("expected a result of type ") << list << " but got " << result;
}

// Whether elements of both types hold the same, as far as that is known: numbers of one type,
// within equally many lists. Only a run tells of `any`.
static bool holdSame(Type a, Type b) {
  for (; isa<OfType>(a) && isa<OfType>(b); b = cast<OfType>(b).getElement())
    a = cast<OfType>(a).getElement();
  if (isa<AnyType>(a) || isa<AnyType>(b))
    return true;
  if (isa<UnknownType>(a) || isa<UnknownType>(b))
    return isList(a) && isList(b);
  return getElementTypeOrSelf(a) == getElementTypeOrSelf(b);
}

static LogicalResult verifyHeld(Operation *op, Type element, Type value) {
  if (holdSame(element, value))
    return success();
  return op->emitOpError("expected a value that holds what ")
         << element << " holds but got " << value;
}
static LogicalResult verifyElementOf(Operation *op, Type list, Type value) {
  auto known = dyn_cast<OfType>(list);
  return known ? verifyHeld(op, known.getElement(), value) : success();
}
template <typename Op> static LogicalResult verifyValue(Op op) {
  return verifyElementOf(op, op.getList().getType(), op.getValue().getType());
}
template <typename Op> static LogicalResult verifyAccess(Op op) {
  if (failed(verifySameList(op, op.getList().getType(), op.getResult().getType())))
    return failure();
  return verifyValue(op);
}

LogicalResult OfType::verify(function_ref<InFlightDiagnostic()> emitError, Type element) {
  if (isa<TensorType, AnyType>(element) || isList(element))
    return success();
  return emitError() << "expected a tensor type, a list or !list.any as element but got "
                     << element;
}

// What is known of elements that may be lists.
static LogicalResult verifyElementShape(Operation *op, Type type) {
  return isList(type) || isa<AnyType>(type) ? success()
                                            : verifyShapeType(op, "element_shape", type);
}
LogicalResult MakeOp::verify() {
  return verifyElementShape(*this, getElementShape()); // C2
}
LogicalResult DeclareShapeOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
LogicalResult DeclareLimitOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
template <typename Op> static LogicalResult verifyPair(Op op) {
  if (failed(verifySameList(op, op.getList().getType(), op.getOther().getType())))
    return failure();
  return verifySameList(op, op.getList().getType(), op.getResult().getType());
}
LogicalResult AddOp::verify() {
  return verifyPair(*this); // C1
}
LogicalResult AppendOp::verify() {
  return verifyPair(*this); // C1
}
LogicalResult ZerosLikeOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C1
}
LogicalResult UnstackOp::verify() {
  if (failed(verifyShapeType(*this, "element_shape", getElementShape()))) // C2
    return failure();
  return verifyElementOf(*this, getResult().getType(), getValue().getType()); // C3
}
LogicalResult GetOp::verify() {
  return verifyAccess(*this); // C2, C3
}
LogicalResult SetOp::verify() {
  return verifyAccess(*this); // C2, C3
}
LogicalResult AccumulateOp::verify() {
  return verifyAccess(*this); // C3, C4
}
LogicalResult PushOp::verify() {
  return verifyAccess(*this); // C1, C2
}
LogicalResult PopOp::verify() {
  if (failed(verifyElementShape(*this, getElementShape()))) // C2
    return failure();
  return verifyAccess(*this); // C3, C4
}
LogicalResult ResizeOp::verify() {
  return verifySameList(*this, getList().getType(), getResult().getType()); // C2
}
LogicalResult GatherOp::verify() {
  if (failed(verifyShapeType(*this, "element_shape", getElementShape()))) // C2
    return failure();
  return verifyAccess(*this); // C3, C4
}
LogicalResult ScatterOp::verify() {
  return verifyAccess(*this); // C2, C3
}
LogicalResult ConcatOp::verify() {
  if (failed(verifyShapeType(*this, "element_shape_except0", getElementShapeExcept0()))) // C2
    return failure();
  return verifyAccess(*this); // C3, C4
}
LogicalResult SplitOp::verify() {
  return verifyAccess(*this); // C2, C3
}

// ---- Looks --------------------------------------------------------------------------------------

LogicalResult PeekOp::verify() {
  if (failed(verifyElementShape(*this, getElementShape()))) // C2
    return failure();
  return verifyValue(*this); // C3
}
LogicalResult OnlyOp::verify() {
  if (failed(verifyElementShape(*this, getElementShape()))) // C1
    return failure();
  return verifyValue(*this); // C2
}
template <typename Op> static LogicalResult verifyWhole(Op op) {
  if (failed(verifyShapeType(op, "element_shape", op.getElementShape())))
    return failure();
  return verifyValue(op);
}
LogicalResult StackOp::verify() {
  return verifyWhole(*this); // C2, C3
}
LogicalResult RowsOp::verify() {
  return verifyWhole(*this); // C2, C3
}
LogicalResult JoinOp::verify() {
  return verifyWhole(*this); // C3, C4
}
