// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Code for one op on a cell.
//
// A cell's rows may move when it needs more room, so nobody keeps an address of them: a row is
// copied when it is read and when it is written. Reads and writes that must not happen are left
// out, and the failure is remembered, as everywhere in loops.
#include "compiler/codegen/cpu/CellAccess.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/cpu/Emitter.h"
#include "compiler/codegen/cpu/RuntimeCalls.h"
#include "compiler/codegen/cpu/SmallFloats.h"
#include "dialects/list/List.h"
#include "runtime/state/list_rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

Value pointerVariable(ImplicitLocOpBuilder &b, Value variable) {
  return LLVM::LoadOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), variable);
}
Value intVariable(ImplicitLocOpBuilder &b, Value variable) {
  return LLVM::LoadOp::create(b, b.getI64Type(), variable);
}
void set(ImplicitLocOpBuilder &b, Value variable, Value value) {
  LLVM::StoreOp::create(b, value, variable);
}
Value constant(ImplicitLocOpBuilder &b, int64_t value, unsigned width = 64) {
  return arith::ConstantIntOp::create(b, value, width);
}
Value compare(ImplicitLocOpBuilder &b, arith::CmpIPredicate predicate, Value left, Value right) {
  return arith::CmpIOp::create(b, predicate, left, right);
}
Value isEqual(ImplicitLocOpBuilder &b, Value left, int64_t right) {
  unsigned width = left.getType().getIntOrFloatBitWidth();
  return compare(b, arith::CmpIPredicate::eq, left, constant(b, right, width));
}

// The value that numbers have where an op fails.
Value zeroOf(ImplicitLocOpBuilder &b, Type type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

constexpr int64_t kListIsFull = 1; // as sluice_list_extend says it

// One op on a cell.
class CellAccess {
public:
  CellAccess(Emitter &emitter, Cell &cell, Operation *op)
      : emitter_(emitter), b_(emitter.builder()), cell_(cell), op_(op) {}

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
      return;
    }
    when(negated(b_, bad), [&] {
      callRoom("sluice_list_reset", size);
      set(b_, cell_.length, size);
    });
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
    Value ok = arith::AndIOp::create(b_, negated(b_, bad), readable(negated(b_, bad), last, op.getZeros()));
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
      Value answer = callRuntime(
          b_, "sluice_list_any_set",
          {pointerVariable(b_, cell_.states), intVariable(b_, cell_.length)}, b_.getI32Type());
      return negated(b_, isEqual(b_, answer, 0));
    };
    Value ok =
        arith::AndIOp::create(b_, inside, readable(inside, index, op.getZeros(), anySet));
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

