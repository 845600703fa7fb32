// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products of small floats, and of f32 with short factors, by tensor cores, with sums of f32. A
// block computes a tile, of which each of its warps has a part in registers. Parts of both operands
// come through memory that the block shares: while one part is multiplied, the next is on its way
// from memory.
//
// In shared memory a line, which is a row of lhs or a column of rhs, has its elements along k next
// to each other, in chunks of 16 bytes. A lane reads one chunk of a line, which has its factors for
// two instructions: which elements along k an instruction sums up, and in which order, is the same
// for both operands and otherwise nobody's concern. Chunks of four lines take turns, so that what
// eight lanes read or write at a time is in different banks.
#include "compiler/codegen/gpu/ProductCode.h"

#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/elements/EmittedNumbers.h"
#include "compiler/codegen/elements/SmallFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

constexpr int64_t kSums = 4;                // of a lane, for each instruction
constexpr int64_t kWords = kChunkBytes / 4; // of a chunk
constexpr int64_t kLinesOfLanes = kLanes / kChunks;

class TensorProductCode {
public:
  TensorProductCode(ImplicitLocOpBuilder &b, const ProductForm &form, const WarpTiles &tile,
                    ArrayRef<Value> operands)
      : b_(b), form_(form), tile_(tile), used_(operands),
        chunk_(VectorType::get({kWords}, b.getI32Type())),
        bytes_(form.element.getIntOrFloatBitWidth() / 8), ownChunk_(chunkOf(bytes_)) {}

  void emit(KernelBuilder &kernel, const KernelThread &thread) {
    thread_ = thread.thread;
    m_ = used_[kProductM], n_ = used_[kProductN], k_ = used_[kProductK];
    lhs_ = {kernel.shared(2 * tile_.rows * kChunks, chunk_),
            used_[kProductLeadingLhs],
            m_,
            tile_.rows,
            !form_.lhsTransposed,
            form_.lhsInGroups};
    rhs_ = {kernel.shared(2 * tile_.columns * kChunks, chunk_),
            used_[kProductLeadingRhs],
            n_,
            tile_.columns,
            form_.rhsTransposed,
            form_.rhsInGroups};
    Value lane = remainder(thread_, kLanes), warp = quotient(thread_, kLanes);
    lineOfLane_ = quotient(lane, kChunks), chunkOfLane_ = remainder(lane, kChunks);
    warpRow_ = multiply(quotient(warp, tile_.warpsAcross()), index(tile_.ownRows));
    warpColumn_ = multiply(remainder(warp, tile_.warpsAcross()), index(tile_.ownColumns));
    forEachTile(b_, thread, form_, tile_.rows, tile_.columns, used_, [&](const ProductTile &place) {
      lhs_.memory = place.lhs, lhs_.first = place.row;
      rhs_.memory = place.rhs, rhs_.first = place.column;
      result_ = place.result;
      store(sums());
    });
  }

private:
  struct Operand {
    Value shared, leading, count;  // of lines, in the matrix
    int64_t lines;                 // of the tile
    bool alongDepth, inGroups;     // how it lies in memory
    Value memory = {}, first = {}; // the matrix and the first line of the tile
  };
  bool isShort() const { return bytes_ == 2; }
  // Whether a word has elements of two lines.
  bool isPaired(const Operand &operand) const { return !operand.alongDepth && isShort(); }
  int64_t tasks(const Operand &of) const { return of.lines * kChunks / (isPaired(of) ? 2 : 1); }

  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value word(int64_t value) { return arith::ConstantIntOp::create(b_, value, 32); }
  Value add(Value x, Value y) { return b_.createOrFold<arith::AddIOp>(x, y); }
  Value multiply(Value x, Value y) { return b_.createOrFold<arith::MulIOp>(x, y); }
  Value quotient(Value x, int64_t y) { return b_.createOrFold<arith::DivUIOp>(x, index(y)); }
  Value remainder(Value x, int64_t y) { return b_.createOrFold<arith::RemUIOp>(x, index(y)); }
  Value isInside(Value x, Value sizeOfX, Value y, Value sizeOfY) {
    auto isBelow = [&](Value at, Value size) {
      return arith::CmpIOp::create(b_, arith::CmpIPredicate::ult, at, size);
    };
    return arith::AndIOp::create(b_, isBelow(x, sizeOfX), isBelow(y, sizeOfY));
  }

