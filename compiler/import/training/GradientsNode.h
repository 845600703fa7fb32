// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The op of the node that stands for all derivatives of a training step. No graph file has it.
#pragma once

#include "compiler/import/OpTable.h"

namespace sluice::import {

struct OpExpansion;

// Inputs are the loss and then the variables; outputs the derivatives of the variables.
inline constexpr llvm::StringLiteral kGradientsOp = "_SluiceGradients";
std::unique_ptr<OpSignature> gradientsOp();
const OpExpansion &gradientsExpansion();

} // namespace sluice::import
