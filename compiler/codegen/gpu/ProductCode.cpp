// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block computes a tile of the result, of which each of its threads has some rows and columns in
// registers. Parts of both operands come through memory that the block shares: while it sums up one
// part, its threads load one of the next. An element is one chain of fused sums along k as on the
// host, so it has the host's bits.
#include "compiler/codegen/gpu/ProductCode.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/plan/Held.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

class ProductCode {
public:
  ProductCode(ImplicitLocOpBuilder &b, KernelBuilder &kernel, const ProductForm &form,
              const TileShape &tile, ArrayRef<Value> operands, IRMapping &inside)
      : b_(b), kernel_(&kernel), form_(&form), inside_(inside), element_(form.element),
        sum_(form.sum), lhsTransposed_(form.lhsTransposed), rhsTransposed_(form.rhsTransposed),
        lhsInGroups_(form.lhsInGroups), rhsInGroups_(form.rhsInGroups),
        resultInGroups_(form.resultInGroups), tile_(tile), used_(operands),
        before_(form.isOnto ? operands.back() : Value()) {}

  void emit(const KernelThread &thread) {
    m_ = used_[kProductM], n_ = used_[kProductN], k_ = used_[kProductK];
    sharedLhs_ = kernel_->shared(sharedElements(tile_.rows), sum_);
    sharedRhs_ = kernel_->shared(sharedElements(tile_.columns), sum_);
    thread_ = thread.thread;
    Value across = index(tile_.threadsAcross());
    threadRow_ = arith::DivUIOp::create(b_, thread_, across);
    threadColumn_ = arith::RemUIOp::create(b_, thread_, across);
    forEachTile(b_, thread, *form_, tile_.rows, tile_.columns, used_, [&](const ProductTile &tile) {
      lhs_ = tile.lhs, rhs_ = tile.rhs, to_ = tile.result;
      row_ = tile.row, column_ = tile.column;
      store(sums());
    });
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value add(Value x, Value y) { return b_.createOrFold<arith::AddIOp>(x, y); }
  Value multiply(Value x, Value y) { return b_.createOrFold<arith::MulIOp>(x, y); }
  Value zero() { return arith::ConstantOp::create(b_, b_.getZeroAttr(sum_)); }
  Value isBelow(Value x, Value y) {
    return arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, x, y);
  }

  // ---- Elements -------------------------------------------------------------------------------

  Value addressAt(Value memory, Value offset) {
    return elementAt(b_, memory, offset, memoryElementType(element_));
  }
  Value fused(Value x, Value y, Value sum) {
    if (isa<FloatType>(sum_))
      return math::FmaOp::create(b_, x, y, sum);
    return add(sum, multiply(x, y));
  }

  // Elements of an operand that lie next to each other, in the form in which they are multiplied:
  // all inside of the matrix, or 0, and the first ones of the matrix are read: loads without
  // branches are under way together.
  SmallVector<Value> loadGroup(const FindPlace &find, Value memory, Value row, Value rows,
                               Value column, Value columns, Value leading, bool transposed,
                               int64_t count) {
    Value inside = arith::AndIOp::create(b_, isBelow(row, rows), isBelow(column, columns)), offset;
    if (find) {
      ElementPlace place = find(row, column, inside_);
      offset = place.offset;
      if (place.inside)
        inside = arith::AndIOp::create(b_, inside, place.inside);
    } else {
      offset =
          transposed ? add(multiply(column, leading), row) : add(multiply(row, leading), column);
    }
    offset = arith::SelectOp::create(b_, inside, offset, index(0));
    Type stored = memoryElementType(element_);
    Value loaded = LLVM::LoadOp::create(
        b_, count > 1 ? Type(VectorType::get({count}, stored)) : stored, addressAt(memory, offset),
        static_cast<unsigned>(bytesOf(element_) * count));
    SmallVector<Value> group;
    for (int64_t i = 0; i < count; ++i) {
      Value one = count > 1 ? Value(LLVM::ExtractElementOp::create(
                                  b_, loaded, arith::ConstantIntOp::create(b_, i, 32)))
                            : loaded;
      group.push_back(
          arith::SelectOp::create(b_, inside, toComputeType(b_, one, element_), zero()));
    }
    return group;
  }

