// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Decides which generics several threads share: those whose loops are long, as far as their sizes
// are known; where they are not, the code decides.
#include "compiler/codegen/cpu/BoxFunction.h"
#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/LoopWork.h"
#include "compiler/codegen/cpu/Passes.h"
#include "runtime/codelet/abi.h"
#include "runtime/codelet/support.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;

namespace sluice::codegen {
#define GEN_PASS_DEF_CODEGENCUTGENERICS
#include "compiler/codegen/cpu/Passes.h.inc"

namespace {

constexpr int64_t kWorthBoxes = 2 * kSluiceBoxOperations;

// Which loops boxes have ranges of. Inner loops that fit into a box are not among them, so that
// their sizes stay known.
struct Cut {
  SmallVector<int64_t> loops;
  int64_t operations; // of one iteration of the innermost of them

  Cut(const IterationSpace &space, int64_t ofIteration) : operations(ofIteration) {
    int64_t loop = space.rank() - 1;
    for (; loop >= 0 && !ShapedType::isDynamic(space.staticSize(loop)) &&
           space.staticSize(loop) * operations <= kSluiceBoxOperations;
         --loop)
      operations *= space.staticSize(loop);
    for (int64_t outer = 0; outer <= loop; ++outer)
      if (space.staticSize(outer) != 1)
        loops.push_back(outer);
  }
};

class GenericCutter {
public:
  GenericCutter(linalg::GenericOp op, IterationSpace space, SymbolTable &symbols)
      : op_(op), space_(std::move(space)), symbols_(symbols), b_(op.getLoc(), op),
        ofIteration_(operationsOfIteration(op, space_)) {}

  // Whether anything was done.
  bool run() {
    SmallVector<int64_t> unknown;
    int64_t operations = std::max<int64_t>(1, ofIteration_);
    for (int64_t loop = 0; loop < space_.rank(); ++loop)
      if (ShapedType::isDynamic(space_.staticSize(loop)))
        unknown.push_back(loop);
      else
        operations *= space_.staticSize(loop);
    if (operations == 0 || (unknown.empty() && operations < kWorthBoxes) || !canBeShared())
      return false;
    if (unknown.empty())
      cut();
    else
      cutIfLarge(unknown, operations);
    return true;
  }

private:
  // Whether boxes write to different elements.
  bool canBeShared() {
    int64_t rank = space_.rank();
    return rank > 0 && rank <= kSluiceMostLoops && canBecomeBoxFunction(op_) &&
           llvm::all_of(space_.outputs(), [&](const Access &output) {
             return llvm::all_of(llvm::seq<int64_t>(0, rank), [&](int64_t loop) {
               return output.uses(loop) || space_.staticSize(loop) == 1;
             });
           });
  }

  void cutIfLarge(ArrayRef<int64_t> unknown, int64_t known) {
    Value operations = arith::ConstantIndexOp::create(b_, known);
    for (int64_t loop : unknown)
      operations = arith::MulIOp::create(b_, operations, space_.size(b_, loop));
    Value worth = arith::ConstantIndexOp::create(b_, kWorthBoxes);
    Value isLarge = arith::CmpIOp::create(b_, arith::CmpIPredicate::sge, operations, worth);
    auto branch = scf::IfOp::create(b_, isLarge, /*withElseRegion=*/true);
    b_.setInsertionPointToStart(branch.thenBlock());
    callInBoxes();
    op_->moveBefore(branch.elseBlock(), branch.elseBlock()->begin());
  }

  void cut() {
    callInBoxes();
    op_->erase();
  }

  void callInBoxes() {
    // Joined loops no longer say where in the buffers they are.
    if (op_.getBody()->getOps<linalg::IndexOp>().empty())
      space_.collapse(b_);
    Cut cut(space_, std::max<int64_t>(1, ofIteration_));
    callBoxes(b_, op_, space_, cut.loops, cut.operations, symbols_);
  }

  linalg::GenericOp op_;
  IterationSpace space_;
  SymbolTable &symbols_;
  ImplicitLocOpBuilder b_;
  int64_t ofIteration_;
};

// A codelet's body, whose outputs mean nothing once boxes were left out.
void returnCancelled(func::FuncOp function) {
  auto type = function.getFunctionType();
  if (type.getNumInputs() != 1 || !isa<LLVM::LLVMPointerType>(type.getInput(0)) ||
      type.getNumResults() != 1 || !type.getResult(0).isInteger(32))
    return;
  function.walk([&](func::ReturnOp op) {
    ImplicitLocOpBuilder b(op.getLoc(), op);
    Value cancelled = arith::ConstantIntOp::create(b, kSluiceCancelled, 32);
    Value status = arith::SelectOp::create(
        b, isCancelled(b, loadCallField(b, function.getArgument(0), CallField::kCancel)), cancelled,
        op.getOperand(0));
    op->setOperand(0, status);
  });
}

struct CodegenCutGenerics : public impl::CodegenCutGenericsBase<CodegenCutGenerics> {
  using CodegenCutGenericsBase::CodegenCutGenericsBase;

  void runOnOperation() override {
    SmallVector<linalg::GenericOp> generics;
    getOperation()->walk([&](linalg::GenericOp op) { generics.push_back(op); });
    llvm::SetVector<func::FuncOp> functions;
    SymbolTable symbols(getOperation());
    for (linalg::GenericOp op : generics) {
      FailureOr<IterationSpace> space = IterationSpace::of(op);
      auto function = op->getParentOfType<func::FuncOp>();
      if (failed(space) || !GenericCutter(op, *space, symbols).run())
        continue;
      functions.insert(function);
      ++numCut;
    }
    llvm::for_each(functions, returnCancelled);
  }
};

} // namespace
} // namespace sluice::codegen
