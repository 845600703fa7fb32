// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the scalars say that order the accesses of arrays.
#pragma once

#include "compiler/raise/Containers.h"

#include "llvm/ADT/STLFunctionalExtras.h"

namespace sluice::raise {

// Whether the scalars that order the accesses of arrays which become lists say more than the lists
// do: an access waits through them for something that its list does not wait for, or something else
// waits for them. `goesThrough` tells which lists go through a branch or loop; `order` has the ops
// of the graph, as lists go from one to the next.
bool ordersMoreThanAccesses(const Containers &containers, llvm::ArrayRef<mlir::Operation *> order,
                            llvm::function_ref<bool(mlir::Operation *, Container *)> goesThrough);

} // namespace sluice::raise