private:
  // An index or size, as an i64.
  Value number(Value value) {
    Type type = cast<RankedTensorType>(value.getType()).getElementType();
    Value index = toIndex(b_, emitter_.inRegister(value), type);
    return arith::IndexCastOp::create(b_, b_.getI64Type(), index);
  }

  void inBlock(Block *block, function_ref<void()> emit) {
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(block);
    emit();
    if (block->empty() || !block->back().hasTrait<OpTrait::IsTerminator>())
      scf::YieldOp::create(b_);
  }
  void when(Value condition, function_ref<void()> emit) {
    auto branch = scf::IfOp::create(b_, condition);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    emit();
  }

  // ---- Room -------------------------------------------------------------------------------------

  // Rows may lie elsewhere afterwards.
  void callRoom(StringRef function, Value rows, bool mayBeFull = false) {
    Value status = callRuntime(b_, function, {cell_.list, rows}, b_.getI32Type());
    if (mayBeFull)
      emitter_.failIf(isEqual(b_, status, kListIsFull), FailureReason::kListFull, op_);
    Value bad = mayBeFull ? compare(b_, arith::CmpIPredicate::slt, status, constant(b_, 0, 32))
                          : negated(b_, isEqual(b_, status, 0));
    emitter_.failIf(bad, FailureReason::kNoMemory, op_);
    set(b_, cell_.rows, loadListField(b_, cell_.list, ListField::kRows));
    set(b_, cell_.states, loadListField(b_, cell_.list, ListField::kStates));
    set(b_, cell_.capacity, loadListField(b_, cell_.list, ListField::kCapacity));
  }
  void makeRoom(Value rows) {
    Value capacity = intVariable(b_, cell_.capacity);
    when(compare(b_, arith::CmpIPredicate::sgt, rows, capacity),
         [&] { callRoom("sluice_list_reserve", rows); });
  }
  void makeRoomForPush(Value rows) {
    Value capacity = intVariable(b_, cell_.capacity);
    when(compare(b_, arith::CmpIPredicate::sgt, rows, capacity),
         [&] { callRoom("sluice_list_extend", rows, /*mayBeFull=*/true); });
  }
  Value hasRoom(Value index) {
    return compare(b_, arith::CmpIPredicate::slt, index, intVariable(b_, cell_.capacity));
  }

  Value checkInside(Value index, FailureReason reason) {
    Value length = intVariable(b_, cell_.length); // as unsigned, what is below 0 is large
    Value inside = compare(b_, arith::CmpIPredicate::ult, index, length);
    emitter_.failIf(negated(b_, inside), reason, op_);
    return inside;
  }
  // The list is as long as the index needs; false where it cannot be.
  Value growTo(Value index, FailureReason reason) {
    // As unsigned, what is below 0 is large; no list has more elements than an i32 can number.
    Value outside = compare(b_, arith::CmpIPredicate::uge, index, constant(b_, INT32_MAX));
    emitter_.failIf(outside, reason, op_);
    Value next = arith::AddIOp::create(b_, index, constant(b_, 1));
    when(negated(b_, outside), [&] { makeRoom(next); });
    Value ok = arith::AndIOp::create(b_, negated(b_, outside), hasRoom(index));
    Value length = intVariable(b_, cell_.length);
    Value longer = arith::MaxSIOp::create(b_, length, next);
    set(b_, cell_.length, arith::SelectOp::create(b_, ok, longer, length));
    return ok;
  }

  // ---- States -----------------------------------------------------------------------------------

  Value stateAddress(Value index) {
    return LLVM::GEPOp::create(b_, LLVM::LLVMPointerType::get(b_.getContext()), b_.getI8Type(),
                               pointerVariable(b_, cell_.states), ValueRange{index});
  }
  Value state(Value index) { return LLVM::LoadOp::create(b_, b_.getI8Type(), stateAddress(index)); }
  Value areKept() {
    Value states = pointerVariable(b_, cell_.states);
    Value null = LLVM::ZeroOp::create(b_, states.getType());
    return LLVM::ICmpOp::create(b_, LLVM::ICmpPredicate::ne, states, null);
  }
  void storeState(Value index, Value state) {
    LLVM::StoreOp::create(b_, state, stateAddress(index));
  }
  void setState(Value index, int64_t state) {
    auto store = [&] { storeState(index, constant(b_, state, 8)); };
    if (cell_.keepsStates == States::kAlways)
      store();
    else if (cell_.keepsStates == States::kIfGiven)
      when(areKept(), store);
  }

  // The state of a row that is there if `inside`; that of a set one where there are none.
  Value stateIf(Value inside, Value index) {
    if (cell_.keepsStates == States::kNever)
      return constant(b_, kSluiceRowSet, 8);
    Value asked = inside;
    if (cell_.keepsStates == States::kIfGiven)
      asked = arith::AndIOp::create(b_, inside, areKept());
    auto branch = scf::IfOp::create(b_, TypeRange(b_.getI8Type()), asked, true, true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b_, state(index));
    b_.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b_, constant(b_, kSluiceRowSet, 8));
    return branch.getResult(0);
  }

  // Whether the row can be read; a failure where it cannot. An empty one can be where `zeros` says
  // so, or the list, or `other`, which is asked last.
  Value readable(Value inside, Value index, bool zeros = false,
                 function_ref<Value()> other = nullptr) {
    if (cell_.keepsStates == States::kNever)
      return inside;
    Value state = stateIf(inside, index);
    Value cleared = isEqual(b_, state, kSluiceRowCleared);
    emitter_.failIf(cleared, FailureReason::kReadTwice, op_);
    if (zeros)
      return negated(b_, cleared);
    Value known = isEqual(b_, intVariable(b_, cell_.emptyIsZeros), 1);
    Value missing =
        arith::AndIOp::create(b_, isEqual(b_, state, kSluiceRowEmpty), negated(b_, known));
    if (other)
      missing = unless(missing, other);
    emitter_.failIf(missing, FailureReason::kNotWritten, op_);
    return negated(b_, arith::OrIOp::create(b_, cleared, missing));
  }

  // Whether it holds, and the other, which is only asked then, does not.
  Value unless(Value condition, function_ref<Value()> other) {
    auto branch = scf::IfOp::create(b_, TypeRange(b_.getI1Type()), condition, true, true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b_, negated(b_, other()));
    b_.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b_, constant(b_, 0, 1));
    return branch.getResult(0);
  }

  // Whether the row can be written to; `again`: also when it has been before.
  Value writable(Value inside, Value index, bool again) {
    Value asked = stateIf(inside, index);
    Value cleared = arith::AndIOp::create(b_, inside, isEqual(b_, asked, kSluiceRowCleared));
    emitter_.failIf(cleared, FailureReason::kAlreadyRead, op_);
    if (again)
      return negated(b_, cleared);
    Value empty = isEqual(b_, asked, kSluiceRowEmpty);
    Value written = arith::AndIOp::create(b_, inside, negated(b_, empty));
    emitter_.failIf(written, FailureReason::kAlreadyWritten, op_);
    return empty;
  }

  // ---- Rows -------------------------------------------------------------------------------------

  Value rowAddress(Value index) {
    Value offset = arith::MulIOp::create(b_, index, cell_.rowBytes);
    return LLVM::GEPOp::create(b_, LLVM::LLVMPointerType::get(b_.getContext()), b_.getI8Type(),
                               pointerVariable(b_, cell_.rows), ValueRange{offset});
  }
  Value rowMemory(Value index) {
    return emitter_.memrefAt(rowAddress(index), bufferTypeOf(cell_.row), cell_.dims);
  }

  void read(Value result, Value index, Value ok) {
    if (!isInRegister(result)) {
      Value to = emitter_.destination(result);
      when(ok, [&] { copyBuffer(b_, rowMemory(index), to); });
      return;
    }
    auto row = cast<RankedTensorType>(result.getType());
    Type type = registerTypeOf(row);
    auto branch = scf::IfOp::create(b_, TypeRange(type), ok, true, true);
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(b_, loadRegister(b_, row, rowAddress(index)));
      b_.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(b_, zeroOf(b_, type));
    }
    emitter_.define(result, branch.getResult(0));
  }

  void write(Value value, Value index) {
    Held row = emitter_.held(value);
    if (row.kind() == HeldKind::kBuffer)
      copyBuffer(b_, row.value(), rowMemory(index));
    else
      storeRegister(b_, row.type(), row.value(), rowAddress(index));
  }

  void clear(Value index) {
    LLVM::MemsetOp::create(b_, rowAddress(index), constant(b_, 0, 8), cell_.rowBytes,
                           /*isVolatile=*/false);
  }

  // Of elements as they are in registers.
  Value sum(Value left, Value right) {
    Type type = cell_.row.getElementType();
    Value a = toComputeType(b_, left, type), b = toComputeType(b_, right, type);
    if (isa<IntegerType>(type))
      return arith::AddIOp::create(b_, a, b);
    return fromComputeType(b_, arith::AddFOp::create(b_, a, b), type);
  }
  void add(Value value, Value index) {
    Held row = emitter_.held(value);
    if (row.kind() != HeldKind::kBuffer) {
      Value address = rowAddress(index);
      Value old = loadRegister(b_, row.type(), address);
      return storeRegister(b_, row.type(), sum(old, row.value()), address);
    }
    Value memory = rowMemory(index);
    unsigned rank = static_cast<unsigned>(cell_.row.getRank());
    AffineMap identity = AffineMap::getMultiDimIdentityMap(rank, b_.getContext());
    buildGeneric(
        b_, rank, {{memory, identity}, {row.value(), identity}}, {{memory, identity}},
        [&](ValueRange elements) { return SmallVector<Value>{sum(elements[0], elements[1])}; });
  }

  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  Cell &cell_;
  Operation *op_;
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
