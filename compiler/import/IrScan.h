// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A look at the text of IR before MLIR's parser sees it.
//
// The parser recurses over brackets, over operators of affine expressions, and over aliases that
// name aliases; it takes quadratic time for long numbers, and as much memory for an integer as its
// type says. All of that is counted here, in one pass that does not recurse. What the text means is
// left to the parser.
#pragma once

#include "compiler/import/Limits.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace sluice::import {

struct IrProblem {
  size_t offset = 0;
  std::string message;
};

// The first thing that goes beyond a limit.
std::optional<IrProblem> scanIr(llvm::StringRef text, const Limits &limits);

} // namespace sluice::import
