// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products on a card. A block computes a tile of the result, of which each of its threads
// has a square in registers; parts of both operands come through memory that the block shares. An
// element is one chain of fused sums along k as on the host, so it has the host's bits.
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/MatrixOperand.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/KernelBuilder.h"
#include "compiler/codegen/shapes/ProductBatches.h"
#include "dialects/nd/Nd.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

constexpr int64_t kThreads = 256, kSide = 16; // a square of threads
constexpr int64_t kOwn = 4;                   // rows and columns of a thread's square
constexpr int64_t kTile = kSide * kOwn;       // rows and columns of a block's tile
constexpr int64_t kDepth = 16;                // how much of k is shared at a time

// Of the ops that are products.
struct Product {
  Value lhs, rhs, result;
  bool swapsLhs, swapsRhs;
  Value onto; // null, or what the sums begin with
};

class ProductKernel {
public:
  ProductKernel(const Product &product, Emitter &emitter)
      : op_(product), emitter_(emitter), b_(emitter.builder()),
        element_(cast<RankedTensorType>(product.result.getType()).getElementType()),
        sum_(registerElementType(computeType(element_))), kernel_(b_, kThreads) {}

  void launch() {
    ArrayRef<AffineExpr> lhs = emitter_.shapes().dims(op_.lhs);
    ArrayRef<AffineExpr> rhs = emitter_.shapes().dims(op_.rhs);
    ArrayRef<AffineExpr> result = emitter_.shapes().dims(op_.result);
    AffineExpr m = result[result.size() - 2], n = result.back();
    AffineExpr k = lhs[lhs.size() - (op_.swapsLhs ? 2 : 1)];
    runs_ = batchRuns(lhs, rhs, result);
    MatrixOperand a = matrixOf(emitter_, op_.lhs, op_.swapsLhs, m, k);
    MatrixOperand b = matrixOf(emitter_, op_.rhs, op_.swapsRhs, k, n);
    lhsTransposed_ = a.transposed;
    rhsTransposed_ = b.transposed;
    Value before = op_.onto ? emitter_.pointerTo(emitter_.buffer(op_.onto)) : Value();
    Value to = emitter_.destination(op_.result);
    used_ = {emitter_.pointerTo(a.buffer),
             emitter_.pointerTo(b.buffer),
             emitter_.pointerTo(to),
             emitter_.dim(m),
             emitter_.dim(n),
             emitter_.dim(k),
             a.leading,
             b.leading};
    Value blocks = arith::MulIOp::create(b_, tilesOf(used_[3]), tilesOf(used_[4]));
    for (const BatchRun &run : runs_) {
      used_.push_back(emitter_.dim(run.count));
      blocks = arith::MulIOp::create(b_, blocks, used_.back());
    }
    for (Value value : used_)
      kernel_.parameters().add(value);
    if (before)
      kernel_.parameters().add(before);
    kernel_.launch(blocks, [&](const KernelThread &thread, IRMapping &inside) {
      for (Value &value : used_)
        value = inside.lookup(value);
      before_ = before ? inside.lookup(before) : Value();
      emit(thread);
    });
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value add(Value x, Value y) { return arith::AddIOp::create(b_, x, y); }
  Value multiply(Value x, Value y) { return arith::MulIOp::create(b_, x, y); }
  Value tilesOf(Value size) { return arith::CeilDivUIOp::create(b_, size, index(kTile)); }
  Value zero() { return arith::ConstantOp::create(b_, b_.getZeroAttr(sum_)); }
  Value isBelow(Value x, Value y) {
    return arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, x, y);
  }

  // ---- Elements -------------------------------------------------------------------------------

  Value addressAt(Value memory, Value offset) {
    Value word = arith::IndexCastOp::create(b_, b_.getI64Type(), offset);
    return LLVM::GEPOp::create(b_, memory.getType(), memoryElementType(element_), memory,
                               ArrayRef<LLVM::GEPArg>{word}, LLVM::GEPNoWrapFlags::inbounds);
  }
  Value fused(Value x, Value y, Value sum) {
    if (isa<FloatType>(sum_))
      return math::FmaOp::create(b_, x, y, sum);
    return add(sum, multiply(x, y));
  }

