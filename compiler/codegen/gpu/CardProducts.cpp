// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products on a card: what is known of one, and whether the library of the card's makers is
// asked for it.
#include "compiler/codegen/cpu/BufferElementwise.h"
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/MatrixOperand.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardEpilogues.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/ProductLaunch.h"
#include "compiler/codegen/plan/RowUpdates.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"
#include "runtime/base/matrix_product.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// Of the ops that are products.
struct Product {
  Value lhs, rhs, result;
  bool swapsLhs, swapsRhs;
  Value onto; // null, or what the sums begin with
};

class ProductLauncher {
public:
  ProductLauncher(const Product &product, Emitter &emitter)
      : op_(product), emitter_(emitter), b_(emitter.builder()) {
    form_.element = cast<RankedTensorType>(product.result.getType()).getElementType();
    form_.sum = registerElementType(computeType(form_.element));
    form_.isOnto = static_cast<bool>(product.onto);
  }

  void launch() {
    ArrayRef<AffineExpr> lhs = emitter_.shapes().dims(op_.lhs);
    ArrayRef<AffineExpr> rhs = emitter_.shapes().dims(op_.rhs);
    ArrayRef<AffineExpr> result = emitter_.shapes().dims(op_.result);
    AffineExpr m = result[result.size() - 2], n = result.back();
    AffineExpr k = lhs[lhs.size() - (op_.swapsLhs ? 2 : 1)];
    form_.runs = batchRuns(lhs, rhs, result);
    MatrixOperand a = matrixOf(emitter_, op_.lhs, op_.swapsLhs, m, k);
    MatrixOperand b = matrixOf(emitter_, op_.rhs, op_.swapsRhs, k, n);
    form_.lhsTransposed = a.transposed;
    form_.rhsTransposed = b.transposed;
    bool isSmall = isSmallFloat(form_.element);
    auto groupOf = [&](bool alongDepth) { return isSmall ? tensorGroup(alongDepth) : kGroup; };
    form_.lhsInGroups = isInGroups(a, a.transposed ? m : k, groupOf(!a.transposed));
    form_.rhsInGroups = isInGroups(b, b.transposed ? k : n, groupOf(b.transposed));
    Value before = op_.onto ? emitter_.buffer(op_.onto) : Value();
    Value to = memoryFor(before);
    auto width = dyn_cast<AffineConstantExpr>(n);
    int64_t group = groupOf(/*alongDepth=*/false);
    form_.resultInGroups = hasGroups() && width && width.getValue() % group == 0 &&
                           beginsAtGroup(to, group) && (!before || beginsAtGroup(before, group));
    outside_ = {emitter_.pointerTo(a.buffer),
                emitter_.pointerTo(b.buffer),
                emitter_.pointerTo(to),
                emitter_.dim(m),
                emitter_.dim(n),
                emitter_.dim(k),
                a.leading,
                b.leading};
    for (const BatchRun &run : form_.runs)
      outside_.push_back(emitter_.dim(run.count));
    if (before)
      outside_.push_back(emitter_.pointerTo(before));
    hasTensorKernel_ = form_.element.isF32() && isWorthTensorCores(m, n, k);
    if (!canAskLibrary())
      return launchChains(b_, form_, outside_);
    Epilogue epilogue = op_.onto ? Epilogue() : epilogueOf(op_.result, emitter_);
    if (!epilogue.members.empty()) {
      bias_ = emitter_.pointerTo(emitter_.buffer(epilogue.bias));
      after_ = emitter_.pointerTo(emitter_.destination(epilogue.result()));
      activation_ = epilogue.activation;
    }
    Value by = askLibrary();
    launchIf(by, rt::ProductBy::kChains, [&] { launchChains(b_, form_, outside_); });
    if (isSmall || hasTensorKernel_)
      launchIf(by, rt::ProductBy::kTensorCores, [&] { launchOnTensorCores(b_, form_, outside_); });
    if (!epilogue.members.empty())
      launchIf(
          by, rt::ProductBy::kLibraryWithEpilogue,
          [&] { emitElementsInMemory(epilogue.members, emitter_); }, /*isIt=*/false);
  }

private:
  // In a loop that adds to what it carries, that memory.
  Value memoryFor(Value before) {
    Operation *op = op_.result.getDefiningOp();
    if (!op_.onto || !writesInPlace(op, emitter_.fusion()))
      return emitter_.destination(op_.result);
    emitter_.define(op_.result, Held(cast<RankedTensorType>(op_.result.getType()), before));
    return before;
  }
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value multiply(Value x, Value y) { return b_.createOrFold<arith::MulIOp>(x, y); }

