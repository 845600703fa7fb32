// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "parts": parts of complex numbers, and places of values among
// others.
#include "compiler/import/tensorflow/Arithmetic.h"
#include "compiler/import/tensorflow/Checks.h"

#include "dialects/sci/Sci.h"

using namespace mlir;

namespace sluice::import {

namespace {

// ---- Complex numbers

// Whether the floats are of the type of the parts; TensorFlow has nothing else either.
bool arePartsOf(Expansion &e, Type complex, Type part) {
  if (cast<ComplexType>(complex).getElementType() == part)
    return true;
  e.unsupported("attribute 'Tout': expected the type of the parts");
  return false;
}

// The real part is what a cast leaves.
template <typename OpT> void partOfComplex(Expansion &e) {
  if (arePartsOf(e, e.elementOf(e.input(0)), e.resultElement(0)))
    e.result(0, e.tensor<OpT>(e.resultElement(0), e.input(0)));
}

void complexOf(Expansion &e) {
  if (arePartsOf(e, e.resultElement(0), e.elementOf(e.input(0))))
    e.result(0, e.tensor<sci::ComplexOp>(e.resultElement(0), e.inputs()));
}

void conjugate(Expansion &e) { e.result(0, conjugated(e, e.input(0))); }

void angle(Expansion &e) {
  Type part = e.resultElement(0);
  if (!arePartsOf(e, e.elementOf(e.input(0)), part))
    return;
  Value real = e.tensor<nd::CastOp>(part, e.input(0));
  e.result(0, e.like<sci::Atan2Op>({e.tensor<sci::ImaginaryOp>(part, e.input(0)), real}));
}

// ---- Along an axis

void cumulativeLogsumexp(Expansion &e) {
  e.result(0, e.like<sci::CumulativeLogsumexpOp>({e.input(0), e.input(1)},
                                                 {e.flag("exclusive", e.boolAttr("exclusive")),
                                                  e.flag("reverse", e.boolAttr("reverse"))}));
}

// The n-th smallest, counted from 0, is the last of those that are not among the n smallest.
void nthElement(Expansion &e) {
  Value x = e.input(0), n = e.input(1), one = e.int32(1);
  Value count =
      e.boolAttr("reverse") ? add(e, n, one) : sub(e, sizeFromEnd(e, dimsOf(e, x), -1), n);
  auto best = e.make<nd::TopKOp>({unrankedOf(e.elementOf(x)), unrankedOf(e.builder().getI32Type())},
                                 {x, count});
  e.result(0, gathered(e, best.getValues(), sub(e, count, one), e.int32(-1)));
}

// ---- Places

bool areReal(Expansion &e, Type type) {
  if (isa<FloatType>(type) || (isa<IntegerType>(type) && !type.isInteger(1)))
    return true;
  e.unsupported("expected real numbers, for others have no order here");
  return false;
}

Value placesOf(Expansion &e, Value sorted, Value values, bool afterEquals, Type type) {
  return e.tensor<sci::SearchSortedOp>(type, {sorted, values}, e.flag("after_equals", afterEquals));
}

template <bool kAfterEquals> void bound(Expansion &e) {
  if (areReal(e, e.elementOf(e.input(0))))
    e.result(0, placesOf(e, e.input(0), e.input(1), kAfterEquals, e.resultElement(0)));
}

// Integers are compared as f32, since boundaries are.
void bucketize(Expansion &e) {
  const auto &given = e.attribute("boundaries")->list().f();
  if (!std::is_sorted(given.begin(), given.end()))
    return e.fail(ExitCode::kBadGraph, "attribute 'boundaries': expected numbers in rising order");
  bool isWide = e.elementOf(e.input(0)).isF64();
  Type type = isWide ? Type(e.builder().getF64Type()) : e.builder().getF32Type();
  SmallVector<APFloat> numbers;
  for (float number : given)
    numbers.push_back(isWide ? APFloat(static_cast<double>(number)) : APFloat(number));
  auto vector = RankedTensorType::get({static_cast<int64_t>(numbers.size())}, type);
  Value boundaries =
      nd::ConstantOp::create(e.builder(), e.loc(), vector, DenseElementsAttr::get(vector, numbers));
  Value x = e.afterAllInputs(e.inputs())[0];
  Value values = flat(e, converted(e, x, type));
  Value places = placesOf(e, boundaries, values, true, e.builder().getI32Type());
  e.result(0, reshaped(e, places, dimsOf(e, x)));
}

// ---- Numbers at equal distances, and in bins of equal width

Value lessThan(Expansion &e, Value a, Value b) { return e.compare<nd::LessOp>(a, b); }

// Nothing flows back through it. The last number is `stop` itself.
void linSpace(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Checks checks(e);
  for (Value input : inputs)
    checks.require(e.compare<nd::EqualOp>(rankOf(e, input), e.int32(0)),
                   "start, stop and num must be scalars", dimsOf(e, input));
  Value num = checks.checked(inputs[2]), one = constantLike(e, num, 1);
  checks.require(lessThan(e, constantLike(e, num, 0), num), "num must be positive", num);
  Value start = e.like<nd::StopGradientOp>(checks.checked(inputs[0]));
  Value stop = e.like<nd::StopGradientOp>(checks.checked(inputs[1]));
  num = checks.checked(inputs[2]);
  Type type = e.elementOf(start);
  Value steps = e.like<nd::MaximumOp>({sub(e, num, one), one});
  Value step = div(e, sub(e, stop, start), converted(e, steps, type));
  Value at = numbersBelow(e, num);
  Value numbers = add(e, start, mul(e, step, converted(e, at, type)));
  // The ends are what is given, however large the steps are.
  numbers = select(e, e.compare<nd::EqualOp>(at, constantLike(e, at, 0)), start, numbers);
  e.result(0, select(e, e.compare<nd::EqualOp>(at, steps), stop, numbers));
}

void histogramFixedWidth(Expansion &e) {
  auto inputs = e.afterAllInputs(e.inputs());
  Checks checks(e);
  checks.require(e.compare<nd::EqualOp>(dimsOf(e, inputs[1]), e.ints({2})),
                 "value_range must be a vector of two elements", dimsOf(e, inputs[1]));
  checks.require(e.compare<nd::EqualOp>(rankOf(e, inputs[2]), e.int32(0)), "nbins must be a scalar",
                 dimsOf(e, inputs[2]));
  Value range = checks.checked(inputs[1]), bins = checks.checked(inputs[2]);
  Value low = single(e, part(e, range, e.int32(0), e.int32(1)));
  Value high = single(e, part(e, range, e.int32(1), e.int32(1)));
  checks.require(lessThan(e, low, high), "value_range must rise", range);
  checks.require(lessThan(e, e.int32(0), bins), "nbins must be positive", bins);
  if (isa<FloatType>(e.elementOf(inputs[0])))
    checks.require(e.like<nd::LogicalOrOp>({e.compare<nd::EqualOp>(inputs[0], inputs[0]),
                                            e.compare<nd::EqualOp>(bins, e.int32(1))}),
                   "Histogram values must not contain NaN", inputs[0]);
  bins = checks.checked(bins);
  Type f64 = e.builder().getF64Type(), i32 = e.builder().getI32Type();
  Value x = flat(e, checks.checked(inputs[0]));
  Value from = converted(e, low, f64);
  Value width = div(e, sub(e, converted(e, high, f64), from), converted(e, bins, f64));
  Value distance = sub(e, converted(e, e.like<nd::MaximumOp>({x, low}), f64), from);
  Value last = converted(e, sub(e, bins, e.int32(1)), f64);
  Value places = converted(e, e.like<nd::MinimumOp>({div(e, distance, width), last}), i32);
  Value ones = filled(e, flat(e, sizeOf(e, x)), e.scalar(e.resultElement(0), 1));
  e.result(0, e.like<nd::UnsortedSegmentSumOp>({ones, places, bins}));
}

// ---- Slices of one row each, which are joined

// The shape of the result tells what inputs are like, where it is known.
void parallelConcat(Expansion &e) {
  Checks checks(e);
  auto inputs = e.afterAllInputs(e.inputs());
  auto type = dyn_cast<RankedTensorType>(e.shapeAttr("shape", e.elementOf(e.input(0))));
  if (type && type.hasStaticShape()) {
    SmallVector<int64_t> dims(type.getShape());
    if (dims.empty() || dims[0] != static_cast<int64_t>(e.numInputs()))
      return e.fail(ExitCode::kBadGraph, "attribute 'shape': expected a first dim of " +
                                             std::to_string(e.numInputs()) +
                                             ", which is how many inputs there are");
    dims[0] = 1;
    for (Value input : inputs)
      checks.require(e.compare<nd::EqualOp>(dimsOf(e, input), e.ints(dims)),
                     "values must have the dims of the result, of which the first is 1",
                     dimsOf(e, input));
  }
  SmallVector<Value> operands;
  for (Value input : inputs)
    operands.push_back(checks.checked(input));
  operands.push_back(e.int32(0));
  e.result(0, e.like<nd::ConcatOp>(operands));
}

constexpr OpExpansion kOps[] = {
    {"Real", partOfComplex<nd::CastOp>},
    {"Imag", partOfComplex<sci::ImaginaryOp>},
    {"ComplexAbs", partOfComplex<sci::MagnitudeOp>},
    {"Complex", complexOf},
    {"Conj", conjugate},
    composite({"Angle", angle}),
    {"CumulativeLogsumexp", cumulativeLogsumexp, Style::kPure, "exclusive reverse"},
    composite({"NthElement", nthElement, Style::kPure, "reverse"}),
    {"LowerBound", bound<false>},
    {"UpperBound", bound<true>},
    {"Bucketize", bucketize, Style::kPure, "boundaries"},
    {"LinSpace", linSpace},
    {"HistogramFixedWidth", histogramFixedWidth},
    {"ParallelConcat", parallelConcat, Style::kPure, "shape"},
};

} // namespace

ArrayRef<OpExpansion> partsOps() { return kOps; }

} // namespace sluice::import
