// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops that bring parts of images to one size, or put them side by side.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"

namespace sluice::import {

void cropAndResize(Expansion &e);
void cropImageGradient(Expansion &e);
void cropBoxGradient(Expansion &e);
void extractPatches(Expansion &e);

} // namespace sluice::import
