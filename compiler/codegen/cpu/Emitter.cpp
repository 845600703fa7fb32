// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The function around a codelet's ops: inputs, outputs, destinations, failures.
#include "compiler/codegen/cpu/Emitter.h"

#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/CompileCodelets.h"
#include "compiler/codegen/cpu/BoxCode.h"
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/EmitCodelet.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/plan/Cards.h"
#include "compiler/codegen/plan/RowUpdates.h"
#include "dialects/nd/Nd.h"
#include "runtime/codelet/abi.h"
#include "runtime/elements/division.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

SmallVector<Operation *> codeletMembers(flow::CodeletOp codelet) {
  SmallVector<Operation *> members;
  codelet.getBody().walk<WalkOrder::PreOrder>([&](Operation *op) { members.push_back(op); });
  return members;
}

ArrayRef<StringRef> failureReasons() {
  static constexpr StringRef kReasons[] = {
      rt::element::NotZero::kError,
      rt::element::NotNegative::kError,
      "Tried to read a row outside of the array",
      "Tried to write a row outside of the array",
      "Could not read an element twice because it was cleared after a previous read",
      "Could not read an element: nothing was written to it, and its shape is not declared",
      "Could not write to an element because it has already been read",
      "Could not write to an element because it has already been written to",
      "Stack overflowed its max_size",
      "Stack is empty when calling Pop()",
      "Size should be >= 0"};
  return kReasons;
}

static Value constantInt(ImplicitLocOpBuilder &b, int64_t value, unsigned width) {
  return arith::ConstantIntOp::create(b, value, width);
}

Value negated(ImplicitLocOpBuilder &b, Value condition) {
  return arith::XOrIOp::create(b, condition, constantInt(b, 1, 1));
}

Emitter::Emitter(ImplicitLocOpBuilder &builder, flow::CodeletOp codelet, const ShapeSymbols &shapes,
                 Value call, const TargetOptions &options, FindLowering findLowering)
    : builder_(builder), codelet_(codelet), call_(call), options_(options),
      findLowering_(findLowering), fusion_(codelet, shapes), lifetimes_(codelet, fusion_),
      cells_(*this), sums_(*this), members_(codeletMembers(codelet)) {
  bool canFail = llvm::any_of(members_, [](Operation *op) {
    return elementCanFail(op) || op->hasTrait<LooksAtIndices>() || op->hasTrait<UsesBox>();
  });
  for (auto [position, run] : llvm::enumerate(callsOf(codelet)))
    calls_[run] = static_cast<unsigned>(position);
  isOnCard_ = cardOf(codelet).has_value();
  hasRegions_ =
      llvm::any_of(members_, [](Operation *op) { return isa<flow::WhileOp, flow::CondOp>(op); });
  inputs_ = loadCallField(builder_, call_, CallField::kInputs);
  outputs_ = loadCallField(builder_, call_, CallField::kOutputs);
  Value arena = loadCallField(builder_, call_, CallField::kArena);
  dims_.emplace(builder_, shapes, inputs_);
  arena_.emplace(*dims_, arena);
  if (!hasRegions_)
    return;
  if (!isOnCard_) { // which counts nothing, and is stopped by the runtime
    loopOps_ = local(builder_.getI64Type());
    if (llvm::any_of(members_, llvm::IsaPred<flow::WhileOp>))
      cancel_ = loadCallField(builder_, call_, CallField::kCancel);
  }
  if (!canFail)
    return;
  status_ = local(builder_.getI32Type());
  failedMember_ = local(builder_.getI32Type());
  if (isOnCard_) { // for the runtime, when the card has run the loop
    status_.getDefiningOp()->setAttr(kVariableAttr, builder_.getStringAttr("status"));
    failedMember_.getDefiningOp()->setAttr(kVariableAttr, builder_.getStringAttr("failed_member"));
  }
}

// ---- Values -----------------------------------------------------------------------------------

Held Emitter::held(Value value) {
  Held result = values_.lookup(value);
  assert(result && "an op is emitted after those that it uses");
  return result;
}

void Emitter::define(Value value, Held held) { values_[value] = held; }

void Emitter::define(Value result, Value inRegister) {
  auto type = cast<RankedTensorType>(result.getType());
  assert(inRegister.getType() == registerTypeOf(type) && "expected the value's register type");
  values_[result] = Held(type, inRegister);
}

Value Emitter::inRegister(Value value) {
  Held source = held(value);
  assert(source.kind() != HeldKind::kBuffer && "expected a value in a register");
  return source.value();
}

Value Emitter::buffer(Value value) {
  Held source = held(value);
  if (source.kind() == HeldKind::kBuffer)
    return source.value();
  Value &memory = stored_[value];
  if (!memory) {
    // Where the register is made, so that loops find the memory ready.
    OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointAfterValue(source.value());
    if (isOnCard_) {
      memory = allocate(value, /*fresh=*/true);
      fillBuffer(builder_, toMemoryForm(builder_, source.value()), memory);
    } else if (Value data = inputData_.lookup(value)) {
      memory = memrefAt(data, bufferTypeOf(source.type()), dims(value));
    } else {
      memory = allocate(value, /*fresh=*/true);
      storeRegister(builder_, source.type(), source.value(), pointerTo(memory));
    }
  }
  return memory;
}

