// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-simplify-lists: operands that say what is known anyway.
#include "compiler/optimize/ListFacts.h"
#include "compiler/optimize/Passes.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/interfaces/KernelOps.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZESIMPLIFYLISTS
#include "compiler/optimize/Passes.h.inc"
} // namespace sluice::optimize

namespace {

using namespace sluice;
using optimize::GatedConstant;
using optimize::ListFacts;

// A size for each dim, or -1; nothing where that is an error.
std::optional<rt::Shape> partialShape(DenseElementsAttr sizes) {
  if (!isa<IntegerType>(sizes.getElementType()) || sizes.getType().getRank() > 1 ||
      sizes.getNumElements() > rt::Shape::kMaxRank)
    return std::nullopt;
  SmallVector<int64_t> dims;
  for (const APInt &size : sizes.getValues<APInt>())
    dims.push_back(size.getSExtValue());
  if (sizes.getType().getRank() == 0)
    return dims[0] == -1 ? std::optional(rt::Shape::unknownRank()) : std::nullopt;
  if (llvm::any_of(dims, [](int64_t size) { return size < -1; }))
    return std::nullopt;
  return rt::Shape(std::span<const int64_t>(dims.data(), dims.size()));
}

// What both say; nothing where they exclude each other.
Type merged(Type known, const rt::Shape &more) {
  auto tensor = dyn_cast<TensorType>(known);
  if (!tensor) // lists are scalars
    return more.compatibleWith(rt::Shape{}) ? known : Type();
  rt::Shape shape = shapeOf(tensor);
  if (!shape.compatibleWith(more))
    return {};
  if (!shape.hasRank())
    shape = more;
  for (int i = 0; shape.hasRank() && more.hasRank() && i < shape.rank(); ++i)
    if (shape.dim(i) < 0)
      shape.setDim(i, more.dim(i));
  return tensorTypeOf(tensor.getElementType(), shape);
}

Type withoutShape(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  return tensor ? Type(UnrankedTensorType::get(tensor.getElementType())) : type;
}

bool isInGraph(Operation *op) { return isa<flow::TokenGraph>(op->getParentOp()); }

class ListSimplifier {
public:
  explicit ListSimplifier(flow::TokenGraph graph) : graph_(graph) {}

  // What is found out of one list tells of others, as gradients have the shapes of what they are
  // of.
  unsigned run() {
    constexpr unsigned kMostRounds = 8;
    unsigned before = 0;
    for (unsigned round = 0; round < kMostRounds; ++round) {
      before = simplified_;
      SmallVector<Operation *> ops;
      graph_->walk([&](Operation *op) {
        if (isa<list::ListDialect>(op->getDialect()))
          ops.push_back(op);
      });
      if (ops.empty())
        break;
      optimize::ListThreads threads(graph_.getOperation());
      threads_ = &threads;
      for (Operation *op : ops)
        if (!gone_.contains(op))
          simplify(op);
      for (Operation *op : gone_) // no sooner, so that no new value takes the place of an old one
        op->erase();
      gone_.clear();
      if (before == simplified_)
        break;
    }
    return simplified_;
  }

private:
  ListFacts factsOf(Value list) const { return threads_->factsOf(list); }

  void simplify(Operation *op) {
    if (auto declare = dyn_cast<list::DeclareShapeOp>(op))
      absorbShape(declare);
    else if (auto limit = dyn_cast<list::DeclareLimitOp>(op))
      dropLimit(limit);
    else if (auto shape = dyn_cast<list::ElementShapeOp>(op))
      foldElementShape(shape);
    else if (auto add = dyn_cast<list::AddOp>(op))
      accumulate(add);
    else if (auto peek = dyn_cast<list::PeekOp>(op))
      forgetEmpty(peek), absorb(peek), foldElement(peek);
    else if (auto pop = dyn_cast<list::PopOp>(op))
      forgetEmpty(pop), absorb(pop), foldElement(pop);
    else if (auto stack = dyn_cast<list::StackOp>(op))
      absorb(stack);
    else if (auto rows = dyn_cast<list::RowsOp>(op))
      absorb(rows);
    else if (auto join = dyn_cast<list::JoinOp>(op))
      absorb(join);
  }

  Value gated(OpBuilder &b, Location loc, Value value, ArrayRef<Value> tokens) {
    return tokens.empty() ? value : flow::GateOp::create(b, loc, value.getType(), value, tokens);
  }

