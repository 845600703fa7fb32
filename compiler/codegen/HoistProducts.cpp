// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-hoist-products: a loop's products of the rows of an array, all at once in front of it.
//
// A recurrent layer multiplies what came in at a step, and what it remembers, by its weights. The
// first part is known of all steps before the loop runs. One product of all rows is faster than
// many of a few, reads the weights once, and is nobody's bottleneck: the loop is left with half of
// its work. An element of a product is a chain of its row and its column, along rising k, so the
// rest of the product can go on with the first part, in the same bits.
#include "compiler/codegen/Passes.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/flow/LoopCounters.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Restructure.h"

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENHOISTPRODUCTS
#include "compiler/codegen/Passes.h.inc"

namespace {

// A smaller right operand stays in the first cache anyway.
constexpr int64_t kFewElements = 1024;
// How much larger than the array all products may be, which lie in memory at one time.
constexpr int64_t kMostGrowth = 8;

Value ungated(Value value) {
  while (auto gate = value.getDefiningOp<flow::GateOp>())
    value = gate.getValue();
  return value;
}

// A value that is the same in all iterations, as it is outside; null for other values.
Value outsideOf(flow::WhileOp loop, Value value) {
  value = ungated(value);
  auto argument = dyn_cast<BlockArgument>(value);
  if (!argument || argument.getOwner()->getParentOp() != loop)
    return {};
  bool isBefore = argument.getOwner()->getParent() == &loop.getBefore();
  unsigned own = isBefore ? loop.getInits().size() : loop.getNumResults();
  return argument.getArgNumber() < own ? flow::unchangedInit(value, loop)
                                       : loop.getCaptures()[argument.getArgNumber() - own];
}

// Whether the integer that iterations are less than is there when the loop begins.
bool isThere(flow::WhileOp loop, Value limit) {
  return getElementTypeOrSelf(limit).isInteger() &&
         (flow::constantInt(limit) || outsideOf(loop, limit));
}

// In a graph with switches a loop may be dead while what it captures is not.
bool mayBeDead(flow::WhileOp loop) {
  auto graph = dyn_cast<flow::TokenGraph>(loop->getParentOp());
  return graph && !graph.getBody().getOps<flow::SwitchOp>().empty();
}

// Which row of its first operand the op gives, and nothing else; null of other ops.
Value rowIndexOf(Operation *op) {
  if (auto row = dyn_cast_or_null<nd::RowOp>(op))
    return row.getIndex();
  if (auto element = dyn_cast_or_null<list::PeekOp>(op)) // of a list of rows, see arrayOf
    return element.getIndex();
  if (auto gather = dyn_cast_or_null<nd::GatherOp>(op)) {
    auto index = dyn_cast<RankedTensorType>(gather.getIndices().getType());
    bool isRow = index && index.getRank() == 0 && flow::constantInt(gather.getAxis()) == 0 &&
                 gather.getBatchDims() == 0;
    return isRow ? gather.getIndices() : Value();
  }
  auto slice = dyn_cast_or_null<nd::StridedSliceOp>(op);
  if (!slice || slice.getShrinkAxisMask() != 1 || slice.getBeginMask() || slice.getEndMask() ||
      slice.getEllipsisMask() || slice.getNewAxisMask() ||
      flow::constantInt(slice.getStrides()) != 1)
    return {};
  auto begin = ungated(slice.getBegin()).getDefiningOp<nd::PackOp>();
  return begin && begin.getInputs().size() == 1 ? begin.getInputs().front() : Value();
}

// The array, or the one whose rows are the elements of the list.
Value arrayOf(flow::WhileOp loop, Operation *row) {
  Value array = outsideOf(loop, row->getOperand(0));
  if (!array || !isa<list::PeekOp>(row))
    return array;
  auto rows = ungated(array).getDefiningOp<list::UnstackOp>();
  return rows ? rows.getValue() : Value();
}

// A product whose left operand is a row of an array from outside, or begins with one.
struct Candidate {
  nd::MatmulOp product;
  Operation *row;
  nd::ConcatOp joined; // null if the row is all
  Value array, weights;
  int64_t depth, columns; // of the product of the row
  bool transposed;
};

std::optional<Candidate> candidateOf(flow::WhileOp loop, nd::MatmulOp product) {
  auto type = dyn_cast<RankedTensorType>(product.getType());
  Value left = product.getLhs();
  auto joined = left.getDefiningOp<nd::ConcatOp>();
  if (joined) {
    if (joined.getInputs().size() < 2 || flow::constantInt(joined.getAxis()) != 1)
      return std::nullopt;
    left = joined.getInputs().front();
  }
  Operation *row = left.getDefiningOp();
  Value index = rowIndexOf(row);
  if (!index || !type || type.getRank() != 2 || product.getTransposeLhs() ||
      product.getAdjointLhs() || product.getAdjointRhs() ||
      !(type.getElementType().isF32() || type.getElementType().isF64()))
    return std::nullopt;
  Value array = arrayOf(loop, row);
  Value weights = outsideOf(loop, product.getRhs());
  auto arrayType = array ? dyn_cast<RankedTensorType>(array.getType()) : nullptr;
  auto weightsType = weights ? dyn_cast<RankedTensorType>(weights.getType()) : nullptr;
  std::optional<flow::Counter> counter = flow::counterOf(index, loop);
  if (!arrayType || arrayType.getRank() != 3 || arrayType.isDynamicDim(2) || !weightsType ||
      weightsType.getRank() != 2 || !weightsType.hasStaticShape() || !counter ||
      !counter->isIterationNumber())
    return std::nullopt;
  bool transposed = product.getTransposeRhs();
  int64_t depth = arrayType.getDimSize(2), columns = weightsType.getDimSize(transposed ? 0 : 1);
  int64_t all = weightsType.getDimSize(transposed ? 1 : 0);
  bool fits = depth > 0 && (joined ? depth < all : depth == all);
  bool isWorthwhile = depth * columns >= kFewElements && columns <= kMostGrowth * depth &&
                      arrayType.getDimSize(0) != 0 && arrayType.getDimSize(0) != 1;
  if (!fits || !isWorthwhile)
    return std::nullopt;
  return Candidate{product, row, joined, array, weights, depth, columns, transposed};
}

class ProductOfRows {
public:
  ProductOfRows(flow::WhileOp loop, Candidate found, ArrayRef<Value> limits)
      : loop_(loop), found_(found), limits_(limits), b_(loop), loc_(found.product.getLoc()) {}

