// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "bits": bits of integers, and numbers seen as others.
#include "compiler/import/tensorflow/Expansion.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

template <typename OpT> void binary(Expansion &e) {
  e.result(0, e.like<OpT>({e.input(0), e.input(1)}));
}

// All bits differ from those of a number that has them all.
void invert(Expansion &e) {
  Type type = e.elementOf(e.input(0));
  unsigned width = type.getIntOrFloatBitWidth();
  auto scalar = RankedTensorType::get({}, type);
  Value all = nd::ConstantOp::create(e.builder(), e.loc(), scalar,
                                     DenseElementsAttr::get(scalar, APInt::getAllOnes(width)));
  e.result(0, e.like<sci::BitXorOp>({e.input(0), all}));
}

void populationCount(Expansion &e) {
  e.result(0, e.tensor<sci::PopulationCountOp>(e.resultElement(0), e.input(0)));
}

void bitcast(Expansion &e) {
  Type from = e.elementOf(e.input(0)), to = e.typeAttr("type");
  if (!to)
    return;
  for (Type type : {from, to})
    if (isa<nd::StringType>(type) || type.isInteger(1))
      return e.unsupported("expected numbers, for strings and bools have no bits here");
  e.result(0, from == to ? e.input(0) : e.tensor<sci::BitcastOp>(to, e.input(0)));
}

constexpr OpExpansion kOps[] = {
    {"BitwiseAnd", binary<sci::BitAndOp>},   {"BitwiseOr", binary<sci::BitOrOp>},
    {"BitwiseXor", binary<sci::BitXorOp>},   {"Invert", invert},
    {"LeftShift", binary<sci::ShiftLeftOp>}, {"RightShift", binary<sci::ShiftRightOp>},
    {"PopulationCount", populationCount},    moving({"Bitcast", bitcast}),
};

} // namespace

ArrayRef<OpExpansion> bitsOps() { return kOps; }

} // namespace sluice::import
