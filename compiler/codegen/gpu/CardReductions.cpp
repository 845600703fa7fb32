// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reductions on a card. Which element is combined with which follows from the dims alone, so
// results are the same in every run; they are not those of the host, which has another order.
//
//   the innermost dims are reduced   a block for each result: its threads fold elements that lie
//                                    256 apart, then lanes of warps, then warps. Of very many
//                                    elements, blocks for parts of them come before
//   the innermost dims are kept      neighbouring threads have neighbouring results: one each, or
//                                    eight that fold elements that lie 8 apart, if there are many
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/BufferViews.h"
#include "compiler/codegen/elements/ReductionCode.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/ChooseBySize.h"
#include "compiler/codegen/gpu/KernelBuilder.h"
#include "compiler/codegen/gpu/Shuffles.h"
#include "compiler/codegen/shapes/ConstantOperands.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

constexpr int64_t kThreads = 256, kWarp = 32, kWarps = kThreads / kWarp;
// From so many elements on several threads share a result.
constexpr int64_t kManyElements = 32;
// From so many on a result is folded in parts, each by a block of its own.
constexpr int64_t kVeryManyElements = 1 << 16, kParts = kThreads;

// Neighbouring dims that all are reduced or all are kept, as one: its size, and how far apart its
// elements lie.
struct Group {
  AffineExpr size, stride;
  bool isReduced;
};

SmallVector<Group> groupsOf(ArrayRef<AffineExpr> dims, ArrayRef<bool> reduced) {
  SmallVector<Group> groups; // innermost first
  AffineExpr stride = getAffineConstantExpr(1, dims.front().getContext());
  for (size_t d = dims.size(); d-- > 0; stride = stride * dims[d]) {
    if (!groups.empty() && groups.back().isReduced == reduced[d])
      groups.back().size = groups.back().size * dims[d];
    else
      groups.push_back({dims[d], stride, reduced[d]});
  }
  return groups;
}

class ReductionKernel {
public:
  ReductionKernel(Operation *op, Emitter &emitter, ArrayRef<Group> groups)
      : op_(op), emitter_(emitter), b_(emitter.builder()), code_(op), groups_(groups),
        reduced_(one(op)), kept_(one(op)) {
    for (const Group &group : groups)
      (group.isReduced ? reduced_ : kept_) = (group.isReduced ? reduced_ : kept_) * group.size;
  }

  void launch() {
    from_ = emitter_.pointerTo(contiguousBuffer(emitter_, op_->getOperand(0)));
    to_ = emitter_.pointerTo(emitter_.destination(op_->getResult(0)));
    Value each = emitter_.dim(reduced_);
    if (groups_.front().isReduced)
      ifAtLeast(
          b_, each, kVeryManyElements, [&] { launchParts(); },
          [&] { launch(&ReductionKernel::emitBlocks, 1); });
    else
      ifAtLeast(
          b_, each, kManyElements, [&] { launch(&ReductionKernel::emitShared, kWarp); },
          [&] { launch(&ReductionKernel::emitThreads, kThreads); });
  }

private:
  void launchParts() {
    AffineExpr bytes = kept_ * (kParts * int64_t(code_.accumulator().getIntOrFloatBitWidth() / 8));
    partial_ = emitter_.allocateBytes(bytes);
    launch(&ReductionKernel::emitParts, 1, kParts);
    launch(&ReductionKernel::emitOfParts, 1);
    partial_ = Value();
  }

  using Emit = void (ReductionKernel::*)(const KernelThread &thread, Value count, Value each);

  // With a block for so many results, or as many blocks for each of them.
  void launch(Emit emit, int64_t ofBlock, int64_t blocksEach = 1) {
    KernelBuilder kernel(b_, kThreads);
    kernel_ = &kernel;
    Value results = emitter_.dim(kept_);
    Value blocks = b_.createOrFold<arith::MulIOp>(
        b_.createOrFold<arith::CeilDivUIOp>(results, index(ofBlock)), index(blocksEach));
    SmallVector<Value> used{from_, to_, results, emitter_.dim(reduced_)};
    for (const Group &group : groups_) {
      used.push_back(emitter_.dim(group.size));
      used.push_back(emitter_.dim(group.stride));
    }
    for (Value value : used)
      kernel.parameters().add(value);
    if (partial_)
      kernel.parameters().add(partial_);
    kernel.launch(blocks, [&](const KernelThread &thread, IRMapping &inside) {
      inside_ = &inside;
      sizes_.clear();
      strides_.clear();
      for (size_t next = 4; next < used.size(); next += 2) {
        sizes_.push_back(inside.lookup(used[next]));
        strides_.push_back(inside.lookup(used[next + 1]));
      }
      Value count = inside.lookup(used[2]), each = inside.lookup(used[3]);
      count_ = arith::IndexCastOp::create(b_, b_.getI64Type(), each);
      (this->*emit)(thread, count, each);
    });
  }

  static AffineExpr one(Operation *op) { return getAffineConstantExpr(1, op->getContext()); }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value identity() { return arith::ConstantOp::create(b_, code_.identity()); }

