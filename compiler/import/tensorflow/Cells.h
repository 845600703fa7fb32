// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What steps of recurrent nets are made of, for ops that are one step and for those that are all.
#pragma once

#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/SizeVectors.h"

namespace sluice::import {

inline Value sigmoid(Expansion &e, Value x) { return e.like<nd::SigmoidOp>(x); }
inline Value tanh(Expansion &e, Value x) { return e.like<nd::TanhOp>(x); }
inline Value complement(Expansion &e, Value x) { return sub(e, constantLike(e, x, 1), x); }
// Of a sigmoid and of a tangent, by what came out of them.
inline Value sigmoidSlope(Expansion &e, Value y) { return mul(e, y, complement(e, y)); }
inline Value tanhSlope(Expansion &e, Value y) { return complement(e, mul(e, y, y)); }

inline Value matrixProduct(Expansion &e, Value a, Value b, bool transposesA = false,
                           bool transposesB = false) {
  return e.like<nd::MatmulOp>({a, b}, {e.flag("transpose_lhs", transposesA),
                                       e.flag("transpose_rhs", transposesB),
                                       e.flag("adjoint_lhs", false), e.flag("adjoint_rhs", false)});
}
inline Value affine(Expansion &e, Value x, Value weights, Value bias) {
  return add(e, matrixProduct(e, x, weights), bias);
}
inline Value columns(Expansion &e, ValueRange parts) {
  llvm::SmallVector<Value> operands(parts);
  operands.push_back(e.int32(1));
  return e.like<nd::ConcatOp>(operands);
}
// Columns [i * width, (i + 1) * width) of a matrix; the width is a vector of one number.
inline Value columnsOf(Expansion &e, Value x, Value width, int64_t i) {
  Value begin = joined(e, {e.ints({0}), mul(e, width, e.ints({i}))});
  return e.like<nd::SliceOp>({x, begin, joined(e, {e.ints({-1}), width})});
}
inline Value widthOf(Expansion &e, Value x) {
  return part(e, dimsOf(e, x), e.int32(1), e.int32(1));
}
inline Value sumOfRows(Expansion &e, Value x) {
  return e.like<nd::ReduceSumOp>({x, e.ints({0})}, e.flag("keep_dims", false));
}

// ---- Long short-term memory

// What is the same in all steps.
struct LstmWeights {
  Value w, wci, wcf, wco, b;
  bool hasPeepholes = false;
  // Where a row of `w` has what is new, and what is forgotten; i is first and o last.
  int64_t newAt = 1, forgottenAt = 2;
};
// In the order of TensorFlow's results.
struct LstmStep {
  Value i, cs, f, o, ci, co, h;
};
// `keep` gives the state that is kept of the one that was computed.
LstmStep lstmStep(Expansion &e, const LstmWeights &weights, double forgetBias, Value x,
                  Value before, Value h, llvm::function_ref<Value(Value state)> keep);

// Between -bound and bound.
Value clipped(Expansion &e, Value state, double bound);

struct LstmSlopes {
  Value i, f, o, ci, before;
  // As they stand in a row of `w`.
  Value gates(Expansion &e, const LstmWeights &weights) const;
};
// Of a step, by what came out of it but `h`; `before` is the state that it began with.
LstmSlopes lstmSlopes(Expansion &e, const LstmWeights &weights, const LstmStep &step, Value before,
                      Value ofState, Value ofResult);

} // namespace sluice::import
