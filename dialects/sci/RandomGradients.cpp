// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the sci ops of the family "random".
#include "dialects/nd/Formulas.h"
#include "dialects/nd/Nd.h"
#include "dialects/sci/Sci.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::sci;

// A sample moves with the shape of its distribution. There is a function for f32 and f64 only.
void RandomGammaOp::buildGradient(Gradient &g) {
  Value alpha = getAlpha(), sample = getResult();
  Type type = Gradient::elementOf(alpha), f32 = g.builder().getF32Type();
  const bool isShort = type.getIntOrFloatBitWidth() < 32;
  if (isShort) {
    alpha = g.one<nd::CastOp>(f32, alpha);
    sample = g.one<nd::CastOp>(f32, sample);
  }
  Value slope = g.like<RandomGammaGradOp>({alpha, sample});
  if (isShort)
    slope = g.one<nd::CastOp>(type, slope);
  g.set(2, g.sumTo(nd::formula::mul(g, g.ofResult(), slope), getAlpha()));
}
