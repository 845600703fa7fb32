// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "sequence": labels of sequences whose times are not known, and
// how far sequences are from others.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/SparseTensors.h"

#include "dialects/nn/Nn.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Paths through times

void ctcLoss(Expansion &e) {
  Type element = e.elementOf(e.input(0));
  auto op = e.make<nn::CtcLossOp>(
      {unrankedOf(element), unrankedOf(element)}, e.inputs(),
      {e.flag("collapse_repeated", e.boolAttr("preprocess_collapse_repeated")),
       e.flag("merge_repeated", e.boolAttr("ctc_merge_repeated")),
       e.flag("ignore_longer", e.boolAttr("ignore_longer_outputs_than_inputs"))});
  e.result(0, op.getLoss());
  e.result(1, op.getGradient());
}

Value sizeAt(Expansion &e, Value x, int64_t axis) {
  return single(e, part(e, dimsOf(e, x), e.int32(axis), e.int32(1)));
}

// Rows and the greatest number of labels in one, where `isLabel` holds.
Value dimsOfLabels(Expansion &e, Value isLabel) {
  Type i64 = i64Of(e);
  Value counts = e.like<nd::ReduceSumOp>({converted(e, isLabel, i64), e.ints({1})},
                                         e.flag("keep_dims", false));
  Value longest = e.like<nd::ReduceMaxOp>({joined(e, {e.ints({0}, i64), counts}), e.ints({0})},
                                          e.flag("keep_dims", false));
  Value rows = part(e, converted(e, dimsOf(e, isLabel), i64), e.int32(0), e.int32(1));
  return joined(e, {rows, flat(e, longest)});
}

Value elementsAt(Expansion &e, Value x, Value indices) {
  return e.like<nd::GatherNdOp>({x, indices});
}

// Outputs of one kind are neighbours.
void beamSearch(Expansion &e) {
  int64_t width = e.intAttr("beam_width"), paths = e.intAttr("top_paths");
  if (paths > width)
    return e.fail(ExitCode::kBadGraph, "attribute 'top_paths': expected at most " +
                                           std::to_string(width) + ", the 'beam_width', but got " +
                                           std::to_string(paths));
  auto inputs = e.afterAllInputs(e.inputs());
  Type i64 = i64Of(e);
  auto op =
      e.make<nn::CtcBeamSearchOp>({unrankedOf(i64), unrankedOf(e.elementOf(inputs[0]))}, inputs,
                                  {e.number("width", width), e.number("paths", paths),
                                   e.flag("merge_repeated", e.boolAttr("merge_repeated"))});
  Value labels = op.getLabels();
  Value dims = joined(
      e, {e.ints({paths}), flat(e, sizeAt(e, op.getScore(), 0)), flat(e, sizeAt(e, labels, 1))});
  Value all = reshaped(e, labels, dims);
  for (int64_t i = 0; i < paths; ++i) {
    Value rows = gathered(e, all, e.int32(i), e.int32(0));
    Value isLabel = e.compare<nd::GreaterEqualOp>(rows, e.scalar(i64, 0));
    Value indices = e.tensor<nd::WhereOp>(i64, isLabel);
    sparseResult(e, {indices, elementsAt(e, rows, indices), dimsOfLabels(e, isLabel)},
                 static_cast<uint32_t>(i), static_cast<uint32_t>(paths));
  }
  e.result(static_cast<uint32_t>(3 * paths), op.getScore());
}

