// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of lowerings on buffers.
#include "compiler/codegen/cpu/BufferLowerings.h"

namespace sluice::codegen {

void addBufferLowerings(LoweringTable &buffers) {
  addBufferElementwise(buffers);
  addViews(buffers);
  addJoins(buffers);
  addIndexing(buffers);
  addRows(buffers);
  addShapeQueries(buffers);
  addBufferConstants(buffers);
  addBufferReductions(buffers);
  addMatrixProducts(buffers);
}

} // namespace sluice::codegen
