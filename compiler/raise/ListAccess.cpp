// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each access to an array or stack as an op on a list.
#include "compiler/raise/ListAccess.h"

#include "dialects/flow/FrameAnalysis.h"
#include "dialects/list/List.h"
#include "dialects/state/State.h"
#include "dialects/wire/Steering.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::raise {

bool isFlowOf(Operation *op, Value result) {
  return llvm::TypeSwitch<Operation *, bool>(op)
      .Case([&](array::CreateOp create) { return result == create.getFlow(); })
      .Case<array::WriteOp, array::ScatterOp, array::SplitOp, array::GradOp>(
          [&](auto access) { return result == access.getFlowOut(); })
      .Default([](Operation *) { return false; });
}

// What says nothing of an element's shape.
static Type withoutShape(Type element) {
  auto tensor = dyn_cast<TensorType>(element);
  return tensor ? UnrankedTensorType::get(tensor.getElementType()) : element;
}

namespace {

Value after(OpBuilder &b, Value value) {
  return flow::AfterOp::create(b, value.getLoc(), flow::TokenType::get(b.getContext()), value);
}

Value gated(OpBuilder &b, Value value, ValueRange tokens) {
  if (tokens.empty())
    return value;
  return flow::GateOp::create(b, value.getLoc(), value.getType(), value, tokens);
}

// Values that order are scalars, whatever is known of them.
Value withType(OpBuilder &b, Value value, Type type) {
  if (value.getType() == type)
    return value;
  return nd::StopGradientOp::create(b, value.getLoc(), type, value);
}

// What an access waits for besides its operands.
template <typename Op> SmallVector<Value> awaitedBy(OpBuilder &b, Op op, bool isObserved) {
  SmallVector<Value> tokens(op.getAfter());
  if constexpr (requires { op.getFlow(); })
    if (isObserved && !flow::isConstantLike(op.getFlow()))
      tokens.push_back(after(b, op.getFlow()));
  return tokens;
}

Type listType(const Container &container) {
  return list::OfType::get(container.create->getContext(), container.element);
}

// The op that stands for another one asks for the same device.
template <typename Op> Op standingFor(Operation *old, Op op) {
  wire::giveWishes(op, wire::wishesOf(old));
  return op;
}

// Whoever has waited for an op waits for this value, which is there when the op would have ended.
void replaceDone(OpBuilder &b, Value done, Value value) {
  if (!done.use_empty())
    done.replaceAllUsesWith(after(b, value));
}

class AccessRewriter {
public:
  AccessRewriter(Operation *access, Container &container, Value list, bool isObserved)
      : b_(access), access_(access), container_(container), list_(list), isObserved_(isObserved) {
    array_ = dyn_cast<array::CreateOp>(container.create);
  }

  Value run() {
    return llvm::TypeSwitch<Operation *, Value>(access_)
        .Case<array::WriteOp, array::ReadOp, array::GatherOp, array::ScatterOp, array::ConcatOp,
              array::SplitOp, array::SizeOp, array::CloseOp, array::GradOp, array::StackPushOp,
              array::StackPopOp, array::StackCloseOp, flow::AfterOp, flow::GateOp, state::ReadOp>(
            [&](auto op) { return rewrite(op); });
  }

private:
  Location loc() { return access_->getLoc(); }
  template <typename Op> Value listFor(Op op) {
    return gated(b_, list_, awaitedBy(b_, op, isObserved_));
  }
  bool clears() { return container_.isGradient() || array_.getClearAfterRead(); }
  bool grows() { return !container_.isGradient() && array_.getDynamicSize(); }

  // Of an op that writes.
  template <typename Op> Value written(Op op, Value list) {
    Value flow = withType(b_, op.getFlow(), op.getFlowOut().getType());
    if (isObserved_)
      flow = gated(b_, flow, after(b_, list));
    op.getFlowOut().replaceAllUsesWith(flow);
    replaceDone(b_, op.getDone(), list);
    return list;
  }

  Value rewrite(array::WriteOp op) {
    Type type = list_.getType();
    Value list =
        container_.isGradient()
            ? Value(standingFor(access_, list::AccumulateOp::create(b_, loc(), type, listFor(op),
                                                                    op.getIndex(), op.getValue())))
            : Value(standingFor(access_,
                                list::SetOp::create(b_, loc(), type, listFor(op), op.getIndex(),
                                                    op.getValue(), grows(), /*once=*/true)));
    return written(op, list);
  }
  Value rewrite(array::ScatterOp op) {
    return written(
        op, standingFor(access_, list::ScatterOp::create(b_, loc(), list_.getType(), listFor(op),
                                                         op.getIndices(), op.getValue(),
                                                         container_.isGradient(), grows(),
                                                         !container_.isGradient())));
  }
  Value rewrite(array::SplitOp op) {
    return written(
        op, standingFor(access_, list::SplitOp::create(b_, loc(), list_.getType(), listFor(op),
                                                       op.getValue(), op.getLengths(),
                                                       container_.isGradient(), grows(),
                                                       !container_.isGradient())));
  }

  // Of an op that reads: results but for the last, which is the list.
  Value hasRead(Operation *read) {
    for (auto [old, value] : llvm::zip(access_->getResults().drop_back(), read->getResults()))
      old.replaceAllUsesWith(value);
    replaceDone(b_, access_->getResults().back(), read->getResult(0));
    return read->getResults().back();
  }