// The likeliest class of each time.
void greedy(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Value logits = inputs[0], lengths = inputs[1];
  Checks checks(e);
  auto hasRank = [&](Value x, int64_t rank) {
    return e.compare<nd::EqualOp>(rankOf(e, x), e.int32(rank));
  };
  checks.require(hasRank(logits, 3), "inputs is not a 3-Tensor", dimsOf(e, logits));
  checks.require(hasRank(lengths, 1), "sequence_length is not a vector", dimsOf(e, lengths));
  logits = checks.checked(logits), lengths = checks.checked(lengths);
  checks.require(e.compare<nd::EqualOp>(sizeAt(e, logits, 1), sizeAt(e, lengths, 0)),
                 "len(sequence_length) != batch_size", dimsOf(e, lengths));
  checks.require(e.compare<nd::LessEqualOp>(lengths, sizeAt(e, logits, 0)),
                 "sequence lengths must be at most the number of times", lengths);
  const int64_t given = e.intAttr("blank_index");
  const bool isFromEnd = given < 0;
  Type i64 = i64Of(e);
  Value classes = converted(e, sizeAt(e, logits, 2), i64), blank = e.scalar(i64, given);
  checks.require(e.compare<nd::GreaterOp>(classes, e.scalar(i64, isFromEnd ? -given - 1 : given)),
                 "blank_index must be one of the classes", dimsOf(e, logits));
  if (isFromEnd)
    blank = add(e, classes, blank);
  logits = checks.checked(logits), lengths = checks.checked(lengths);
  Value best = e.tensor<nd::ArgMaxOp>(i64, {logits, e.int32(2)});
  Value times = reshaped(e, numbersBelow(e, sizeAt(e, logits, 0)), e.ints({-1, 1}));
  Value isWithin = e.compare<nd::LessOp>(times, lengths);
  Value isLabel = e.like<nd::LogicalAndOp>({isWithin, e.compare<nd::NotEqualOp>(best, blank)});
  if (e.boolAttr("merge_repeated")) {
    auto type = RankedTensorType::get({2, 2}, e.builder().getI32Type());
    Value ahead = nd::ConstantOp::create(e.builder(), e.loc(), type,
                                         DenseIntElementsAttr::get(type, ArrayRef{1, 0, 0, 0}));
    Value before = e.like<nd::PadOp>({best, ahead, e.scalar(i64, -1)});
    before = e.like<nd::SliceOp>({before, e.ints({0, 0}), dimsOf(e, best)});
    isLabel = e.like<nd::LogicalAndOp>({isLabel, e.compare<nd::NotEqualOp>(best, before)});
  }
  Value order = e.ints({1, 0}), ofSequences = transposed(e, isLabel, order);
  Value indices = e.tensor<nd::WhereOp>(i64, ofSequences);
  Value places = e.like<nd::CumsumOp>({converted(e, ofSequences, i64), e.int32(1)},
                                      {e.flag("exclusive", true), e.flag("reverse", false)});
  Value rows = gathered(e, indices, e.int32(0), e.int32(1));
  Value both = e.like<nd::PackOp>({rows, elementsAt(e, places, indices)}, e.number("axis", 1));
  sparseResult(
      e, {both, elementsAt(e, transposed(e, best, order), indices), dimsOfLabels(e, ofSequences)});
  Value most = e.like<nd::ReduceMaxOp>({logits, e.ints({2})}, e.flag("keep_dims", false));
  Value counted = select(e, isWithin, most, constantLike(e, most, 0));
  Value sum = e.like<nd::ReduceSumOp>({counted, e.ints({0})}, e.flag("keep_dims", false));
  e.result(3, reshaped(e, neg(e, sum), e.ints({-1, 1})));
}

// ---- Distances

// Numbers of labels, equal where the labels are.
std::pair<Value, Value> numbersOf(Expansion &e, Value labels, Value others) {
  Type i64 = i64Of(e), element = e.elementOf(labels);
  if (element.isInteger(32) || element.isInteger(64))
    if (!element.isUnsignedInteger())
      return {converted(e, labels, i64), converted(e, others, i64)};
  auto unique = e.make<nd::UniqueOp>({unrankedOf(element), unrankedOf(i64), unrankedOf(i64)},
                                     {joined(e, {labels, others}), e.ints({0})});
  Value all = unique.getPositions(), count = sizeOf(e, labels);
  return {part(e, all, e.int32(0), count), from(e, all, count)};
}

// All dims but the last one tell pairs of sequences apart.
void editDistance(Expansion &e) {
  auto in = e.afterAllInputs(e.inputs());
  SparseTensor given{in[0], in[1], in[2]}, wanted{in[3], in[4], in[5]};
  Checks checks(e);
  requireSparse(checks, e, given);
  requireSparse(checks, e, wanted);
  checks.require(e.compare<nd::EqualOp>(sizeOf(e, given.dims), sizeOf(e, wanted.dims)),
                 "hypothesis and truth must have as many dims", given.dims);
  checks.require(e.compare<nd::GreaterEqualOp>(sizeOf(e, given.dims), e.int32(1)),
                 "hypothesis must have a dim", given.dims);
  given = checked(checks, given), wanted = checked(checks, wanted);
  Value count = sub(e, sizeOf(e, given.dims), e.int32(1));
  auto first = [&](Value dims) { return part(e, dims, e.int32(0), count); };
  Value dims = e.like<nd::MaximumOp>({first(given.dims), first(wanted.dims)});
  auto pairsOf = [&](Value indices) {
    return placesOf(e, columnsOf(e, indices, e.int32(0), count), dims);
  };
  auto [labels, others] = numbersOf(e, given.values, wanted.values);
  Value distances = e.tensor<nn::EditDistanceOp>(
      e.builder().getF32Type(),
      {pairsOf(given.indices), labels, pairsOf(wanted.indices), others, product(e, dims)},
      e.flag("normalized", e.boolAttr("normalize")));
  e.result(0, reshaped(e, distances, dims));
}

constexpr llvm::StringLiteral kLoss =
    "preprocess_collapse_repeated ctc_merge_repeated ignore_longer_outputs_than_inputs";

constexpr OpExpansion kOps[] = {
    {"CTCBeamSearchDecoder", beamSearch, Style::kPure, "beam_width top_paths merge_repeated"},
    {"CTCGreedyDecoder", greedy, Style::kPure, "merge_repeated blank_index"},
    {"CTCLoss", ctcLoss, Style::kPure, kLoss},
    {"EditDistance", editDistance, Style::kPure, "normalize"},
};

} // namespace

ArrayRef<OpExpansion> sequenceOps() { return kOps; }

} // namespace sluice::import
