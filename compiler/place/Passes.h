// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the place phase. Both do nothing in a module without devices: declare those first
// (`ClusterSpec::declareIn`).
#pragma once

#include "dialects/wire/Wire.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

#include <cstdint>

namespace sluice::place {

#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/place/Passes.h.inc"

} // namespace sluice::place
