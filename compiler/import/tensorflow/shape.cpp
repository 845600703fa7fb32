// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "shape": sizes, and views of the same elements.
#include "compiler/import/tensorflow/Checks.h"
#include "compiler/import/tensorflow/Lists.h"

using namespace mlir;

namespace sluice::import {

namespace {

template <typename OpT> void sizes(Expansion &e) {
  e.result(0, e.tensor<OpT>(e.resultElement(0), e.input(0)));
}

void shapeN(Expansion &e) {
  SmallVector<Value> shapes;
  for (size_t i = 0; i < e.numInputs(); ++i)
    shapes.push_back(e.tensor<nd::ShapeOp>(e.resultElement(i), e.input(i)));
  for (auto [i, shape] : llvm::enumerate(e.afterAllInputs(shapes)))
    e.result(static_cast<uint32_t>(i), shape);
}

void forward(Expansion &e) { e.result(0, e.input(0)); }

template <typename OpT> void sameElement(Expansion &e) { e.result(0, e.like<OpT>(e.inputs())); }

void squeeze(Expansion &e) {
  auto axes = e.builder().getNamedAttr(
      "axes", e.builder().getDenseI64ArrayAttr(e.intsAttr("squeeze_dims")));
  e.result(0, e.like<nd::SqueezeOp>(e.input(0), axes));
}

// As many results of one element type as the node has outputs.
template <typename OpT> void severalResults(Expansion &e) {
  SmallVector<Type> types;
  for (size_t i = 0; i < e.numResults(); ++i)
    types.push_back(unrankedOf(e.resultElement(i)));
  auto op = e.make<OpT>(types, e.inputs());
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, op->getResult(i));
}

// Fails at run time when an element is not finite.
void checkNumerics(Expansion &e) {
  Type i32 = e.builder().getI32Type();
  Value rank = e.tensor<nd::RankOp>(i32, e.input(0));
  Value axes = e.tensor<nd::RangeOp>(i32, {e.int32(0), rank, e.int32(1)});
  Value finite = e.tensor<nd::IsFiniteOp>(e.builder().getI1Type(), e.input(0));
  Value all = e.like<nd::ReduceAllOp>({finite, axes}, e.flag("keep_dims", false));
  auto check = e.make<state::AssertOp>(e.tokenType(), {all, e.input(0)}, e.number("summarize", 3));
  e.result(0, e.gated(e.input(0), check.getDone()));
}

// Fails at run time when the shape is another one. One that is known in whole is the result's.
void ensureShape(Expansion &e) {
  Value x = e.afterAllInputs(e.inputs())[0];
  auto type = dyn_cast<RankedTensorType>(e.shapeAttr("shape", e.elementOf(x)));
  if (!type)
    return e.result(0, x);
  SmallVector<int64_t> axes, known;
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    if (!ShapedType::isDynamic(size)) {
      axes.push_back(static_cast<int64_t>(axis));
      known.push_back(size);
    }
  Checks checks(e);
  Value rank = rankOf(e, x);
  checks.require(e.compare<nd::EqualOp>(rank, e.int32(type.getRank())),
                 "expected another rank than", rank);
  Value checked = checks.checked(x);
  Type i64 = e.builder().getI64Type(); // as in the attribute: a large size must not become small
  Value dims = e.tensor<nd::ShapeOp>(i64, checked);
  if (!axes.empty()) {
    Value found = gathered(e, dims, e.ints(axes), e.int32(0));
    checks.require(e.compare<nd::EqualOp>(found, e.ints(known, i64)), "expected other dims than",
                   dims);
  }
  if (type.hasStaticShape())
    return e.result(0, reshaped(e, checks.checked(x), e.ints(type.getShape(), i64)));
  SmallVector<Value> all;
  for (auto [axis, size] : llvm::enumerate(type.getShape()))
    all.push_back(ShapedType::isDynamic(size)
                      ? part(e, dims, e.int32(static_cast<int64_t>(axis)), e.int32(1))
                      : e.ints({size}, i64));
  e.result(0, reshaped(e, checks.checked(x), joined(e, all)));
}

constexpr OpExpansion kOps[] = {
    moving({"Shape", sizes<nd::ShapeOp>}),
    moving({"ShapeN", shapeN}),
    moving({"Rank", sizes<nd::RankOp>}),
    moving({"Size", sizes<nd::SizeOp>}),
    moving({"Reshape", sameElement<nd::ReshapeOp>}),
    moving({"ExpandDims", sameElement<nd::ExpandDimsOp>}),
    moving({"Squeeze", squeeze, Style::kPure, "squeeze_dims"}),
    moving({"StopGradient", listOrTensor<forward, sameElement<nd::StopGradientOp>>, Style::kLists}),
    composite({"PreventGradient", sameElement<nd::StopGradientOp>}),
    {"CheckNumerics", checkNumerics},
    moving({"EnsureShape", ensureShape, Style::kPure, "shape"}),
    moving({"BroadcastTo", sameElement<nd::BroadcastToOp>}),
    {"BroadcastArgs", sameElement<nd::BroadcastArgsOp>},
    {"BroadcastGradientArgs", severalResults<nd::BroadcastGradientArgsOp>},
    {"ConcatOffset", severalResults<nd::ConcatOffsetOp>},
    {"InvertPermutation", sameElement<nd::InvertPermutationOp>},
};

} // namespace

ArrayRef<OpExpansion> shapeOps() { return kOps; }

} // namespace sluice::import
