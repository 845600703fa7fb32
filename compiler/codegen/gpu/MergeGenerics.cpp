// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fewer kernels: to launch one takes as long as thousands of elements.
//
// Generics that go over the same positions become one, where each position reads and writes nothing
// that another one writes. What one of them has written at a position, the next does not read
// again; what nobody reads any more is not written.
#include "compiler/codegen/cpu/EmitCodelet.h"
#include "compiler/codegen/gpu/CardBuffers.h"
#include "compiler/codegen/gpu/Passes.h"
#include "compiler/codegen/gpu/PullProducers.h"

#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Linalg/IR/Linalg.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENMERGEGENERICS
#include "compiler/codegen/gpu/Passes.h.inc"

namespace {

// A kernel takes so many buffers at most; its parameters have little room.
constexpr size_t kMostBuffers = 48;

// A body that loads by itself reads what no map tells.
bool canMerge(linalg::GenericOp op) {
  return llvm::all_of(*op.getBody(), [](Operation &inner) { return isMemoryEffectFree(&inner); }) &&
         op.getNumParallelLoops() == op.getNumLoops() && op.hasPureBufferSemantics() &&
         llvm::none_of(op.getStaticLoopRanges(), ShapedType::isDynamic) &&
         llvm::all_of(op.getRegionOutputArgs(), [](Value out) { return out.use_empty(); });
}

// An operand of a generic in memory.
struct Use {
  Value buffer;
  AffineMap map;
  bool isWrite;
};
SmallVector<Use> usesOf(linalg::GenericOp op) {
  SmallVector<Use> uses;
  for (OpOperand &operand : op->getOpOperands())
    if (isa<MemRefType>(operand.get().getType()))
      uses.push_back({operand.get(), op.getMatchingIndexingMap(&operand), op.isDpsInit(&operand)});
  return uses;
}

class BlockMerger {
public:
  BlockMerger(const CardBuffers &buffers) : buffers_(buffers) {}

  // From this block on, as long as nothing but a check that may fail stands between blocks: then
  // all that was computed is dropped. Returns how many generics became part of another.
  unsigned run(Block *block, llvm::SmallPtrSetImpl<Block *> &seen) {
    for (; block; block = following(block)) {
      seen.insert(block);
      for (Operation &op : llvm::make_early_inc_range(block->without_terminator()))
        look(op);
    }
    close();
    return numMerged_;
  }

private:
  static bool onlyReturns(Block *block) {
    return isa<func::ReturnOp>(block->getTerminator()) &&
           llvm::all_of(block->without_terminator(),
                        [](Operation &op) { return isMemoryEffectFree(&op); });
  }
  static Block *following(Block *block) {
    auto check = dyn_cast<cf::CondBranchOp>(block->getTerminator());
    if (!check || !onlyReturns(check.getFalseDest()))
      return nullptr;
    Block *next = check.getTrueDest();
    return next->getSinglePredecessor() ? next : nullptr;
  }

  void look(Operation &op) {
    if (auto generic = dyn_cast<linalg::GenericOp>(op); generic && canMerge(generic)) {
      SmallVector<Use> uses = usesOf(generic);
      if (!group_.empty() && !fits(generic, uses))
        close();
      group_.push_back(generic);
      llvm::append_range(uses_, uses);
    } else if (!group_.empty() && !canStandBetween(op)) {
      close();
    }
  }

  bool fits(linalg::GenericOp op, ArrayRef<Use> uses) const {
    linalg::GenericOp first = group_.front();
    return op.getStaticLoopRanges() == first.getStaticLoopRanges() &&
           uses_.size() + uses.size() <= kMostBuffers && llvm::all_of(uses, [&](const Use &later) {
             return llvm::all_of(uses_, [&](const Use &earlier) { return agree(earlier, later); });
           });
  }

