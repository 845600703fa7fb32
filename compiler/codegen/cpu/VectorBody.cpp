// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The body of a linalg.generic for several elements at once.
#include "compiler/codegen/cpu/VectorBody.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/Sequence.h"

using namespace mlir;

namespace sluice::codegen {

Type lanesOf(Type element, int64_t lanes) {
  return lanes == 1 ? element : VectorType::get({lanes}, element);
}

namespace {

class LaneEmitter {
public:
  LaneEmitter(ImplicitLocOpBuilder &b, Block &body, int64_t lanes)
      : b_(b), body_(body), lanes_(lanes) {}

  SmallVector<Value> run(ValueRange arguments, ValueRange position) {
    position_ = position;
    values_.map(body_.getArguments(), arguments);
    for (Operation &op : body_.without_terminator())
      emit(&op);
    return llvm::map_to_vector(body_.getTerminator()->getOperands(),
                               [&](Value v) { return lookup(v); });
  }

private:
  // Values from outside of the body are the same for every lane.
  Value lookup(Value v) {
    if (Value known = values_.lookupOrNull(v))
      return known;
    if (lanes_ == 1)
      return v;
    Value repeated = vector::BroadcastOp::create(b_, lanesOf(v.getType(), lanes_), v);
    values_.map(v, repeated);
    return repeated;
  }

  void emit(Operation *op) {
    if (auto index = dyn_cast<linalg::IndexOp>(op))
      values_.map(index.getResult(), emitIndex(index));
    else if (auto constant = dyn_cast<arith::ConstantOp>(op))
      values_.map(constant.getResult(), emitConstant(constant));
    else if (lanes_ == 1)
      emitScalar(op);
    else if (OpTrait::hasElementwiseMappableTraits(op))
      emitVector(op);
    else
      emitLaneByLane(op);
  }

  Value emitIndex(linalg::IndexOp index) {
    Value first = position_[index.getDim()];
    if (lanes_ == 1)
      return first;
    auto type = VectorType::get({lanes_}, b_.getIndexType());
    Value all = vector::BroadcastOp::create(b_, type, first);
    if (index.getDim() + 1 != position_.size())
      return all;
    auto steps = DenseIntElementsAttr::get(type, llvm::to_vector(llvm::seq<int64_t>(0, lanes_)));
    return arith::AddIOp::create(b_, all, arith::ConstantOp::create(b_, steps));
  }

  Value emitConstant(arith::ConstantOp constant) {
    if (lanes_ == 1)
      return b_.clone(*constant)->getResult(0);
    auto type = cast<VectorType>(lanesOf(constant.getType(), lanes_));
    return arith::ConstantOp::create(b_, DenseElementsAttr::get(type, constant.getValue()));
  }

  void emitScalar(Operation *op) {
    for (Value operand : op->getOperands())
      lookup(operand);
    b_.clone(*op, values_);
  }

  void emitVector(Operation *op) {
    OperationState state(op->getLoc(), op->getName());
    for (Value operand : op->getOperands())
      state.addOperands(lookup(operand));
    for (Type type : op->getResultTypes())
      state.addTypes(lanesOf(type, lanes_));
    state.addAttributes(op->getDiscardableAttrDictionary().getValue());
    state.propertiesAttr = op->getPropertiesAsAttribute();
    values_.map(op->getResults(), b_.create(state)->getResults());
  }

  void emitLaneByLane(Operation *op) {
    SmallVector<SmallVector<Value>> results(op->getNumResults());
    for (int64_t lane = 0; lane < lanes_; ++lane) {
      IRMapping one;
      // What comes from outside of the body, such as a buffer, is one thing for all lanes.
      for (Value operand : op->getOperands())
        if (Value lanes = values_.lookupOrNull(operand))
          one.map(operand, vector::ExtractOp::create(b_, lanes, lane));
      Operation *clone = b_.clone(*op, one);
      for (auto [all, result] : llvm::zip_equal(results, clone->getResults()))
        all.push_back(result);
    }
    for (auto [result, all] : llvm::zip_equal(op->getResults(), results))
      values_.map(result, vector::FromElementsOp::create(
                              b_, cast<VectorType>(lanesOf(result.getType(), lanes_)), all));
  }

  ImplicitLocOpBuilder &b_;
  Block &body_;
  int64_t lanes_;
  ValueRange position_;
  IRMapping values_;
};

} // namespace

SmallVector<Value> emitLanes(ImplicitLocOpBuilder &b, Block &body, ValueRange arguments,
                             ValueRange position, int64_t lanes) {
  return LaneEmitter(b, body, lanes).run(arguments, position);
}

} // namespace sluice::codegen
