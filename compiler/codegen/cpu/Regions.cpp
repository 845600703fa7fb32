// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops of a codelet: flow.cond becomes scf.if, flow.while becomes scf.while.
//
// Values in registers are results and carried values of the scf op, so they stay in registers. Of
// buffers only the address travels. A carried buffer has two slots of its own beside the memory
// that holds its present value: the body writes the next value into the first of them, and the
// slots change places. So the first iteration may read memory that belongs to somebody else, and
// nothing is copied or allocated. A buffer that the body carries on as it is, in another's place,
// or updated, has no slots. For updates the loop has a copy of the first value, which lies where
// its result has to.
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/Emitter.h"
#include "compiler/codegen/plan/RowUpdates.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/BitVector.h"

using namespace mlir;

namespace sluice::codegen {

// The builder is inside of a region for as long as this lives.
class RegionScope {
public:
  RegionScope(Emitter &emitter, Block *block) : emitter_(emitter), guard_(emitter.builder_) {
    ++emitter_.depth_;
    emitter_.builder_.setInsertionPointToEnd(block);
  }
  ~RegionScope() { --emitter_.depth_; }

private:
  Emitter &emitter_;
  OpBuilder::InsertionGuard guard_;
};

// The type of a value as operand or result of an scf op.
static Type carriedTypeOf(Type type) {
  auto tensor = cast<RankedTensorType>(type);
  return isInRegister(tensor) ? registerTypeOf(tensor) : Type(bufferTypeOf(tensor));
}
static SmallVector<Type> carriedTypesOf(TypeRange types) {
  return llvm::map_to_vector(types, carriedTypeOf);
}
static bool isBuffer(Value value) { return !isInRegister(value); }

static bool makesFloats(Operation &op) {
  return !op.hasTrait<UsesBox>() && llvm::any_of(op.getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && isa<FloatType>(tensor.getElementType());
  });
}

void Emitter::addLoopOps(Block &block) {
  if (depth_ == 0 || !loopOps_)
    return;
  int64_t count = llvm::count_if(block.without_terminator(), [](Operation &op) {
    return makesFloats(op) && op.getNumRegions() == 0 && !isa<nd::ConstantOp>(op);
  });
  if (count == 0)
    return;
  Type i64 = builder_.getI64Type();
  Value sum = arith::AddIOp::create(builder_, LLVM::LoadOp::create(builder_, i64, loopOps_),
                                    arith::ConstantIntOp::create(builder_, count, 64));
  LLVM::StoreOp::create(builder_, sum, loopOps_);
}

// The value as code holds one of type `like`, which may know more or less of its dims: as a
// register, or as a memref with identity layout.
Value Emitter::asCarried(Value value, Type like) {
  auto tensor = cast<RankedTensorType>(like);
  Held source = held(value);
  if (isInRegister(tensor))
    return source.kind() != HeldKind::kBuffer
               ? source.value()
               : loadRegister(builder_, tensor, pointerTo(source.value()));
  Value memory = buffer(value);
  MemRefType type = bufferTypeOf(tensor);
  auto actual = cast<MemRefType>(memory.getType());
  if (actual == type)
    return memory;
  if (!actual.getLayout().isIdentity()) {
    Value copy = allocate(value);
    copyBuffer(builder_, memory, copy);
    memory = copy;
  }
  return builder_.createOrFold<memref::CastOp>(type, memory);
}

// Makes sure that a buffer lies where it was asked to.
void Emitter::settle(Value value, Value memory) {
  if (buffer(value) != memory)
    copyBuffer(builder_, buffer(value), memory);
}

// Whether a region computes the value, so that it can be told where to.
static bool isComputedIn(Block &block, Value value) {
  Operation *op = value.getDefiningOp();
  return op && op->getBlock() == &block && !isa<nd::ConstantOp>(op);
}

// ---- flow.cond --------------------------------------------------------------------------------

// `memory` has, for each result that is a buffer, where the branch puts what it computes. With
// `shared`, all that the branch yields ends there.
LogicalResult Emitter::emitBranch(flow::CondOp op, Block &branch, Block *block,
                                  ArrayRef<Value> memory, bool shared) {
  RegionScope scope(*this, block);
  for (auto [argument, capture] : llvm::zip(branch.getArguments(), op.getCaptures()))
    define(argument, held(capture));
  ValueRange yielded = branch.getTerminator()->getOperands();
  for (auto [value, slot] : llvm::zip(yielded, memory))
    if (slot && isComputedIn(branch, value))
      destinations_.try_emplace(value, slot);
  if (failed(emitBlock(branch)))
    return failure();
  SmallVector<Value> results;
  for (auto [value, slot, result] : llvm::zip(yielded, memory, op.getResults())) {
    if (slot && shared)
      settle(value, slot);
    else
      results.push_back(asCarried(value, result.getType()));
  }
  scf::YieldOp::create(builder_, results);
  return success();
}

