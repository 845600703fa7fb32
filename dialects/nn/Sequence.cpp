// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Definitions of the nn ops of the family "sequence", and their derivatives.
#include "dialects/nd/Formulas.h"
#include "dialects/nn/Nn.h"

#define GET_OP_CLASSES
#include "dialects/nn/Sequence.cpp.inc"

using namespace mlir;

namespace sluice::nn {

LogicalResult CtcBeamSearchOp::verify() {
  auto width = static_cast<int64_t>(getWidth()), paths = static_cast<int64_t>(getPaths());
  if (width < 1)
    return emitOpError("expected a width of at least 1 but got ") << width; // C4
  if (paths < 1 || paths > width)
    return emitOpError("expected from 1 to ") << width << " paths but got " << paths; // C5
  return success();
}

// What flows back is known already, once for each loss.
void CtcLossOp::buildGradient(Gradient &g) {
  if (g.ofResult(1)) {
    mlir::emitError(g.loc(),
                    "expected that no derivative goes through the gradient of a CTC loss, which "
                    "has none, but one is asked for");
    return;
  }
  Value rows = g.like<nd::ExpandDimsOp>({g.ofResult(0), g.int64(-1)});
  g.set(0, nd::formula::mul(g, rows, getGradient()));
}

void registerSequenceOps(NnDialect &dialect) {
  dialect.addFamily<
#define GET_OP_LIST
#include "dialects/nn/Sequence.cpp.inc"
      >();
}

} // namespace sluice::nn
