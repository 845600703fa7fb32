// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of names of parts: angles of complex numbers, and elements by their place in order.
#include "compiler/differentiate/NamedDerivatives.h"

#include "dialects/nd/Formulas.h"
#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::differentiate {

using namespace nd::formula;

namespace {

// -dy / (Im x + i Re x)
void angle(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  Value x = op.input(0), dy = g.ofResult();
  Type type = Gradient::elementOf(x), part = Gradient::elementOf(dy);
  auto complexOf = [&](Value real, Value imaginary) {
    return g.one<sci::ComplexOp>(type, {real, imaginary});
  };
  Value turned = complexOf(g.one<sci::ImaginaryOp>(part, x), g.one<nd::CastOp>(part, x));
  Value wide = complexOf(dy, numberLike(g, dy, 0));
  op.set(0, mul(g, neg(g, wide), reciprocal(g, turned)));
}

// Elements that are equal to the chosen one share what comes back.
void nthElement(Gradient &g, DictionaryAttr) {
  NamedOp op(g);
  if (!op.wants(0))
    return;
  Value dy = g.ofResult(), last = g.int64(-1);
  auto asColumn = [&](Value x) { return g.like<nd::ExpandDimsOp>({x, last}); };
  Value isChosen =
      g.one<nd::EqualOp>(g.builder().getI1Type(), {asColumn(op.output()), op.input(0)});
  Value chosen = g.one<nd::CastOp>(Gradient::elementOf(dy), isChosen);
  Value count = g.like<nd::ReduceSumOp>({chosen, g.ints({-1})}, g.flag("keep_dims", true));
  op.set(0, mul(g, div(g, chosen, count), asColumn(dy)));
}

constexpr NamedLine kLines[] = {
    {"Angle", angle},
    {"NthElement", nthElement},
};

} // namespace

ArrayRef<NamedLine> namedParts() { return kLines; }

} // namespace sluice::differentiate