  // An element of an operand in the form in which it is multiplied, 0 outside of the matrix.
  Value loadInside(Value memory, Value row, Value rows, Value column, Value columns, Value leading,
                   bool transposed) {
    Value inside = arith::AndIOp::create(b_, isBelow(row, rows), isBelow(column, columns));
    auto branch = scf::IfOp::create(b_, TypeRange{sum_}, inside, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    Value offset =
        transposed ? add(multiply(column, leading), row) : add(multiply(row, leading), column);
    Value stored = LLVM::LoadOp::create(b_, memoryElementType(element_), addressAt(memory, offset),
                                        bytesOf(element_));
    scf::YieldOp::create(b_, toComputeType(b_, stored, element_));
    b_.setInsertionPointToStart(branch.elseBlock());
    scf::YieldOp::create(b_, zero());
    return branch.getResult(0);
  }

  // ---- Tiles ----------------------------------------------------------------------------------

  void emit(const KernelThread &thread) {
    m_ = used_[3], n_ = used_[4], k_ = used_[5];
    sharedLhs_ = kernel_.shared(kDepth * kTile, sum_);
    sharedRhs_ = kernel_.shared(kDepth * kTile, sum_);
    thread_ = thread.thread;
    Value tilesAcross = tilesOf(n_), tilesDown = tilesOf(m_);
    Value tiles = multiply(tilesAcross, tilesDown), all = tiles;
    for (size_t run = 0; run < runs_.size(); ++run)
      all = multiply(all, used_[8 + run]);
    auto loop = scf::ForOp::create(b_, thread.block, all, thread.blocks);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value number = loop.getInductionVar();
    Value tile = arith::RemUIOp::create(b_, number, tiles);
    Value batch = arith::DivUIOp::create(b_, number, tiles);
    enterBatch(batch);
    row_ = multiply(arith::DivUIOp::create(b_, tile, tilesAcross), index(kTile));
    column_ = multiply(arith::RemUIOp::create(b_, tile, tilesAcross), index(kTile));
    storeSquare(sumSquare());
  }

  // Where the matrices of a batch begin.
  void enterBatch(Value batch) {
    Value stepLhs = multiply(m_, k_), stepRhs = multiply(k_, n_);
    Value offsetLhs = index(0), offsetRhs = index(0);
    Value rest = batch;
    for (size_t run = runs_.size(); run-- > 0;) {
      Value count = used_[8 + run], at = arith::RemUIOp::create(b_, rest, count);
      rest = arith::DivUIOp::create(b_, rest, count);
      if (runs_[run].movesLhs) {
        offsetLhs = add(offsetLhs, multiply(at, stepLhs));
        stepLhs = multiply(stepLhs, count);
      }
      if (runs_[run].movesRhs) {
        offsetRhs = add(offsetRhs, multiply(at, stepRhs));
        stepRhs = multiply(stepRhs, count);
      }
    }
    lhs_ = addressAt(used_[0], offsetLhs);
    rhs_ = addressAt(used_[1], offsetRhs);
    to_ = addressAt(used_[2], multiply(batch, multiply(m_, n_)));
  }

  SmallVector<Value> firstSums() {
    SmallVector<Value> sums(kOwn * kOwn, zero());
    if (!before_)
      return sums;
    auto [row, column] = ownPlace();
    for (int64_t i = 0; i < kOwn * kOwn; ++i)
      sums[i] = loadInside(before_, add(row, index(i / kOwn)), m_, add(column, index(i % kOwn)), n_,
                           n_, /*transposed=*/false);
    return sums;
  }

  // This thread's square, row by row.
  SmallVector<Value> sumSquare() {
    SmallVector<Value> sums = firstSums();
    auto loop = scf::ForOp::create(b_, index(0), k_, index(kDepth), sums);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value first = loop.getInductionVar();
    share(first);
    gpu::BarrierOp::create(b_);
    // No further than k goes: to add 0 may change the sign of a sum that is 0.
    Value depth = arith::MinUIOp::create(b_, index(kDepth), arith::SubIOp::create(b_, k_, first));
    SmallVector<Value> next = sumShared(depth, loop.getRegionIterArgs());
    gpu::BarrierOp::create(b_);
    scf::YieldOp::create(b_, next);
    return SmallVector<Value>(loop.getResults());
  }

  // Threads with neighbouring numbers read what lies next to each other.
  void share(Value first) {
    for (int64_t i = 0; i < kDepth * kTile / kThreads; ++i) {
      Value number = add(thread_, index(i * kThreads));
      shareLhs(number, first);
      shareRhs(number, first);
    }
  }
  void shareLhs(Value number, Value first) {
    Value inTile, inDepth;
    split(number, lhsTransposed_ ? kTile : kDepth, lhsTransposed_ ? inTile : inDepth,
          lhsTransposed_ ? inDepth : inTile);
    Value element =
        loadInside(lhs_, add(row_, inTile), m_, add(first, inDepth), k_, used_[6], lhsTransposed_);
    memref::StoreOp::create(b_, element, sharedLhs_, add(multiply(inDepth, index(kTile)), inTile));
  }
  void shareRhs(Value number, Value first) {
    Value inTile, inDepth;
    split(number, rhsTransposed_ ? kDepth : kTile, rhsTransposed_ ? inDepth : inTile,
          rhsTransposed_ ? inTile : inDepth);
    Value element = loadInside(rhs_, add(first, inDepth), k_, add(column_, inTile), n_, used_[7],
                               rhsTransposed_);
    memref::StoreOp::create(b_, element, sharedRhs_, add(multiply(inDepth, index(kTile)), inTile));
  }
  void split(Value number, int64_t size, Value &inner, Value &outer) {
    inner = arith::RemUIOp::create(b_, number, index(size));
    outer = arith::DivUIOp::create(b_, number, index(size));
  }

  SmallVector<Value> sumShared(Value depth, ValueRange sums) {
    Value ownRow = ownFirst(arith::DivUIOp::create(b_, thread_, index(kSide)));
    Value ownColumn = ownFirst(arith::RemUIOp::create(b_, thread_, index(kSide)));
    auto loop = scf::ForOp::create(b_, index(0), depth, index(1), sums);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value begin = multiply(loop.getInductionVar(), index(kTile));
    SmallVector<Value> lhs, rhs, next;
    for (int64_t i = 0; i < kOwn; ++i) {
      lhs.push_back(memref::LoadOp::create(b_, sharedLhs_, add(add(begin, ownRow), index(i))));
      rhs.push_back(memref::LoadOp::create(b_, sharedRhs_, add(add(begin, ownColumn), index(i))));
    }
    for (int64_t i = 0; i < kOwn * kOwn; ++i)
      next.push_back(fused(lhs[i / kOwn], rhs[i % kOwn], loop.getRegionIterArg(i)));
    scf::YieldOp::create(b_, next);
    return SmallVector<Value>(loop.getResults());
  }
  Value ownFirst(Value inSide) { return multiply(inSide, index(kOwn)); }

  // Row and column in the result at which this thread's square begins.
  std::pair<Value, Value> ownPlace() {
    return {add(row_, ownFirst(arith::DivUIOp::create(b_, thread_, index(kSide)))),
            add(column_, ownFirst(arith::RemUIOp::create(b_, thread_, index(kSide))))};
  }

  void storeSquare(ArrayRef<Value> sums) {
    auto [row, column] = ownPlace();
    for (int64_t i = 0; i < kOwn * kOwn; ++i) {
      Value r = add(row, index(i / kOwn)), c = add(column, index(i % kOwn));
      auto branch =
          scf::IfOp::create(b_, arith::AndIOp::create(b_, isBelow(r, m_), isBelow(c, n_)));
      OpBuilder::InsertionGuard guard(b_);
      b_.setInsertionPointToStart(branch.thenBlock());
      LLVM::StoreOp::create(b_, fromComputeType(b_, sums[i], element_),
                            addressAt(to_, add(multiply(r, n_), c)), bytesOf(element_));
    }
  }

  Product op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  Type element_, sum_;
  KernelBuilder kernel_;
  bool lhsTransposed_ = false, rhsTransposed_ = false;
  SmallVector<BatchRun> runs_;
  SmallVector<Value> used_; // addresses of both and of the result, m, n, k, leadings, batches
  // Within the kernel.
  Value thread_, m_, n_, k_, lhs_, rhs_, to_, row_, column_, sharedLhs_, sharedRhs_;
  Value before_; // null unless the sums begin with it
};

} // namespace

LogicalResult lowerProductOnCard(Operation *op, Emitter &emitter) {
  Product product = llvm::TypeSwitch<Operation *, Product>(op)
                     .Case<nd::MatmulOp>([](nd::MatmulOp op) -> Product {
                       return {op.getLhs(),
                               op.getRhs(),
                               op.getResult(),
                               op.getTransposeLhs() || op.getAdjointLhs(),
                               op.getTransposeRhs() || op.getAdjointRhs(),
                               Value()};
                     })
                     .Case<nd::MatmulOntoOp>([](nd::MatmulOntoOp op) -> Product {
                       return {op.getLhs(),          op.getRhs(),          op.getResult(),
                               op.getTransposeLhs(), op.getTransposeRhs(), op.getSum()};
                     });
  ProductKernel(product, emitter).launch();
  return success();
}

} // namespace sluice::codegen
