// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-run-loops-on-card: the loop of a card's codelet as steps (LoopSteps.h).
#include "compiler/codegen/cpu/EmitCodelet.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/gpu/KernelBuilder.h"
#include "compiler/codegen/gpu/LoopKernels.h"
#include "compiler/codegen/gpu/LoopTable.h"
#include "compiler/codegen/gpu/Passes.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "llvm/ADT/DenseSet.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENRUNLOOPSONCARD
#include "compiler/codegen/gpu/Passes.h.inc"

namespace {

// What follows from values that are there before the loop, for the host to compute; code of the
// host's loads from nothing but the host's memory.
void hoistGiven(scf::WhileOp loop) {
  Block *block = loop->getBlock();
  auto isGiven = [&](Value value) {
    Operation *op = value.getDefiningOp();
    return value.getParentBlock() == block && (!op || op->isBeforeInBlock(loop));
  };
  auto isVariable = [](Operation *op) {
    return cast<LLVM::LoadOp>(op).getAddr().getDefiningOp<LLVM::AllocaOp>();
  };
  auto hoist = [&](Block::iterator begin, Block::iterator end) {
    for (Operation &op : llvm::make_early_inc_range(llvm::make_range(begin, end)))
      if (op.getNumRegions() == 0 && llvm::all_of(op.getOperands(), isGiven) &&
          (isPure(&op) || (isa<LLVM::LoadOp>(op) && !isVariable(&op))))
        op.moveBefore(loop);
  };
  loop->walk<WalkOrder::PreOrder>([&](scf::WhileOp each) {
    for (Block *body : {each.getBeforeBody(), each.getAfterBody()})
      hoist(body->begin(), std::prev(body->end()));
  });
  hoist(std::next(loop->getIterator()), std::prev(block->end()));
}

class CardLoop {
public:
  CardLoop(func::FuncOp function, scf::WhileOp loop)
      : function_(function), loop_(loop), steps_(loop, words_), kernels_(function, loop, words_) {}

  LogicalResult run() {
    unsigned guards[] = {LoopSteps::kLive};
    if (failed(kernels_.add(steps_.enter, guards, enter_)) ||
        failed(kernels_.add(steps_.body, guards, body_)) ||
        failed(kernels_.add(steps_.exit, {}, exit_)) ||
        failed(kernels_.add(steps_.resume, {}, resume_)))
      return failure();
    fused_ = kernels_.fuse(body_);
    handOver();
    eraseLoop();
    keepUsed();
    return success();
  }
  bool isFused() const { return fused_.has_value(); }

private:
  // What is the same in all iterations, and what the first begins with.
  void handOver() {
    ImplicitLocOpBuilder b(loop_.getLoc(), loop_);
    auto memory = [&] { // once it is known how large it is
      OpBuilder::InsertionGuard guard(b);
      b.setInsertionPointToStart(&function_.getBody().front());
      auto type = LLVM::LLVMArrayType::get(b.getI64Type(), words_.count());
      Value one = arith::ConstantIntOp::create(b, 1, 64);
      return LLVM::AllocaOp::create(b, LLVM::LLVMPointerType::get(b.getContext()), type, one, 8);
    };
    SmallVector<std::pair<Value, Value>> first;
    for (auto [argument, init] : llvm::zip_equal(loop_.getBeforeArguments(), loop_.getInits())) {
      (void)words_.of(argument); // so that all are counted
      first.push_back({argument, init});
    }
    for (Value value : kernels_.given()) {
      (void)words_.of(value);
      first.push_back({value, value});
    }
    Value words = memory();
    auto set = [&](unsigned word, int64_t number) {
      LoopWords::storeWord(b, words, word, arith::ConstantIntOp::create(b, number, 64));
    };
    for (unsigned word = 0; word < LoopSteps::kNumKnown; ++word)
      set(word, word == LoopSteps::kLive ? 1 : 0);
    for (auto [word, value] : steps_.initial)
      set(word, value);
    for (LLVM::AllocaOp variable : kernels_.variables())
      set(kernels_.wordOf(variable), 0);
    for (auto [value, current] : first)
      words_.store(b, words, value, current);
    callRuntime(b, "sluice_run_loop", {function_.getArgument(0), words}, Type());
  }