  Value rewrite(array::ReadOp op) {
    return hasRead(
        standingFor(access_, list::GetOp::create(b_, loc(), op.getValue().getType(),
                                                 list_.getType(), listFor(op), op.getIndex(),
                                                 /*beyond=*/container_.isGradient(), clears())));
  }
  Value rewrite(array::GatherOp op) {
    return hasRead(
        standingFor(access_, list::GatherOp::create(b_, loc(), op.getValue().getType(),
                                                    list_.getType(), listFor(op), op.getIndices(),
                                                    /*beyond=*/container_.isGradient(), clears(),
                                                    op.getElementShape())));
  }
  Value rewrite(array::ConcatOp op) {
    return hasRead(standingFor(
        access_, list::ConcatOp::create(b_, loc(), op.getValue().getType(),
                                        op.getLengths().getType(), list_.getType(), listFor(op),
                                        clears(), op.getElementShapeExcept0())));
  }
  Value rewrite(array::StackPopOp op) {
    Type element = cast<list::OfType>(list_.getType()).getElement();
    auto pop = standingFor(access_, list::PopOp::create(b_, loc(), op.getValue().getType(),
                                                        list_.getType(), listFor(op),
                                                        /*shape=*/Value(), withoutShape(element)));
    if (ElementsAttr value = container_.constant) { // what is not known is whether there is one
      Value constant = nd::ConstantOp::create(b_, loc(), value.getShapedType(), value);
      bool isExact = llvm::any_of(op.getValue().getUsers(),
                                  [](Operation *user) { return !user->hasTrait<Computes>(); });
      if (isExact && constant.getType() != op.getValue().getType())
        constant = nd::AssumeShapeOp::create(b_, loc(), op.getValue().getType(), constant);
      op.getValue().replaceAllUsesWith(gated(b_, constant, after(b_, pop.getValue())));
    }
    return hasRead(pop);
  }

  Value rewrite(array::SizeOp op) {
    Value size = standingFor(
        access_, list::LengthOp::create(b_, loc(), op.getSize().getType(), listFor(op)));
    op.getSize().replaceAllUsesWith(size);
    replaceDone(b_, op.getDone(), size);
    return list_;
  }
  Value rewrite(array::GradOp op) { return written(op, listFor(op)); }
  Value rewrite(array::StackPushOp op) {
    int64_t limit = -1;
    auto create = cast<array::StackCreateOp>(container_.create);
    if (auto size = create.getMaxSize().getDefiningOp<nd::ConstantOp>())
      limit = (*cast<DenseElementsAttr>(size.getValue()).value_begin<APInt>()).getSExtValue();
    Value list = standingFor(access_, list::PushOp::create(b_, loc(), list_.getType(), listFor(op),
                                                           op.getValue(), limit));
    if (!op.getResult().use_empty()) // it is there once the value has been pushed
      op.getResult().replaceAllUsesWith(
          gated(b_, withType(b_, op.getValue(), op.getResult().getType()), after(b_, list)));
    replaceDone(b_, op.getDone(), list);
    return list;
  }

  // Of the handle: now of the list as it is then.
  Value rewrite(flow::AfterOp op) {
    op.getResult().replaceAllUsesWith(after(b_, list_));
    return list_;
  }

  // Who has it from here waits for more.
  Value rewrite(flow::GateOp op) { return gated(b_, list_, op.getTokens()); }
  // Waits for the handle, among others; a handle is there before what else there is.
  Value rewrite(state::ReadOp op) {
    llvm::BitVector handles(op->getNumOperands());
    for (OpOperand &operand : op->getOpOperands())
      handles[operand.getOperandNumber()] = array::isHandle(operand.get());
    op->eraseOperands(handles);
    return list_;
  }

  template <typename Op> Value close(Op op) {
    replaceDone(b_, op.getDone(), listFor(op));
    return list_;
  }
  Value rewrite(array::CloseOp op) { return close(op); }
  Value rewrite(array::StackCloseOp op) { return close(op); }

  OpBuilder b_;
  Operation *access_;
  Container &container_;
  Value list_;
  bool isObserved_;
  array::CreateOp array_;
};

} // namespace

Value makeList(Container &container, bool isObserved) {
  OpBuilder b(container.create);
  Location loc = container.create->getLoc();
  auto zero = [&](Type type) {
    auto value = DenseElementsAttr::get(RankedTensorType::get({}, type), b.getZeroAttr(type));
    return nd::ConstantOp::create(b, loc, value.getType(), value);
  };
  auto create = dyn_cast<array::CreateOp>(container.create);
  Value size = create ? create.getSize() : Value(zero(b.getI32Type()));
  ValueRange awaited = create ? ValueRange(create.getAfter())
                              : ValueRange(cast<array::StackCreateOp>(container.create).getAfter());
  Type shape = create ? create.getElementShape()
                      : UnrankedTensorType::get(getElementTypeOrSelf(container.element));
  Value list = standingFor(
      container.create, list::MakeOp::create(b, loc, listType(container), gated(b, size, awaited),
                                             shape, create && create.getIdenticalElementShapes()));
  if (create) {
    Value flow = withType(b, zero(b.getF32Type()), create.getFlow().getType());
    create.getFlow().replaceAllUsesWith(isObserved ? gated(b, flow, after(b, list)) : flow);
  }
  replaceDone(b, container.create->getResults().back(), list);
  return list;
}

Value afterGrad(array::GradOp grad, Value list, bool isObserved) {
  OpBuilder b(grad);
  return gated(b, list, awaitedBy(b, grad, isObserved));
}

Value makeGradient(Operation *before, Value forward) {
  OpBuilder b(before);
  return list::ZerosLikeOp::create(b, before->getLoc(), forward.getType(), forward);
}

Value rewriteAccess(Operation *access, Container &container, Value list, bool isObserved) {
  return AccessRewriter(access, container, list, isObserved).run();
}

} // namespace sluice::raise