SmallVector<Value> Emitter::dims(Value value) { return dims_->get(shapes().dims(value)); }

ElementsAttr Emitter::constant(Value value) const {
  auto op = value.getDefiningOp<nd::ConstantOp>();
  return op ? op.getValue() : ElementsAttr();
}

// ---- Memory -----------------------------------------------------------------------------------

Value Emitter::outputMemory(unsigned position, Value value) {
  MemRefType type = bufferTypeOf(cast<RankedTensorType>(value.getType()));
  return memrefAt(loadData(builder_, outputs_, position), type, dims(value));
}

Value Emitter::allocate(Value value, bool fresh) {
  MemRefType type = bufferTypeOf(cast<RankedTensorType>(value.getType()));
  Value slot =
      arena_->allocate(builder_, type, shapes().dims(value), lifetimes_.lastUse(value), fresh);
  return memrefAt(slot, type, dims(value));
}

Value Emitter::allocateBytes(int64_t bytes) {
  return allocateBytes(builder_.getAffineConstantExpr(bytes));
}
Value Emitter::allocateBytes(AffineExpr bytes) {
  auto known = dyn_cast<AffineConstantExpr>(bytes);
  auto type =
      MemRefType::get({known ? known.getValue() : ShapedType::kDynamic}, builder_.getI8Type());
  return arena_->allocate(builder_, type, bytes, SlotLifetimes::kAlways, /*fresh=*/true);
}

OpOperand *Emitter::outputOf(Value result) {
  Operation *yield = codelet_.getBody().front().getTerminator();
  Value yielded = afterUpdates(result);
  for (OpOperand &output : yield->getOpOperands())
    if (output.get() == yielded)
      return &output;
  return nullptr;
}

Value Emitter::destination(Value result) {
  Value memory = destinations_.lookup(result);
  if (!memory) {
    OpOperand *output = isInRegister(result) ? nullptr : outputOf(result);
    memory = output ? outputMemory(output->getOperandNumber(), result) : allocate(result);
    if (output)
      givenOutputs_[output->getOperandNumber()] = memory;
  }
  define(result, Held(cast<RankedTensorType>(result.getType()), memory));
  return memory;
}

// A variable of the function that starts as 0.
Value Emitter::local(Type type) {
  Value one = constantInt(builder_, 1, 64);
  Value memory = LLVM::AllocaOp::create(builder_, LLVM::LLVMPointerType::get(builder_.getContext()),
                                        type, one, 0);
  LLVM::StoreOp::create(builder_, LLVM::ZeroOp::create(builder_, type), memory);
  return memory;
}

// ---- Failures ---------------------------------------------------------------------------------

void Emitter::bailUnless(Value ok) {
  assert(mayBail() && depth_ == 0 && "expected a straight line");
  Block *here = builder_.getInsertionBlock();
  Block *rest = here->splitBlock(builder_.getInsertionPoint());
  if (!bailBlock_) {
    OpBuilder::InsertionGuard guard(builder_);
    bailBlock_ = builder_.createBlock(here->getParent());
    func::ReturnOp::create(builder_, constantInt(builder_, kSluiceBail, 32));
  }
  rest->moveBefore(bailBlock_);
  builder_.setInsertionPointToEnd(here);
  cf::CondBranchOp::create(builder_, ok, rest, bailBlock_);
  builder_.setInsertionPointToEnd(rest);
}

void Emitter::failIf(Value bad, FailureReason reason, Operation *member) {
  if (isa<VectorType>(bad.getType()))
    bad = vector::ReductionOp::create(builder_, vector::CombiningKind::OR, bad);
  if (mayBail())
    return bailUnless(negated(builder_, bad));
  fail(bad, constantInt(builder_, static_cast<int32_t>(reason), 32), member);
}

void Emitter::failOn(Value status, Operation *member) {
  Value ok = constantInt(builder_, kSluiceOk, 32);
  fail(arith::CmpIOp::create(builder_, arith::CmpIPredicate::ne, status, ok), status, member);
}

void Emitter::fail(Value bad, Value status, Operation *member) {
  Value isFirst = arith::AndIOp::create(builder_, bad, negated(builder_, hasFailed()));
  auto set = [&](Value variable, Value value) {
    Value old = LLVM::LoadOp::create(builder_, builder_.getI32Type(), variable);
    Value next = arith::SelectOp::create(builder_, isFirst, value, old);
    LLVM::StoreOp::create(builder_, next, variable);
  };
  set(status_, status);
  set(failedMember_, constantInt(builder_, llvm::find(members_, member) - members_.begin(), 32));
}

