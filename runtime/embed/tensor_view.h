// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Between tensors and what callers see of them.
#pragma once

#include "runtime/embed/sluice.h"
#include "runtime/program/signature_info.h"

#include <vector>

namespace sluice::rt {

sluice_dtype publicType(DType dtype);

// Whether a value like this may be given to the port; the message begins with `what`, "feed" or
// "variable". Its dims are in `shape` then.
Status checkValue(const sluice_tensor &value, const char *what, const Port &port, Shape &shape);

// Copies a caller's elements, as they are now, into a tensor, whose memory is used again if it fits
// and nobody else sees it. `what` and the port are as above.
Status copyElements(const char *what, const Port &port, const Shape &shape, const void *elements,
                    Tensor &to);

// A view of a tensor. Those of strings are in `strings`, which must live as long.
sluice_tensor viewOf(const Tensor &tensor, std::vector<sluice_string> &strings);

} // namespace sluice::rt
