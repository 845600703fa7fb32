// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums in the elements of lists that keep their length, as looks and sets.
#pragma once

#include "compiler/codegen/ListStrands.h"

namespace sluice::codegen {

// Whether the strand's sums, if it has any, can be told so; else the strand says why not.
bool checkSums(Strand &strand);
// Tells those of strands that can be arrays. Whether there were any: then the strands have to be
// found anew.
bool tellSums(llvm::MutableArrayRef<Strand> strands);

} // namespace sluice::codegen