  void replace(Operation *op, Value by) {
    op->getResults().back().replaceAllUsesWith(by);
    leave(op);
    ++simplified_;
  }
  void leave(Operation *op) {
    op->dropAllReferences();
    gone_.insert(op);
  }

  // ---- Operands that are constants --------------------------------------------------------------

  template <typename Op> void absorb(Op op) {
    std::optional<GatedConstant> constant =
        op.getShape() ? optimize::constantBehind(op.getShape()) : std::nullopt;
    std::optional<rt::Shape> shape = constant ? partialShape(constant->value) : std::nullopt;
    Type known = shape ? merged(op.getElementShape(), *shape) : Type();
    if (!known)
      return;
    OpBuilder b(op);
    op.getListMutable().assign(gated(b, op.getLoc(), op.getList(), constant->tokens));
    op.getShapeMutable().clear();
    op.setElementShape(known);
    ++simplified_;
  }

  // The list is made with it.
  void absorbShape(list::DeclareShapeOp declare) {
    std::optional<GatedConstant> constant = optimize::constantBehind(declare.getShape());
    std::optional<rt::Shape> shape = constant ? partialShape(constant->value) : std::nullopt;
    Operation *maker = declare.getList().getDefiningOp();
    if (!shape || !maker || !isa<list::MakeOp, list::UnstackOp>(maker) || !maker->hasOneUse())
      return;
    Type known = merged(maker->getAttrOfType<TypeAttr>("element_shape").getValue(), *shape);
    if (!known)
      return;
    maker->setAttr("element_shape", TypeAttr::get(known));
    OpBuilder b(declare);
    replace(declare, gated(b, declare.getLoc(), declare.getList(), constant->tokens));
  }

  void dropLimit(list::DeclareLimitOp op) {
    std::optional<GatedConstant> constant = optimize::constantBehind(op.getLimit());
    std::optional<int64_t> limit = optimize::constantNumber(op.getLimit());
    if (!limit || *limit >= 0)
      return;
    OpBuilder b(op);
    replace(op, gated(b, op.getLoc(), op.getList(), constant->tokens));
  }

  // ---- Facts ------------------------------------------------------------------------------------

  // What an empty element would be does not matter where there is none, or the list says as much.
  template <typename Op> void forgetEmpty(Op op) {
    ListFacts facts = factsOf(op.getList());
    bool saysNothing = withoutShape(op.getElementShape()) == op.getElementShape();
    auto own = dyn_cast<TensorType>(op.getElementShape());
    bool isDeclared = !facts.mayBeEmpty || (own && facts.declared &&
                                            merged(facts.declared, shapeOf(own)) == facts.declared);
    if (!isDeclared)
      return;
    if (!saysNothing) {
      op.setElementShape(withoutShape(op.getElementShape()));
      ++simplified_;
    }
    // In a graph the operand may be dead where the list is not.
    if (op.getShape() && !facts.mayBeEmpty && !isInGraph(op)) {
      op.getShapeMutable().clear();
      ++simplified_;
    }
  }

  // Gradients of loops save what is known of shapes, the same in each iteration.
  template <typename Op> void foldElement(Op op) {
    ElementsAttr constant = factsOf(op.getList()).constant;
    if (!constant || isInGraph(op) || op.getValue().use_empty() ||
        constant.getElementType() != getElementTypeOrSelf(op.getValue().getType()))
      return;
    OpBuilder b(op);
    Value value = nd::ConstantOp::create(b, op.getLoc(), constant.getType(), constant);
    op.getValue().replaceAllUsesWith(typedAs(b, op.getValue(), value));
    ++simplified_;
  }

  // The value, with the type of the one that it replaces if that is what users take.
  static Value typedAs(OpBuilder &b, Value old, Value value) {
    bool isExact =
        llvm::any_of(old.getUsers(), [](Operation *user) { return !user->hasTrait<Computes>(); });
    if (!isExact || old.getType() == value.getType())
      return value;
    return nd::AssumeShapeOp::create(b, old.getLoc(), old.getType(), value);
  }

  // A value of which all that a list is made of waits, so that nobody else has to hold the list.
  static Value originOf(Value list) {
    while (Operation *op = list.getDefiningOp()) {
      if (auto unstack = dyn_cast<list::UnstackOp>(op))
        return unstack.getValue();
      if (auto make = dyn_cast<list::MakeOp>(op))
        return make.getSize();
      if (!isa<flow::GateOp, list::DeclareLimitOp, list::DeclareShapeOp>(op))
        break;
      list = op->getOperand(0);
    }
    return list;
  }

