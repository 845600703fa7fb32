// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-parts-of-products: of a product that nobody needs but a part of, the part.
//
// An element of a product of floats is a chain of its row and its column only, so it has the same
// bits. Derivatives are full of this: a product of joined operands gives derivatives of all of
// them.
#include "compiler/optimize/Passes.h"
#include "dialects/flow/Flow.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/flow/LoopCounters.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Steering.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEPARTSOFPRODUCTS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

// Two integers of a constant. In a region, where all ops run, it does not matter what it waits for.
std::optional<std::array<int64_t, 2>> pairOf(Value value) {
  if (!isa_and_present<flow::TokenGraph>(value.getParentRegion()->getParentOp()))
    value = flow::originOf(value);
  auto constant = value.getDefiningOp<nd::ConstantOp>();
  auto elements = constant ? dyn_cast<DenseIntElementsAttr>(constant.getValue()) : nullptr;
  if (!elements || elements.getType().getRank() != 1 || elements.getNumElements() != 2)
    return std::nullopt;
  auto numbers = llvm::map_to_vector(elements, [](const APInt &one) { return one.getSExtValue(); });
  return std::array<int64_t, 2>{numbers[0], numbers[1]};
}

bool isKnownMatrix(Value value) {
  auto type = dyn_cast<RankedTensorType>(value.getType());
  return type && type.getRank() == 2 && type.hasStaticShape() &&
         isa<FloatType>(type.getElementType());
}

// `size` rows or columns of a matrix from `begin` on.
Value stripOf(OpBuilder &b, Location loc, Value matrix, unsigned axis, int64_t begin,
              int64_t size) {
  auto type = cast<RankedTensorType>(matrix.getType());
  if (size == type.getDimSize(axis))
    return matrix;
  SmallVector<int64_t, 2> begins{0, 0}, sizes(type.getShape());
  begins[axis] = begin;
  sizes[axis] = size;
  auto vector = RankedTensorType::get({2}, b.getI64Type());
  auto numbers = [&](ArrayRef<int64_t> values) -> Value {
    return nd::ConstantOp::create(b, loc, vector, DenseElementsAttr::get(vector, values));
  };
  Value first = numbers(begins), extent = numbers(sizes);
  return nd::SliceOp::create(b, loc, type.clone(sizes), matrix, first, extent);
}

struct PartsOfProducts
    : flow::GraphPass<optimize::impl::OptimizePartsOfProductsBase<PartsOfProducts>> {
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<nd::SliceOp> slices;
    graph->walk([&](nd::SliceOp slice) { slices.push_back(slice); });
    for (nd::SliceOp slice : slices)
      replace(slice);
  }

  void replace(nd::SliceOp slice) {
    auto product = slice.getInput().getDefiningOp<nd::MatmulOp>();
    auto begin = pairOf(slice.getBegin()), size = pairOf(slice.getSize());
    if (!product || !product->hasOneUse() || product->getBlock() != slice->getBlock() || !begin ||
        !size || !isKnownMatrix(product.getLhs()) || !isKnownMatrix(product.getRhs()) ||
        !isKnownMatrix(product.getResult()))
      return;
    auto whole = cast<RankedTensorType>(product.getType());
    SmallVector<int64_t, 2> dims;
    for (unsigned axis : {0u, 1u}) {
      int64_t most = whole.getDimSize(axis) - (*begin)[axis];
      int64_t taken = (*size)[axis] == -1 ? most : (*size)[axis];
      if ((*begin)[axis] < 0 || taken < 0 || taken > most)
        return; // fails when it runs
      dims.push_back(taken);
    }
    if (slice.getType() != whole.clone(dims))
      return;
    OpBuilder b(slice);
    Location loc = product.getLoc();
    bool swapsLhs = product.getTransposeLhs() || product.getAdjointLhs();
    bool swapsRhs = product.getTransposeRhs() || product.getAdjointRhs();
    Value lhs = stripOf(b, loc, product.getLhs(), swapsLhs ? 1 : 0, (*begin)[0], dims[0]);
    Value rhs = stripOf(b, loc, product.getRhs(), swapsRhs ? 0 : 1, (*begin)[1], dims[1]);
    auto part = nd::MatmulOp::create(b, loc, slice.getType(), lhs, rhs, product.getTransposeLhs(),
                                     product.getTransposeRhs(), product.getAdjointLhs(),
                                     product.getAdjointRhs());
    wire::giveWishes(part, wire::wishesOf(product));
    slice.getResult().replaceAllUsesWith(part.getResult());
    slice.erase();
    product.erase();
    ++numParts;
  }
};

} // namespace
