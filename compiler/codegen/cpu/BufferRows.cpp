// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads and writes of single rows: arrays that are values.
//
// A loop that writes a row of a carried array and carries on the result keeps one array for all
// iterations, in the memory of the loop's result. Everywhere else a write makes a copy.
#include "compiler/codegen/cpu/BufferRows.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/BufferLowerings.h"
#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/cpu/ElementPositions.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

// The position among the carried values of a loop of which a value in its body is the present one.
static std::optional<unsigned> carriedPosition(flow::WhileOp loop, Value inBody) {
  auto argument = dyn_cast<BlockArgument>(inBody);
  auto condition = cast<flow::ConditionOp>(loop.getBefore().front().getTerminator());
  if (!argument || argument.getOwner() != &loop.getBody().front() ||
      argument.getArgNumber() >= condition.getForwarded().size())
    return std::nullopt;
  auto before = dyn_cast<BlockArgument>(condition.getForwarded()[argument.getArgNumber()]);
  bool isCarried = before && before.getOwner() == &loop.getBefore().front() &&
                   before.getArgNumber() < loop.getInits().size() &&
                   llvm::count(condition.getForwarded(), before) == 1;
  return isCarried ? std::optional(before.getArgNumber()) : std::nullopt;
}

bool writesInPlace(nd::SetRowOp op, const FusionPlan &fusion) {
  Block *body = op->getBlock();
  auto loop = dyn_cast<flow::WhileOp>(body->getParentOp());
  std::optional<unsigned> position = loop ? carriedPosition(loop, op.getRows()) : std::nullopt;
  ValueRange yielded = body->getTerminator()->getOperands();
  if (!position || yielded[*position] != op.getResult() ||
      llvm::count(yielded, op.getResult()) != 1)
    return false;
  // Nothing may look at the old rows afterwards; reads of single rows copy them.
  ArrayRef<Operation *> order = fusion.order(*body);
  auto self = llvm::find(order, op.getOperation());
  return llvm::all_of(op.getRows().getUses(), [&](OpOperand &use) {
    Operation *user = use.getOwner();
    if (user == op)
      return use.getOperandNumber() == 0;
    return isa<nd::RowOp, nd::ShapeOp, nd::SizeOp, nd::RankOp>(user) &&
           std::find(order.begin(), self, user) != self;
  });
}

Value updatedResult(flow::WhileOp loop, unsigned position, const FusionPlan &fusion) {
  Value yielded = loop.getBody().front().getTerminator()->getOperand(position);
  auto write = yielded.getDefiningOp<nd::SetRowOp>();
  if (!write || write->getBlock() != &loop.getBody().front() || !writesInPlace(write, fusion))
    return nullptr;
  return loop.getResult(cast<BlockArgument>(write.getRows()).getArgNumber());
}

static bool isWrittenInPlace(Value rows, const FusionPlan &fusion) {
  return llvm::any_of(rows.getUsers(), [&](Operation *user) {
    auto write = dyn_cast<nd::SetRowOp>(user);
    return write && write.getRows() == rows && writesInPlace(write, fusion);
  });
}

namespace {

// One row of an array in memory, at an index that is checked when the code runs.
class RowAccess {
public:
  RowAccess(Emitter &emitter, Operation *op, Value rows, Value index)
      : emitter_(emitter), b_(emitter.builder()), dims_(emitter.shapes().dims(rows)) {
    Type elementType = cast<RankedTensorType>(index.getType()).getElementType();
    Value number = emitter.inRegister(index);
    index_ = toIndex(b_, number, elementType);
    bad_ = isOutside(b_, index_, emitter.dim(dims_.front()));
    auto reason =
        isa<nd::SetRowOp>(op) ? FailureReason::kWriteOutside : FailureReason::kReadOutside;
    emitter.failIf(bad_, reason, op);
  }

  // Calls `access` where the index is in range.
  void whenInside(function_ref<void()> access) {
    if (emitter_.mayBail())
      return access();
    Value yes = arith::ConstantIntOp::create(b_, 1, 1);
    auto branch = scf::IfOp::create(b_, arith::XOrIOp::create(b_, bad_, yes));
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
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  ArrayRef<AffineExpr> dims_;
  Value index_, bad_;
};

LogicalResult lowerRow(Operation *op, Emitter &emitter) {
  auto read = cast<nd::RowOp>(op);
  auto type = cast<RankedTensorType>(read.getType());
  Value rows = emitter.buffer(read.getRows());
  RowAccess row(emitter, op, read.getRows(), read.getIndex());
  bool isView = emitter.mayBail() && !isInRegister(type);
  if (isView && !isWrittenInPlace(read.getRows(), emitter.fusion())) {
    emitter.define(read.getResult(), Held(type, row.in(rows)));
    return success();
  }
  Value to = emitter.destination(read.getResult());
  row.whenInside([&] { copyBuffer(emitter.builder(), row.in(rows), to); });
  return success();
}

LogicalResult lowerSetRow(Operation *op, Emitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.builder();
  auto write = cast<nd::SetRowOp>(op);
  Value rows = emitter.buffer(write.getRows()), to = rows;
  if (writesInPlace(write, emitter.fusion())) {
    emitter.define(write.getResult(), Held(cast<RankedTensorType>(write.getType()), rows));
  } else {
    to = emitter.destination(write.getResult());
    copyBuffer(b, rows, to);
  }
  RowAccess access(emitter, op, write.getRows(), write.getIndex());
  Held row = emitter.held(write.getRow());
  access.whenInside([&] {
    if (row.kind() == HeldKind::kBuffer)
      copyBuffer(b, row.value(), access.in(to));
    else
      storeRegister(b, row.type(), row.value(), emitter.pointerTo(access.in(to)));
  });
  return success();
}

} // namespace

void addRows(LoweringTable &buffers) {
  addLowering<nd::RowOp>(buffers, lowerRow);
  addLowering<nd::SetRowOp>(buffers, lowerSetRow);
}

} // namespace sluice::codegen
