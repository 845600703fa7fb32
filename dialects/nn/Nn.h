// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The nn dialect: what only neural nets have.
#pragma once

#include "dialects/nd/Nd.h"

#include "dialects/nn/NnDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/nn/Convolve.h.inc"
#define GET_OP_CLASSES
#include "dialects/nn/Pool.h.inc"
#define GET_OP_CLASSES
#include "dialects/nn/Sequence.h.inc"
#define GET_OP_CLASSES
#include "dialects/nn/Boxes.h.inc"

namespace sluice::nn {
// One for each family, defined beside its ops.
void registerConvolveOps(NnDialect &dialect);
void registerPoolOps(NnDialect &dialect);
void registerSequenceOps(NnDialect &dialect);
void registerBoxesOps(NnDialect &dialect);
} // namespace sluice::nn
