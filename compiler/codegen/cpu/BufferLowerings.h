// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The families of lowerings on buffers.
#pragma once

#include "compiler/codegen/cpu/Lowerings.h"

namespace sluice::codegen {

void addBufferElementwise(LoweringTable &buffers);
void addViews(LoweringTable &buffers);    // the same memory under other dims and strides
void addJoins(LoweringTable &buffers);    // concat, pack, pad, tile
void addIndexing(LoweringTable &buffers); // gather, one_hot
void addBufferReductions(LoweringTable &buffers);
void addMatrixProducts(LoweringTable &buffers);
void addRows(LoweringTable &buffers);         // row, set_row
void addShapeQueries(LoweringTable &buffers); // shape, rank, size: of any operand
void addBufferConstants(LoweringTable &buffers);

} // namespace sluice::codegen