  // ---- From memory ----------------------------------------------------------------------------

  // Neighbours as one value of the type; 0 and the first ones of the matrix outside of it. Loads
  // without branches are under way together.
  Value loadGuarded(const Operand &from, Value line, Value inDepth, Type type) {
    Value inside = isInside(line, from.count, inDepth, k_);
    Value offset = from.alongDepth ? add(multiply(line, from.leading), inDepth)
                                   : add(multiply(inDepth, from.leading), line);
    offset = arith::SelectOp::create(b_, inside, offset, index(0));
    Type element = memoryElementType(form_.element);
    Value address = elementAt(b_, from.memory, offset, element);
    unsigned bytes = type == chunk_ ? kChunkBytes : type.getIntOrFloatBitWidth() / 8;
    Value loaded = LLVM::LoadOp::create(b_, type, address, bytes);
    Value zero = arith::ConstantOp::create(b_, b_.getZeroAttr(type));
    loaded = arith::SelectOp::create(b_, inside, loaded, zero);
    return isShort() ? loaded : shortened(loaded);
  }
  // The bits of f32 with fractions of 10 bits, rounded to nearest; NaN stays.
  Value shortened(Value bits) {
    auto all = [&](int64_t one) {
      return constantOf(b_, bits.getType(), b_.getI32IntegerAttr(static_cast<int32_t>(one)));
    };
    Value size = arith::AndIOp::create(b_, bits, all(0x7fffffff));
    Value isNumber = arith::CmpIOp::create(b_, arith::CmpIPredicate::ule, size, all(0x7f800000));
    Value more = arith::AddIOp::create(b_, bits, all(0x1000));
    Value rounded = arith::SelectOp::create(b_, isNumber, more, bits);
    return arith::AndIOp::create(b_, rounded, all(-0x2000));
  }
  // Two neighbours in a word, each of which may be outside.
  Value loadPair(const Operand &from, Value line, Value inDepth) {
    if (from.inGroups)
      return loadGuarded(from, line, inDepth, b_.getI32Type());
    auto half = [&](Value atLine, Value atDepth) {
      Value loaded = loadGuarded(from, atLine, atDepth, b_.getIntegerType(16));
      return arith::ExtUIOp::create(b_, b_.getI32Type(), loaded);
    };
    Value low = half(line, inDepth);
    Value high =
        from.alongDepth ? half(line, add(inDepth, index(1))) : half(add(line, index(1)), inDepth);
    return arith::OrIOp::create(b_, low, arith::ShLIOp::create(b_, high, word(16)));
  }

  // A task of a thread: a chunk of a line, or, where lines lie across, one of two neighbours.
  // Threads with neighbouring numbers read what lies next to each other.
  void forTasks(const Operand &from, function_ref<void(Value line, Value chunk)> each) {
    for (int64_t begin = 0; begin < tasks(from); begin += tile_.threads()) {
      Value number = add(thread_, index(begin));
      if (from.alongDepth)
        each(quotient(number, kChunks), remainder(number, kChunks));
      else if (!isPaired(from))
        each(remainder(number, from.lines), quotient(number, from.lines));
      else
        each(multiply(remainder(number, from.lines / 2), index(2)),
             quotient(number, from.lines / 2));
    }
  }
  // What this thread brings of the part of k that begins there, in words as they lie in memory.
  void load(const Operand &from, Value first, SmallVector<Value> &loaded) {
    forTasks(from, [&](Value inTile, Value chunk) {
      Value line = add(from.first, inTile), depth = add(first, multiply(chunk, index(ownChunk_)));
      if (from.alongDepth && from.inGroups) {
        loaded.push_back(loadGuarded(from, line, depth, chunk_));
        return;
      }
      if (!isShort()) {
        for (int64_t i = 0; i < ownChunk_; ++i)
          loaded.push_back(loadGuarded(from, line, add(depth, index(i)), b_.getI32Type()));
        return;
      }
      for (int64_t i = 0; i < ownChunk_; i += from.alongDepth ? 2 : 1)
        loaded.push_back(loadPair(from, line, add(depth, index(i))));
    });
  }

