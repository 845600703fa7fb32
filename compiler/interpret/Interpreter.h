// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reference interpreter: runs the graphs of a module token by token. Slow and obvious on
// purpose, because it judges everything else: it follows the rules of dialects/flow to the letter
// and shares only the plain kernels with the executor.
//
// It runs any module of flow.graph ops and state declarations, so the result of every phase up to
// emit. One thread at a time; variables live on between calls.
#pragma once

#include "runtime/api/runner.h"

#include "mlir/IR/BuiltinOps.h"

#include <memory>

namespace sluice::interpret {

// The module must outlive the runner and may not be changed meanwhile. Fails when an op has no
// kernel for its element types, or a graph's frames make no sense.
rt::Result<std::unique_ptr<rt::Runner>> makeInterpreter(mlir::ModuleOp module);

} // namespace sluice::interpret
