// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tuples in the saved content of an object, component by component.
#pragma once

#include "runtime/state/components.h"
#include "runtime/state/content_reader.h"

#include <string>

namespace sluice::rt {

// One component of tuples, where a tensor that is not valid is one that is not there yet: which are
// there, their shapes, and the elements of all of them.
Status addColumn(const std::string &name, const Component &component,
                 std::span<const Tensor *const> cells, std::vector<NamedTensor> &content);
// Into as many tuples. INVALID_ARGUMENT where it is no such column.
Status takeColumn(ContentReader &in, const std::string &name, const Component &component,
                  std::span<Tensor *const> cells);

} // namespace sluice::rt
