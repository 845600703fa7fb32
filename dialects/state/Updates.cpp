// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What updates of variables compute.
//
// As the kernels do (runtime/kernels/optimizers.cpp): 16-bit floats compute in f32 and are rounded
// when they are stored; a rule that goes on with what it has stored takes the rounded value.
#include "dialects/state/Updates.h"

#include "dialects/state/State.h"

#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;

namespace sluice::state {

namespace {

class Expansion {
public:
  explicit Expansion(Operation *op)
      : op_(op), b_(op->getLoc(), op),
        variables_(op->getOperands().take_front(std::max(1U, numUpdated(op)))) {
    type_ = cast<RankedTensorType>(heldBy(variables_.front()));
    Type element = type_.getElementType();
    computed_ = element.isF16() || element.isBF16() ? Type(b_.getF32Type()) : element;
    for (Value operand : op->getOperands())
      if (isa<flow::TokenType>(operand.getType()))
        tokens_.push_back(operand);
    for (Value variable : variables_) {
      SmallVector<Value> operands{variable};
      llvm::append_range(operands, tokens_);
      auto read = ReadOp::create(b_, TypeRange{type_, b_.getType<flow::TokenType>()}, operands);
      tokens_.push_back(read.getDone());
      read_.push_back(read.getValue());
    }
  }

  // The value of a variable, or an operand, as it is computed with.
  Value variable(unsigned i) { return as(computed_, read_[i]); }
  Value operand(unsigned i) { return as(computed_, op_->getOperand(i)); }
  Value one() {
    auto type = RankedTensorType::get({}, computed_);
    return nd::ConstantOp::create(b_, type,
                                  DenseElementsAttr::get(type, b_.getFloatAttr(computed_, 1.0)));
  }

  template <typename OpT> Value compute(Value a, Value b) {
    auto first = cast<RankedTensorType>(a.getType()), second = cast<RankedTensorType>(b.getType());
    return OpT::create(b_, first.getRank() ? first : second, a, b);
  }
  Value add(Value a, Value b) { return compute<nd::AddOp>(a, b); }
  Value sub(Value a, Value b) { return compute<nd::SubOp>(a, b); }
  Value mul(Value a, Value b) { return compute<nd::MulOp>(a, b); }
  Value div(Value a, Value b) { return compute<nd::DivOp>(a, b); }
  Value sqrt(Value a) { return nd::SqrtOp::create(b_, a.getType(), a); }

  // Gives the variable another row, which may have more dims of size 1 than that.
  void setRow(Value index, Value row) {
    Value number = reshape(index, {}), slice = reshape(row, type_.getShape().drop_front());
    assign(0, nd::SetRowOp::create(b_, type_, read_[0], number, slice));
  }

  // Gives a variable a value, and returns it as it is stored.
  Value assign(unsigned i, Value value) {
    Value stored = as(type_.getElementType(), value);
    tokens_.push_back(AssignOp::create(b_, b_.getType<flow::TokenType>(), variables_[i], stored,
                                       true, ArrayRef(tokens_))
                          .getDone());
    return as(computed_, stored);
  }

  void replace() {
    op_->getResults().back().replaceAllUsesWith(tokens_.back());
    op_->erase();
  }

private:
  Value reshape(Value value, ArrayRef<int64_t> dims) {
    auto type = RankedTensorType::get({static_cast<int64_t>(dims.size())}, b_.getI64Type());
    Value shape = nd::ConstantOp::create(b_, type, DenseElementsAttr::get(type, dims));
    return nd::ReshapeOp::create(b_, cast<RankedTensorType>(value.getType()).clone(dims), value,
                                 shape);
  }
  Value as(Type element, Value value) {
    auto type = cast<RankedTensorType>(value.getType());
    if (type.getElementType() == element)
      return value;
    return nd::CastOp::create(b_, type.clone(element), value);
  }

