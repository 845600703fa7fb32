// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "special": functions of elements that are no elementary ones.
#include "compiler/import/tensorflow/Expansion.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

// Of as many operands as the node has, all of one element type.
template <typename OpT> void function(Expansion &e) { e.result(0, e.like<OpT>(e.inputs())); }

constexpr OpExpansion kOps[] = {
    {"Erf", function<sci::ErfOp>},
    {"Erfc", function<sci::ErfcOp>},
    {"Erfinv", function<sci::ErfinvOp>},
    {"Ndtri", function<sci::NdtriOp>},
    {"Dawsn", function<sci::DawsnOp>},
    {"FresnelSin", function<sci::FresnelSinOp>},
    {"FresnelCos", function<sci::FresnelCosOp>},
    {"Expint", function<sci::ExpintOp>},
    {"Spence", function<sci::SpenceOp>},
    {"Lgamma", function<sci::LgammaOp>},
    {"Digamma", function<sci::DigammaOp>},
    {"Polygamma", function<sci::PolygammaOp>},
    {"Zeta", function<sci::ZetaOp>},
    {"Igamma", function<sci::IgammaOp>},
    {"Igammac", function<sci::IgammacOp>},
    {"IgammaGradA", function<sci::IgammaGradAOp>},
    {"RandomGammaGrad", function<sci::RandomGammaGradOp>},
    {"Betainc", function<sci::BetaincOp>},
    {"BesselI0", function<sci::BesselI0Op>},
    {"BesselI1", function<sci::BesselI1Op>},
    {"BesselI0e", function<sci::BesselI0eOp>},
    {"BesselI1e", function<sci::BesselI1eOp>},
    {"BesselK0", function<sci::BesselK0Op>},
    {"BesselK1", function<sci::BesselK1Op>},
    {"BesselK0e", function<sci::BesselK0eOp>},
    {"BesselK1e", function<sci::BesselK1eOp>},
    {"BesselJ0", function<sci::BesselJ0Op>},
    {"BesselJ1", function<sci::BesselJ1Op>},
    {"BesselY0", function<sci::BesselY0Op>},
    {"BesselY1", function<sci::BesselY1Op>},
    {"Atan2", function<sci::Atan2Op>},
    {"NextAfter", function<sci::NextAfterOp>},
};

} // namespace

ArrayRef<OpExpansion> specialOps() { return kOps; }

} // namespace sluice::import
