// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes of a tensor at points that vectors of indices name; of tensors and of variables.
#pragma once

#include "runtime/kernels/arguments.h"
#include "runtime/kernels/sizes.h"

namespace sluice::rt {

// A vector of indices is a column: each of them is an index vector of its own.
inline int64_t depthOfPoints(const Shape &indices) {
  return indices.rank() == 1 ? 1 : indices.dim(indices.rank() - 1);
}
inline Shape dimsOfPoints(const Shape &indices) {
  return indices.rank() == 1 ? indices : removeDim(indices, indices.rank() - 1);
}

struct PointUpdate {
  std::string_view how; // "update", "add", "sub", "max", "min"
  bool ignoresBadIndices;
};

// INVALID_ARGUMENT unless updates have the dims of the indices but the last, then those of the
// target that are not indexed. Shapes may be partly known, and then `sizes` has to see to the rest.
Status checkPoints(const Shape &indices, const Shape &updates, const Shape &target,
                   const Sizes &sizes = {});

// Checks all, then changes the target, whose elements nobody else holds.
Status updatePoints(Tensor &target, const Tensor &indices, const Tensor &updates, PointUpdate how);

} // namespace sluice::rt
