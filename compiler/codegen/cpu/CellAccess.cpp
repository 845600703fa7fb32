// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for one op on a cell.
//
// A cell's rows may move when it needs more room, so nobody keeps an address of them: a row is
// copied when it is read and when it is written. Reads and writes that must not happen are left
// out, and the failure is remembered, as everywhere in loops.
#include "compiler/codegen/cpu/CellAccess.h"

#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/CellMemory.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/plan/KnownPushes.h"
#include "dialects/list/List.h"
#include "runtime/state/list_rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// One op on a cell.
class CellAccess : CellMemory {
public:
  CellAccess(Emitter &emitter, Cell &cell, Operation *op) : CellMemory(emitter, cell, op) {}

  void emit(list::CellMakeOp op) {
    Value size = number(op.getSize());
    Value bad = compare(b_, arith::CmpIPredicate::slt, size, constant(b_, 0));
    emitter_.failIf(bad, FailureReason::kNegativeLength, op_);
    set(b_, cell_.emptyIsZeros, constant(b_, op.getZeros()));
    Value none = isEqual(b_, size, 0);
    if (cell_.keepsStates != States::kAlways) { // what was there before needs no cleaning
      set(b_, cell_.length, constant(b_, 0));
      when(negated(b_, none), [&] { callRoom("sluice_list_reset", size); });
      set(b_, cell_.length, size);
      reserve(op);
      return;
    }
    when(negated(b_, bad), [&] {
      callRoom("sluice_list_reset", size);
      set(b_, cell_.length, size);
    });
  }

  // Room for all that will be pushed, so that no row is copied to make some.
  void reserve(list::CellMakeOp op) {
    constexpr int64_t kMostBytes = int64_t{1} << 30;
    std::optional<int64_t> rows = knownPushes(op);
    int64_t bytes = 0;
    if (rows && *rows > 0 && cell_.row.hasStaticShape() &&
        !__builtin_mul_overflow(
            *rows, cell_.row.getNumElements() * bytesOf(cell_.row.getElementType()), &bytes) &&
        bytes <= kMostBytes)
      makeRoom(constant(b_, *rows));
  }

  void emit(list::CellLengthOp op) {
    Value length = intVariable(b_, cell_.length);
    emitter_.define(op.getLength(), Value(arith::TruncIOp::create(b_, b_.getI32Type(), length)));
  }

  void emit(list::CellPushOp op) {
    Value length = intVariable(b_, cell_.length);
    auto limit = static_cast<int64_t>(op.getLimit());
    if (limit >= 0) {
      Value full = compare(b_, arith::CmpIPredicate::sge, length, constant(b_, limit));
      emitter_.failIf(full, FailureReason::kListFull, op_);
    }
    Value next = arith::AddIOp::create(b_, length, constant(b_, 1));
    makeRoomForPush(next);
    when(hasRoom(length), [&] {
      write(op.getValue(), length);
      setState(length, kSluiceRowSet);
      set(b_, cell_.length, next);
    });
  }

  void emit(list::CellPopOp op) {
    Value length = intVariable(b_, cell_.length);
    Value bad = isEqual(b_, length, 0);
    emitter_.failIf(bad, FailureReason::kListEmpty, op_);
    Value last = arith::SubIOp::create(b_, length, constant(b_, 1));
    Value ok = arith::AndIOp::create(b_, negated(b_, bad),
                                     readable(negated(b_, bad), last, op.getZeros()));
    read(op.getValue(), last, ok);
    if (cell_.keepsStates != States::kNever) { // behind the end there are empty rows
      bool isSure = cell_.keepsStates == States::kAlways;
      Value stated = isSure ? ok : Value(arith::AndIOp::create(b_, ok, areKept()));
      when(stated, [&] {
        LLVM::StoreOp::create(b_, constant(b_, kSluiceRowEmpty, 8), stateAddress(last));
        clear(last);
      });
    }
    Value kept = arith::SelectOp::create(b_, bad, length, last);
    set(b_, cell_.length, kept);
  }

