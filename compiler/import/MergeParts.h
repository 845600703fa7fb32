// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops in front of a merge, in its name and where it wants to be.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/nd/Nd.h"

#include <utility>

namespace sluice::import {

// A predicate that is there, and the way that it has to go.
struct Step {
  mlir::Value predicate;
  bool way;
};

class MergeParts {
public:
  explicit MergeParts(flow::MergeOp merge)
      : merge_(merge), builder_(merge), token_(builder_.getType<flow::TokenType>()),
        indexType_(mlir::cast<mlir::TensorType>(merge.getIndex().getType())) {}

  std::pair<mlir::Value, mlir::Value> switched(mlir::Value value, Step step) {
    mlir::Type type = value.getType();
    auto op = make<flow::SwitchOp>(mlir::TypeRange{type, type, token_}, value, step.predicate);
    return step.way ? std::pair(op.getOnTrue(), op.getOnFalse())
                    : std::pair(op.getOnFalse(), op.getOnTrue());
  }
  mlir::Value after(mlir::Value value) { return make<flow::AfterOp>(token_, value); }
  mlir::Value gated(mlir::Value value, mlir::ValueRange tokens) {
    return make<flow::GateOp>(value.getType(), value, tokens);
  }
  mlir::Value trigger(mlir::ValueRange tokens) { return make<flow::TriggerOp>(token_, tokens); }
  flow::MergeOp merged(mlir::ValueRange values, mlir::ValueRange tokens) {
    llvm::SmallVector<mlir::Value> operands(values);
    operands.append(tokens.begin(), tokens.end());
    mlir::Type type = merge_.getValue().getType();
    return make<flow::MergeOp>(mlir::TypeRange{type, indexType_, token_}, operands);
  }
  mlir::Value mergedIndices(mlir::ValueRange values) {
    return make<flow::MergeOp>(mlir::TypeRange{indexType_, indexType_, token_}, values).getValue();
  }
  mlir::Value number(unsigned position) {
    auto type = mlir::RankedTensorType::get({}, builder_.getI32Type());
    return constant(mlir::DenseElementsAttr::get(type, static_cast<int32_t>(position)));
  }
  mlir::Value truth(bool value) {
    auto type = mlir::RankedTensorType::get({}, builder_.getI1Type());
    return constant(mlir::DenseElementsAttr::get(type, value));
  }
  // Whether all of the values are dead. Constants say nothing until all else is.
  mlir::Value areDead(llvm::ArrayRef<mlir::Value> values) {
    llvm::SmallVector<mlir::Value> known;
    for (mlir::Value value : values)
      known.push_back(gated(truth(false), after(value)));
    known.push_back(truth(true));
    mlir::Type type = known.back().getType();
    return make<flow::MergeOp>(mlir::TypeRange{type, indexType_, token_}, known).getValue();
  }

private:
  template <typename OpT, typename... Args> OpT make(Args &&...args) {
    auto op = OpT::create(builder_, merge_.getLoc(), std::forward<Args>(args)...);
    for (mlir::NamedAttribute attribute : merge_->getDiscardableAttrs())
      op->setAttr(attribute.getName(), attribute.getValue());
    return op;
  }
  mlir::Value constant(mlir::ElementsAttr value) {
    return nd::ConstantOp::create(builder_, merge_.getLoc(), value.getType(), value);
  }

  flow::MergeOp merge_;
  mlir::OpBuilder builder_;
  mlir::Type token_;
  mlir::TensorType indexType_;
};

} // namespace sluice::import
