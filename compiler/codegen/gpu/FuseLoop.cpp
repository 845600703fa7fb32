// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All iterations of a loop as one kernel of one block: its threads do the steps of the body one
// after the other, with barriers between those that may concern different threads. For loops with
// little work, which so take no launch at all.
#include "compiler/codegen/gpu/KernelBuilder.h"
#include "compiler/codegen/gpu/LoopKernels.h"
#include "compiler/codegen/gpu/LoopTable.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

constexpr int64_t kThreads = 256;
// The blocks that the steps of an iteration would have. A block takes about 0.1 us for each, less
// than for what it takes to begin another kernel.
constexpr int64_t kMostBlocks = 16;
// Of the memory that a block's threads share.
constexpr int64_t kMostShared = 40 << 10;

// What threads may have done since they met at a barrier.
enum Done : unsigned {
  kNothing = 0,
  kReadWord = 1,  // all of them, to know where to go on
  kOneThread = 2, // the first, a step of scalars, which alone write words
  kAllThreads = 4,
};

class FusedKernel {
public:
  FusedKernel(func::FuncOp function, ArrayRef<int32_t> table)
      : function_(function), table_(table), b_(function.getLoc(), function.getContext()) {}

  bool isPossible() {
    int64_t blocks = 0, shared = 0;
    for (size_t row = 0; row < table_.size(); row += kStepFields) {
      if (table_[row] != kSluiceStepLaunch)
        continue;
      gpu::GPUFuncOp kernel = kernelAt(row);
      int64_t threads = threadsOf(kernel);
      if (table_[row + 2] < 0 || (threads != 1 && threads != kThreads))
        return false;
      blocks += threads == 1 ? 0 : table_[row + 2];
      for (BlockArgument memory : kernel.getWorkgroupAttributions()) {
        auto type = cast<MemRefType>(memory.getType());
        shared += type.getNumElements() * type.getElementTypeBitWidth() / 8;
      }
    }
    return blocks <= kMostBlocks && shared <= kMostShared;
  }

  std::string build() {
    std::string name = addKernelTo(function_, kThreads);
    kernel_ = createKernel(b_, function_->getParentOfType<ModuleOp>(), name,
                           LLVM::LLVMPointerType::get(b_.getContext()), kThreads);
    memory_ = kernel_.getArgument(0);
    Value thread = gpu::ThreadIdOp::create(b_, gpu::Dimension::x);
    zero_ = arith::ConstantIndexOp::create(b_, 0);
    one_ = arith::ConstantIndexOp::create(b_, 1);
    isFirst_ = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, thread, zero_);
    auto loop = scf::WhileOp::create(b_, TypeRange(), ValueRange());
    gpu::ReturnOp::create(b_);
    b_.createBlock(&loop.getBefore());
    Value live = loadWord(LoopSteps::kLive);
    scf::ConditionOp::create(b_, live, ValueRange());
    b_.createBlock(&loop.getAfter());
    done_ = kReadWord;
    addRows(0, table_.size());
    meetAfter(kOneThread | kAllThreads); // for the first thread's words, and whose turn is next
    scf::YieldOp::create(b_);
    return name;
  }

private:
  static int64_t threadsOf(gpu::GPUFuncOp kernel) { return (*kernel.getKnownBlockSize())[0]; }
  gpu::GPUFuncOp kernelAt(size_t row) {
    auto kernels = function_->getAttrOfType<ArrayAttr>(kKernelsAttr);
    auto name = cast<DictionaryAttr>(kernels[static_cast<size_t>(table_[row + 1])])
                    .getAs<StringAttr>("name");
    return SymbolTable::lookupNearestSymbolFrom<gpu::GPUFuncOp>(
        function_, kernelSymbol(function_.getContext(), name));
  }

  // A word that the first thread has written before the last barrier.
  Value loadWord(unsigned word) { return LoopWords::loadWord(b_, memory_, word, b_.getI1Type()); }

  // A barrier, if any of that may have been done since the last one.
  void meetAfter(unsigned done) {
    if ((done_ & done) == kNothing)
      return;
    gpu::BarrierOp::create(b_);
    done_ = kNothing;
  }

  // The steps of a branch, which all threads take or none.
  void addBranch(size_t row, size_t end) {
    meetAfter(kOneThread);
    auto branch = scf::IfOp::create(b_, loadWord(static_cast<unsigned>(table_[row + 1])));
    done_ |= kReadWord;
    unsigned before = done_;
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    addRows(row + kStepFields, end);
    done_ |= before;
  }

  // Steps that all threads do as long as the word is 1.
  void addLoop(size_t row, size_t end) {
    meetAfter(kOneThread);
    auto loop = scf::WhileOp::create(b_, TypeRange(), ValueRange());
    OpBuilder::InsertionGuard guard(b_);
    b_.createBlock(&loop.getBefore());
    Value live = loadWord(static_cast<unsigned>(table_[row + 1]));
    scf::ConditionOp::create(b_, live, ValueRange());
    b_.createBlock(&loop.getAfter());
    done_ |= kReadWord;
    unsigned before = done_;
    addRows(row + kStepFields, end);
    meetAfter(kOneThread | kAllThreads);
    scf::YieldOp::create(b_);
    done_ |= before | kReadWord;
  }

  void addRows(size_t row, size_t end) {
    while (row < end) {
      if (table_[row] != kSluiceStepLaunch) {
        size_t next = row + kStepFields * (1 + static_cast<size_t>(table_[row + 3]));
        if (table_[row] == kSluiceStepLoop)
          addLoop(row, next);
        else
          addBranch(row, next);
        row = next;
        continue;
      }
      gpu::GPUFuncOp kernel = kernelAt(row);
      bool isAlone = threadsOf(kernel) == 1; // it comes after itself anyway
      meetAfter(isAlone ? kReadWord | kAllThreads : kOneThread | kAllThreads);
      addKernel(kernel);
      done_ |= isAlone ? kOneThread : kAllThreads;
      row += kStepFields;
    }
  }

  void addKernel(gpu::GPUFuncOp kernel) {
    OpBuilder::InsertionGuard guard(b_);
    if (threadsOf(kernel) == 1)
      b_.setInsertionPointToStart(scf::IfOp::create(b_, isFirst_).thenBlock());
    IRMapping inside;
    inside.map(kernel.getArgument(0), memory_);
    for (BlockArgument memory : kernel.getWorkgroupAttributions())
      inside.map(memory, addShared(kernel_, cast<MemRefType>(memory.getType())));
    SmallVector<Operation *> places; // in a grid, which here is one block
    for (Operation &op : kernel.getBody().front().without_terminator())
      b_.clone(op, inside)->walk([&](Operation *copy) {
        if (isa<gpu::BlockIdOp, gpu::GridDimOp>(copy))
          places.push_back(copy);
      });
    for (Operation *op : places) {
      op->getResult(0).replaceAllUsesWith(isa<gpu::BlockIdOp>(op) ? zero_ : one_);
      op->erase();
    }
  }

  func::FuncOp function_;
  ArrayRef<int32_t> table_;
  ImplicitLocOpBuilder b_;
  gpu::GPUFuncOp kernel_;
  Value memory_, zero_, one_, isFirst_;
  unsigned done_ = kNothing;
};

} // namespace

std::optional<std::string> LoopKernels::fuse(ArrayRef<int32_t> table) {
  FusedKernel fused(function_, table);
  return fused.isPossible() ? std::optional(fused.build()) : std::nullopt;
}

} // namespace sluice::codegen
