// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Formulas that derivatives of several ops have.
#pragma once

#include "dialects/interfaces/Gradient.h"

namespace sluice::nd::formula {

using mlir::Value;

Value add(Gradient &g, Value a, Value b);
Value sub(Gradient &g, Value a, Value b);
Value mul(Gradient &g, Value a, Value b);
Value div(Gradient &g, Value a, Value b);
Value neg(Gradient &g, Value x);
// A scalar of the elements' type.
Value numberLike(Gradient &g, Value x, double value);
Value select(Gradient &g, Value condition, Value a, Value b);
Value equalsNumber(Gradient &g, Value x, double value);
// `value` under the name of a TensorFlow op which computes it of the inputs, so that its derivative
// is that of the name. For formulas whose own derivatives the chain rule gets wrong.
Value knownAs(Gradient &g, llvm::StringRef name, Value value, mlir::ValueRange inputs,
              mlir::DictionaryAttr parameters);
// Of real numbers: themselves.
Value conjugate(Gradient &g, Value x);
// The product, but zero where nothing comes back, also if the product is infinite there.
Value zeroWhereZero(Gradient &g, Value dy, Value product);
// As the TensorFlow ops of these names. Those of roots conjugate y themselves, the other two do
// not.
Value rsqrtGrad(Gradient &g, Value y, Value dy);
Value sqrtGrad(Gradient &g, Value y, Value dy);
Value sigmoidGrad(Gradient &g, Value y, Value dy);
Value tanhGrad(Gradient &g, Value y, Value dy);
Value reciprocal(Gradient &g, Value x);
// What `input` was reduced to, with the dims that vanished as 1. Defined in
// reduce/ReduceGradients.cpp.
Value withKeptDims(Gradient &g, Value reduced, Value input, Value axes, bool keepDims);

} // namespace sluice::nd::formula