  void foldElementShape(list::ElementShapeOp op) {
    auto declared = dyn_cast_or_null<TensorType>(factsOf(op.getList()).declared);
    if (!declared)
      return;
    rt::Shape shape = shapeOf(declared);
    SmallVector<APInt> sizes;
    Type element = getElementTypeOrSelf(op.getShape().getType());
    auto add = [&](int64_t size) {
      sizes.push_back(APInt(element.getIntOrFloatBitWidth(), static_cast<uint64_t>(size), true,
                            /*implicitTrunc=*/true));
    };
    SmallVector<int64_t> form;
    if (shape.hasRank()) {
      form.push_back(shape.rank());
      llvm::for_each(shape.dims(), add);
    } else {
      add(-1);
    }
    OpBuilder b(op);
    auto type = RankedTensorType::get(form, element);
    Value value = nd::ConstantOp::create(b, op.getLoc(), type, DenseElementsAttr::get(type, sizes));
    Value origin = originOf(op.getList());
    if (isInGraph(op) && !flow::isConstantLike(origin)) {
      Value token = flow::AfterOp::create(b, op.getLoc(), b.getType<flow::TokenType>(), origin);
      value = gated(b, op.getLoc(), value, token);
    }
    replace(op, typedAs(b, op.getShape(), value));
  }

  // ---- Sums -------------------------------------------------------------------------------------

  // Of a list and one in which one element is set, as gradients of reads are.
  void accumulate(list::AddOp add) {
    for (unsigned i : {1u, 0u}) {
      Value sum = add->getOperand(1 - i);
      auto set = add->getOperand(i).getDefiningOp<list::SetOp>();
      auto make = set ? set.getList().getDefiningOp<list::MakeOp>() : nullptr;
      if (!make || sum == set.getResult() || !set->hasOneUse() || !make->hasOneUse() ||
          set.getGrow() || set.getOnce() || make.getIdentical() || !saysAll(sum, make, set))
        continue;
      return accumulate(add, sum, make, set);
    }
  }

  // Whether the sum says of its elements all that the other list does, and so checks as much.
  bool saysAll(Value sum, list::MakeOp make, list::SetOp set) {
    auto said = dyn_cast<TensorType>(make.getElementShape());
    auto value = dyn_cast<TensorType>(set.getValue().getType());
    auto size = dyn_cast<TensorType>(make.getSize().getType());
    if (!said || !value || !isa<IntegerType, FloatType, ComplexType>(value.getElementType()) ||
        value.getElementType().isInteger(1) || !size.getElementType().isInteger(32))
      return false;
    Type declared = factsOf(sum).declared;
    return !said.hasRank() || (declared && merged(declared, shapeOf(said)) == declared);
  }

  // The lengths have to be equal; the index is out of range where they are not.
  void accumulate(list::AddOp add, Value sum, list::MakeOp make, list::SetOp set) {
    OpBuilder b(add);
    Location loc = add.getLoc();
    auto scalar = [&](Type element) { return RankedTensorType::get({}, element); };
    Value length = list::LengthOp::create(b, loc, scalar(b.getI32Type()), sum);
    Value equal =
        nd::EqualOp::create(b, loc, UnrankedTensorType::get(b.getI1Type()), length, make.getSize());
    Type element = getElementTypeOrSelf(set.getIndex().getType());
    Value none = nd::ConstantOp::create(
        b, loc, scalar(element),
        DenseElementsAttr::get(scalar(element),
                               APInt::getAllOnes(element.getIntOrFloatBitWidth())));
    Value index = nd::SelectOp::create(b, loc, set.getIndex().getType(), equal, set.getIndex(),
                                       none, /*leading=*/false);
    Value result = list::AccumulateOp::create(b, loc, sum.getType(), sum, index, set.getValue());
    replace(add, result);
    leave(set);
    leave(make);
  }

  flow::TokenGraph graph_;
  const optimize::ListThreads *threads_ = nullptr;
  llvm::SetVector<Operation *> gone_; // in this round
  unsigned simplified_ = 0;
};

struct SimplifyLists : flow::GraphPass<optimize::impl::OptimizeSimplifyListsBase<SimplifyLists>> {
  void runOnGraph(flow::TokenGraph graph) override { numSimplified += ListSimplifier(graph).run(); }
};

} // namespace
