// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing of JSON from files that may hold anything.
#pragma once

#include "compiler/import/Limits.h"

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

namespace sluice::import {

// Brackets are counted first: LLVM's parser recurses, and would leave the stack; and what it makes
// of an object, however small, has kilobytes.
llvm::Expected<llvm::json::Value> parseJson(llvm::StringRef text, const Limits &limits);

} // namespace sluice::import
