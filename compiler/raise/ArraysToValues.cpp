// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass raise-arrays-to-values: arrays that nobody could tell from tensors become tensors.
//
// The scalar that carries the order of accesses becomes the tensor itself, in its place: through
// gates, into regions, round loops. So an order becomes a data dependence, and a loop that reads
// and writes elements becomes one that computes.
#include "compiler/raise/ArrayUses.h"
#include "compiler/raise/Carried.h"
#include "compiler/raise/Counters.h"
#include "compiler/raise/Passes.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/flow/GraphPass.h"
#include "dialects/interfaces/KernelOps.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::raise {
#define GEN_PASS_DEF_RAISEARRAYSTOVALUES
#include "compiler/raise/Passes.h.inc"
} // namespace sluice::raise

namespace {

using namespace sluice;
using raise::ArrayUses;

// Values of another type in the places of a value: nd ops take what they get, others insist.
void replaceValue(OpBuilder &b, Value old, Value value) {
  bool exact =
      llvm::any_of(old.getUsers(), [](Operation *user) { return !user->hasTrait<Computes>(); });
  if (exact && old.getType() != value.getType())
    value = nd::AssumeShapeOp::create(b, old.getLoc(), old.getType(), value);
  old.replaceAllUsesWith(value);
}

class ArrayRewriter {
public:
  explicit ArrayRewriter(const ArrayUses &uses) : uses_(uses), b_(uses.create()) {}

  void run() {
    for (Value flow : uses_.flows())
      flow.setType(uses_.type());
    for (Operation *access : uses_.accesses())
      rewrite(access);
    dropHandles();
    array::CreateOp create = uses_.create();
    b_.setInsertionPointAfter(create);
    if (!create.getDone().use_empty())
      create.getDone().replaceAllUsesWith(after(create.getLoc(), onceMade()));
    b_.setInsertionPoint(create);
    if (!create.getFlow().use_empty())
      create.getFlow().replaceAllUsesWith(buildInitial());
    create->erase();
  }

private:
  // Zeros, as elements that were never written are if they may be read at all.
  Value buildInitial() {
    array::CreateOp create = uses_.create();
    Location loc = create.getLoc();
    Value shape = shapeWith(loc, afterTokens(create.getSize(), create.getAfter()));
    Value zero = scalar(loc, rt::Tensor::uninitializedScalar(*dtypeOf(uses_.type()))); // bits are 0
    return nd::FillOp::create(b_, loc, uses_.type(), shape, zero);
  }

  Value shapeWith(Location loc, Value rows) {
    SmallVector<Value> dims{rows};
    for (int64_t dim : uses_.type().getShape().drop_front())
      dims.push_back(dimension(loc, dim));
    auto dimsType = RankedTensorType::get({static_cast<int64_t>(dims.size())}, b_.getI32Type());
    return nd::PackOp::create(b_, loc, dimsType, dims, /*axis=*/0);
  }

  // The size, but where that is below 0 something that no reshape takes for "as many as there are".
  Value rowsOrError(Location loc) {
    Value size = uses_.create().getSize();
    Value excess = nd::MinimumOp::create(b_, loc, size.getType(), size, dimension(loc, 0));
    return nd::AddOp::create(b_, loc, size.getType(), size, excess);
  }

  // A constant, which belongs to every frame: packed constants would belong to the root frame.
  Value staticShape(Location loc) {
    SmallVector<int32_t> dims(uses_.type().getShape());
    DenseElementsAttr value = b_.getI32TensorAttr(dims);
    return nd::ConstantOp::create(b_, loc, value.getType(), value);
  }

  Value dimension(Location loc, int64_t dim) {
    return scalar(loc, rt::Tensor::scalar(static_cast<int32_t>(dim)));
  }

  Value scalar(Location loc, const rt::Tensor &value) {
    ElementsAttr attribute = attributeOf(b_.getContext(), value);
    return nd::ConstantOp::create(b_, loc, attribute.getShapedType(), attribute);
  }

  Value afterTokens(Value value, ValueRange tokens) {
    if (tokens.empty())
      return value;
    return flow::GateOp::create(b_, value.getLoc(), value.getType(), value, tokens);
  }

  // An effect may happen only because something waits for it: what is needed no more waits on.
  Value afterValue(Value value, Value awaited) {
    if (flow::isConstantLike(awaited))
      return value;
    return afterTokens(value, after(value.getLoc(), awaited));
  }

  // The same of what the array waited for to be made, where zeros would be made for nothing.
  Value afterCreation(Value value) {
    array::CreateOp create = uses_.create();
    return afterTokens(afterValue(value, create.getSize()), create.getAfter());
  }