  // Whether no position touches what another one writes.
  bool agree(const Use &earlier, const Use &later) const {
    if (!earlier.isWrite && !later.isWrite)
      return true;
    Overlap overlap = buffers_.overlap(earlier.buffer, later.buffer);
    if (overlap == Overlap::kNone)
      return true;
    bool atOnePlace = earlier.map == later.map && earlier.map.isPermutation();
    if (overlap == Overlap::kSame)
      return atOnePlace;
    // An output that takes an input's memory is written behind the last read of it.
    return atOnePlace && !earlier.isWrite && earlier.buffer.getType() == later.buffer.getType() &&
           CardBuffers::rootOf(earlier.buffer) == earlier.buffer &&
           CardBuffers::rootOf(later.buffer) == later.buffer && !buffers_.isOwn(later.buffer);
  }

  // Generics before the op then come behind it.
  bool canStandBetween(Operation &op) const {
    if (isa<LLVM::LoadOp, LLVM::StoreOp>(op) || isMemoryEffectFree(&op))
      return true; // of the host
    if (!isa<memref::CopyOp, scf::IfOp>(op))
      return false;
    return !op.walk([&](Operation *inner) {
                auto copy = dyn_cast<memref::CopyOp>(inner);
                bool isFree =
                    copy ? isApart(copy) : isa<scf::IfOp>(inner) || canStandBetween(*inner);
                return isFree ? WalkResult::advance() : WalkResult::interrupt();
              }).wasInterrupted();
  }
  bool isApart(memref::CopyOp copy) const {
    return llvm::all_of(uses_, [&](const Use &use) {
      return buffers_.overlap(use.buffer, copy.getTarget()) == Overlap::kNone &&
             (!use.isWrite || buffers_.overlap(use.buffer, copy.getSource()) == Overlap::kNone);
    });
  }

  // ---- One generic of several -------------------------------------------------------------------

  void close() {
    if (group_.size() > 1)
      merge();
    group_.clear();
    uses_.clear();
  }

  struct Operand {
    Value value;
    AffineMap map;
    bool operator==(const Operand &other) const { return value == other.value && map == other.map; }
  };
  static size_t positionOf(SmallVectorImpl<Operand> &operands, const Operand &operand) {
    const auto *known = llvm::find(operands, operand);
    size_t position = known - operands.begin();
    if (known == operands.end())
      operands.push_back(operand);
    return position;
  }
  static Operand operandOf(linalg::GenericOp op, OpOperand &operand) {
    return {operand.get(), op.getMatchingIndexingMap(&operand)};
  }

  void merge() {
    SmallVector<Operand> inputs, outputs;
    // What is read that none of them has written before.
    for (linalg::GenericOp op : group_) {
      for (OpOperand *input : op.getDpsInputOperands())
        if (!isWritten(outputs, operandOf(op, *input)))
          positionOf(inputs, operandOf(op, *input));
      for (OpOperand &output : op.getDpsInitsMutable())
        positionOf(outputs, operandOf(op, output));
    }
    linalg::GenericOp last = group_.back();
    ImplicitLocOpBuilder b(last.getLoc(), last);
    SmallVector<Value> ins, outs;
    SmallVector<AffineMap> maps;
    for (const Operand &input : inputs) {
      ins.push_back(input.value);
      maps.push_back(input.map);
    }
    for (const Operand &output : outputs) {
      outs.push_back(output.value);
      maps.push_back(output.map);
    }
    linalg::GenericOp::create(b, ins, outs, maps, last.getIteratorTypesArray(),
                              [&](OpBuilder &builder, Location location, ValueRange arguments) {
                                linalg::YieldOp::create(
                                    builder, location,
                                    emitBodies(builder, inputs, outputs, arguments));
                              });
    for (linalg::GenericOp op : group_)
      op.erase();
    numMerged_ += group_.size() - 1;
  }

  bool isWritten(ArrayRef<Operand> outputs, const Operand &input) const {
    return llvm::any_of(outputs, [&](const Operand &output) { return isSame(output, input); });
  }
  bool isSame(const Operand &a, const Operand &b) const {
    return a.map == b.map && isa<MemRefType>(a.value.getType()) &&
           isa<MemRefType>(b.value.getType()) &&
           buffers_.overlap(a.value, b.value) == Overlap::kSame;
  }

