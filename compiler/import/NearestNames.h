// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What somebody may have meant who gave a name that there is not.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

#include <string>

namespace sluice::import {

// " (did you mean 'layer/logits' or 'logits_1'?)": names that end with the wrong one after a slash,
// then the nearest by spelling, three at most. Empty when none is near, or there are too many names
// to compare them all.
std::string didYouMean(llvm::StringRef wrong, llvm::ArrayRef<llvm::StringRef> names);

} // namespace sluice::import
