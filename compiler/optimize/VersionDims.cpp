// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-version-dims: a second version of a graph, for calls whose feeds have equal dims.
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/RegionTypes.h"
#include "dialects/flow/Flow.h"

#include "mlir/IR/IRMapping.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "llvm/ADT/EquivalenceClasses.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;

namespace sluice::optimize {
#define GEN_PASS_DEF_OPTIMIZEVERSIONDIMS
#include "compiler/optimize/Passes.h.inc"

namespace {

struct FeedDim {
  unsigned feed, dim;
};
using EqualDims = SmallVector<FeedDim>; // the first gives them its name

// Dims of feeds whose equality decides what is known within loops.
class DoubtedDims {
public:
  explicit DoubtedDims(flow::GraphOp graph) {
    RegionTypes types(graph);
    for (auto [position, feed] : llvm::enumerate(graph.getBody().getOps<flow::FeedOp>())) {
      rt::Shape shape = types.shapeOf(feed.getResult());
      for (int dim = 0; dim < shape.rank(); ++dim)
        if (shape.dim(dim) < rt::Shape::kUnknown)
          dims_.insert(
              {shape.dim(dim), {static_cast<unsigned>(position), static_cast<unsigned>(dim)}});
    }
    for (auto [one, other] : types.doubtedInLoops())
      if (dims_.contains(one) && dims_.contains(other))
        equal_.unionSets(one, other);
  }

  // Those that are to be equal, in the order of feeds.
  SmallVector<EqualDims> classes() const {
    llvm::MapVector<int64_t, EqualDims> byLeader;
    for (auto [name, dim] : dims_)
      if (equal_.contains(name))
        byLeader[equal_.getLeaderValue(name)].push_back(dim);
    return llvm::to_vector(llvm::make_second_range(byLeader));
  }

private:
  llvm::MapVector<int64_t, FeedDim> dims_; // by name
  llvm::EquivalenceClasses<int64_t> equal_;
};

bool isPort(Operation *op) { return isa<flow::FeedOp, flow::FetchOp, flow::TargetOp>(op); }

// Primitives cannot be within a branch. What a step of training writes has an order, and its loops
// keep what gradients need: such loops stay where it is known when they run. Of loops that multiply
// nothing, the ops that are left to kernels cost little beside the rest.
bool canBeVersioned(flow::GraphOp graph) {
  bool multiplies = false;
  WalkResult result = graph->walk([&](Operation *op) {
    multiplies |= isa<nd::MatmulOp>(op) && op->getParentOfType<flow::WhileOp>();
    bool isWrite = op->hasTrait<HasEffect>() && !op->hasTrait<OnlyReads>();
    bool isPrimitive = isa<flow::SwitchOp, flow::MergeOp, flow::EnterOp, flow::ExitOp,
                           flow::NextIterationOp, flow::CallOp>(op);
    return isPrimitive || (isWrite && !isa<state::AssertOp, state::HandleOp>(op))
               ? WalkResult::interrupt()
               : WalkResult::advance();
  });
  return multiplies && !result.wasInterrupted();
}

// Computes with dims of values that stand for feeds, where the builder is.
class Dims {
public:
  Dims(ImplicitLocOpBuilder &b, ValueRange feeds) : b_(b), feeds_(feeds) {}

  // As a vector of one element.
  Value sizeOf(FeedDim dim) {
    auto type = cast<RankedTensorType>(feeds_[dim.feed].getType());
    if (!type.isDynamicDim(dim.dim))
      return number(type.getDimSize(dim.dim), {1});
    Value shape = nd::ShapeOp::create(b_, vectorType(type.getRank()), feeds_[dim.feed]);
    return nd::SliceOp::create(b_, vectorType(1), shape, number(dim.dim, {1}), number(1, {1}));
  }

  Value areEqual(ArrayRef<EqualDims> classes) {
    auto truth = RankedTensorType::get({1}, b_.getI1Type());
    Value all;
    for (const EqualDims &dims : classes)
      for (const FeedDim &dim : ArrayRef(dims).drop_front()) {
        Value equal = nd::EqualOp::create(b_, truth, sizeOf(dims.front()), sizeOf(dim));
        all = all ? nd::LogicalAndOp::create(b_, truth, all, equal) : equal;
      }
    auto scalar = RankedTensorType::get({}, b_.getI1Type());
    auto shape = RankedTensorType::get({0}, b_.getI64Type());
    Value none =
        nd::ConstantOp::create(b_, shape, DenseElementsAttr::get(shape, ArrayRef<int64_t>()));
    return nd::ReshapeOp::create(b_, scalar, all, none);
  }