  // ---- Tiles ----------------------------------------------------------------------------------

  // A thread's rows and columns are in groups of neighbours if those are neighbours in shared
  // memory; the groups of all threads take turns.
  Value ownPlace(Value number, int64_t threads, int64_t own, int64_t i) {
    int64_t group = tile_.isDeep ? 1 : std::min(own, kGroup);
    return add(multiply(number, index(group)), index(i / group * threads * group + i % group));
  }
  Value ownRow(int64_t i) { return ownPlace(threadRow_, tile_.threadsDown(), tile_.ownRows, i); }
  Value ownColumn(int64_t i) {
    return ownPlace(threadColumn_, tile_.threadsAcross(), tile_.ownColumns, i);
  }
  int64_t ownCount() const { return tile_.ownRows * tile_.ownColumns; }

  SmallVector<Value> firstSums() {
    if (!before_)
      return SmallVector<Value>(ownCount(), zero());
    SmallVector<Value> sums;
    int64_t group = resultGroup();
    for (int64_t i = 0; i < ownCount(); i += group) {
      Value row = add(row_, ownRow(i / tile_.ownColumns));
      Value column = add(column_, ownColumn(i % tile_.ownColumns));
      // Its first element may be written meanwhile, so nobody outside may read that.
      Value inside = arith::AndIOp::create(b_, isBelow(row, m_), isBelow(column, n_));
      auto branch = scf::IfOp::create(b_, SmallVector<Type>(group, sum_), inside,
                                      /*withElseRegion=*/true);
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(branch.thenBlock());
      scf::YieldOp::create(b_, loadGroup({}, before_, row, m_, column, n_, n_,
                                         /*transposed=*/false, group));
      b_.setInsertionPointToStart(branch.elseBlock());
      scf::YieldOp::create(b_, SmallVector<Value>(group, zero()));
      llvm::append_range(sums, branch.getResults());
    }
    return sums;
  }
  // How many of a thread's columns are neighbours in the result, all inside or none.
  int64_t resultGroup() const {
    return resultInGroups_ && !tile_.isDeep && tile_.ownColumns % kGroup == 0 ? kGroup : 1;
  }

  // This thread's sums, row by row. Without k there is nothing that could be loaded.
  SmallVector<Value> sums() {
    SmallVector<Value> first = firstSums();
    if (std::optional<int64_t> known = getConstantIntValue(k_); known && *known > 0)
      return sumsOver(first);
    Value any = isBelow(index(0), k_);
    auto branch = scf::IfOp::create(b_, SmallVector<Type>(first.size(), sum_), any,
                                    /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    scf::YieldOp::create(b_, sumsOver(first));
    b_.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b_, first);
    return SmallVector<Value>(branch.getResults());
  }

  // While a part is summed up, one of the next comes from memory: the one behind the next, which is
  // there by then, where a thread has the registers for both.
  SmallVector<Value> sumsOver(ArrayRef<Value> first) {
    Value depth = index(tile_.depth);
    int64_t ahead = ownCount() < 64 ? 2 : 1;
    share(load(index(0)), index(0));
    SmallVector<Value> carried(first);
    if (ahead == 2)
      llvm::append_range(carried, load(depth));
    gpu::BarrierOp::create(b_);
    Value parts = b_.createOrFold<arith::DivUIOp>(k_, depth);
    auto loop = scf::ForOp::create(b_, index(0), parts, index(1), carried);
    {
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(loop.getBody());
      Value part = loop.getInductionVar(), following = add(part, index(1));
      SmallVector<Value> loaded = load(multiply(add(part, index(ahead)), depth));
      ValueRange before = loop.getRegionIterArgs();
      SmallVector<Value> next =
          sumShared(halfOf(part), depth, kUnrolled, before.take_front(ownCount()));
      SmallVector<Value> come(before.drop_front(ownCount()));
      share(ahead == 2 ? come : loaded, halfOf(following));
      gpu::BarrierOp::create(b_);
      if (ahead == 2)
        llvm::append_range(next, loaded);
      scf::YieldOp::create(b_, next);
    }
    SmallVector<Value> sums(loop.getResults().take_front(ownCount()));
    // No further than k goes: to add 0 may change the sign of a sum that is 0.
    Value rest = b_.createOrFold<arith::RemUIOp>(k_, depth);
    if (getConstantIntValue(rest) != 0) {
      sums = sumShared(halfOf(parts), rest, 1, sums);
      gpu::BarrierOp::create(b_);
    }
    return sums;
  }