  void hoist() {
    if (mayBeDead(loop_)) { // then nobody needs the products
      auto token = b_.getType<flow::TokenType>();
      Value begins = flow::AfterOp::create(b_, loc_, token, loop_.getInits().front());
      found_.array = flow::GateOp::create(b_, loc_, found_.array.getType(), found_.array, begins);
    }
    Value products = productOfAllRows();
    if (isa<list::PeekOp>(found_.row))
      products = listOf(products);
    Value inside = wire::captureIn(loop_, loop_.getBody(), products);
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPoint(found_.product);
    auto type = cast<RankedTensorType>(found_.product.getType());
    Operation *read = b_.clone(*found_.row); // which also knows what to say of rows out of range
    read->setOperand(0, inside);
    Value row = read->getResult(0);
    row.setType(type);
    if (auto element = dyn_cast<list::PeekOp>(read))
      element.setElementShapeAttr(TypeAttr::get(UnrankedTensorType::get(type.getElementType())));
    if (found_.joined) {
      // Within the loop it is a view.
      Value weights = strip(found_.product.getRhs(), found_.depth, depthOfAll() - found_.depth);
      row = nd::MatmulOntoOp::create(b_, loc_, type, row, restOfRow(), weights,
                                     /*transpose_lhs=*/false, found_.transposed);
    }
    found_.product.getResult().replaceAllUsesWith(row);
    found_.product.erase();
    if (found_.joined && found_.joined->use_empty())
      found_.joined.erase();
    if (found_.row->use_empty())
      found_.row->erase();
  }

private:
  RankedTensorType typeOfInts(ArrayRef<int64_t> dims) {
    return RankedTensorType::get(dims, b_.getI64Type());
  }
  Value ints(ArrayRef<int64_t> numbers) {
    auto type = typeOfInts({static_cast<int64_t>(numbers.size())});
    return nd::ConstantOp::create(b_, loc_, type, DenseElementsAttr::get(type, numbers));
  }
  Value number(int64_t value) {
    return nd::ConstantOp::create(b_, loc_, typeOfInts({}),
                                  DenseElementsAttr::get(typeOfInts({}), value));
  }
  int64_t depthOfAll() {
    return cast<RankedTensorType>(found_.weights.getType()).getDimSize(found_.transposed ? 1 : 0);
  }

  // So many of the weights that a row's elements meet, from `begin` on.
  Value strip(Value weights, int64_t begin, int64_t size) {
    if (size == depthOfAll())
      return weights;
    SmallVector<int64_t> begins{0, 0}, sizes{size, found_.columns};
    begins[found_.transposed ? 1 : 0] = begin;
    if (found_.transposed)
      std::swap(sizes[0], sizes[1]);
    auto type = cast<RankedTensorType>(found_.weights.getType());
    Value first = ints(begins), extent = ints(sizes);
    return nd::SliceOp::create(b_, loc_, type.clone(sizes), weights, first, extent);
  }

