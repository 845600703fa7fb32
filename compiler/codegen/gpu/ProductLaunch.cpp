// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The choice of a product's tiles.
#include "compiler/codegen/gpu/ProductLaunch.h"

#include "compiler/codegen/elements/SmallFloats.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;

namespace sluice::codegen {

bool beginsAtGroup(Value buffer, int64_t group) {
  auto [strides, offset] = cast<MemRefType>(buffer.getType()).getStridesAndOffset();
  if (!ShapedType::isDynamic(offset))
    return offset % group == 0;
  auto view = buffer.getDefiningOp<memref::ReinterpretCastOp>();
  auto place = view ? dyn_cast<Value>(view.getMixedOffsets()[0]) : Value();
  auto product = place ? place.getDefiningOp<arith::MulIOp>() : arith::MulIOp();
  return product && llvm::any_of(product->getOperands(), [group](Value factor) {
           std::optional<int64_t> known = getConstantIntValue(factor);
           return known && *known % group == 0;
         });
}

namespace {

class Launcher {
public:
  Launcher(ImplicitLocOpBuilder &b, const ProductForm &form, ArrayRef<Value> operands)
      : b_(b), form_(form), operands_(operands) {}

  // The first of the tiles of which there are many, or the last one. Where sizes are known when it
  // runs only, the first and one of the last few have to do.
  template <typename Tile> void launchBest(ArrayRef<Tile> tiles, size_t small) {
    const Tile &tile = tiles.front();
    Value blocks = multiply(tilesOf(b_, operands_[kProductM], tile.rows),
                            tilesOf(b_, operands_[kProductN], tile.columns));
    for (size_t run = 0; run < form_.runs.size(); ++run)
      blocks = multiply(blocks, operands_[kProductBatches + run]);
    std::optional<int64_t> known = getConstantIntValue(blocks);
    bool isLast = tiles.size() == 1;
    if (isLast || (known ? *known >= kManyBlocks : tiles.size() == small))
      return launchWith(tile, blocks);
    if (known || isNeverMany(tile.rows, tile.columns))
      return launchBest(tiles.drop_front(), small);
    Value least = arith::ConstantIndexOp::create(b_, kManyBlocks);
    Value many = arith::CmpIOp::create(b_, arith::CmpIPredicate::uge, blocks, least);
    auto branch = scf::IfOp::create(b_, many, /*withElseRegion=*/true);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(branch.thenBlock());
    launchWith(tile, blocks);
    b_.setInsertionPointToStart(branch.elseBlock());
    launchBest(tiles.take_back(small), small);
  }

  // Wide elements of large tiles would not fit into registers.
  bool fits(const TileShape &tile) const {
    return !isWide() || tile.ownRows * tile.ownColumns < 64;
  }

private:
  Value multiply(Value x, Value y) { return b_.createOrFold<arith::MulIOp>(x, y); }
  // Whether there are few tiles of this size however many rows there come to be.
  bool isNeverMany(int64_t rows, int64_t columns) const {
    std::optional<int64_t> n = getConstantIntValue(operands_[kProductN]);
    return form_.mostRows && n && form_.runs.empty() &&
           llvm::SaturatingMultiply<uint64_t>(llvm::divideCeil(*form_.mostRows, rows),
                                              llvm::divideCeil(*n, columns)) < kManyBlocks;
  }
  bool isWide() const { return form_.sum.getIntOrFloatBitWidth() > 32; }

  void emit(KernelBuilder &kernel, const KernelThread &thread, TileShape tile,
            ArrayRef<Value> operands, IRMapping &inside) {
    if (isWide()) // as many bytes
      tile.depth /= 2;
    ProductForm form = form_;
    if (isSmallFloat(form.element)) // whose groups are those of tensor cores
      form.lhsInGroups = form.rhsInGroups = form.resultInGroups = false;
    emitProduct(b_, kernel, thread, form, tile, operands, inside);
  }
  void emit(KernelBuilder &kernel, const KernelThread &thread, const WarpTiles &tile,
            ArrayRef<Value> operands, IRMapping &) {
    emitTensorProduct(b_, kernel, thread, form_, tile, operands);
  }
  template <typename Tile> void launchWith(const Tile &tile, Value blocks) {
    KernelBuilder kernel(b_, tile.threads());
    for (ArrayRef<Value> values : {operands_, ArrayRef<Value>(form_.used)})
      for (Value value : values)
        kernel.parameters().add(value);
    kernel.launch(blocks, [&](const KernelThread &thread, IRMapping &inside) {
      emit(kernel, thread, tile,
           llvm::map_to_vector(operands_, [&](Value value) { return inside.lookup(value); }),
           inside);
    });
  }

  ImplicitLocOpBuilder &b_;
  const ProductForm &form_;
  ArrayRef<Value> operands_;
};

} // namespace

void launchChains(ImplicitLocOpBuilder &b, const ProductForm &form, ArrayRef<Value> operands) {
  Launcher launcher(b, form, operands);
  ArrayRef<TileShape> tiles(kTiles);
  while (!launcher.fits(tiles.front()))
    tiles = tiles.drop_front();
  launcher.launchBest(tiles, kNumTiles - kSmallTile);
}

void launchOnTensorCores(ImplicitLocOpBuilder &b, const ProductForm &form,
                         ArrayRef<Value> operands) {
  Launcher(b, form, operands).launchBest(ArrayRef<WarpTiles>(kWarpTiles), 1);
}

} // namespace sluice::codegen