  // Where the element with this number among those that are reduced, or kept, lies.
  Value offsetOf(Value number, bool ofReduced) {
    Value offset = index(0);
    for (auto [i, group] : llvm::enumerate(groups_)) {
      if (group.isReduced != ofReduced)
        continue;
      Value at = arith::RemUIOp::create(b_, number, sizes_[i]);
      number = arith::DivUIOp::create(b_, number, sizes_[i]);
      offset = arith::AddIOp::create(b_, offset, arith::MulIOp::create(b_, at, strides_[i]));
    }
    return offset;
  }

  Type storedType() {
    return memoryElementType(cast<ShapedType>(op_->getOperand(0).getType()).getElementType());
  }
  Value addressAt(Value memory, Value offset) {
    Value word = arith::IndexCastOp::create(b_, b_.getI64Type(), offset);
    return LLVM::GEPOp::create(b_, memory.getType(), storedType(), inside_->lookup(memory),
                               ArrayRef<LLVM::GEPArg>{word}, LLVM::GEPNoWrapFlags::inbounds);
  }
  Value load(Value offset) {
    Type element = cast<ShapedType>(op_->getOperand(0).getType()).getElementType();
    Value stored =
        LLVM::LoadOp::create(b_, storedType(), addressAt(from_, offset), bytesOf(element));
    return code_.load(b_, toRegisterForm(b_, stored, element));
  }
  void store(Value accumulator, Value result) {
    Type element = cast<ShapedType>(op_->getResult(0).getType()).getElementType();
    auto known = dyn_cast<AffineConstantExpr>(reduced_);
    Value value = known ? code_.finish(b_, accumulator, known.getValue())
                        : code_.finish(b_, accumulator, count_);
    value = toMemoryForm(b_, value);
    LLVM::StoreOp::create(b_, value, addressAt(to_, result), bytesOf(element));
  }

  // Combines elements first, first + step, … of a result that begins at `base`.
  Value fold(Value base, Value first, Value end, Value step) {
    auto loop = scf::ForOp::create(b_, first, end, step, identity());
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value offset = arith::AddIOp::create(b_, base, offsetOf(loop.getInductionVar(), true));
    Value next = code_.combine(b_, loop.getRegionIterArg(0), load(offset));
    scf::YieldOp::create(b_, next);
    return loop.getResult(0);
  }

  void forEachResult(Value first, Value count, Value step, function_ref<void(Value)> body) {
    auto loop = scf::ForOp::create(b_, first, count, step);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    body(loop.getInductionVar());
  }

  void emitThreads(const KernelThread &thread, Value count, Value each) {
    Value threads = index(kThreads);
    Value first =
        arith::AddIOp::create(b_, arith::MulIOp::create(b_, thread.block, threads), thread.thread);
    forEachResult(first, count, arith::MulIOp::create(b_, thread.blocks, threads),
                  [&](Value result) {
                    store(fold(offsetOf(result, false), index(0), each, index(1)), result);
                  });
  }