  // No more rows of the array than there are iterations.
  Value rowsOfIterations() {
    auto type = cast<RankedTensorType>(found_.array.getType());
    int64_t known = type.getDimSize(0);
    bool isKnown = !ShapedType::isDynamic(known);
    int64_t most = isKnown ? known : std::numeric_limits<int64_t>::max();
    SmallVector<Value> unknown;
    for (Value limit : limits_) {
      if (std::optional<int64_t> trips = flow::constantInt(limit))
        most = std::min(most, std::max<int64_t>(*trips, 0));
      else
        unknown.push_back(outsideOf(loop_, limit));
    }
    if (unknown.empty() && isKnown && most == known)
      return found_.array;
    if (unknown.empty() && isKnown)
      return firstRows(ints({most, -1, -1}), most);
    Value count = isKnown ? number(most) : rowsAsked(most);
    for (Value limit : unknown)
      count = nd::MinimumOp::create(b_, loc_, count.getType(), count,
                                    nd::CastOp::create(b_, loc_, typeOfInts({}), limit));
    count = nd::MaximumOp::create(b_, loc_, count.getType(), count, number(0));
    Value size =
        nd::PackOp::create(b_, loc_, typeOfInts({3}), ValueRange{count, number(-1), number(-1)}, 0);
    return firstRows(size, ShapedType::kDynamic);
  }

  // How many rows the array has, as it says when it is there, and no more than so many.
  Value rowsAsked(int64_t most) {
    Value shape = nd::ShapeOp::create(b_, loc_, typeOfInts({3}), found_.array);
    Value first = nd::SliceOp::create(b_, loc_, typeOfInts({1}), shape, ints({0}), ints({1}));
    Value rows = nd::ReshapeOp::create(b_, loc_, typeOfInts({}), first, ints({}));
    return most == std::numeric_limits<int64_t>::max()
               ? rows
               : nd::MinimumOp::create(b_, loc_, typeOfInts({}), rows, number(most)).getResult();
  }

  Value firstRows(Value size, int64_t rows) {
    auto type = cast<RankedTensorType>(found_.array.getType());
    SmallVector<int64_t> dims(type.getShape());
    dims[0] = rows;
    return nd::SliceOp::create(b_, loc_, type.clone(dims), found_.array, ints({0, 0, 0}), size);
  }

  Value productOfAllRows() {
    Value rows = rowsOfIterations(), weights = strip(found_.weights, 0, found_.depth);
    auto type = cast<RankedTensorType>(rows.getType());
    int64_t steps = type.getDimSize(0), batch = type.getDimSize(1);
    bool isKnown = type.hasStaticShape();
    int64_t all = isKnown ? steps * batch : ShapedType::kDynamic;
    Value matrix = nd::ReshapeOp::create(b_, loc_, type.clone({all, found_.depth}), rows,
                                         ints({isKnown ? all : -1, found_.depth}));
    Value product = nd::MatmulOp::create(b_, loc_, type.clone({all, found_.columns}), matrix,
                                         weights, /*transpose_lhs=*/false, found_.transposed,
                                         /*adjoint_lhs=*/false, /*adjoint_rhs=*/false);
    SmallVector<int64_t> dims{steps, batch, found_.columns};
    Value shape = isKnown ? ints(dims) : shapeLike(rows);
    return nd::ReshapeOp::create(b_, loc_, type.clone(dims), product, shape);
  }

  Value listOf(Value products) {
    auto type = cast<RankedTensorType>(products.getType());
    auto element = type.clone(type.getShape().drop_front());
    return list::UnstackOp::create(b_, loc_, list::OfType::get(b_.getContext(), element), products,
                                   TypeAttr::get(element));
  }

  // The steps and rows of an array, with the columns of the product.
  Value shapeLike(Value rows) {
    Value shape = nd::ShapeOp::create(b_, loc_, typeOfInts({3}), rows);
    Value first = nd::SliceOp::create(b_, loc_, typeOfInts({2}), shape, ints({0}), ints({2}));
    return nd::ConcatOp::create(b_, loc_, typeOfInts({3}),
                                ValueRange{first, ints({found_.columns})}, number(0));
  }

  // What the row is joined with.
  Value restOfRow() {
    ValueRange rest = found_.joined.getInputs().drop_front();
    if (rest.size() == 1)
      return rest.front();
    auto type = cast<RankedTensorType>(found_.joined.getType());
    return nd::ConcatOp::create(b_, loc_,
                                type.clone({type.getDimSize(0), depthOfAll() - found_.depth}), rest,
                                found_.joined.getAxis());
  }

  flow::WhileOp loop_;
  Candidate found_;
  ArrayRef<Value> limits_;
  OpBuilder b_;
  Location loc_;
};

struct HoistProducts : flow::GraphPass<impl::CodegenHoistProductsBase<HoistProducts>> {
  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<flow::WhileOp> loops;
    graph->walk([&](flow::WhileOp loop) { loops.push_back(loop); });
    for (flow::WhileOp loop : loops)
      hoist(loop);
  }

  void hoist(flow::WhileOp loop) {
    SmallVector<Candidate> found;
    for (auto product : loop.getBody().getOps<nd::MatmulOp>())
      if (std::optional<Candidate> candidate = candidateOf(loop, product))
        found.push_back(*candidate);
    if (found.empty())
      return;
    SmallVector<Value> limits = flow::iterationLimits(loop);
    if (limits.empty() || !llvm::all_of(limits, [&](Value limit) { return isThere(loop, limit); }))
      return;
    for (const Candidate &candidate : found)
      ProductOfRows(loop, candidate, limits).hoist();
    numHoisted += found.size();
  }
};

} // namespace
} // namespace sluice::codegen