// Whether something has failed, for loops to end; null when nothing can.
Value Emitter::hasFailed() {
  if (!status_)
    return nullptr;
  Value status = LLVM::LoadOp::create(builder_, builder_.getI32Type(), status_);
  return arith::CmpIOp::create(builder_, arith::CmpIPredicate::ne, status,
                               constantInt(builder_, 0, 32));
}

std::string Emitter::newDataName() {
  auto function = cast<func::FuncOp>(dims_->entry().getInsertionBlock()->getParentOp());
  return (function.getName() + "_data_" + Twine(numData_++)).str();
}

// ---- The function -----------------------------------------------------------------------------

void Emitter::defineInputs() {
  for (BlockArgument input : codelet_.getBody().front().getArguments()) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type || isBoxedInput(input))
      continue; // a list in a cell, or in a box
    Value data = loadData(builder_, inputs_, input.getArgNumber());
    if (isInRegister(type)) {
      inputData_[input] = data;
      define(input, loadRegister(builder_, type, data));
      continue;
    }
    define(input, Held(type, memrefAt(data, bufferTypeOf(type), dims(input))));
  }
}

bool isWritten(Value output) {
  auto get = output.getDefiningOp<flow::BoxGetOp>();
  return isa<RankedTensorType>(output.getType()) && !(get && isBoxedOutput(get));
}

void Emitter::storeOutputs() {
  Operation *yield = codelet_.getBody().front().getTerminator();
  for (OpOperand &output : yield->getOpOperands()) {
    if (!isWritten(output.get()))
      continue;
    Held value = held(output.get());
    if (value.kind() != HeldKind::kBuffer) {
      Value data = loadData(builder_, outputs_, output.getOperandNumber());
      storeRegister(builder_, value.type(), value.value(), data);
      continue;
    }
    if (givenOutputs_.lookup(output.getOperandNumber()) == value.value())
      continue;
    Value memory = outputMemory(output.getOperandNumber(), output.get());
    copyBuffer(builder_, value.value(), memory);
  }
}

void Emitter::storeStatus() {
  if (isOnCard_ && hasRegions_) { // there is none yet
    func::ReturnOp::create(builder_, constantInt(builder_, kSluiceOk, 32));
    return;
  }
  Type i32 = builder_.getI32Type(), i64 = builder_.getI64Type();
  if (loopOps_) {
    Value before = loadCallField(builder_, call_, CallField::kLoopOps);
    Value more = LLVM::LoadOp::create(builder_, i64, loopOps_);
    storeCallField(builder_, call_, CallField::kLoopOps,
                   arith::AddIOp::create(builder_, before, more));
  }
  Value status = constantInt(builder_, kSluiceOk, 32);
  if (status_) {
    status = LLVM::LoadOp::create(builder_, i32, status_);
    storeCallField(builder_, call_, CallField::kFailedMember,
                   LLVM::LoadOp::create(builder_, i32, failedMember_));
  }
  if (cancel_)
    status = arith::SelectOp::create(builder_, isCancelled(builder_, cancel_),
                                     constantInt(builder_, kSluiceCancelled, 32), status);
  func::ReturnOp::create(builder_, status);
}

LogicalResult Emitter::emitBody() {
  defineInputs();
  if (failed(emitBlock(codelet_.getBody().front())))
    return failure();
  arena_->finish();
  builder_.setLoc(codelet_.getLoc());
  storeOutputs();
  cells_.storeLengths();
  storeStatus();
  return success();
}

LogicalResult Emitter::emitOp(Operation *op) {
  builder_.setLoc(op->getLoc());
  return llvm::TypeSwitch<Operation *, LogicalResult>(op)
      .Case([&](flow::CondOp cond) { return emitCond(cond); })
      .Case([&](flow::WhileOp loop) { return emitWhile(loop); })
      .Default([&](Operation *other) -> LogicalResult {
        if (other->hasTrait<UsesBox>())
          return emitBoxOp(*this, other), loadResults(other), success();
        if (other->hasTrait<UsesCell>())
          return cells_.emit(other);
        LowerFn lower = findLowering_(other);
        if (!lower)
          return other->emitError("expected an op that can be compiled but got '")
                 << other->getName() << "'";
        if (failed(lower(other, *this)))
          return failure();
        loadResults(other);
        return success();
      });
}

// Results that belong into registers, but were written to memory.
void Emitter::loadResults(Operation *op) {
  for (Value result : op->getResults()) {
    Held memory = values_.lookup(result);
    if (memory && memory.kind() != HeldKind::kBuffer && isa<MemRefType>(memory.value().getType()))
      define(result, loadRegister(builder_, memory.type(), pointerTo(memory.value())));
  }
}

LogicalResult Emitter::emitBlock(Block &block) {
  for (Operation *op : fusion_.order(block)) {
    arena_->startAt(lifetimes_.timeOf(op));
    if (failed(emitOp(op)))
      return failure();
  }
  addLoopOps(block);
  return success();
}

} // namespace sluice::codegen
