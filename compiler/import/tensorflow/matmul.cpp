// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "matmul": matrix products, and the biases that follow them.
#include "compiler/import/tensorflow/Expansion.h"

using namespace mlir;

namespace sluice::import {

namespace {

Value product(Expansion &e, Value a, Value b, bool transposeA, bool transposeB, bool adjointA,
              bool adjointB) {
  return e.like<nd::MatmulOp>(
      {a, b}, {e.flag("transpose_lhs", transposeA), e.flag("transpose_rhs", transposeB),
               e.flag("adjoint_lhs", adjointA), e.flag("adjoint_rhs", adjointB)});
}

void matMul(Expansion &e) {
  e.result(0, product(e, e.input(0), e.input(1), e.boolAttr("transpose_a"),
                      e.boolAttr("transpose_b"), false, false));
}

void batchMatMul(Expansion &e) {
  e.result(0, product(e, e.input(0), e.input(1), false, false, e.boolAttr("adj_x"),
                      e.boolAttr("adj_y")));
}

// With another type of result: both operands are converted first.
void batchMatMulV3(Expansion &e) {
  Type element = e.resultElement(0);
  auto converted = [&](Value x) {
    return e.elementOf(x) == element ? x : e.tensor<nd::CastOp>(element, x);
  };
  e.result(0, product(e, converted(e.input(0)), converted(e.input(1)), false, false,
                      e.boolAttr("adj_x"), e.boolAttr("adj_y")));
}

bool channelsFirst(Expansion &e) {
  return e.attribute("data_format") && e.stringAttr("data_format") == "NCHW"; // not of BiasAddV1
}

// The dims from `first` to the last as a vector of axes.
Value axesFrom(Expansion &e, Value x, int64_t first, int64_t fromEnd = 0) {
  Type i32 = e.builder().getI32Type();
  Value end = e.tensor<nd::RankOp>(i32, x);
  if (fromEnd > 0)
    end = e.like<nd::SubOp>({end, e.int32(fromEnd)});
  return e.tensor<nd::RangeOp>(i32, {e.int32(first), end, e.int32(1)});
}

void biasAdd(Expansion &e) {
  Value bias = e.input(1);
  if (channelsFirst(e)) {
    // The bias belongs to dim 1, so it gets a dim of 1 for each dim after it.
    Type i32 = e.builder().getI32Type();
    Value after = e.like<nd::SubOp>({e.tensor<nd::RankOp>(i32, e.input(0)), e.int32(2)});
    Value count = e.like<nd::ReshapeOp>({after, e.ints({1})});
    Value ones = e.like<nd::FillOp>({count, e.int32(1)});
    Value shape = e.like<nd::ConcatOp>({e.ints({-1}), ones, e.int32(0)});
    bias = e.like<nd::ReshapeOp>({bias, shape});
  }
  e.result(0, e.like<nd::AddOp>({e.input(0), bias}));
}

void biasAddGrad(Expansion &e) {
  Value axes = axesFrom(e, e.input(0), 0, 1);
  if (channelsFirst(e))
    axes = e.like<nd::ConcatOp>({e.ints({0}), axesFrom(e, e.input(0), 2), e.int32(0)});
  e.result(0, e.like<nd::ReduceSumOp>({e.input(0), axes}, e.flag("keep_dims", false)));
}

constexpr OpExpansion kOps[] = {
    {"MatMul", matMul, Style::kPure, "transpose_a transpose_b"},
    {"BatchMatMul", batchMatMul, Style::kPure, "adj_x adj_y"},
    {"BatchMatMulV2", batchMatMul, Style::kPure, "adj_x adj_y"},
    {"BatchMatMulV3", batchMatMulV3, Style::kPure, "adj_x adj_y"},
    {"BiasAdd", biasAdd, Style::kPure, "data_format"},
    {"BiasAddV1", biasAdd},
    {"BiasAddGrad", biasAddGrad, Style::kPure, "data_format"},
};

} // namespace

ArrayRef<OpExpansion> matmulOps() { return kOps; }

} // namespace sluice::import
