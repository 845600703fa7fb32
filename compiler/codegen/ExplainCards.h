// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What runs on the card of a rank, and which values travel between it and the host.
#pragma once

#include "mlir/IR/BuiltinOps.h"

#include <string>

namespace sluice::codegen {

// Of the program of one rank, after codegen-place-on-cards: by frame, each op on the card and each
// copy, with its type and the node that it is for. Empty without a card.
std::string explainCards(mlir::ModuleOp program);

} // namespace sluice::codegen
