// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of graph nodes travel as locations.
#pragma once

#include "mlir/IR/Location.h"

namespace sluice {

// The name in a NameLoc, also inside a FusedLoc; empty if there is none.
llvm::StringRef nodeNameOf(mlir::Location location);

} // namespace sluice
