// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "cell": steps of recurrent nets that are one op, with their
// derivatives.
#include "compiler/import/tensorflow/Cells.h"
#include "compiler/import/tensorflow/Checks.h"

using namespace mlir;

namespace sluice::import {

namespace {

void results(Expansion &e, ArrayRef<Value> values) {
  for (auto [slot, value] : llvm::enumerate(values))
    e.result(static_cast<uint32_t>(slot), value);
}

// ---- Long short-term memory: x, cs_prev, h_prev, w, wci, wcf, wco, b

// TensorFlow refuses other ranks, and states without elements.
SmallVector<Value> checkedCell(Expansion &e, ArrayRef<Value> inputs) {
  constexpr llvm::StringLiteral kNames[] = {"x",   "cs_prev", "h_prev", "w",
                                            "wci", "wcf",     "wco",    "b"};
  Checks checks(e);
  for (auto [i, name] : llvm::enumerate(kNames)) {
    int64_t rank = i < 4 ? 2 : 1;
    checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[i]), e.int32(rank)),
                   name.str() + "_tensor must be rank " + std::to_string(rank),
                   rankOf(e, inputs[i]));
  }
  Value size = e.tensor<nd::SizeOp>(e.builder().getI64Type(), inputs[1]);
  checks.require(e.compare<nd::GreaterOp>(size, e.ints({0}, e.builder().getI64Type())),
                 "cs_prev_tensor is empty", size);
  SmallVector<Value> checked(inputs);
  checked[0] = checks.checked(checked[0]);
  return checked;
}

LstmWeights weightsOf(Expansion &e, ArrayRef<Value> in) {
  return {in[3], in[4], in[5], in[6], in[7], e.boolAttr("use_peephole")};
}

void lstmCell(Expansion &e) {
  auto in = checkedCell(e, e.afterAllInputs(e.inputs()));
  double clip = e.floatAttr("cell_clip");
  auto keep = [&](Value state) { return clip > 0 ? clipped(e, state, clip) : state; };
  LstmStep step =
      lstmStep(e, weightsOf(e, in), e.floatAttr("forget_bias"), in[0], in[1], in[2], keep);
  results(e, {step.i, step.cs, step.f, step.o, step.ci, step.co, step.h});
}

// x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad
void lstmCellGrad(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  LstmWeights weights = weightsOf(e, in);
  Value before = in[1], cs = in[9];
  LstmStep step{in[8], cs, in[10], in[11], in[12], in[13], Value()};
  LstmSlopes slopes = lstmSlopes(e, weights, step, before, in[14], in[15]);
  e.result(0, slopes.before);
  e.result(1, slopes.gates(e, weights));
  auto peephole = [&](uint32_t slot, Value gradient, Value state, Value weight) {
    e.result(slot,
             weights.hasPeepholes ? sumOfRows(e, mul(e, gradient, state)) : sub(e, weight, weight));
  };
  peephole(2, slopes.i, before, in[4]);
  peephole(3, slopes.f, before, in[5]);
  peephole(4, slopes.o, cs, in[6]);
}

// ---- Gated recurrent units: x, h_prev, w_ru, w_c, b_ru, b_c

void gruCell(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  Value before = in[1], width = widthOf(e, before);
  Value gates = sigmoid(e, affine(e, columns(e, {in[0], before}), in[2], in[4]));
  Value r = columnsOf(e, gates, width, 0), u = columnsOf(e, gates, width, 1);
  Value c = tanh(e, affine(e, columns(e, {in[0], mul(e, before, r)}), in[3], in[5]));
  Value h = add(e, mul(e, u, before), mul(e, complement(e, u), c));
  results(e, {r, u, c, h});
}

