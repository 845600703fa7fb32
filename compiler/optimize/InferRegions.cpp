// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-infer-regions: shapes in branches and loops.
//
// What a loop carries has the shape that it starts with, as far as the body gives it that shape
// back. Questions about shapes have constants as answers then, or the shape of something else.
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/ProductOperands.h"
#include "compiler/optimize/RegionTypes.h"
#include "compiler/optimize/RowsOfSlices.h"
#include "compiler/optimize/SimplerReshape.h"
#include "compiler/optimize/SliceGradients.h"
#include "compiler/optimize/WholeRoot.h"
#include "dialects/flow/GraphOrder.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/nd/Nd.h"
#include "dialects/wire/Steering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEINFERREGIONS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;

static bool keepsOrder(nd::TransposeOp op, int rank, const optimize::Elements &order) {
  auto numbers = optimize::numbersOf(order);
  bool changesElements =
      op.getConjugate() && isa<ComplexType>(getElementTypeOrSelf(op.getInput().getType()));
  return numbers && !changesElements && llvm::equal(*numbers, llvm::seq<int64_t>(0, rank));
}

// An op whose result is its operand: a reshape to the shape that there is, or a sum over no axis,
// but for the zero that it begins with.
Value operandBehind(Operation *op, const optimize::RegionTypes &types) {
  if (!isa<nd::ReshapeOp, nd::BroadcastToOp, nd::ReduceSumOp, nd::TransposeOp>(op))
    return {};
  const auto *value = types.factOf(op->getOperand(0)), *other = types.factOf(op->getOperand(1));
  if (!value || !other || !other->elements || !value->shape.hasRank())
    return {};
  if (isa<nd::ReduceSumOp>(op))
    return other->elements->empty() && other->shape.rank() == 1 ? op->getOperand(0) : Value();
  if (auto transpose = dyn_cast<nd::TransposeOp>(op))
    return keepsOrder(transpose, value->shape.rank(), *other->elements) ? op->getOperand(0)
                                                                        : Value();
  bool isSame = other->shape.rank() == 1 &&
                static_cast<size_t>(value->shape.rank()) == other->elements->size();
  for (int i = 0; isSame && i < value->shape.rank(); ++i)
    isSame = (*other->elements)[static_cast<size_t>(i)] == types.dimOf(value->shape.dim(i));
  return isSame ? op->getOperand(0) : Value();
}

// Where all ops run or none does: in branches and loops, and as a rule in the graph around them.
class RegionSimplifier {
public:
  RegionSimplifier(flow::TokenGraph graph, const optimize::RegionTypes &types) : types_(types) {
    if (optimize::runsAsWhole(graph))
      for (Operation *op : flow::operandsFirst(graph))
        ops_.push_back(op);
    graph.walk([&](Operation *op) {
      if (isa<flow::WhileOp, flow::CondOp>(op->getParentOp()))
        ops_.push_back(op);
    });
  }

  unsigned run() {
    for (Operation *op : llvm::reverse(ops_)) // users first, as long as facts are those of operands
      if (op->hasTrait<Computes>() || list::elementUse(op))
        if (!op->hasTrait<IsConstant>() && !op->hasTrait<OpTrait::IsTerminator>())
          simplify(op);
    return simplified_;
  }

private:
  void simplify(Operation *op) {
    if (op->use_empty())
      return;
    if (Value operand = operandBehind(op, types_))
      return replace(op->getResult(0), isa<nd::ReduceSumOp>(op) ? plusZero(op, operand) : operand);
    Operation *before = op->getPrevNode();
    if (Value other = otherForm(op)) {
      DictionaryAttr wishes = wire::wishesOf(op); // are those of what stands for it
      for (Operation *made = op->getPrevNode(); made != before; made = made->getPrevNode())
        if (!made->hasTrait<IsConstant>())
          wire::giveWishes(made, wishes);
      return replace(op->getResult(0), other);
    }
    // Around regions what fails must still do so though nobody needs its value. Assertions wait.
    bool isInRegion = isa<flow::WhileOp, flow::CondOp>(op->getParentOp());
    if (!isInRegion && !llvm::all_of(op->getUsers(), llvm::IsaPred<state::AssertOp>))
      return;
    for (OpResult result : op->getResults())
      if (auto *fact = types_.factOf(result);
          !result.use_empty() && fact && fact->elements && fact->shape.hasRank())
        if (Value constant = constantOf(result, *fact))
          replace(result, constant);
  }

  // One for which there is code.
  Value otherForm(Operation *op) const {
    return llvm::TypeSwitch<Operation *, Value>(op)
        .Case([&](nd::ReshapeOp reshape) { return optimize::simplerReshape(reshape, types_); })
        .Case([&](nd::MatmulOp product) { return optimize::productOfRows(product, types_); })
        .Case([&](nd::StridedSliceOp slice) { return optimize::elementInstead(slice); })
        .Case([&](nd::StridedSliceGradOp slice) { return optimize::padInstead(slice, types_); })
        .Default([](Operation *) { return Value(); });
  }

  void replace(Value value, Value by) {
    if (!by)
      return;
    value.replaceAllUsesWith(by);
    ++simplified_;
  }

  // A sum over one element is this: -0 becomes 0.
  static Value plusZero(Operation *op, Value value) {
    auto type = cast<TensorType>(value.getType());
    auto number = dyn_cast<FloatType>(type.getElementType());
    if (!number)
      return type.getElementType().isInteger() ? value : Value();
    OpBuilder b(op);
    auto scalar = RankedTensorType::get({}, number);
    auto zero = nd::ConstantOp::create(
        b, op->getLoc(), scalar,
        DenseElementsAttr::get(scalar, APFloat::getZero(number.getFloatSemantics())));
    return nd::AddOp::create(b, op->getLoc(), type, value, zero);
  }

  static Value constantOf(OpResult result, const optimize::RegionTypes::Fact &fact) {
    auto dtype = dtypeOf(result.getType());
    auto tensor = dtype && !result.use_empty()
                      ? optimize::tensorOf(*fact.elements, *dtype, fact.shape.rank())
                      : std::nullopt;
    if (!tensor)
      return {};
    OpBuilder b(result.getOwner());
    ElementsAttr value = attributeOf(result.getContext(), *tensor);
    return nd::ConstantOp::create(b, result.getLoc(), value.getType(), value);
  }

  const optimize::RegionTypes &types_;
  SmallVector<Operation *> ops_;
  unsigned simplified_ = 0;
};

struct InferRegions : flow::GraphPass<optimize::impl::OptimizeInferRegionsBase<InferRegions>> {
  void runOnGraph(flow::TokenGraph graph) override {
    optimize::RegionTypes types(graph);
    numRefined += types.refine();
    numSimplified += RegionSimplifier(graph, types).run();
  }
};

} // namespace
