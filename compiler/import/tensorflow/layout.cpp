// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "layout": the same elements, joined, cut, moved and repeated.
#include "compiler/import/tensorflow/Lists.h"
#include "compiler/import/tensorflow/SharedObjects.h"
#include "compiler/import/tensorflow/Texts.h"

using namespace mlir;

namespace sluice::import {

namespace {

void pack(Expansion &e) {
  e.result(0, e.like<nd::PackOp>(e.inputs(), e.number("axis", e.intAttr("axis"))));
}

template <typename OpT>
void cut(Expansion &e, ValueRange operands, ArrayRef<NamedAttribute> attributes = {}) {
  if (e.numResults() == 0) // cutting into nothing is legal for Unpack; nobody can use a result
    return;
  SmallVector<Type> types(e.numResults(), unrankedOf(e.elementOf(operands[0])));
  auto op = e.make<OpT>(types, operands, attributes);
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, op->getResult(i));
}

void unpack(Expansion &e) { cut<nd::UnpackOp>(e, e.input(0), e.number("axis", e.intAttr("axis"))); }
void split(Expansion &e) { cut<nd::SplitOp>(e, {e.input(1), e.input(0)}); }
void splitV(Expansion &e) { cut<nd::SplitVOp>(e, e.inputs()); }

void concat(Expansion &e) { e.result(0, e.like<nd::ConcatOp>(e.inputs())); }

// The old form has the axis first.
void concatAxisFirst(Expansion &e) {
  SmallVector<Value> operands(e.inputs().drop_front());
  operands.push_back(e.input(0));
  e.result(0, e.like<nd::ConcatOp>(operands));
}

template <typename OpT> void sameElement(Expansion &e) { e.result(0, e.like<OpT>(e.inputs())); }

SmallVector<NamedAttribute> masks(Expansion &e) {
  SmallVector<NamedAttribute> attributes;
  for (StringRef name :
       {"begin_mask", "end_mask", "ellipsis_mask", "new_axis_mask", "shrink_axis_mask"})
    attributes.push_back(e.number(name, e.intAttr(name)));
  if (llvm::popcount(static_cast<uint64_t>(e.intAttr("ellipsis_mask"))) > 1)
    e.fail(ExitCode::kBadGraph,
           "attribute 'ellipsis_mask': expected at most one ellipsis but got " +
               std::to_string(e.intAttr("ellipsis_mask")));
  return attributes;
}

void stridedSlice(Expansion &e) {
  if (auto attributes = masks(e); !e.failed())
    e.result(0, e.like<nd::StridedSliceOp>(e.inputs(), attributes));
}

void stridedSliceGrad(Expansion &e) {
  if (auto attributes = masks(e); !e.failed())
    e.result(0, e.tensor<nd::StridedSliceGradOp>(e.elementOf(e.input(4)), e.inputs(), attributes));
}

template <bool kConjugate> void transpose(Expansion &e) {
  e.result(0, e.like<nd::TransposeOp>(e.inputs(), e.flag("conjugate", kConjugate)));
}

void pad(Expansion &e) {
  Value zero = e.scalar(e.elementOf(e.input(0)), 0);
  e.result(0, e.like<nd::PadOp>({e.input(0), e.input(1), zero}));
}

void fill(Expansion &e) { e.result(0, e.tensor<nd::FillOp>(e.elementOf(e.input(1)), e.inputs())); }

// TensorFlow leaves the elements as they are in memory unless it is asked for zeros.
void empty(Expansion &e) {
  Type element = e.typeAttr("dtype");
  if (!element)
    return;
  Value zero = isa<nd::StringType>(element) ? text(e, "") : e.scalar(element, 0);
  e.result(0, e.tensor<nd::FillOp>(element, {e.input(0), zero}));
}

constexpr llvm::StringLiteral kMasks =
    "begin_mask end_mask ellipsis_mask new_axis_mask shrink_axis_mask";

constexpr OpExpansion kOps[] = {
    moving({"Pack", handlesOr<packHandles, listOrTensor<packLists, pack>>, Style::kLists, "axis"}),
    moving({"Unpack", listOrTensor<unpackLists, unpack>, Style::kLists, "axis"}),
    moving({"ConcatV2", concat}),
    moving({"Concat", concatAxisFirst}),
    moving({"Split", split}),
    moving({"SplitV", splitV}),
    moving({"Slice", sameElement<nd::SliceOp>}),
    moving({"StridedSlice", firstListOrTensor<sliceLists, stridedSlice>, Style::kLists, kMasks}),
    moving({"StridedSliceGrad", stridedSliceGrad, Style::kPure, kMasks}),
    moving({"Transpose", transpose<false>}),
    moving({"ConjugateTranspose", transpose<true>}),
    moving({"Tile", sameElement<nd::TileOp>}),
    {"Pad", pad},
    {"PadV2", sameElement<nd::PadOp>},
    moving({"Fill", fill}),
    {"Empty", empty, Style::kPure, "init"},
    {"Range", sameElement<nd::RangeOp>},
    moving({"ReverseV2", sameElement<nd::ReverseOp>}),
};

} // namespace

ArrayRef<OpExpansion> layoutOps() { return kOps; }

} // namespace sluice::import