  // A lane of each warp has a part of the result; the first warp folds these parts.
  void emitShared(const KernelThread &thread, Value count, Value each) {
    Value partial = kernel_->shared(kThreads, code_.accumulator());
    Value lane = arith::RemUIOp::create(b_, thread.thread, index(kWarp));
    Value warp = arith::DivUIOp::create(b_, thread.thread, index(kWarp));
    Value leads = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, warp, index(0));
    Value width = index(kWarp);
    forEachResult(arith::MulIOp::create(b_, thread.block, width), count,
                  arith::MulIOp::create(b_, thread.blocks, width), [&](Value first) {
                    Value result = arith::AddIOp::create(b_, first, lane);
                    Value inside =
                        arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, result, count);
                    Value end = arith::SelectOp::create(b_, inside, each, index(0));
                    Value sum = fold(offsetOf(result, false), warp, end, index(kWarps));
                    memref::StoreOp::create(b_, sum, partial, thread.thread);
                    gpu::BarrierOp::create(b_);
                    foldPartial(arith::AndIOp::create(b_, inside, leads), partial, lane, result);
                    endResult(kWarp);
                  });
  }
  void foldPartial(Value isWanted, Value partial, Value lane, Value result) {
    auto branch = scf::IfOp::create(b_, isWanted);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    Value sum = memref::LoadOp::create(b_, partial, lane);
    for (int64_t warp = 1; warp < kWarps; ++warp)
      sum = code_.combine(
          b_, sum,
          memref::LoadOp::create(b_, partial,
                                 ValueRange{arith::AddIOp::create(b_, lane, index(warp * kWarp))}));
    store(sum, result);
  }

  void emitBlocks(const KernelThread &thread, Value count, Value each) {
    Value partial = kernel_->shared(kThreads / kWarp, code_.accumulator());
    forEachResult(thread.block, count, thread.blocks, [&](Value result) {
      Value sum = fold(offsetOf(result, false), thread.thread, each, index(kThreads));
      store(foldBlock(sum, thread, partial), thread, result);
      endResult(1);
    });
  }
  void store(Value accumulator, const KernelThread &thread, Value result) {
    inFirstThread(thread, [&] { store(accumulator, result); });
  }
  void inFirstThread(const KernelThread &thread, function_ref<void()> body) {
    Value isFirst = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, thread.thread, index(0));
    auto branch = scf::IfOp::create(b_, isFirst);
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(branch.thenBlock());
      body();
    }
  }
  // Of so many results that a block has at a time, or the last ones: the next may write to shared
  // memory, if there are any.
  void endResult(int64_t ofBlock) {
    auto known = dyn_cast<AffineConstantExpr>(kept_);
    if (!known || known.getValue() > ofBlock)
      gpu::BarrierOp::create(b_);
  }

  // ---- In parts ---------------------------------------------------------------------------------

  Value partialAt(Value number) {
    Value word = arith::IndexCastOp::create(b_, b_.getI64Type(), number);
    Value memory = inside_->lookup(partial_);
    return LLVM::GEPOp::create(b_, memory.getType(), code_.accumulator(), memory,
                               ArrayRef<LLVM::GEPArg>{word}, LLVM::GEPNoWrapFlags::inbounds);
  }

  // A block for each part of each result.
  void emitParts(const KernelThread &thread, Value count, Value each) {
    Value shared = kernel_->shared(kWarps, code_.accumulator());
    Value parts = index(kParts), length = arith::CeilDivUIOp::create(b_, each, parts);
    forEachResult(
        thread.block, arith::MulIOp::create(b_, count, parts), thread.blocks, [&](Value number) {
          Value result = arith::DivUIOp::create(b_, number, parts);
          Value begin =
              arith::MulIOp::create(b_, arith::RemUIOp::create(b_, number, parts), length);
          Value end = arith::MinUIOp::create(b_, each, arith::AddIOp::create(b_, begin, length));
          Value sum = fold(offsetOf(result, false), arith::AddIOp::create(b_, begin, thread.thread),
                           end, index(kThreads));
          sum = foldBlock(sum, thread, shared);
          inFirstThread(thread, [&] { LLVM::StoreOp::create(b_, sum, partialAt(number)); });
          gpu::BarrierOp::create(b_); // before those of the next part are written
        });
  }

  // A block for each result, and a thread for each of its parts.
  void emitOfParts(const KernelThread &thread, Value count, Value each) {
    Value shared = kernel_->shared(kWarps, code_.accumulator());
    forEachResult(thread.block, count, thread.blocks, [&](Value result) {
      Value number = arith::AddIOp::create(b_, arith::MulIOp::create(b_, result, index(kParts)),
                                           thread.thread);
      Value part = LLVM::LoadOp::create(b_, code_.accumulator(), partialAt(number));
      store(foldBlock(part, thread, shared), thread, result);
      endResult(1);
    });
  }

  // What all threads of the block have, in the first thread.
  Value foldBlock(Value sum, const KernelThread &thread, Value partial) {
    sum = foldLanes(sum, kWarp);
    Value lane = arith::RemUIOp::create(b_, thread.thread, index(kWarp));
    Value warp = arith::DivUIOp::create(b_, thread.thread, index(kWarp));
    Value leads = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, lane, index(0));
    auto branch = scf::IfOp::create(b_, leads);
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(branch.thenBlock());
      memref::StoreOp::create(b_, sum, partial, warp);
    }
    gpu::BarrierOp::create(b_);
    // Every warp folds the partial ones, so that no lane of a shuffle is absent.
    Value at = arith::RemUIOp::create(b_, lane, index(kThreads / kWarp));
    return foldLanes(memref::LoadOp::create(b_, partial, at), kThreads / kWarp);
  }

  // What `width` neighbouring lanes have, in each of them.
  Value foldLanes(Value sum, int64_t width) {
    for (int64_t distance = width / 2; distance > 0; distance /= 2)
      sum = code_.combine(b_, sum, shuffled(b_, sum, static_cast<int32_t>(distance)));
    return sum;
  }

  Operation *op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  ReductionCode code_;
  ArrayRef<Group> groups_;
  KernelBuilder *kernel_ = nullptr; // that is written
  AffineExpr reduced_, kept_;       // numbers of elements of a result, and of results
  Value from_, to_;
  Value partial_; // what parts have come to; null without
  // Within the kernel.
  IRMapping *inside_ = nullptr;
  SmallVector<Value> sizes_, strides_;
  Value count_; // of the elements of a result
};

} // namespace

LogicalResult lowerReductionOnCard(Operation *op, Emitter &emitter) {
  ArrayRef<AffineExpr> dims = emitter.shapes().dims(op->getOperand(0));
  auto rank = static_cast<int64_t>(dims.size());
  SmallVector<bool> reduced(dims.size(), true);
  if (op->hasTrait<OfReduction>())
    reduced = *constantAxisSet(op->getOperand(1), rank);
  if (dims.empty()) { // nothing is combined
    copyBuffer(emitter.builder(), emitter.buffer(op->getOperand(0)),
               emitter.destination(op->getResult(0)));
    return success();
  }
  SmallVector<Group> groups = groupsOf(dims, reduced);
  ReductionKernel(op, emitter, groups).launch();
  return success();
}

} // namespace sluice::codegen
