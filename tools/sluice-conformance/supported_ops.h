// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The ops that graphs may use, as the reference pages promise: a compiler that refuses one of them
// is not believed.
#pragma once

#include "llvm/ADT/StringRef.h"

namespace sluice::conformance {

bool isSupportedOp(llvm::StringRef op);

} // namespace sluice::conformance