LogicalResult Emitter::emitCond(flow::CondOp op) {
  Block &onTrue = op.getOnTrue().front(), &onFalse = op.getOnFalse().front();
  // If all buffers are computed in both branches, then their addresses are known before.
  bool shared = true;
  for (auto [result, a, b] : llvm::zip(op.getResults(), onTrue.getTerminator()->getOperands(),
                                       onFalse.getTerminator()->getOperands()))
    shared &= !isBuffer(result) || (isComputedIn(onTrue, a) && isComputedIn(onFalse, b));
  SmallVector<Value> memory;
  SmallVector<Type> types;
  for (Value result : op.getResults()) {
    memory.push_back(!isBuffer(result) ? nullptr : shared ? destination(result) : allocate(result));
    if (!isBuffer(result) || !shared)
      types.push_back(carriedTypeOf(result.getType()));
  }
  auto branch = scf::IfOp::create(builder_, types, inRegister(op.getPredicate()),
                                  /*addThenBlock=*/true, /*addElseBlock=*/true);
  if (failed(emitBranch(op, onTrue, branch.thenBlock(), memory, shared)) ||
      failed(emitBranch(op, onFalse, branch.elseBlock(), memory, shared)))
    return failure();
  unsigned next = 0;
  for (Value result : op.getResults())
    if (!isBuffer(result) || !shared)
      define(result, Held(cast<RankedTensorType>(result.getType()), branch.getResult(next++)));
  return success();
}

// ---- flow.while -------------------------------------------------------------------------------

// Values of an scf.while: first the loop's own, then the two slots of each carried buffer that the
// body computes anew.
struct Emitter::Carried {
  SmallVector<Value> values;
  SmallVector<Value> slots;

  SmallVector<Value> all() const {
    SmallVector<Value> result(values);
    result.append(slots);
    return result;
  }
  // As arguments of a block or results of an op, the first `count` of which are the loop's own.
  static Carried of(ValueRange all, size_t count) {
    return {SmallVector<Value>(all.take_front(count)), SmallVector<Value>(all.drop_front(count))};
  }
};

void Emitter::defineAll(ValueRange values, ValueRange code) {
  for (auto [value, one] : llvm::zip(values, code))
    define(value, Held(cast<RankedTensorType>(value.getType()), one));
}

void Emitter::defineCaptures(flow::WhileOp op, Block &region) {
  ValueRange arguments = region.getArguments();
  size_t own = arguments.size() - op.getCaptures().size();
  for (auto [argument, capture] : llvm::zip(arguments.drop_front(own), op.getCaptures()))
    define(argument, held(capture));
}

LogicalResult Emitter::emitBefore(flow::WhileOp op, scf::WhileOp loop) {
  Block &before = op.getBefore().front();
  RegionScope scope(*this, loop.getBeforeBody());
  Carried carried = Carried::of(loop.getBeforeArguments(), op.getInits().size());
  defineAll(before.getArguments().take_front(carried.values.size()), carried.values);
  defineCaptures(op, before);
  if (failed(emitBlock(before)))
    return failure();
  auto condition = cast<flow::ConditionOp>(before.getTerminator());
  Value goesOn = inRegister(condition.getPredicate());
  if (Value bad = hasFailed())
    goesOn = arith::AndIOp::create(builder_, goesOn, negated(builder_, bad));
  if (cancel_)
    goesOn =
        arith::AndIOp::create(builder_, goesOn, negated(builder_, isCancelled(builder_, cancel_)));
  Carried forwarded{{}, carried.slots};
  for (Value value : condition.getForwarded())
    forwarded.values.push_back(asCarried(value, value.getType()));
  scf::ConditionOp::create(builder_, goesOn, forwarded.all());
  return success();
}

// Whether the loop computes no next value for a carried buffer: it hands it on as it is, but for a
// row that it writes, or lets it change places with others of which this holds, or takes a value
// from outside. Then addresses are all that moves.
static bool isKept(flow::WhileOp op, unsigned position, const FusionPlan &fusion) {
  if (updatedResult(op, position, fusion))
    return true;
  Block &before = op.getBefore().front(), &body = op.getBody().front();
  ValueRange forwarded = cast<flow::ConditionOp>(before.getTerminator()).getForwarded();
  llvm::BitVector seen(op.getInits().size());
  while (!seen.test(position)) {
    seen.set(position);
    auto argument = dyn_cast<BlockArgument>(body.getTerminator()->getOperand(position));
    if (!argument || argument.getOwner() != &body)
      return false;
    if (argument.getArgNumber() >= forwarded.size())
      return true; // a capture
    auto from = dyn_cast<BlockArgument>(forwarded[argument.getArgNumber()]);
    if (!from || from.getOwner() != &before)
      return false;
    position = from.getArgNumber();
    if (position >= op.getInits().size())
      return true; // a capture of the condition
    if (!seen.test(position) && updatedResult(op, position, fusion))
      return false; // its old rows are gone
  }
  return true;
}

// What carries a loop variable. Its type may know less of the dims than that of the first value.
static Value variableOf(flow::WhileOp op, unsigned position) {
  return op.getBefore().front().getArgument(position);
}

