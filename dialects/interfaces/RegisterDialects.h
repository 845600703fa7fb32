// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All dialects of Sluice.
#pragma once

namespace mlir {
class DialectRegistry;
}

namespace sluice {
void registerDialects(mlir::DialectRegistry &registry);
}