  SmallVector<Value> emitBodies(OpBuilder &b, SmallVectorImpl<Operand> &inputs,
                                SmallVectorImpl<Operand> &outputs, ValueRange arguments) {
    SmallVector<Value> written(outputs.size());
    for (linalg::GenericOp op : group_) {
      IRMapping inside;
      for (OpOperand *input : op.getDpsInputOperands()) {
        Operand operand = operandOf(op, *input);
        Value value;
        for (auto [output, there] : llvm::zip(outputs, written))
          if (there && isSame(output, operand))
            value = there;
        inside.map(op.getMatchingBlockArgument(input),
                   value ? value : arguments[positionOf(inputs, operand)]);
      }
      for (Operation &inner : op.getBody()->without_terminator())
        b.clone(inner, inside);
      for (auto [output, value] :
           llvm::zip(op.getDpsInitsMutable(), op.getBody()->getTerminator()->getOperands()))
        written[positionOf(outputs, operandOf(op, output))] = inside.lookupOrDefault(value);
    }
    return written;
  }

  const CardBuffers &buffers_;
  SmallVector<linalg::GenericOp> group_;
  SmallVector<Use> uses_; // of the group
  unsigned numMerged_ = 0;
};

// ---- What nobody reads --------------------------------------------------------------------------

// Whether the memory, or a view of it, has another use than the one.
bool hasOtherUse(Value buffer, OpOperand *use) {
  return llvm::any_of(buffer.getUses(), [&](OpOperand &other) {
    Operation *op = other.getOwner();
    if (&other == use || isa<memref::DimOp>(op))
      return false;
    if (isa<memref::ExtractStridedMetadataOp, memref::ReinterpretCastOp>(op))
      return hasOtherUse(op->getResult(0), use);
    return true;
  });
}

// Without the outputs that nobody reads.
void dropUnread(linalg::GenericOp op, const CardBuffers &buffers) {
  SmallVector<unsigned> kept;
  for (auto [i, output] : llvm::enumerate(op.getDpsInitsMutable()))
    if (!buffers.isOwn(output.get()) || hasOtherUse(CardBuffers::rootOf(output.get()), &output))
      kept.push_back(i);
  if (kept.size() == op.getDpsInitsMutable().size())
    return;
  if (!kept.empty()) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    SmallVector<Value> outs, results;
    SmallVector<AffineMap> maps =
        llvm::to_vector(llvm::ArrayRef(op.getIndexingMapsArray()).take_front(op.getNumDpsInputs()));
    for (unsigned i : kept) {
      outs.push_back(op.getDpsInits()[i]);
      maps.push_back(op.getMatchingIndexingMap(op.getDpsInitOperand(i)));
    }
    linalg::GenericOp::create(
        b, op.getInputs(), outs, maps, op.getIteratorTypesArray(),
        [&](OpBuilder &builder, Location location, ValueRange arguments) {
          IRMapping inside;
          inside.map(op.getRegionInputArgs(), arguments.take_front(op.getNumDpsInputs()));
          for (Operation &inner : op.getBody()->without_terminator())
            builder.clone(inner, inside);
          for (unsigned i : kept)
            results.push_back(inside.lookupOrDefault(op.getBody()->getTerminator()->getOperand(i)));
          linalg::YieldOp::create(builder, location, results);
        });
  }
  op.erase();
}

struct MergeGenerics : impl::CodegenMergeGenericsBase<MergeGenerics> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(kCardAttr))
        continue;
      CardBuffers buffers(function);
      // Each is looked at once: what it is pulled into comes later, and is another one then.
      function.walk([&](linalg::GenericOp op) {
        if (canMerge(op) && pullInto(op, buffers)) {
          op.erase();
          ++numMerged;
        }
      });
      SmallVector<Block *> blocks;
      function.walk<WalkOrder::PreOrder>([&](Block *block) {
        if (!isa<linalg::GenericOp>(block->getParentOp()))
          blocks.push_back(block);
      });
      llvm::SmallPtrSet<Block *, 8> seen;
      for (Block *block : blocks)
        if (!seen.contains(block))
          numMerged += BlockMerger(buffers).run(block, seen);
      SmallVector<linalg::GenericOp> generics;
      function.walk([&](linalg::GenericOp op) { generics.push_back(op); });
      for (linalg::GenericOp op :
           llvm::reverse(generics)) // what the last ones read, first ones write
        if (canMerge(op))
          dropUnread(op, buffers);
    }
  }
};

} // namespace
} // namespace sluice::codegen