  // Of the two parts that are in shared memory, one is summed up while the other is written.
  Value halfOf(Value part) { return b_.createOrFold<arith::AndIOp>(part, index(1)); }

  // ---- Shared memory --------------------------------------------------------------------------

  // For two parts of an operand of which the tile has so many rows or columns.
  int64_t sharedElements(int64_t tile) const {
    return tile_.isDeep ? 2 * tile * (tile_.depth + kGap) : 2 * tile_.depth * (tile + kGap);
  }
  Value sharedPlace(int64_t tile, Value half, Value inTile, Value inDepth) {
    if (tile_.isDeep)
      return add(multiply(add(multiply(half, index(tile)), inTile), index(tile_.depth + kGap)),
                 inDepth);
    return add(multiply(add(multiply(half, index(tile_.depth)), inDepth), index(tile + kGap)),
               inTile);
  }

  // What this thread brings of the part of k that begins there, of both operands. Threads with
  // neighbouring numbers read what lies next to each other.
  SmallVector<Value> load(Value first) {
    SmallVector<Value> loaded;
    forGroups(
        tile_.rows, lhsTransposed_, lhsInGroups_, [&](Value inTile, Value inDepth, int64_t count) {
          llvm::append_range(loaded, loadGroup(form_->lhsPlace, lhs_, add(row_, inTile), m_,
                                               add(first, inDepth), k_, used_[kProductLeadingLhs],
                                               lhsTransposed_, count));
        });
    forGroups(tile_.columns, !rhsTransposed_, rhsInGroups_,
              [&](Value inTile, Value inDepth, int64_t count) {
                llvm::append_range(loaded,
                                   loadGroup(form_->rhsPlace, rhs_, add(first, inDepth), k_,
                                             add(column_, inTile), n_, used_[kProductLeadingRhs],
                                             rhsTransposed_, count));
              });
    return loaded;
  }
  void share(ArrayRef<Value> loaded, Value half) {
    const Value *next = loaded.begin();
    auto put = [&](Value memory, int64_t tile, bool alongTile) {
      return [&, memory, tile, alongTile](Value inTile, Value inDepth, int64_t count) {
        for (int64_t i = 0; i < count; ++i)
          memref::StoreOp::create(b_, *next++, memory,
                                  sharedPlace(tile, half,
                                              alongTile ? add(inTile, index(i)) : inTile,
                                              alongTile ? inDepth : add(inDepth, index(i))));
      };
    };
    forGroups(tile_.rows, lhsTransposed_, lhsInGroups_,
              put(sharedLhs_, tile_.rows, lhsTransposed_));
    forGroups(tile_.columns, !rhsTransposed_, rhsInGroups_,
              put(sharedRhs_, tile_.columns, !rhsTransposed_));
  }
  // The elements of a part that are this thread's, in groups along the tile or along k where they
  // lie next to each other.
  void forGroups(int64_t tile, bool alongTile, bool inGroups,
                 function_ref<void(Value, Value, int64_t)> each) {
    int64_t all = tile * tile_.depth, inner = alongTile ? tile : tile_.depth;
    int64_t count = inGroups && all % (tile_.threads() * kGroup) == 0 ? kGroup : 1;
    for (int64_t begin = 0; begin < all / count; begin += tile_.threads()) {
      Value number = add(thread_, index(begin));
      Value within = arith::RemUIOp::create(b_, number, index(inner / count));
      Value along = arith::DivUIOp::create(b_, number, index(inner / count));
      within = multiply(within, index(count));
      alongTile ? each(within, along, count) : each(along, within, count);
    }
  }

