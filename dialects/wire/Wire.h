// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The wire dialect: what crosses between ranks.
#pragma once

#include "dialects/flow/Flow.h"
#include "dialects/interfaces/Memories.h"

#include "dialects/wire/WireDialect.h.inc"
#define GET_ATTRDEF_CLASSES
#include "dialects/wire/WireAttributes.h.inc"
#define GET_OP_CLASSES
#include "dialects/wire/WireOps.h.inc"

namespace sluice::wire {

// Attributes that other ops carry; the dialect's description says what they mean.
inline constexpr llvm::StringLiteral kDevice = "wire.device";
inline constexpr llvm::StringLiteral kRequested = "wire.requested";
inline constexpr llvm::StringLiteral kColocate = "wire.colocate";
inline constexpr llvm::StringLiteral kDevices = "wire.devices";
inline constexpr llvm::StringLiteral kTarget = "target"; // in an entry of it
inline constexpr llvm::StringLiteral kRank = "wire.rank";
inline constexpr llvm::StringLiteral kFrames = "wire.frames";

// Whether values of a type may leave their rank: tensors and control tokens.
bool isSendable(mlir::Type type);

} // namespace sluice::wire