  Operation *op_;
  ImplicitLocOpBuilder b_;
  ValueRange variables_;
  RankedTensorType type_;
  Type computed_;
  SmallVector<Value> tokens_; // that what comes next waits for
  SmallVector<Value> read_;
};

void updateRow(UpdatePointsOp op, Expansion &x) { x.setRow(op.getIndices(), op.getUpdates()); }

void descend(ApplyGradientDescentOp, Expansion &x) {
  x.assign(0, x.sub(x.variable(0), x.mul(x.operand(2), x.operand(1))));
}

void applyMomentum(ApplyMomentumOp op, Expansion &x) {
  Value rate = x.operand(2), gradient = x.operand(3), momentum = x.operand(4);
  Value before = x.variable(0);
  Value sum = x.assign(1, x.add(x.mul(x.variable(1), momentum), gradient));
  Value step = op.getUseNesterov() ? x.add(x.mul(gradient, rate), x.mul(x.mul(sum, momentum), rate))
                                   : x.mul(sum, rate);
  x.assign(0, x.sub(before, step));
}

void applyAdam(ApplyAdamOp op, Expansion &x) {
  Value beta1Power = x.operand(3), beta2Power = x.operand(4), rate = x.operand(5);
  Value beta1 = x.operand(6), beta2 = x.operand(7), epsilon = x.operand(8);
  Value gradient = x.operand(9), one = x.one();
  Value alpha = x.div(x.mul(rate, x.sqrt(x.sub(one, beta2Power))), x.sub(one, beta1Power));
  Value rest1 = x.sub(one, beta1), rest2 = x.sub(one, beta2);
  Value before = x.variable(0), m0 = x.variable(1), v0 = x.variable(2);
  Value m = x.assign(1, x.add(m0, x.mul(x.sub(gradient, m0), rest1)));
  Value square = x.mul(gradient, gradient);
  Value v = x.assign(2, x.add(v0, x.mul(x.sub(square, v0), rest2)));
  Value direction = op.getUseNesterov() ? x.add(x.mul(gradient, rest1), x.mul(m, beta1)) : m;
  Value step = x.mul(direction, alpha);
  x.assign(0, x.sub(before, x.div(step, x.add(x.sqrt(v), epsilon))));
}

} // namespace

bool isRowUpdate(Operation *op) {
  auto update = dyn_cast<UpdatePointsOp>(op);
  if (!update || update.getHow() != "update" || update.getIgnoreBadIndices())
    return false;
  auto held = dyn_cast<RankedTensorType>(heldBy(update->getOperand(0)));
  auto indices = dyn_cast<RankedTensorType>(update.getIndices().getType());
  auto row = dyn_cast<RankedTensorType>(update.getUpdates().getType());
  if (!held || !held.hasStaticShape() || held.getRank() == 0 || !indices || !row ||
      !indices.hasStaticShape() || indices.getRank() == 0 || indices.getNumElements() != 1)
    return false;
  // An update for each index vector, of which there is one of one element.
  SmallVector<int64_t> dims(indices.getShape().drop_back());
  llvm::append_range(dims, held.getShape().drop_front());
  return row.getShape() == ArrayRef(dims);
}

unsigned numUpdated(Operation *op) {
  return llvm::TypeSwitch<Operation *, unsigned>(op)
      .Case<AssignAddOp, AssignSubOp, ApplyGradientDescentOp>([](Operation *) { return 1; })
      .Case<ApplyMomentumOp>([](Operation *) { return 2; })
      .Case<ApplyAdamOp>([](Operation *) { return 3; })
      .Default([](Operation *) { return 0; });
}

void expandUpdate(Operation *op) {
  Expansion expansion(op);
  llvm::TypeSwitch<Operation *>(op)
      .Case([&](AssignAddOp) {
        expansion.assign(0, expansion.add(expansion.variable(0), expansion.operand(1)));
      })
      .Case([&](AssignSubOp) {
        expansion.assign(0, expansion.sub(expansion.variable(0), expansion.operand(1)));
      })
      .Case([&](UpdatePointsOp update) { updateRow(update, expansion); })
      .Case([&](ApplyGradientDescentOp rule) { descend(rule, expansion); })
      .Case([&](ApplyMomentumOp rule) { applyMomentum(rule, expansion); })
      .Case([&](ApplyAdamOp rule) { applyAdam(rule, expansion); });
  expansion.replace();
}

} // namespace sluice::state
