// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "cell": steps of recurrent nets that are one op, with their
// derivatives.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/SizeVectors.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value sigmoid(Expansion &e, Value x) { return e.like<nd::SigmoidOp>(x); }
Value tanh(Expansion &e, Value x) { return e.like<nd::TanhOp>(x); }
Value complement(Expansion &e, Value x) { return sub(e, constantLike(e, x, 1), x); }
// Of a sigmoid and of a tangent, by what came out of them.
Value sigmoidSlope(Expansion &e, Value y) { return mul(e, y, complement(e, y)); }
Value tanhSlope(Expansion &e, Value y) { return complement(e, mul(e, y, y)); }

Value matrixProduct(Expansion &e, Value a, Value b, bool transposesB = false) {
  return e.like<nd::MatmulOp>({a, b},
                              {e.flag("transpose_lhs", false), e.flag("transpose_rhs", transposesB),
                               e.flag("adjoint_lhs", false), e.flag("adjoint_rhs", false)});
}
Value columns(Expansion &e, ValueRange parts) {
  SmallVector<Value> operands(parts);
  operands.push_back(e.int32(1));
  return e.like<nd::ConcatOp>(operands);
}
// Columns [i * width, (i + 1) * width) of a matrix; the width is a vector of one number.
Value columnsOf(Expansion &e, Value x, Value width, int64_t i) {
  Value begin = joined(e, {e.ints({0}), mul(e, width, e.ints({i}))});
  return e.like<nd::SliceOp>({x, begin, joined(e, {e.ints({-1}), width})});
}
Value widthOf(Expansion &e, Value x) { return part(e, dimsOf(e, x), e.int32(1), e.int32(1)); }
Value sumOfRows(Expansion &e, Value x) {
  return e.like<nd::ReduceSumOp>({x, e.ints({0})}, e.flag("keep_dims", false));
}
void results(Expansion &e, ArrayRef<Value> values) {
  for (auto [slot, value] : llvm::enumerate(values))
    e.result(static_cast<uint32_t>(slot), value);
}
Value affine(Expansion &e, Value x, Value weights, Value bias) {
  return add(e, matrixProduct(e, x, weights), bias);
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

void lstmCell(Expansion &e) {
  auto in = checkedCell(e, e.afterAllInputs(e.inputs()));
  Value before = in[1], width = widthOf(e, before);
  Value gates = affine(e, columns(e, {in[0], in[2]}), in[3], in[7]);
  bool hasPeepholes = e.boolAttr("use_peephole");
  auto gate = [&](int64_t at, Value state, Value peephole) {
    Value x = columnsOf(e, gates, width, at);
    return hasPeepholes ? add(e, x, mul(e, state, peephole)) : x;
  };
  Value i = sigmoid(e, gate(0, before, in[4]));
  Value ci = tanh(e, columnsOf(e, gates, width, 1));
  Value forgetting = gate(2, before, in[5]);
  Value f = sigmoid(e, add(e, forgetting, constantLike(e, forgetting, e.floatAttr("forget_bias"))));
  Value cs = add(e, mul(e, ci, i), mul(e, before, f));
  if (double clip = e.floatAttr("cell_clip"); clip > 0)
    cs = e.like<nd::MinimumOp>(
        {e.like<nd::MaximumOp>({cs, constantLike(e, cs, -clip)}), constantLike(e, cs, clip)});
  Value o = sigmoid(e, gate(3, cs, in[6])), co = tanh(e, cs);
  results(e, {i, cs, f, o, ci, co, mul(e, co, o)});
}

// x, cs_prev, h_prev, w, wci, wcf, wco, b, i, cs, f, o, ci, co, cs_grad, h_grad
void lstmCellGrad(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  Value before = in[1], i = in[8], cs = in[9], f = in[10], o = in[11], ci = in[12], co = in[13],
        dcs = in[14], dh = in[15];
  bool hasPeepholes = e.boolAttr("use_peephole");
  Value dO = mul(e, sigmoidSlope(e, o), mul(e, dh, co));
  dcs = add(e, mul(e, tanhSlope(e, co), mul(e, dh, o)), dcs);
  if (hasPeepholes)
    dcs = add(e, dcs, mul(e, dO, in[6]));
  Value dci = mul(e, tanhSlope(e, ci), mul(e, dcs, i));
  Value df = mul(e, sigmoidSlope(e, f), mul(e, dcs, before));
  Value di = mul(e, sigmoidSlope(e, i), mul(e, dcs, ci));
  Value dBefore = mul(e, dcs, f);
  if (hasPeepholes)
    dBefore = add(e, dBefore, add(e, mul(e, di, in[4]), mul(e, df, in[5])));
  e.result(0, dBefore);
  e.result(1, columns(e, {di, dci, df, dO}));
  auto peephole = [&](uint32_t slot, Value gradient, Value state, Value weights) {
    e.result(slot, hasPeepholes ? sumOfRows(e, mul(e, gradient, state)) : sub(e, weights, weights));
  };
  peephole(2, di, before, in[4]);
  peephole(3, df, before, in[5]);
  peephole(4, dO, cs, in[6]);
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
  Value ofCandidate = matrixProduct(e, dc, in[3], true), dReset = right(ofCandidate);
  Value dr = mul(e, mul(e, dReset, before), sigmoidSlope(e, r));
  Value gates = columns(e, {dr, du}), ofGates = matrixProduct(e, gates, in[2], true);
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

ArrayRef<OpExpansion> cellOps() { return kOps; }

} // namespace sluice::import
