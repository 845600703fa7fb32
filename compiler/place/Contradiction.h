// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Explanations of placements that cannot be.
#pragma once

#include "compiler/place/Groups.h"

#include "compiler/import/DeviceName.h"

namespace sluice::place {

// An error at an op that asks for a device which is not there.
void reportNoDevice(mlir::Operation *op, llvm::StringRef request,
                    llvm::ArrayRef<import::DeviceName> devices,
                    llvm::ArrayRef<import::DeviceName> cards);

// An error at the last of the members of one group whose requests no device fits together: what
// each of them asks for, and what ties the last to the one that it contradicts.
void reportContradiction(const Groups &groups, llvm::ArrayRef<unsigned> askers,
                         llvm::ArrayRef<import::DeviceName> devices);

} // namespace sluice::place
