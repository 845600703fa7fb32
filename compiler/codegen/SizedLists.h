// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lists that keep their length, as arrays: their elements are set and looked at, in any order, and
// they begin with zeros or as the rows of a tensor.
#pragma once

#include "compiler/codegen/SetOnce.h"

namespace sluice::codegen {

// How many elements there are if all who make such a list say the same; else that of an unknown dim.
int64_t countOf(const Strand &strand);
// Whether the strand has elements that are set or looked at, and neither pushes nor pops.
bool keepsLength(const Strand &strand);
// Whether it can be an array; else the strand says why not.
bool checkSized(Strand &strand, llvm::function_ref<bool(mlir::Operation *)> goesToCard,
                SetOnce::StrandOf strandOf);
void replaceSized(Strand &strand);

} // namespace sluice::codegen