  // Whether all lines of a matrix begin and end where groups of elements do, and these are aligned.
  bool isInGroups(const MatrixOperand &matrix, AffineExpr line, int64_t group) {
    auto length = dyn_cast<AffineConstantExpr>(line);
    std::optional<int64_t> leading = getConstantIntValue(matrix.leading);
    return hasGroups() && length && length.getValue() % group == 0 && leading &&
           *leading % group == 0 && beginsAtGroup(matrix.buffer, group);
  }
  // Of f32: where sizes are not known it may be.
  static bool isWorthTensorCores(AffineExpr m, AffineExpr n, AffineExpr k) {
    uint64_t work = 1;
    for (AffineExpr dim : {m, n, k}) {
      auto known = dyn_cast<AffineConstantExpr>(dim);
      if (!known)
        return true;
      work = llvm::SaturatingMultiply(work, static_cast<uint64_t>(known.getValue()));
    }
    return work >= static_cast<uint64_t>(kLeastForTensorCores);
  }
  bool hasGroups() const { return form_.element.isF32() || isSmallFloat(form_.element); }

  // ---- The library ----------------------------------------------------------------------------

  // Not in a loop that the card runs by itself, where there is no host to ask; and only where the
  // matrices of an operand lie at equal distances.
  bool canAskLibrary() const {
    return emitter_.mayBail() && isa<FloatType>(form_.element) && form_.runs.size() <= 1;
  }

  // Not 0: it has enqueued the product.
  Value askLibrary() {
    auto number = [&](int64_t value) { return arith::ConstantIntOp::create(b_, value, 32); };
    auto size = [&](Value value) { return toI64(b_, value); };
    Value null = LLVM::ZeroOp::create(b_, LLVM::LLVMPointerType::get(b_.getContext()));
    Value batches = index(1), strideLhs = index(0), strideRhs = index(0);
    if (!form_.runs.empty()) {
      batches = outside_[kProductBatches];
      if (form_.runs[0].movesLhs)
        strideLhs = multiply(outside_[kProductM], outside_[kProductK]);
      if (form_.runs[0].movesRhs)
        strideRhs = multiply(outside_[kProductK], outside_[kProductN]);
    }
    int64_t transposed = int64_t(form_.lhsTransposed) | int64_t(form_.rhsTransposed) << 1 |
                         int64_t(hasTensorKernel_) << 2;
    return callRuntime(
        b_, "sluice_multiply",
        {emitter_.call(), number(static_cast<int64_t>(*dtypeOf(form_.element))), number(transposed),
         outside_[kProductLhs], outside_[kProductRhs], form_.isOnto ? outside_.back() : null,
         outside_[kProductResult], size(outside_[kProductM]), size(outside_[kProductN]),
         size(outside_[kProductK]), size(outside_[kProductLeadingLhs]),
         size(outside_[kProductLeadingRhs]), size(batches), size(strideLhs), size(strideRhs),
         after_ ? after_ : null, bias_ ? bias_ : null, number(static_cast<int64_t>(activation_))},
        b_.getI32Type());
  }

  // Where it is that, or is not.
  void launchIf(Value by, rt::ProductBy one, function_ref<void()> launch, bool isIt = true) {
    Value condition =
        arith::CmpIOp::create(b_, isIt ? arith::CmpIPredicate::eq : arith::CmpIPredicate::ne, by,
                              arith::ConstantIntOp::create(b_, static_cast<int64_t>(one), 32));
    auto branch = scf::IfOp::create(b_, condition);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    launch();
  }

  Product op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  ProductForm form_;
  SmallVector<Value> outside_;   // ProductOperand
  bool hasTensorKernel_ = false; // beside that of small floats
  Value bias_, after_;           // of an epilogue
  rt::Activation activation_ = rt::Activation::kNone;
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
  ProductLauncher(product, emitter).launch();
  return success();
}

} // namespace sluice::codegen