  // In a straight line, what is loaded for the next part would be loaded last of all.
  void stayLoop(scf::ForOp loop) {
    auto yes = b_.getBoolAttr(true);
    auto unroll = LLVM::LoopUnrollAttr::get(b_.getContext(), yes, {}, {}, {}, {}, {}, {});
    loop->setAttr("llvm.loop_annotation",
                  LLVM::LoopAnnotationAttr::get(b_.getContext(), {}, {}, {}, unroll, {}, {}, {}, {},
                                                {}, {}, {}, {}, {}, {}, {}));
  }

  SmallVector<Value> sumShared(Value half, Value depth, int64_t unrolled, ValueRange sums) {
    auto loop = scf::ForOp::create(b_, index(0), depth, index(unrolled), sums);
    stayLoop(loop);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    SmallVector<Value> next(loop.getRegionIterArgs());
    for (int64_t step = 0; step < unrolled; ++step) {
      Value inDepth = add(loop.getInductionVar(), index(step));
      SmallVector<Value> lhs, rhs;
      for (int64_t i = 0; i < tile_.ownRows; ++i)
        lhs.push_back(memref::LoadOp::create(b_, sharedLhs_,
                                             sharedPlace(tile_.rows, half, ownRow(i), inDepth)));
      for (int64_t i = 0; i < tile_.ownColumns; ++i)
        rhs.push_back(memref::LoadOp::create(
            b_, sharedRhs_, sharedPlace(tile_.columns, half, ownColumn(i), inDepth)));
      for (int64_t i = 0; i < ownCount(); ++i)
        next[i] = fused(lhs[i / tile_.ownColumns], rhs[i % tile_.ownColumns], next[i]);
    }
    scf::YieldOp::create(b_, next);
    return SmallVector<Value>(loop.getResults());
  }

  void store(ArrayRef<Value> sums) {
    int64_t group = resultGroup();
    Type stored = memoryElementType(element_);
    for (int64_t i = 0; i < ownCount(); i += group) {
      Value row = add(row_, ownRow(i / tile_.ownColumns));
      Value column = add(column_, ownColumn(i % tile_.ownColumns));
      auto branch =
          scf::IfOp::create(b_, arith::AndIOp::create(b_, isBelow(row, m_), isBelow(column, n_)));
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(branch.thenBlock());
      Value values = fromComputeType(b_, sums[i], element_);
      if (group > 1) {
        values = LLVM::PoisonOp::create(b_, VectorType::get({group}, stored));
        for (int64_t k = 0; k < group; ++k)
          values =
              LLVM::InsertElementOp::create(b_, values, fromComputeType(b_, sums[i + k], element_),
                                            arith::ConstantIntOp::create(b_, k, 32));
      }
      Value offset = form_->resultPlace ? form_->resultPlace(row, column, inside_).offset
                                        : add(multiply(row, n_), column);
      LLVM::StoreOp::create(b_, values, addressAt(to_, offset),
                            static_cast<unsigned>(bytesOf(element_) * group));
    }
  }

  ImplicitLocOpBuilder &b_;
  KernelBuilder *kernel_;
  const ProductForm *form_;
  IRMapping &inside_;
  Type element_, sum_;
  bool lhsTransposed_, rhsTransposed_, lhsInGroups_, rhsInGroups_, resultInGroups_;
  TileShape tile_;
  ArrayRef<Value> used_;
  Value before_; // null unless the sums begin with it
  Value thread_, threadRow_, threadColumn_, m_, n_, k_, lhs_, rhs_, to_, row_, column_;
  Value sharedLhs_, sharedRhs_;
};

} // namespace

void emitProduct(ImplicitLocOpBuilder &b, KernelBuilder &kernel, const KernelThread &thread,
                 const ProductForm &form, const TileShape &tile, ArrayRef<Value> operands,
                 IRMapping &inside) {
  ProductCode(b, kernel, form, tile, operands, inside).emit(thread);
}

} // namespace sluice::codegen
