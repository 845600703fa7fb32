// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What to do about ops that cannot be compiled at all.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sluice::import {

// A clause for people; empty where nothing is known.
llvm::StringRef remedyFor(llvm::StringRef op, bool isKnown);

} // namespace sluice::import