  // ---- Shared memory --------------------------------------------------------------------------

  Value sharedPlace(const Operand &in, Value half, Value line, Value chunk) {
    Value turned = arith::XOrIOp::create(b_, chunk, remainder(quotient(line, 4), kChunks));
    return add(multiply(add(multiply(half, index(in.lines)), line), index(kChunks)), turned);
  }
  Value joined(ArrayRef<Value> words) {
    Value all = LLVM::PoisonOp::create(b_, chunk_);
    for (auto [i, one] : llvm::enumerate(words))
      all = LLVM::InsertElementOp::create(b_, all, one, word(static_cast<int64_t>(i)));
    return all;
  }
  void put(const Operand &in, Value half, Value line, Value chunk, Value words) {
    memref::StoreOp::create(b_, words, in.shared, sharedPlace(in, half, line, chunk));
  }
  // Of words with an element of each of two lines, the chunks of both.
  std::pair<Value, Value> chunksOfLines(ArrayRef<Value> words) {
    SmallVector<Value> even, odd;
    for (int64_t i = 0; i < ownChunk_; i += 2) {
      Value low = arith::AndIOp::create(b_, words[i], word(0xffff));
      even.push_back(
          arith::OrIOp::create(b_, low, arith::ShLIOp::create(b_, words[i + 1], word(16))));
      Value high = arith::AndIOp::create(b_, words[i + 1], word(-(int64_t(1) << 16)));
      odd.push_back(arith::OrIOp::create(b_, high, arith::ShRUIOp::create(b_, words[i], word(16))));
    }
    return {joined(even), joined(odd)};
  }
  void share(const Operand &in, Value half, ArrayRef<Value> &loaded) {
    auto take = [&](int64_t count) {
      ArrayRef<Value> taken = loaded.take_front(count);
      loaded = loaded.drop_front(count);
      return taken;
    };
    forTasks(in, [&](Value line, Value chunk) {
      if (!isPaired(in)) {
        bool isWhole = in.alongDepth && in.inGroups;
        return put(in, half, line, chunk, isWhole ? take(1).front() : joined(take(kWords)));
      }
      auto [even, odd] = chunksOfLines(take(ownChunk_));
      // Of lanes side by side, one begins with its odd line: other banks.
      Value isOdd =
          arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, remainder(line, 4), index(2));
      Value own = arith::SelectOp::create(b_, isOdd, index(1), index(0));
      put(in, half, add(line, own), chunk, arith::SelectOp::create(b_, isOdd, odd, even));
      Value other = arith::SelectOp::create(b_, isOdd, index(0), index(1));
      put(in, half, add(line, other), chunk, arith::SelectOp::create(b_, isOdd, even, odd));
    });
  }

  // ---- Sums -----------------------------------------------------------------------------------

  int64_t ownDown() const { return tile_.ownRows / kFragmentRows; }
  int64_t ownAcross() const { return tile_.ownColumns / kFragmentColumns; }

  SmallVector<Value> sums() {
    shareBoth(index(0), loadBoth(index(0)));
    gpu::BarrierOp::create(b_);
    Value depth = index(ownChunk_ * kChunks);
    Value parts = b_.createOrFold<arith::CeilDivUIOp>(k_, depth);
    auto loop = scf::ForOp::create(b_, index(0), parts, index(1), firstSums());
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(loop.getBody());
    Value part = loop.getInductionVar(), following = add(part, index(1));
    SmallVector<Value> next = loadBoth(multiply(following, depth));
    SmallVector<Value> sums(loop.getRegionIterArgs());
    multiplyShared(remainder(part, 2), sums);
    shareBoth(remainder(following, 2), next);
    gpu::BarrierOp::create(b_);
    scf::YieldOp::create(b_, sums);
    return SmallVector<Value>(loop.getResults());
  }
  SmallVector<Value> loadBoth(Value first) {
    SmallVector<Value> loaded;
    load(lhs_, first, loaded);
    load(rhs_, first, loaded);
    return loaded;
  }
  // Of the two parts that are in shared memory, one is multiplied while the other is written.
  void shareBoth(Value half, ArrayRef<Value> loaded) {
    share(lhs_, half, loaded);
    share(rhs_, half, loaded);
  }

  // The words of this lane's chunk of a line, which is that of the warp's first ones.
  SmallVector<Value> factors(const Operand &from, Value half, Value first, int64_t line) {
    Value place = sharedPlace(from, half, add(add(first, index(line)), lineOfLane_), chunkOfLane_);
    Value chunk = memref::LoadOp::create(b_, from.shared, place);
    SmallVector<Value> words;
    for (int64_t i = 0; i < kWords; ++i) {
      Value one = LLVM::ExtractElementOp::create(b_, chunk, word(i));
      if (form_.element.isF16()) // as the instruction wants them
        one = LLVM::BitcastOp::create(b_, VectorType::get({2}, b_.getF16Type()), one);
      words.push_back(one);
    }
    return words;
  }
  void multiplyShared(Value half, SmallVector<Value> &sums) {
    SmallVector<SmallVector<Value>> rhs;
    for (int64_t j = 0; j < ownAcross(); ++j)
      rhs.push_back(factors(rhs_, half, warpColumn_, j * kFragmentColumns));
    for (int64_t i = 0; i < ownDown(); ++i) {
      SmallVector<Value> upper = factors(lhs_, half, warpRow_, i * kFragmentRows);
      SmallVector<Value> lower = factors(lhs_, half, warpRow_, i * kFragmentRows + kLinesOfLanes);
      for (int64_t at = 0; at < kWords; at += 2)
        for (int64_t j = 0; j < ownAcross(); ++j)
          multiplyFragments(
              {upper[at], lower[at], upper[at + 1], lower[at + 1], rhs[j][at], rhs[j][at + 1]},
              &sums[(i * ownAcross() + j) * kSums]);
    }
  }
  void multiplyFragments(SmallVector<Value> operands, Value *sums) {
    operands.append(sums, sums + kSums);
    auto type = LLVM::LLVMStructType::getLiteral(b_.getContext(),
                                                 SmallVector<Type>(kSums, b_.getF32Type()));
    StringRef name = form_.element.isF16()    ? "llvm.nvvm.mma.m16n8k16.row.col.f32.f32"
                     : form_.element.isBF16() ? "llvm.nvvm.mma.m16n8k16.row.col.bf16"
                                              : "llvm.nvvm.mma.m16n8k8.row.col.tf32";
    Value all =
        LLVM::CallIntrinsicOp::create(b_, type, b_.getStringAttr(name), operands).getResult(0);
    for (int64_t i = 0; i < kSums; ++i)
      sums[i] = LLVM::ExtractValueOp::create(b_, all, i);
  }

  // ---- Results --------------------------------------------------------------------------------

  // This lane's sums, in pairs of neighbours of a row: where they are in the result.
  void forPairs(function_ref<void(Value row, Value column)> each) {
    for (int64_t i = 0; i < ownDown(); ++i)
      for (int64_t j = 0; j < ownAcross(); ++j)
        for (int64_t lower = 0; lower < 2; ++lower) {
          int64_t line = i * kFragmentRows + lower * kLinesOfLanes;
          Value row = add(add(lhs_.first, warpRow_), add(lineOfLane_, index(line)));
          Value column = add(add(rhs_.first, warpColumn_),
                             add(multiply(chunkOfLane_, index(2)), index(j * kFragmentColumns)));
          each(row, column);
        }
  }
  // How many neighbours are all inside or none, and lie as they are read at once.
  int64_t resultGroup() const { return form_.resultInGroups ? 2 : 1; }
  Type groupType() {
    Type stored = memoryElementType(form_.element);
    return resultGroup() > 1 ? Type(VectorType::get({resultGroup()}, stored)) : stored;
  }
  Value resultAt(Value matrix, Value row, Value column) {
    return elementAt(b_, matrix, add(multiply(row, n_), column), memoryElementType(form_.element));
  }

  SmallVector<Value> firstSums() {
    Value zero = arith::ConstantOp::create(b_, b_.getF32FloatAttr(0));
    if (!form_.isOnto)
      return SmallVector<Value>(ownDown() * ownAcross() * kSums, zero);
    SmallVector<Value> sums;
    int64_t group = resultGroup();
    forPairs([&](Value row, Value column) {
      for (int64_t i = 0; i < 2; i += group) {
        Value at = add(column, index(i));
        // Its first element may be written meanwhile, so nobody outside may read that.
        auto branch = scf::IfOp::create(b_, SmallVector<Type>(group, b_.getF32Type()),
                                        isInside(row, m_, at, n_), /*withElseRegion=*/true);
        OpBuilder::InsertionGuard guard(b_);
        b_.setInsertionPointToStart(branch.thenBlock());
        Value loaded = LLVM::LoadOp::create(b_, groupType(), resultAt(used_.back(), row, at),
                                            static_cast<unsigned>(bytes_ * group));
        SmallVector<Value> wide;
        for (int64_t j = 0; j < group; ++j)
          wide.push_back(toComputeType(
              b_, group > 1 ? Value(LLVM::ExtractElementOp::create(b_, loaded, word(j))) : loaded,
              form_.element));
        scf::YieldOp::create(b_, wide);
        b_.setInsertionPointToStart(branch.elseBlock());
        scf::YieldOp::create(b_, SmallVector<Value>(group, zero));
        llvm::append_range(sums, branch.getResults());
      }
    });
    return sums;
  }

  void store(ArrayRef<Value> sums) {
    int64_t group = resultGroup();
    forPairs([&](Value row, Value column) {
      for (int64_t i = 0; i < 2; i += group) {
        Value at = add(column, index(i));
        auto branch = scf::IfOp::create(b_, isInside(row, m_, at, n_));
        OpBuilder::InsertionGuard guard(b_);
        b_.setInsertionPointToStart(branch.thenBlock());
        Value values = fromComputeType(b_, sums[i], form_.element);
        if (group > 1) {
          Value both = LLVM::PoisonOp::create(b_, groupType());
          both = LLVM::InsertElementOp::create(b_, both, values, word(0));
          values = LLVM::InsertElementOp::create(
              b_, both, fromComputeType(b_, sums[i + 1], form_.element), word(1));
        }
        LLVM::StoreOp::create(b_, values, resultAt(result_, row, at),
                              static_cast<unsigned>(bytes_ * group));
      }
      sums = sums.drop_front(2);
    });
  }

  ImplicitLocOpBuilder &b_;
  const ProductForm &form_;
  const WarpTiles &tile_;
  ArrayRef<Value> used_;
  VectorType chunk_;
  const int64_t bytes_, ownChunk_; // of an element; elements of a chunk
  Operand lhs_, rhs_;
  Value thread_, m_, n_, k_, lineOfLane_, chunkOfLane_, warpRow_, warpColumn_, result_;
};

} // namespace

void emitTensorProduct(ImplicitLocOpBuilder &b, KernelBuilder &kernel, const KernelThread &thread,
                       const ProductForm &form, const WarpTiles &tile, ArrayRef<Value> operands) {
  TensorProductCode(b, form, tile, operands).emit(kernel, thread);
}

} // namespace sluice::codegen
