// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes by which the ranks of a cluster know that they were compiled together, and a program its
// checkpoints.
#pragma once

#include "compiler/emit/DescribeProgram.h"

#include "llvm/ADT/ArrayRef.h"

namespace sluice::emit {

// Sets programHash and clusterHash of all ranks, given in order. The first covers the images,
// kernels and codelets (by what they compute) of every rank; the second the number and names of the
// devices, but not their addresses, which may be others at each start.
void setHashes(llvm::MutableArrayRef<DescribedProgram> ranks);

} // namespace sluice::emit
