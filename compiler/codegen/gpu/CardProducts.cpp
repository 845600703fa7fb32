// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products on a card: what is known of one, whether the library of the card's makers is
// asked for it, and the choice of its tiles.
#include "compiler/codegen/cpu/BufferGenerics.h"
#include "compiler/codegen/cpu/MatrixOperand.h"
#include "compiler/codegen/elements/RuntimeCalls.h"
#include "compiler/codegen/elements/SmallFloats.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/gpu/ProductCode.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/nd/Nd.h"

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
    form_.lhsInGroups = isInGroups(a, a.transposed ? m : k);
    form_.rhsInGroups = isInGroups(b, b.transposed ? k : n);
    Value before = op_.onto ? emitter_.buffer(op_.onto) : Value();
    Value to = emitter_.destination(op_.result);
    auto width = dyn_cast<AffineConstantExpr>(n);
    form_.resultInGroups = form_.element.isF32() && width && width.getValue() % kGroup == 0 &&
                           beginsAtGroup(to) && (!before || beginsAtGroup(before));
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
    if (!canAskLibrary())
      return launchBest(0);
    Value isLeft = arith::CmpIOp::create(b_, arith::CmpIPredicate::eq, askLibrary(),
                                         arith::ConstantIntOp::create(b_, 0, 32));
    auto branch = scf::IfOp::create(b_, isLeft);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    launchBest(0);
  }

private:
  Value index(int64_t value) { return arith::ConstantIndexOp::create(b_, value); }
  Value multiply(Value x, Value y) { return b_.createOrFold<arith::MulIOp>(x, y); }

  // Whether all lines of a matrix begin and end where groups of elements do, and these are aligned.
  bool isInGroups(const MatrixOperand &matrix, AffineExpr line) {
    auto length = dyn_cast<AffineConstantExpr>(line);
    std::optional<int64_t> leading = getConstantIntValue(matrix.leading);
    return form_.element.isF32() && length && length.getValue() % kGroup == 0 && leading &&
           *leading % kGroup == 0 && beginsAtGroup(matrix.buffer);
  }
  // Tensors and slots of the arena are aligned.
  static bool beginsAtGroup(Value buffer) {
    auto [strides, offset] = cast<MemRefType>(buffer.getType()).getStridesAndOffset();
    if (!ShapedType::isDynamic(offset))
      return offset % kGroup == 0;
    auto view = buffer.getDefiningOp<memref::ReinterpretCastOp>();
    auto place = view ? dyn_cast<Value>(view.getMixedOffsets()[0]) : Value();
    auto product = place ? place.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
    return product && llvm::any_of(product->getOperands(), [](Value factor) {
             std::optional<int64_t> known = getConstantIntValue(factor);
             return known && *known % kGroup == 0;
           });
  }

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
    int64_t transposed = int64_t(form_.lhsTransposed) | int64_t(form_.rhsTransposed) << 1;
    return callRuntime(
        b_, "sluice_multiply",
        {emitter_.call(), number(static_cast<int64_t>(*dtypeOf(form_.element))), number(transposed),
         outside_[kProductLhs], outside_[kProductRhs], form_.isOnto ? outside_.back() : null,
         outside_[kProductResult], size(outside_[kProductM]), size(outside_[kProductN]),
         size(outside_[kProductK]), size(outside_[kProductLeadingLhs]),
         size(outside_[kProductLeadingRhs]), size(batches), size(strideLhs), size(strideRhs)},
        b_.getI32Type());
  }

  // ---- The choice of tiles --------------------------------------------------------------------

  // Wide elements of large tiles would not fit into registers.
  bool fits(const TileShape &tile) const {
    return form_.sum.getIntOrFloatBitWidth() <= 32 || tile.ownRows * tile.ownColumns < 64;
  }

  // The first of the tiles from `first` on of which there are many, or the last one.
  void launchBest(size_t first) {
    while (!fits(kTiles[first]))
      ++first;
    const TileShape &tile = kTiles[first];
    bool isLast = first + 1 == kNumTiles;
    Value blocks = multiply(tilesOf(b_, outside_[kProductM], tile.rows),
                            tilesOf(b_, outside_[kProductN], tile.columns));
    for (size_t run = 0; run < form_.runs.size(); ++run)
      blocks = multiply(blocks, outside_[kProductBatches + run]);
    std::optional<int64_t> known = getConstantIntValue(blocks);
    if (isLast || (known ? *known >= kManyBlocks : first == kSmallTile))
      return launchWith(tile, blocks);
    if (known)
      return launchBest(first + 1);
    // Where sizes are known when it runs only, a large and a small one have to do.
    Value many = arith::CmpIOp::create(b_, arith::CmpIPredicate::uge, blocks, index(kManyBlocks));
    auto branch = scf::IfOp::create(b_, many, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    launchWith(tile, blocks);
    b_.setInsertionPointToStart(branch.elseBlock());
    launchBest(kSmallTile);
  }

  void launchWith(TileShape tile, Value blocks) {
    if (form_.sum.getIntOrFloatBitWidth() > 32) // as many bytes
      tile.depth /= 2;
    KernelBuilder kernel(b_, tile.threads());
    for (Value value : outside_)
      kernel.parameters().add(value);
    kernel.launch(blocks, [&](const KernelThread &thread, IRMapping &inside) {
      SmallVector<Value> operands =
          llvm::map_to_vector(outside_, [&](Value value) { return inside.lookup(value); });
      emitProduct(b_, kernel, thread, form_, tile, operands);
    });
  }

  Product op_;
  Emitter &emitter_;
  ImplicitLocOpBuilder &b_;
  ProductForm form_;
  SmallVector<Value> outside_; // ProductOperand
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
