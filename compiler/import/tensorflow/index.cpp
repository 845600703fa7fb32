// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "index": elements chosen or placed by indices.
#include "compiler/import/tensorflow/Expansion.h"

using namespace mlir;

namespace sluice::import {

namespace {

void gatherRows(Expansion &e) {
  e.result(0,
           e.like<nd::GatherOp>({e.input(0), e.input(1), e.int32(0)}, e.number("batch_dims", 0)));
}

void gatherAxis(Expansion &e) {
  e.result(0, e.like<nd::GatherOp>(e.inputs(), e.number("batch_dims", e.intAttr("batch_dims"))));
}

void gatherNd(Expansion &e) { e.result(0, e.like<nd::GatherNdOp>(e.inputs())); }

void scatterNd(Expansion &e) {
  e.result(0, e.tensor<nd::ScatterNdOp>(e.elementOf(e.input(1)), e.inputs()));
}

void oneHot(Expansion &e) {
  e.result(0, e.tensor<nd::OneHotOp>(e.elementOf(e.input(2)), e.inputs(),
                                     e.number("axis", e.intAttr("axis"))));
}

void where(Expansion &e) {
  e.result(0, e.tensor<nd::WhereOp>(e.builder().getI64Type(), e.inputs()));
}

template <typename OpT> void unsortedSegment(Expansion &e) { e.result(0, e.like<OpT>(e.inputs())); }

constexpr OpExpansion kOps[] = {
    {"Gather", gatherRows},
    {"GatherV2", gatherAxis},
    {"GatherNd", gatherNd},
    {"ScatterNd", scatterNd},
    {"OneHot", oneHot},
    {"Where", where},
    {"UnsortedSegmentSum", unsortedSegment<nd::UnsortedSegmentSumOp>},
    {"UnsortedSegmentProd", unsortedSegment<nd::UnsortedSegmentProdOp>},
    {"UnsortedSegmentMax", unsortedSegment<nd::UnsortedSegmentMaxOp>},
    {"UnsortedSegmentMin", unsortedSegment<nd::UnsortedSegmentMinOp>},
};

} // namespace

ArrayRef<OpExpansion> indexOps() { return kOps; }

} // namespace sluice::import