  Value after(Location loc, Value value) {
    return flow::AfterOp::create(b_, loc, flow::TokenType::get(b_.getContext()), value);
  }

  void rewrite(Operation *access) {
    b_.setInsertionPoint(access);
    Value result =
        llvm::TypeSwitch<Operation *, Value>(access)
            .Case<array::WriteOp, array::ScatterOp, array::ReadOp, array::GatherOp, array::SizeOp>(
                [&](auto op) { return valueOf(op); })
            .Default([](Operation *) { return Value(); });
    if (result)
      replaceValue(b_, access->getResult(0), result);
    Value done = access->getResults().back();
    if (!done.use_empty())
      done.replaceAllUsesWith(
          after(access->getLoc(), result ? result : stateAtClose(cast<array::CloseOp>(access))));
    access->erase();
  }

  Value stateBefore(Value flow, ValueRange tokens) { return afterTokens(flow, tokens); }

  Value valueOf(array::WriteOp op) {
    return nd::SetRowOp::create(b_, op.getLoc(), uses_.type(),
                                stateBefore(op.getFlow(), op.getAfter()), op.getIndex(),
                                op.getValue());
  }
  // Fills all elements: what was there before does not matter. A reshape sees to it that there are
  // as many rows as elements, for the elements themselves are known to have the right shape.
  Value valueOf(array::ScatterOp op) {
    Value value = afterTokens(op.getValue(), op.getAfter());
    value = afterValue(value, op.getIndices());
    value = op.getFlow() == uses_.create().getFlow() ? afterCreation(value)
                                                     : afterValue(value, op.getFlow());
    if (raise::hasRowsFor(op, uses_.type()))
      return value;
    Value shape = uses_.type().hasStaticShape() ? staticShape(op.getLoc())
                                                : shapeWith(op.getLoc(), rowsOrError(op.getLoc()));
    return nd::ReshapeOp::create(b_, op.getLoc(), uses_.type(), value, shape);
  }
  Value valueOf(array::ReadOp op) {
    return nd::RowOp::create(b_, op.getLoc(), op.getValue().getType(),
                             stateBefore(op.getFlow(), op.getAfter()), op.getIndex());
  }
  Value valueOf(array::GatherOp op) {
    Value rows = stateBefore(op.getFlow(), op.getAfter());
    if (raise::isFullRange(op.getIndices(), uses_.create()))
      return afterValue(rows, op.getIndices());
    Value axis = scalar(op.getLoc(), rt::Tensor::scalar(int32_t(0)));
    return nd::GatherOp::create(b_, op.getLoc(), op.getValue().getType(), rows, op.getIndices(),
                                axis, /*batch_dims=*/0);
  }
  // Not there before the accesses that came before it, which may fail.
  Value valueOf(array::SizeOp op) {
    Value size = uses_.create().getSize();
    return afterTokens(afterTokens(size, after(op.getLoc(), op.getFlow())), op.getAfter());
  }

  // Closing an array does nothing any more, but who waits for it waits for what it waited for.
  Value stateAtClose(array::CloseOp op) { return afterTokens(onceMade(), op.getAfter()); }

  // Something that is there once the array would have been made: not if its size is below 0.
  Value onceMade() {
    array::CreateOp create = uses_.create();
    return flow::constantInt(create.getSize()) ? afterTokens(create.getSize(), create.getAfter())
                                               : create.getFlow();
  }

  // Captures of the handle, inner regions first.
  void dropHandles() {
    for (Value handle : llvm::reverse(uses_.handles())) {
      for (OpOperand &use : llvm::make_early_inc_range(handle.getUses()))
        raise::dropCapture(use.getOwner(), use.getOperandNumber());
    }
  }

  const ArrayUses &uses_;
  OpBuilder b_;
};

struct RaiseArraysToValues
    : flow::GraphPass<raise::impl::RaiseArraysToValuesBase<RaiseArraysToValues>> {
  using GraphPass::GraphPass;

  void runOnGraph(flow::TokenGraph graph) override {
    SmallVector<array::CreateOp> creates;
    graph.walk([&](array::CreateOp create) { creates.push_back(create); });
    raise::ClosedArrays closed(creates);
    for (array::CreateOp create : creates) {
      ArrayUses uses(create, closed);
      if (!uses.obstacle().empty()) {
        if (explain)
          create.emitRemark("stays an array: ") << uses.obstacle();
        ++numArrays;
        continue;
      }
      ArrayRewriter(uses).run();
      ++numValues;
    }
  }
};

} // namespace