static bool hasSlots(flow::WhileOp op, unsigned position, const FusionPlan &fusion) {
  return isBuffer(variableOf(op, position)) && !isKept(op, position, fusion);
}

LogicalResult Emitter::emitAfter(flow::WhileOp op, scf::WhileOp loop) {
  Block &body = op.getBody().front();
  RegionScope scope(*this, loop.getAfterBody());
  Carried forwarded = Carried::of(loop.getAfterArguments(), op.getNumResults());
  defineAll(body.getArguments().take_front(forwarded.values.size()), forwarded.values);
  defineCaptures(op, body);
  ValueRange yielded = body.getTerminator()->getOperands();
  MutableArrayRef<Value> slots = forwarded.slots;
  for (unsigned i = 0, slot = 0; i < yielded.size(); ++i) {
    if (!hasSlots(op, i, fusion_))
      continue;
    if (isComputedIn(body, yielded[i]))
      destinations_.try_emplace(yielded[i], slots[slot]);
    slot += 2;
  }
  if (failed(emitBlock(body)))
    return failure();
  Carried next{{}, forwarded.slots};
  for (unsigned i = 0, slot = 0; i < yielded.size(); ++i) {
    if (!hasSlots(op, i, fusion_)) {
      next.values.push_back(asCarried(yielded[i], variableOf(op, i).getType()));
      continue;
    }
    settle(yielded[i], slots[slot]);
    next.values.push_back(slots[slot]);
    std::swap(next.slots[slot], next.slots[slot + 1]);
    slot += 2;
  }
  scf::YieldOp::create(builder_, next.all());
  return success();
}

// A copy of an array for a loop that writes rows of it, in the memory of the loop's result. If that
// is also the memory of the input that the loop starts with (InPlace.cpp), nothing is copied.
Value Emitter::copyForUpdates(Value init, Value result) {
  bool isLike = isBuffer(result) && shapes().haveSameDims(init, result);
  OpOperand *output = outputOf(result);
  bool isThere =
      isLike && output && givenOutputs_.lookup(output->getOperandNumber()) == buffer(init);
  Value memory = isLike ? destination(result) : allocate(init);
  Value from = buffer(init);
  if (isThere)
    return memory;
  auto argument = dyn_cast<BlockArgument>(init);
  if (argument && argument.getOwner() == &codelet_.getBody().front()) {
    Value differ =
        LLVM::ICmpOp::create(builder_, LLVM::ICmpPredicate::ne, pointerTo(from), pointerTo(memory));
    auto branch = scf::IfOp::create(builder_, differ);
    OpBuilder::InsertionGuard guard(builder_);
    builder_.setInsertionPointToStart(branch.thenBlock());
    copyBuffer(builder_, from, memory);
  } else {
    copyBuffer(builder_, from, memory);
  }
  return memory;
}

LogicalResult Emitter::emitWhile(flow::WhileOp op) {
  Carried inits;
  for (auto [position, init] : llvm::enumerate(op.getInits())) {
    auto type = cast<RankedTensorType>(variableOf(op, position).getType());
    auto asVariable = [&](Value memory) {
      return builder_.createOrFold<memref::CastOp>(bufferTypeOf(type), memory);
    };
    Value updated = isInRegister(type) ? nullptr : updatedResult(op, position, fusion_);
    if (updated && isChangedInPlace(op->getOpOperand(static_cast<unsigned>(position)), fusion_)) {
      define(updated, held(init)); // the loop around this one has copied it
      inits.values.push_back(asVariable(buffer(init)));
    } else {
      inits.values.push_back(updated ? asVariable(copyForUpdates(init, updated))
                                     : asCarried(init, type));
    }
    if (updated && !isOnCard_)
      sums_.open(op, static_cast<unsigned>(position), inits.values.back());
    for (int i = 0; i < 2 && hasSlots(op, position, fusion_); ++i)
      inits.slots.push_back(asVariable(allocate(init)));
  }
  SmallVector<Value> operands = inits.all();
  SmallVector<Type> results = carriedTypesOf(op.getResultTypes());
  llvm::append_range(results, ValueRange(inits.slots).getTypes());
  auto loop = scf::WhileOp::create(builder_, results, operands);
  auto addBlock = [&](Region &region, TypeRange types) {
    SmallVector<Location> locations(types.size(), op.getLoc());
    OpBuilder::InsertionGuard guard(builder_);
    builder_.createBlock(&region, region.end(), types, locations);
  };
  addBlock(loop.getBefore(), ValueRange(operands).getTypes());
  addBlock(loop.getAfter(), results);
  if (failed(emitBefore(op, loop)) || failed(emitAfter(op, loop)))
    return failure();
  sums_.close(op);
  for (auto [result, code] : llvm::zip(op.getResults(), loop.getResults()))
    if (!isDefined(result)) // those that are updated lie where they were asked to
      define(result, Held(cast<RankedTensorType>(result.getType()), code));
  return success();
}

} // namespace sluice::codegen
