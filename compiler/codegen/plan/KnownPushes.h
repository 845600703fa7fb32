// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How long a list becomes that loops push to.
#pragma once

#include "dialects/list/List.h"

#include <optional>

namespace sluice::codegen {

// How many elements are pushed to the cell that an op makes without elements; nothing where that
// is not known: several ops push to it, or not in each iteration, or a loop around the push does
// not count from a constant to a constant.
std::optional<int64_t> knownPushes(list::CellMakeOp make);

} // namespace sluice::codegen
