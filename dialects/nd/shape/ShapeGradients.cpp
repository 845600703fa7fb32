// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the nd ops of the family "shape".
#include "dialects/interfaces/Gradient.h"
#include "dialects/nd/Nd.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::nd;

void ReshapeOp::buildGradient(Gradient &gradient) {
  gradient.set(0, gradient.reshapedLike(gradient.ofResult(), getInput()));
}
void ExpandDimsOp::buildGradient(Gradient &gradient) {
  gradient.set(0, gradient.reshapedLike(gradient.ofResult(), getInput()));
}
void SqueezeOp::buildGradient(Gradient &gradient) {
  gradient.set(0, gradient.reshapedLike(gradient.ofResult(), getInput()));
}

void AssumeShapeOp::buildGradient(Gradient &gradient) { gradient.set(0, gradient.ofResult()); }

void MatchShapeOp::buildGradient(Gradient &gradient) {
  if (gradient.wants(0)) // the elements of the reference are not looked at
    gradient.set(0, gradient.ofResult());
}

void BroadcastToOp::buildGradient(Gradient &gradient) {
  gradient.set(0, gradient.sumTo(gradient.ofResult(), getInput()));
}
