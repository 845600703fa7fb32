// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// In whose memory a tensor lies, as its type says.
#pragma once

#include "mlir/IR/BuiltinTypes.h"

#include <optional>

namespace sluice::wire {

// The card of the rank; nothing for the host's memory.
std::optional<unsigned> cardOf(mlir::Type type);
inline std::optional<unsigned> cardOf(mlir::Value value) { return cardOf(value.getType()); }

// The type of the same value in the memory of a card, or of the host.
mlir::RankedTensorType onCard(mlir::RankedTensorType type, unsigned card);
mlir::RankedTensorType onHost(mlir::RankedTensorType type);

} // namespace sluice::wire