  // Feeds are reshaped to have each other's dims.
  void assumeEqual(ArrayRef<EqualDims> classes) {
    llvm::MapVector<unsigned, llvm::SmallDenseMap<unsigned, FeedDim>> sources; // by feed and dim
    for (const EqualDims &dims : classes)
      for (const FeedDim &dim : ArrayRef(dims).drop_front())
        sources[dim.feed][dim.dim] = dims.front();
    for (auto &[feed, byDim] : sources)
      reshape(feed, byDim);
  }

private:
  void reshape(unsigned position, const llvm::SmallDenseMap<unsigned, FeedDim> &sources) {
    Value feed = feeds_[position];
    auto type = cast<RankedTensorType>(feed.getType());
    auto users = llvm::to_vector(feed.getUsers());
    SmallVector<Value> sizes;
    for (unsigned dim = 0; dim < type.getRank(); ++dim) {
      auto found = sources.find(dim);
      sizes.push_back(found == sources.end() ? sizeOf({position, dim}) : sizeOf(found->second));
    }
    Value shape = nd::ConcatOp::create(b_, vectorType(type.getRank()), sizes, number(0, {}));
    Value reshaped = nd::ReshapeOp::create(b_, type, feed, shape);
    for (Operation *user : users)
      user->replaceUsesOfWith(feed, reshaped);
  }

  RankedTensorType vectorType(int64_t size) {
    return RankedTensorType::get({size}, b_.getI64Type());
  }
  Value number(int64_t value, ArrayRef<int64_t> dims) {
    auto type = RankedTensorType::get(dims, b_.getI64Type());
    return nd::ConstantOp::create(b_, type, DenseElementsAttr::get(type, value));
  }

  ImplicitLocOpBuilder &b_;
  SmallVector<Value> feeds_;
};

// Whether nothing is doubted any more if those are equal.
bool endsDoubts(flow::GraphOp graph, ArrayRef<EqualDims> classes) {
  OpBuilder builder(graph);
  auto trial = cast<flow::GraphOp>(builder.clone(*graph));
  SmallVector<Value> feeds;
  for (auto feed : trial.getBody().getOps<flow::FeedOp>())
    feeds.push_back(feed.getResult());
  ImplicitLocOpBuilder b(graph.getLoc(), OpBuilder::atBlockEnd(&trial.getBody().front()));
  Dims(b, feeds).assumeEqual(classes);
  bool ends = RegionTypes(trial).doubtedInLoops().empty();
  trial.erase();
  return ends;
}

void makeVersions(flow::GraphOp graph, ArrayRef<EqualDims> classes) {
  SmallVector<Operation *> ports, inner;
  SmallVector<Value> feeds;
  llvm::SetVector<Value> results;
  for (Operation &op : graph.getBody().getOps())
    (isPort(&op) ? ports : inner).push_back(&op);
  for (Operation *op : ports) {
    llvm::append_range(feeds, op->getResults());
    results.insert_range(op->getOperands());
  }
  results.remove_if([&](Value value) { return llvm::is_contained(feeds, value); });

  Location where = NameLoc::get(StringAttr::get(graph->getContext(), "dims of feeds are equal"));
  ImplicitLocOpBuilder b(where, OpBuilder::atBlockEnd(&graph.getBody().front()));
  Value areEqual = Dims(b, feeds).areEqual(classes);
  auto branch =
      flow::CondOp::create(b, TypeRange(ValueRange(results.getArrayRef())), areEqual, feeds);
  for (Operation *op : ports)
    for (auto [value, result] : llvm::zip_equal(results, branch.getResults()))
      op->replaceUsesOfWith(value, result);
  Block &otherwise = branch.getOnFalse().emplaceBlock();
  for (Value feed : feeds)
    otherwise.addArgument(feed.getType(), feed.getLoc());
  for (Operation *op : inner) {
    op->moveBefore(&otherwise, otherwise.end());
    for (auto [feed, argument] : llvm::zip_equal(feeds, otherwise.getArguments()))
      op->replaceUsesOfWith(feed, argument);
  }
  b.setInsertionPointToEnd(&otherwise);
  flow::YieldOp::create(b, TypeRange(), results.getArrayRef());
  IRMapping mapping;
  branch.getOnFalse().cloneInto(&branch.getOnTrue(), mapping);
  b.setInsertionPointToStart(&branch.getOnTrue().front());
  Dims(b, branch.getOnTrue().getArguments()).assumeEqual(classes);
}

struct VersionDims : impl::OptimizeVersionDimsBase<VersionDims> {
  using OptimizeVersionDimsBase::OptimizeVersionDimsBase;

  void runOnOperation() override { numVersioned += versionDims(getOperation()); }
};

} // namespace

unsigned versionDims(ModuleOp module) {
  unsigned versioned = 0;
  for (auto graph : llvm::to_vector(module.getOps<flow::GraphOp>())) {
    if (!canBeVersioned(graph))
      continue;
    SmallVector<EqualDims> classes = DoubtedDims(graph).classes();
    if (classes.empty() || !endsDoubts(graph, classes))
      continue;
    makeVersions(graph, classes);
    ++versioned;
  }
  return versioned;
}

} // namespace sluice::optimize
