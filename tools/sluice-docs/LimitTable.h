// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The limits of the compiler, as a table within a page.
#pragma once

#include "llvm/Support/raw_ostream.h"

namespace sluice::docs {

void printLimitTable(llvm::raw_ostream &out);

} // namespace sluice::docs
