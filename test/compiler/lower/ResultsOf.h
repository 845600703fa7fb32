// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a module of two i32 feeds computes in the reference interpreter, as text to compare.
#pragma once

#include "compiler/interpret/Interpreter.h"

#include "mlir/IR/BuiltinOps.h"

#include <optional>
#include <string>

namespace sluice::lower {

// With a seed, under an order of firings drawn from it. Errors are part of the text, and so is the
// number of tokens left over.
inline std::string resultsOf(mlir::ModuleOp module, int32_t a, int32_t b,
                             std::optional<uint64_t> seed = {}) {
  auto runner = interpret::makeInterpreter(module);
  if (!runner.ok())
    return runner.status().toString();
  rt::RunOptions options;
  options.scheduleSeed = seed;
  (*runner)->setOptions(options);
  std::vector<rt::Tensor> feeds = {rt::Tensor::scalar(a), rt::Tensor::scalar(b)};
  auto results = (*runner)->call(0, feeds);
  if (!results.ok())
    return results.status().toString();
  std::string text;
  for (const rt::Tensor &result : *results)
    text += std::to_string(result.asInt()) + " ";
  return text + std::to_string((*runner)->leftoverTokens()) + " left over";
}

} // namespace sluice::lower
