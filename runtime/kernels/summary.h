// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The text by which failed assertions and print ops show a tensor.
#pragma once

#include "runtime/memory/tensor.h"

namespace sluice::rt {

// The first `limit` elements (all if negative) with a space between elements, brackets around the
// rows of tensors of rank 2 and more, and "..." where something is left out.
std::string summarize(const Tensor &tensor, int64_t limit);

// The text by which format ops show one: brackets for each dim, and in each the first and last
// `limit` elements (all if negative), "..." where something is left out, a line for each row, and
// strings between quotes.
Status appendEnds(const Tensor &tensor, int64_t limit, std::string &text);

} // namespace sluice::rt
