// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of single rows: arrays that are values.
//
// A write makes a copy of the array, except where it need not (RowUpdates.h).
#include "compiler/codegen/ListArrays.h"
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/plan/Cards.h"
#include "compiler/codegen/plan/RowUpdates.h"
#include "dialects/wire/Memory.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// One row of an array in memory, at an index that is checked when the code runs.
class RowAccess {
public:
  RowAccess(Emitter &emitter, Operation *op, Value rows, Value index)
      : emitter_(emitter), b_(emitter.builder()), dims_(emitter.shapes().dims(rows)),
        isOfList_(op->hasAttr(kOfListAttr)) {
    Type elementType = cast<RankedTensorType>(index.getType()).getElementType();
    index_ = toIndex(b_, emitter.inRegister(index), elementType);
    if (isOfList_ && isa<nd::SetRowOp>(op)) { // there is room
      bad_ = nullptr;
      return;
    }
    bad_ = isOutside(b_, index_, emitter.dim(dims_.front()));
    // On a card a branch costs more than a look at a row that nobody needs.
    if (!emitter.mayBail() && wire::cardOf(rows) && (isOfList_ || hasRows(rows))) {
      index_ = arith::SelectOp::create(b_, bad_, arith::ConstantIndexOp::create(b_, 0), index_);
      isInside_ = true;
    }
  }

  // Lets `op` fail for this index.
  void check(Operation *op) {
    if (bad_)
      emitter_.failIf(bad_, reasonOf(op), op);
  }

  // Whether there is a row of the array whatever the index.
  bool isInside() const { return emitter_.mayBail() || isInside_ || !bad_; }

  // Calls `access` where the index is in range.
  void whenInside(function_ref<void()> access) {
    if (isInside())
      return access();
    auto branch = scf::IfOp::create(b_, negated(b_, bad_));
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    access();
  }

  Value in(Value buffer) {
    Box box;
    for (AffineExpr dim : dims_)
      box.addWhole(b_, foldedDim(emitter_, dim));
    box.offsets[0] = index_;
    box.sizes[0] = b_.getIndexAttr(1);
    box.keeps[0] = false;
    return viewOf(b_, buffer, box);
  }

private:
  static bool hasRows(Value rows) {
    int64_t count = cast<RankedTensorType>(rows.getType()).getShape().front();
    return !ShapedType::isDynamic(count) && count > 0;
  }
  FailureReason reasonOf(Operation *op) const {
    return isOfList_               ? FailureReason::kListEmpty
           : isa<nd::SetRowOp>(op) ? FailureReason::kWriteOutside
                                   : FailureReason::kReadOutside;
  }

  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  ArrayRef<AffineExpr> dims_;
  bool isOfList_, isInside_ = false;
  Value index_, bad_;
};

// An array of a single number that a card's thread has: it is in memory of the card, if in any,
// where the thread that runs the loop's scalars would not find it.
bool isNumberOfThread(Value rows, Emitter &emitter) {
  auto codelet = rows.getParentRegion()->getParentOfType<flow::CodeletOp>();
  return !emitter.mayBail() && emitter.held(rows).kind() == HeldKind::kScalar && cardOf(codelet);
}

LogicalResult lowerRow(Operation *op, Emitter &emitter) {
  auto read = cast<nd::RowOp>(op);
  auto type = cast<RankedTensorType>(read.getType());
  if (isNumberOfThread(read.getRows(), emitter)) { // which is its only row
    RowAccess(emitter, op, read.getRows(), read.getIndex()).check(op);
    emitter.define(read.getResult(), emitter.inRegister(read.getRows()));
    return success();
  }
  Value rows = emitter.buffer(read.getRows());
  RowAccess row(emitter, op, read.getRows(), read.getIndex());
  row.check(op);
  bool isView = row.isInside() && !isInRegister(type);
  if (isView && !isWrittenInPlace(read.getRows(), emitter.fusion())) {
    emitter.define(read.getResult(), Held(type, row.in(rows)));
    return success();
  }
  Value to = emitter.destination(read.getResult());
  row.whenInside([&] { copyBuffer(emitter.builder(), row.in(rows), to); });
  return success();
}

// What must hold for the writes at the end of a straight line, all of it before the first of them.
void checkUpdatesOfOutputs(Operation *op, Emitter &emitter) {
  ArrayRef<Operation *> order = emitter.fusion().order(*op->getBlock());
  const auto *first = llvm::find_if(order, isUpdateOfOutput);
  if (*first != op)
    return;
  for (Operation *update : ArrayRef(first, order.end())) {
    auto write = cast<nd::SetRowOp>(update);
    RowAccess(emitter, update, write.getRows(), write.getIndex()).check(update);
  }
}

// Memory for the result, with the rows as they were before.
Value arrayToWrite(nd::SetRowOp write, Emitter &emitter) {
  Value rows = emitter.buffer(write.getRows());
  if (writesInPlace(write, emitter.fusion())) {
    emitter.define(write.getResult(), Held(cast<RankedTensorType>(write.getType()), rows));
    return rows;
  }
  if (isUpdateOfOutput(write))
    return emitter.copyForUpdates(write.getRows(), write.getResult());
  Value to = emitter.destination(write.getResult());
  copyBuffer(emitter.builder(), rows, to);
  return to;
}

LogicalResult lowerSetRow(Operation *op, Emitter &emitter) {
  auto write = cast<nd::SetRowOp>(op);
  if (isNumberOfThread(write.getRows(), emitter) && isInRegister(write.getRow())) {
    RowAccess(emitter, op, write.getRows(), write.getIndex()).check(op);
    emitter.define(write.getResult(), emitter.inRegister(write.getRow()));
    return success();
  }
  if (isUpdateOfOutput(op))
    checkUpdatesOfOutputs(op, emitter);
  Value to = arrayToWrite(write, emitter);
  RowAccess access(emitter, op, write.getRows(), write.getIndex());
  if (!isUpdateOfOutput(op))
    access.check(op);
  Held row = emitter.held(write.getRow());
  access.whenInside([&] {
    ImplicitLocOpBuilder &b = emitter.builder();
    if (row.kind() == HeldKind::kBuffer)
      copyBuffer(b, row.value(), access.in(to));
    else if (wire::cardOf(write.getResult())) // the host cannot write there
      fillBuffer(b, toMemoryForm(b, row.value()), access.in(to));
    else
      storeRegister(b, row.type(), row.value(), emitter.pointerTo(access.in(to)));
  });
  return success();
}

} // namespace

template <> LogicalResult lower(nd::RowOp op, Emitter &emitter) { return lowerRow(op, emitter); }
template <> LogicalResult lower(nd::SetRowOp op, Emitter &emitter) {
  return lowerSetRow(op, emitter);
}

} // namespace sluice::codegen
