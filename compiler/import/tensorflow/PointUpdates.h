// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What scatters of points have in common, whether they change a tensor or a variable.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"

namespace sluice::import {

// Whether rows of indices that are outside of the tensor are passed over; else they are an error,
// as on any processor.
bool ignoresBadIndices(Expansion &e);

enum class PointUpdate : uint8_t { kUpdate, kAdd, kSub, kMax, kMin };

// Of nd.update_points and state.update_points.
llvm::SmallVector<mlir::NamedAttribute> attributesOfPointUpdate(Expansion &e, PointUpdate how);

} // namespace sluice::import