  void eraseLoop() {
    auto end = cast<func::ReturnOp>(loop_->getBlock()->getTerminator());
    ImplicitLocOpBuilder b(loop_.getLoc(), loop_);
    end->setOperands(ValueRange{arith::ConstantIntOp::create(b, kSluiceOk, 32)});
    SmallVector<Operation *> gone;
    for (auto op = loop_->getIterator(); &*op != loop_->getBlock()->getTerminator(); ++op)
      gone.push_back(&*op);
    for (Operation *op : llvm::reverse(gone))
      op->erase();
  }

  // Kernels that no step and no launch has any more go; the others get new numbers.
  void keepUsed() {
    auto kernels = function_->getAttrOfType<ArrayAttr>(kKernelsAttr);
    llvm::SmallDenseSet<int64_t> used;
    function_.walk([&](gpu::LaunchFuncOp launch) {
      used.insert(numberOfKernel(function_, launch.getKernelName()));
    });
    auto visit = [&](function_ref<void(int32_t &)> change) {
      for (SmallVector<int32_t> *table : {&enter_, &body_, &exit_, &resume_})
        for (size_t row = 0; row < table->size() && !(fused_ && table == &body_);
             row += kStepFields)
          if ((*table)[row] == kSluiceStepLaunch)
            change((*table)[row + 1]);
    };
    visit([&](int32_t &number) { used.insert(number); });
    if (fused_)
      used.insert(numberOfKernel(function_, *fused_));
    SmallVector<Attribute> kept;
    SmallVector<int32_t> numbers(kernels.size());
    for (auto [number, kernel] : llvm::enumerate(kernels)) {
      numbers[number] = static_cast<int32_t>(kept.size());
      if (used.contains(static_cast<int64_t>(number))) {
        kept.push_back(kernel);
        continue;
      }
      StringRef name = cast<DictionaryAttr>(kernel).getAs<StringAttr>("name");
      SymbolTable::lookupNearestSymbolFrom(function_, kernelSymbol(function_.getContext(), name))
          ->erase();
    }
    visit([&](int32_t &number) { number = numbers[static_cast<size_t>(number)]; });
    Builder b(function_.getContext());
    function_->setAttr(kKernelsAttr, b.getArrayAttr(kept));
    if (fused_) {
      body_.clear();
      addLaunchRow(body_, numberOfKernel(function_, *fused_), 1);
    }
    function_->setAttr(kLoopAttr, b.getDictionaryAttr(
                                      {b.getNamedAttr("words", b.getI64IntegerAttr(words_.count())),
                                       b.getNamedAttr("block", b.getBoolAttr(isFused())),
                                       b.getNamedAttr("enter", b.getDenseI32ArrayAttr(enter_)),
                                       b.getNamedAttr("body", b.getDenseI32ArrayAttr(body_)),
                                       b.getNamedAttr("exit", b.getDenseI32ArrayAttr(exit_)),
                                       b.getNamedAttr("resume", b.getDenseI32ArrayAttr(resume_))}));
  }

  func::FuncOp function_;
  scf::WhileOp loop_;
  LoopWords words_;
  LoopSteps steps_;
  LoopKernels kernels_;
  SmallVector<int32_t> enter_, body_, exit_, resume_;
  std::optional<std::string> fused_;
};

struct RunLoopsOnCard : impl::CodegenRunLoopsOnCardBase<RunLoopsOnCard> {
  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>()) {
      if (!function->hasAttr(kCardAttr))
        continue;
      auto loops = function.getBody().front().getOps<scf::WhileOp>();
      if (loops.empty())
        continue;
      hoistGiven(*loops.begin());
      CardLoop loop(function, *loops.begin());
      if (failed(loop.run()))
        return signalPassFailure();
      ++numLoops;
      numBlocks += loop.isFused();
    }
  }
};

} // namespace
} // namespace sluice::codegen
