// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops that only order others take the device of an op that they order, so that they cut no edge
// that would not be cut anyway.
#pragma once

#include "compiler/place/Groups.h"

namespace sluice::place {

constexpr unsigned kNoLeader = UINT32_MAX;

// By member: whom it follows, itself if nobody. Those follow that only order, unless something ties
// them to other ops: a gate, join or trigger its first consumer, an after or target its producer,
// each through others of their kind. kNoLeader: nothing but the start of the call is around.
std::vector<unsigned> findLeaders(mlir::ModuleOp module, const Groups &groups);

// The first member in the text that waits for a result of the op and may lead it.
std::optional<unsigned> firstConsumer(const Groups &groups, mlir::Operation *op);

} // namespace sluice::place
