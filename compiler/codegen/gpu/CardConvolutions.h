// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the code of convolutions on a card shares.
#pragma once

#include "compiler/codegen/gpu/CardWindows.h"
#include "dialects/nn/Nn.h"

#include "llvm/ADT/TypeSwitch.h"

namespace sluice::codegen {

// Of the three ops: what is convolved, with what, and what comes of it.
struct ConvolutionParts {
  mlir::Value images, filter, results;
};
ConvolutionParts partsOf(mlir::Operation *op);

struct ConvolutionChannels {
  int64_t all, inGroup, groups; // of the images
  int64_t outputs, allOutputs;  // of a group, of all
  bool isDepthwise() const { return inGroup == 1 && groups > 1; }
};
// Nothing if they are not known, or there are none.
std::optional<ConvolutionChannels> channelsOf(mlir::Operation *op);

// Of groups with one channel each, which are no products worth that name.
void emitDepthwise(mlir::Operation *op, Emitter &emitter);

} // namespace sluice::codegen
