// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops that make images of another size of weighted sums, and what these share with those
// that look at the nearest elements.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"

namespace sluice::import {

// How far it is from one of `count` places to the next among `given` ones, as the attribute
// `align_corners` has it. Scalars of i32, and one of f32.
Value ratioOf(Expansion &e, Value given, Value count);
// Sums what goes to each of `count` places of a dim, 1 or 2, of four.
Value summedAlong(Expansion &e, Value x, Value places, Value count, int64_t dim);
// Of dim 1 or 2 of four, or of a vector with the sizes of both, a scalar.
Value sizeOfImages(Expansion &e, Value images, int64_t dim);
Value sizeAmong(Expansion &e, Value sizes, int64_t dim);
// All inputs, once the first ones are images: one and the sizes that it is to get, or two.
llvm::SmallVector<Value> checkedImages(Expansion &e, size_t count);

void bicubic(Expansion &e);
void bicubicGradient(Expansion &e);
void area(Expansion &e);
void scaleAndTranslate(Expansion &e);
void scaleAndTranslateGradient(Expansion &e);

} // namespace sluice::import
