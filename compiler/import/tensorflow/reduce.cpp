// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "reduce": reductions, positions of extremes, running sums.
#include "compiler/import/tensorflow/SizeVectors.h"

using namespace mlir;

namespace sluice::import {

namespace {

template <typename OpT> void reduction(Expansion &e) {
  e.result(0, e.like<OpT>(e.inputs(), e.flag("keep_dims", e.boolAttr("keep_dims"))));
}

template <typename OpT> void position(Expansion &e) {
  SmallVector<Value> inputs(e.inputs());
  if (e.elementOf(inputs[0]).isInteger(1))
    inputs[0] = e.tensor<nd::CastOp>(e.builder().getI32Type(), inputs[0]);
  e.result(0, e.tensor<OpT>(e.resultElement(0), inputs));
}

template <typename OpT> void running(Expansion &e) {
  e.result(0, e.like<OpT>(e.inputs(), {e.flag("exclusive", e.boolAttr("exclusive")),
                                       e.flag("reverse", e.boolAttr("reverse"))}));
}

void euclideanNorm(Expansion &e) {
  Value x = e.input(0);
  Value other = isa<ComplexType>(e.elementOf(x)) ? conjugated(e, x) : x;
  Value squares = e.like<nd::MulOp>({x, other});
  Value sum =
      e.like<nd::ReduceSumOp>({squares, e.input(1)}, e.flag("keep_dims", e.boolAttr("keep_dims")));
  e.result(0, e.like<nd::SqrtOp>(sum));
}

void l2Loss(Expansion &e) { e.result(0, e.like<nd::L2LossOp>(e.input(0))); }

void topK(Expansion &e, Value k, DataType indexType) {
  Type i32 = e.builder().getI32Type();
  auto op =
      e.make<nd::TopKOp>({unrankedOf(e.elementOf(e.input(0))), unrankedOf(i32)}, {e.input(0), k});
  e.result(0, op.getValues());
  Value indices = op.getIndices();
  if (indexType != graphdef::DT_INT32)
    indices = e.tensor<nd::CastOp>(e.resultElement(1), indices);
  e.result(1, indices);
}
void topKV2(Expansion &e) { topK(e, e.input(1), e.dataTypeAttr("index_type")); }
void topKV1(Expansion &e) { topK(e, e.int32(e.intAttr("k")), graphdef::DT_INT32); }

constexpr OpExpansion kOps[] = {
    {"Sum", reduction<nd::ReduceSumOp>, Style::kPure, "keep_dims"},
    {"Mean", reduction<nd::ReduceMeanOp>, Style::kPure, "keep_dims"},
    {"Prod", reduction<nd::ReduceProdOp>, Style::kPure, "keep_dims"},
    {"Max", reduction<nd::ReduceMaxOp>, Style::kPure, "keep_dims"},
    {"Min", reduction<nd::ReduceMinOp>, Style::kPure, "keep_dims"},
    {"All", reduction<nd::ReduceAllOp>, Style::kPure, "keep_dims"},
    {"Any", reduction<nd::ReduceAnyOp>, Style::kPure, "keep_dims"},
    composite({"EuclideanNorm", euclideanNorm, Style::kPure, "keep_dims"}),
    {"ArgMax", position<nd::ArgMaxOp>},
    {"ArgMin", position<nd::ArgMinOp>},
    {"Cumsum", running<nd::CumsumOp>, Style::kPure, "exclusive reverse"},
    {"Cumprod", running<nd::CumprodOp>, Style::kPure, "exclusive reverse"},
    {"L2Loss", l2Loss},
    {"TopK", topKV1, Style::kPure, "k"},
    {"TopKV2", topKV2},
};

} // namespace

ArrayRef<OpExpansion> reduceOps() { return kOps; }

} // namespace sluice::import
