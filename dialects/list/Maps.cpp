// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers and derivatives of the ops on maps.
//
// The derivative of a map is a map: of a key that it lacks, it is zeros.
#include "dialects/list/Maps.h"

#include "dialects/list/ListDerivatives.h"

#include "mlir/IR/TypeUtilities.h"

#define GET_OP_CLASSES
#include "dialects/list/Maps.cpp.inc"

using namespace mlir;
using namespace sluice;
using namespace sluice::list;

// ---- Verifiers ----------------------------------------------------------------------------------

// While a graph is imported, nothing is known of variants.
static LogicalResult verifyMap(Operation *op, Type type) {
  auto list = dyn_cast<OfType>(type);
  if (isa<UnknownType>(type) || (list && isa<AnyType>(list.getElement())))
    return success();
  return op->emitOpError("expected a map, !list.of<!list.any>, but got ") << type;
}
template <typename Op> static LogicalResult verifyChange(Op op) {
  if (failed(verifyMap(op, op.getMap().getType())))
    return failure();
  if (op.getMap().getType() == op.getResult().getType())
    return success();
  return op.emitOpError("expected a result of type ")
         << op.getMap().getType() << " but got " << op.getResult().getType();
}

LogicalResult MapMakeOp::verify() { return verifyMap(*this, getResult().getType()); } // C2
LogicalResult MapInsertOp::verify() { return verifyChange(*this); }                   // C2, C3
LogicalResult MapEraseOp::verify() { return verifyChange(*this); }                    // C2, C3
LogicalResult MapLookupOp::verify() { return verifyMap(*this, getMap().getType()); }  // C2
LogicalResult MapHasKeyOp::verify() { return verifyMap(*this, getMap().getType()); }  // C2
LogicalResult MapSizeOp::verify() { return verifyMap(*this, getMap().getType()); }    // C1
LogicalResult MapKeysOp::verify() { return verifyMap(*this, getMap().getType()); }    // C2

LogicalResult MapLookupOrOp::verify() {
  if (failed(verifyMap(*this, getMap().getType()))) // C2
    return failure();
  Type value = getElementTypeOrSelf(getValue()), other = getElementTypeOrSelf(getOther());
  if (value == other)
    return success();
  return emitOpError("expected a result that holds ") << other << " but got " << value; // C3
}

// ---- Derivatives --------------------------------------------------------------------------------

void MapInsertOp::buildGradient(Gradient &gradient) {
  Value map = gradient.ofResult();
  if (gradient.wants(2)) {
    Value found = gradient.one<MapLookupOrOp>(Gradient::elementOf(getValue()),
                                              {map, getKey(), gradient.zerosLike(getValue())});
    gradient.set(2, gradient.reshapedLike(found, getValue()));
  }
  if (gradient.wants(0)) // what was there is gone
    gradient.set(0, gradient.like<MapEraseOp>({map, getKey()}, gradient.flag("required", false)));
}

// A map with that key alone.
static Value onlyEntry(Gradient &gradient, Value map, Value key, Value value) {
  Value none = gradient.scalar(gradient.builder().getI32Type(), 0);
  Value empty = gradient.one<MapMakeOp>(map.getType(), none);
  return gradient.like<MapInsertOp>({empty, key, value});
}

void MapLookupOp::buildGradient(Gradient &gradient) {
  gradient.set(0, onlyEntry(gradient, getMap(), getKey(), gradient.ofResult()));
}

void MapLookupOrOp::buildGradient(Gradient &gradient) {
  Value value = gradient.ofResult();
  if (gradient.wants(0))
    gradient.set(0, onlyEntry(gradient, getMap(), getKey(), value));
  if (!gradient.wants(2))
    return;
  Value found = gradient.one<MapHasKeyOp>(gradient.builder().getI1Type(), {getMap(), getKey()});
  Value other = gradient.one<nd::SelectOp>(Gradient::elementOf(value),
                                           {found, gradient.zerosLike(value), value},
                                           gradient.flag("leading", false));
  gradient.set(2, other);
}

void MapEraseOp::buildGradient(Gradient &gradient) {
  gradient.set(0, gradient.like<MapEraseOp>({gradient.ofResult(), getKey()},
                                            gradient.flag("required", false)));
}
