// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which nodes of a selection forward references to variables rather than values.
#pragma once

#include "compiler/import/Selection.h"

#include <vector>

namespace sluice::import {

// By node: whether its outputs carry a reference. A forwarding op does if its data input does; a
// Merge only if all of its inputs do, back edges included.
std::vector<bool> findReferenceCarriers(const Graph &graph, const Selection &selection);

} // namespace sluice::import
