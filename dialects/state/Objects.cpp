// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Verifiers of the ops on objects that calls share: tables, queues, barriers and their kin.
#include "dialects/nd/Verify.h"
#include "dialects/state/State.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::state;

// The declaration of the object, of the kind of the handle.
template <typename OpT> static LogicalResult verifyObject(OpT op, SymbolTableCollection &tables) {
  auto object = tables.lookupNearestSymbolFrom<ObjectOp>(op, op.getObjectAttr());
  StringRef kind = cast<ObjectType>(op.getResult().getType()).getKind();
  if (object && object.getKind() == kind)
    return success();
  InFlightDiagnostic error = op.emitOpError("expected the name of a state.object of kind \"")
                             << kind << "\" but got " << op.getObjectAttr();
  if (object)
    error.attachNote(object.getLoc()) << "this one is a " << object.getKind();
  return error;
}

// ---- Tables

// C2 to C4 of state.table_handle, C1 to C3 of state.make_table.
template <typename OpT> static LogicalResult verifyTable(OpT op) {
  if (!llvm::is_contained({"static", "mutable", "dense"}, op.getKind()))
    return op.emitOpError("expected kind \"static\", \"mutable\" or \"dense\" but got ")
           << op.getKindAttr();
  if (!isa<TensorType>(op.getValueShape()))
    return op.emitOpError("expected a tensor type as value_shape but got ") << op.getValueShape();
  auto isTensor = [](Value operand) { return isa<TensorType>(operand.getType()); };
  auto isToken = [](Value operand) { return isa<flow::TokenType>(operand.getType()); };
  size_t tensors = op.getKind() == "dense" ? 3 : 0;
  OperandRange operands = op.getOperands();
  if (operands.size() >= tensors && llvm::all_of(operands.take_front(tensors), isTensor) &&
      llvm::all_of(operands.drop_front(tensors), isToken))
    return success();
  return op.emitOpError("expected ")
         << tensors << " tensors and tokens as operands of a " << op.getKind() << " table";
}

LogicalResult TableHandleOp::verify() { return verifyTable(*this); }
LogicalResult MakeTableOp::verify() { return verifyTable(*this); }

LogicalResult TableHandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyObject(*this, tables); // C1
}

LogicalResult TableLoadOp::verify() {
  if (!isa<nd::StringType>(getElementTypeOrSelf(getFilename()))) // C2
    return emitOpError("expected filename to hold strings but got ") << getFilename().getType();
  if (getDelimiter().size() != 1) // C3
    return emitOpError("expected one byte as delimiter but got ") << getDelimiterAttr();
  return success();
}

LogicalResult TableFindOp::verify() {
  return nd::verifySameElementType(*this, {getDefaultValue(), getValues()}); // C2
}

// ---- What tuples consist of

template <typename OpT> static LogicalResult verifyComponents(OpT op) {
  auto isTensor = [](Attribute type) { return isa<TensorType>(cast<TypeAttr>(type).getValue()); };
  if (!op.getComponents().empty() && llvm::all_of(op.getComponents(), isTensor))
    return success();
  return op.emitOpError("expected tensor types as components, at least one, but got ")
         << op.getComponents();
}

// Tensors, at least so many, and behind them tokens.
static LogicalResult verifyTuple(Operation *op, ValueRange operands, size_t least) {
  size_t count = 0;
  while (count < operands.size() && isa<TensorType>(operands[count].getType()))
    ++count;
  auto isToken = [](Value value) { return isa<flow::TokenType>(value.getType()); };
  if (count >= least && llvm::all_of(operands.drop_front(count), isToken))
    return success();
  return op->emitOpError("expected tensors as components")
         << (least ? ", at least one," : "") << " and behind them tokens";
}

// ---- Queues

LogicalResult QueueHandleOp::verify() {
  if (!llvm::is_contained({"fifo", "padding", "priority", "random"}, getOrder())) // C2
    return emitOpError("expected order \"fifo\", \"padding\", \"priority\" or \"random\" but got ")
           << getOrderAttr();
  return verifyComponents(*this); // C3
}
LogicalResult QueueHandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyObject(*this, tables); // C1
}

LogicalResult EnqueueOp::verify() { return verifyTuple(*this, getComponents(), 1); } // C2

LogicalResult PackHandlesOp::verify() {
  auto isObjectOfKind = [&](Value value) {
    return isObject(value.getType(), getResult().getType().getKind());
  };
  OperandRange rest = getObjects();
  while (!rest.empty() && isObjectOfKind(rest.front()))
    rest = rest.drop_front();
  if (llvm::all_of(rest, [](Value value) { return isa<flow::TokenType>(value.getType()); })) // C1
    return success();
  return emitOpError("expected handles of kind \"")
         << getResult().getType().getKind() << "\" and behind them tokens";
}

LogicalResult ChooseHandleOp::verify() {
  if (isObject(getResult().getType(), getHandles().getType().getKind())) // C3
    return success();
  return emitOpError("expected a handle of kind \"")
         << getHandles().getType().getKind() << "\" but got " << getResult().getType();
}

// ---- Barriers, accumulators, mutexes

LogicalResult BarrierHandleOp::verify() { return verifyComponents(*this); } // C2
LogicalResult BarrierHandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyObject(*this, tables); // C1
}

LogicalResult AccumulatorHandleOp::verify() {
  if (isa<TensorType>(getShape())) // C2
    return success();
  return emitOpError("expected a tensor type as shape but got ") << getShape();
}
LogicalResult AccumulatorHandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyObject(*this, tables); // C1
}

LogicalResult MutexHandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyObject(*this, tables); // C1
}

// ---- Staging areas

LogicalResult StageHandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyObject(*this, tables); // C1
}
LogicalResult StagePutOp::verify() { return verifyTuple(*this, getComponents(), 0); }   // C2
LogicalResult StagePutAtOp::verify() { return verifyTuple(*this, getComponents(), 0); } // C2

// ---- Readers

LogicalResult ReaderHandleOp::verify() {
  if (!llvm::is_contained({"names", "whole", "lines", "fixed", "records"}, getForm())) // C2
    return emitOpError(
               "expected form \"names\", \"whole\", \"lines\", \"fixed\" or \"records\" but "
               "got ")
           << getFormAttr();
  if (!llvm::is_contained({"", "ZLIB", "GZIP"}, getCompression())) // C3
    return emitOpError("expected compression \"\", \"ZLIB\" or \"GZIP\" but got ")
           << getCompressionAttr();
  return success();
}
LogicalResult ReaderHandleOp::verifySymbolUses(SymbolTableCollection &tables) {
  return verifyObject(*this, tables); // C1
}
LogicalResult ReaderCountOp::verify() {
  if (llvm::is_contained({"records", "files"}, getWhat())) // C2
    return success();
  return emitOpError("expected what \"records\" or \"files\" but got ") << getWhatAttr();
}
