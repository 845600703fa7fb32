// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Room, states and rows of a cell.
#include "compiler/codegen/cpu/CellMemory.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/ElementPositions.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "runtime/state/list_rows.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/TypeUtilities.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr int64_t kListIsFull = 1; // as sluice_list_extend says it

Value CellMemory::pointerVariable(ImplicitLocOpBuilder &b, Value variable) {
  return LLVM::LoadOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), variable);
}
Value CellMemory::intVariable(ImplicitLocOpBuilder &b, Value variable) {
  return LLVM::LoadOp::create(b, b.getI64Type(), variable);
}
void CellMemory::set(ImplicitLocOpBuilder &b, Value variable, Value value) {
  LLVM::StoreOp::create(b, value, variable);
}
Value CellMemory::constant(ImplicitLocOpBuilder &b, int64_t value, unsigned width) {
  return arith::ConstantIntOp::create(b, value, width);
}
Value CellMemory::compare(ImplicitLocOpBuilder &b, arith::CmpIPredicate predicate, Value left,
                          Value right) {
  return arith::CmpIOp::create(b, predicate, left, right);
}
Value CellMemory::isEqual(ImplicitLocOpBuilder &b, Value left, int64_t right) {
  unsigned width = left.getType().getIntOrFloatBitWidth();
  return compare(b, arith::CmpIPredicate::eq, left, constant(b, right, width));
}

// The value that numbers have where an op fails.
static Value zeroOf(ImplicitLocOpBuilder &b, Type type) {
  return arith::ConstantOp::create(b, b.getZeroAttr(type));
}

Value CellMemory::number(Value value) {
  Type type = cast<RankedTensorType>(value.getType()).getElementType();
  Value index = toIndex(b_, emitter_.inRegister(value), type);
  return arith::IndexCastOp::create(b_, b_.getI64Type(), index);
}

void CellMemory::inBlock(Block *block, function_ref<void()> emit) {
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToStart(block);
  emit();
  if (block->empty() || !block->back().hasTrait<OpTrait::IsTerminator>())
    scf::YieldOp::create(b_);
}

void CellMemory::when(Value condition, function_ref<void()> emit) {
  auto branch = scf::IfOp::create(b_, condition);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToStart(branch.thenBlock());
  emit();
}

// ---- Room -------------------------------------------------------------------------------------

void CellMemory::callRoom(StringRef function, Value rows, bool mayBeFull) {
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

void CellMemory::makeRoom(Value rows) {
  Value capacity = intVariable(b_, cell_.capacity);
  when(compare(b_, arith::CmpIPredicate::sgt, rows, capacity),
       [&] { callRoom("sluice_list_reserve", rows); });
}

void CellMemory::makeRoomForPush(Value rows) {
  Value capacity = intVariable(b_, cell_.capacity);
  when(compare(b_, arith::CmpIPredicate::sgt, rows, capacity),
       [&] { callRoom("sluice_list_extend", rows, /*mayBeFull=*/true); });
}

Value CellMemory::hasRoom(Value index) {
  return compare(b_, arith::CmpIPredicate::slt, index, intVariable(b_, cell_.capacity));
}

Value CellMemory::checkInside(Value index, FailureReason reason) {
  Value length = intVariable(b_, cell_.length); // as unsigned, what is below 0 is large
  Value inside = compare(b_, arith::CmpIPredicate::ult, index, length);
  emitter_.failIf(negated(b_, inside), reason, op_);
  return inside;
}

Value CellMemory::growTo(Value index, FailureReason reason) {
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

Value CellMemory::stateAddress(Value index) {
  return LLVM::GEPOp::create(b_, LLVM::LLVMPointerType::get(b_.getContext()), b_.getI8Type(),
                             pointerVariable(b_, cell_.states), ValueRange{index});
}

Value CellMemory::state(Value index) {
  return LLVM::LoadOp::create(b_, b_.getI8Type(), stateAddress(index));
}

Value CellMemory::areKept() {
  Value states = pointerVariable(b_, cell_.states);
  Value null = LLVM::ZeroOp::create(b_, states.getType());
  return LLVM::ICmpOp::create(b_, LLVM::ICmpPredicate::ne, states, null);
}

void CellMemory::storeState(Value index, Value state) {
  LLVM::StoreOp::create(b_, state, stateAddress(index));
}

void CellMemory::setState(Value index, int64_t state) {
  auto store = [&] { storeState(index, constant(b_, state, 8)); };
  if (cell_.keepsStates == States::kAlways)
    store();
  else if (cell_.keepsStates == States::kIfGiven)
    when(areKept(), store);
}

Value CellMemory::stateIf(Value inside, Value index) {
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

Value CellMemory::readable(Value inside, Value index, bool zeros, function_ref<Value()> other) {
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

Value CellMemory::unless(Value condition, function_ref<Value()> other) {
  auto branch = scf::IfOp::create(b_, TypeRange(b_.getI1Type()), condition, true, true);
  OpBuilder::InsertionGuard guard(b_);
  b_.setInsertionPointToStart(branch.thenBlock());
  scf::YieldOp::create(b_, negated(b_, other()));
  b_.setInsertionPointToStart(branch.elseBlock());
  scf::YieldOp::create(b_, constant(b_, 0, 1));
  return branch.getResult(0);
}

Value CellMemory::writable(Value inside, Value index, bool again) {
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

Value CellMemory::rowAddress(Value index) {
  Value offset = arith::MulIOp::create(b_, index, cell_.rowBytes);
  return LLVM::GEPOp::create(b_, LLVM::LLVMPointerType::get(b_.getContext()), b_.getI8Type(),
                             pointerVariable(b_, cell_.rows), ValueRange{offset});
}

Value CellMemory::rowMemory(Value index) {
  return emitter_.memrefAt(rowAddress(index), bufferTypeOf(cell_.row), cell_.dims);
}

void CellMemory::read(Value result, Value index, Value ok) {
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

void CellMemory::write(Value value, Value index) {
  Held row = emitter_.held(value);
  if (row.kind() == HeldKind::kBuffer)
    copyBuffer(b_, row.value(), rowMemory(index));
  else
    storeRegister(b_, row.type(), row.value(), rowAddress(index));
}

void CellMemory::clear(Value index) {
  LLVM::MemsetOp::create(b_, rowAddress(index), constant(b_, 0, 8), cell_.rowBytes,
                         /*isVolatile=*/false);
}

Value CellMemory::sum(Value left, Value right) {
  Type type = cell_.row.getElementType();
  Value a = toComputeType(b_, left, type), b = toComputeType(b_, right, type);
  if (isa<IntegerType>(type))
    return arith::AddIOp::create(b_, a, b);
  return fromComputeType(b_, arith::AddFOp::create(b_, a, b), type);
}

void CellMemory::add(Value value, Value index) {
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

} // namespace sluice::codegen