// x, h_prev, w_ru, w_c, b_ru, b_c, r, u, c, d_h
void gruCellGrad(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  Value before = in[1], r = in[6], u = in[7], c = in[8], dh = in[9];
  Value inputs = widthOf(e, in[0]), width = widthOf(e, before);
  auto right = [&](Value x) {
    return e.like<nd::SliceOp>(
        {x, joined(e, {e.ints({0}), inputs}), joined(e, {e.ints({-1}), width})});
  };
  Value dc = mul(e, mul(e, dh, complement(e, u)), tanhSlope(e, c));
  Value du = mul(e, mul(e, dh, sub(e, before, c)), sigmoidSlope(e, u));
  Value ofCandidate = matrixProduct(e, dc, in[3], false, true), dReset = right(ofCandidate);
  Value dr = mul(e, mul(e, dReset, before), sigmoidSlope(e, r));
  Value gates = columns(e, {dr, du}), ofGates = matrixProduct(e, gates, in[2], false, true);
  e.result(0, add(e, columnsOf(e, ofCandidate, inputs, 0), columnsOf(e, ofGates, inputs, 0)));
  e.result(1, add(e, add(e, right(ofGates), mul(e, dReset, r)), mul(e, dh, u)));
  e.result(2, dc);
  e.result(3, gates);
}

constexpr OpExpansion kOps[] = {
    {"GRUBlockCell", gruCell},
    {"GRUBlockCellGrad", gruCellGrad},
    {"LSTMBlockCell", lstmCell, Style::kPure, "forget_bias cell_clip use_peephole"},
    {"LSTMBlockCellGrad", lstmCellGrad, Style::kPure, "use_peephole"},
};

} // namespace

LstmStep lstmStep(Expansion &e, const LstmWeights &weights, double forgetBias, Value x,
                  Value before, Value h, llvm::function_ref<Value(Value state)> keep) {
  Value width = widthOf(e, before);
  Value gates = affine(e, columns(e, {x, h}), weights.w, weights.b);
  auto gate = [&](int64_t at, Value state, Value peephole) {
    Value sum = columnsOf(e, gates, width, at);
    return weights.hasPeepholes ? add(e, sum, mul(e, state, peephole)) : sum;
  };
  LstmStep step;
  step.i = sigmoid(e, gate(0, before, weights.wci));
  step.ci = tanh(e, columnsOf(e, gates, width, weights.newAt));
  Value forgetting = gate(weights.forgottenAt, before, weights.wcf);
  step.f = sigmoid(e, add(e, forgetting, constantLike(e, forgetting, forgetBias)));
  step.cs = keep(add(e, mul(e, step.ci, step.i), mul(e, before, step.f)));
  step.o = sigmoid(e, gate(3, step.cs, weights.wco));
  step.co = tanh(e, step.cs);
  step.h = mul(e, step.co, step.o);
  return step;
}

Value clipped(Expansion &e, Value state, double bound) {
  Value raised = e.like<nd::MaximumOp>({state, constantLike(e, state, -bound)});
  return e.like<nd::MinimumOp>({raised, constantLike(e, state, bound)});
}

LstmSlopes lstmSlopes(Expansion &e, const LstmWeights &weights, const LstmStep &step, Value before,
                      Value ofState, Value ofResult) {
  LstmSlopes slopes;
  slopes.o = mul(e, sigmoidSlope(e, step.o), mul(e, ofResult, step.co));
  ofState = add(e, mul(e, tanhSlope(e, step.co), mul(e, ofResult, step.o)), ofState);
  if (weights.hasPeepholes)
    ofState = add(e, ofState, mul(e, slopes.o, weights.wco));
  slopes.ci = mul(e, tanhSlope(e, step.ci), mul(e, ofState, step.i));
  slopes.f = mul(e, sigmoidSlope(e, step.f), mul(e, ofState, before));
  slopes.i = mul(e, sigmoidSlope(e, step.i), mul(e, ofState, step.ci));
  slopes.before = mul(e, ofState, step.f);
  if (weights.hasPeepholes)
    slopes.before =
        add(e, slopes.before, add(e, mul(e, slopes.i, weights.wci), mul(e, slopes.f, weights.wcf)));
  return slopes;
}

Value LstmSlopes::gates(Expansion &e, const LstmWeights &weights) const {
  bool isNewFirst = weights.newAt < weights.forgottenAt;
  return columns(e, {i, isNewFirst ? ci : f, isNewFirst ? f : ci, o});
}

ArrayRef<OpExpansion> cellOps() { return kOps; }

} // namespace sluice::import
