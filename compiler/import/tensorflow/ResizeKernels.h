// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What elements of images count for, by how far they are away, as `ScaleAndTranslate` names it.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"

namespace sluice::import {

struct ResizeKernel {
  llvm::StringLiteral name;
  double radius;                       // beyond it nothing counts
  Value (*weight)(Expansion &, Value); // of distances, f32
};

// The one that the attribute `kernel_type` names; null after a diagnostic.
const ResizeKernel *resizeKernel(Expansion &e);

} // namespace sluice::import