  void emit(list::CellGetOp op) {
    Value index = number(op.getIndex());
    Value inside = op.getBeyond() ? growTo(index, FailureReason::kReadOutside)
                                  : checkInside(index, FailureReason::kReadOutside);
    Value ok = arith::AndIOp::create(b_, inside, readable(inside, index));
    read(op.getValue(), index, ok);
    when(ok, [&] {
      if (op.getClear())
        return setState(index, kSluiceRowCleared);
      Value before = state(index);
      Value isEmpty = isEqual(b_, before, kSluiceRowEmpty);
      storeState(index,
                 arith::SelectOp::create(b_, isEmpty, constant(b_, kSluiceRowRead, 8), before));
    });
  }

  void emit(list::CellPeekOp op) {
    Value index = number(op.getIndex());
    Value inside = checkInside(index, FailureReason::kReadOutside);
    auto anySet = [&] { // the others are of its shape
      Value answer = callRuntime(b_, "sluice_list_any_set",
                                 {pointerVariable(b_, cell_.states), intVariable(b_, cell_.length)},
                                 b_.getI32Type());
      return negated(b_, isEqual(b_, answer, 0));
    };
    Value ok = arith::AndIOp::create(b_, inside, readable(inside, index, op.getZeros(), anySet));
    read(op.getValue(), index, ok);
  }

  void emit(list::CellResizeOp op) {
    Value size = number(op.getSize());
    Value bad = compare(b_, arith::CmpIPredicate::slt, size, constant(b_, 0));
    emitter_.failIf(bad, FailureReason::kNegativeLength, op_);
    when(negated(b_, bad), [&] {
      storeListField(b_, cell_.list, ListField::kLength, intVariable(b_, cell_.length));
      callRoom("sluice_list_resize", size);
      set(b_, cell_.length, loadListField(b_, cell_.list, ListField::kLength));
    });
  }

  // A list with a limit asks for room at each push.
  void emit(list::CellLimitOp op) {
    callRuntime(b_, "sluice_list_limit", {cell_.list, number(op.getLimit())}, Type());
    Value length = intVariable(b_, cell_.length), capacity = intVariable(b_, cell_.capacity);
    set(b_, cell_.capacity, arith::MinSIOp::create(b_, length, capacity));
  }

  void emit(list::CellSetOp op) {
    Value index = number(op.getIndex());
    Value inside = op.getGrow() ? growTo(index, FailureReason::kWriteOutside)
                                : checkInside(index, FailureReason::kWriteOutside);
    Value ok = inside;
    if (op.getOnce())
      ok = arith::AndIOp::create(b_, ok, writable(inside, index, /*again=*/false));
    when(ok, [&] {
      write(op.getValue(), index);
      setState(index, kSluiceRowSet);
    });
  }

  void emit(list::CellAccumulateOp op) {
    Value index = number(op.getIndex());
    Value inside = checkInside(index, FailureReason::kWriteOutside);
    Value ok = arith::AndIOp::create(b_, inside, writable(inside, index, /*again=*/true));
    when(ok, [&] {
      Value isThere = isEqual(b_, state(index), kSluiceRowSet);
      auto branch = scf::IfOp::create(b_, TypeRange(), isThere, /*addThenBlock=*/true,
                                      /*addElseBlock=*/true);
      inBlock(branch.thenBlock(), [&] { add(op.getValue(), index); });
      inBlock(branch.elseBlock(), [&] { write(op.getValue(), index); });
      setState(index, kSluiceRowSet);
    });
  }
};

} // namespace

void emitCellAccess(Emitter &emitter, Cell &cell, Operation *op) {
  CellAccess access(emitter, cell, op);
  llvm::TypeSwitch<Operation *>(op)
      .Case<list::CellMakeOp, list::CellLengthOp, list::CellGetOp, list::CellSetOp,
            list::CellAccumulateOp, list::CellPushOp, list::CellPopOp, list::CellPeekOp,
            list::CellResizeOp, list::CellLimitOp>([&](auto one) { access.emit(one); });
}

} // namespace sluice::codegen
