// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Passes of the partition phase.
#pragma once

#include "dialects/nd/Nd.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/BuiltinOps.h"
#include "mlir/Pass/Pass.h"

namespace sluice::partition {
#define GEN_PASS_DECL
#define GEN_PASS_REGISTRATION
#include "compiler/partition/Passes.h.inc"
} // namespace sluice::partition
