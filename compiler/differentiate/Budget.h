// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The least computation that fits so many bytes.
#pragma once

#include "compiler/differentiate/BuildGradients.h"

namespace sluice::differentiate {

// If the choices name a number of bytes: what to compute again in each loop, so that all that is
// saved is estimated to take no more; as little of it as there can be. Otherwise the choices as
// they are.
Choices chooseWithin(mlir::ModuleOp module, const Choices &choices);

} // namespace sluice::differentiate
