// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The sci dialect: what scientific libraries have.
#pragma once

#include "dialects/nd/Nd.h"

#include "dialects/sci/SciDialect.h.inc"

#define GET_OP_CLASSES
#include "dialects/sci/Special.h.inc"
#define GET_OP_CLASSES
#include "dialects/sci/Bits.h.inc"
#define GET_OP_CLASSES
#include "dialects/sci/Parts.h.inc"
#define GET_OP_CLASSES
#include "dialects/sci/Linear.h.inc"
#define GET_OP_CLASSES
#include "dialects/sci/Fourier.h.inc"
#define GET_OP_CLASSES
#include "dialects/sci/Random.h.inc"
#define GET_OP_CLASSES
#include "dialects/sci/Sparse.h.inc"

namespace sluice::sci {
// One for each family, defined beside its ops.
void registerSpecialOps(SciDialect &dialect);
void registerBitsOps(SciDialect &dialect);
void registerPartsOps(SciDialect &dialect);
void registerLinearOps(SciDialect &dialect);
void registerFourierOps(SciDialect &dialect);
void registerRandomOps(SciDialect &dialect);
void registerSparseOps(SciDialect &dialect);
} // namespace sluice::sci
