// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Arithmetic of elements, as builders of ops write it.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"

namespace sluice::import {

inline Value add(Expansion &e, Value a, Value b) { return e.like<nd::AddOp>({a, b}); }
inline Value sub(Expansion &e, Value a, Value b) { return e.like<nd::SubOp>({a, b}); }
inline Value mul(Expansion &e, Value a, Value b) { return e.like<nd::MulOp>({a, b}); }
inline Value div(Expansion &e, Value a, Value b) { return e.like<nd::DivOp>({a, b}); }
inline Value neg(Expansion &e, Value x) { return e.like<nd::NegOp>(x); }
// A scalar of the elements' type.
inline Value constantLike(Expansion &e, Value x, double value) {
  return e.scalar(e.elementOf(x), value);
}
inline Value select(Expansion &e, Value condition, Value a, Value b) {
  return e.tensor<nd::SelectOp>(e.elementOf(a), {condition, a, b}, e.flag("leading", false));
}

} // namespace sluice::import
