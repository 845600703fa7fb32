// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What nodes ask for, as far as it is about the cards of a rank.
//
// Values that lie on a card are found out late, on each rank's own graph; by then ops are not those
// of import any more, but their locations still name nodes. So wishes are kept by these names.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/ArrayRef.h"

namespace sluice {

// Adds the requests of all ops to kCardWishesAttr of the module (CardWork.h). Of a program that
// runs alone, `alone` says how many cards it has: then a request that it cannot meet is an error.
mlir::LogicalResult recordCardRequests(mlir::ModuleOp module, std::optional<unsigned> alone);
// Nobody else looks at the requests of a program that runs alone.
void dropRequests(mlir::ModuleOp module);

} // namespace sluice
