// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of the nd ops of the family "layout": elements go back to where they came from.
#include "dialects/interfaces/Gradient.h"
#include "dialects/nd/Nd.h"
#include "dialects/nd/SizeArithmetic.h"

using namespace mlir;
using namespace sluice;
using namespace sluice::nd;

// Zeros for a result on which nothing depends.
static Value orZeros(Gradient &gradient, unsigned result) {
  Value known = gradient.ofResult(result);
  return known ? known : gradient.zerosLike(gradient.op()->getResult(result));
}
static SmallVector<Value> allOrZeros(Gradient &gradient) {
  SmallVector<Value> values;
  for (unsigned i = 0; i < gradient.op()->getNumResults(); ++i)
    values.push_back(orZeros(gradient, i));
  return values;
}

// ---- Joined and cut -----------------------------------------------------------------------------

void PackOp::buildGradient(Gradient &gradient) {
  Value value = gradient.ofResult();
  SmallVector<Type> elements(getInputs().size(), Gradient::elementOf(value));
  auto parts = gradient.make<UnpackOp>(elements, value, gradient.number("axis", getAxis()));
  for (unsigned i = 0; i < elements.size(); ++i)
    if (gradient.wants(i))
      gradient.set(i, parts->getResult(i));
}

void UnpackOp::buildGradient(Gradient &gradient) {
  gradient.set(0, gradient.like<PackOp>(allOrZeros(gradient), gradient.number("axis", getAxis())));
}

// Where the parts of a concatenation begin, if types tell.
static std::optional<SmallVector<Value>> knownOffsets(Gradient &gradient, ConcatOp op) {
  auto axis = constantInts(op.getAxis());
  if (!axis || axis->size() != 1)
    return std::nullopt;
  SmallVector<Value> offsets;
  int64_t offset = 0;
  for (Value input : op.getInputs()) {
    auto type = dyn_cast<RankedTensorType>(input.getType());
    if (!type)
      return std::nullopt;
    int64_t at = axis->front() < 0 ? axis->front() + type.getRank() : axis->front();
    if (at < 0 || at >= type.getRank() || type.isDynamicDim(static_cast<unsigned>(at)))
      return std::nullopt;
    Ints begin(static_cast<size_t>(type.getRank()), 0);
    begin[static_cast<size_t>(at)] = offset;
    offsets.push_back(gradient.ints(begin));
    offset += type.getDimSize(static_cast<unsigned>(at));
  }
  return offsets;
}

void ConcatOp::buildGradient(Gradient &gradient) {
  SmallVector<Value> shapes;
  for (Value input : getInputs())
    shapes.push_back(gradient.shapeOf(input));
  std::optional<SmallVector<Value>> offsets = knownOffsets(gradient, *this);
  if (!offsets) {
    SmallVector<Value> operands{getAxis()};
    operands.append(shapes);
    SmallVector<Type> types(shapes.size(), gradient.builder().getI64Type());
    offsets.emplace(gradient.make<ConcatOffsetOp>(types, operands)->getResults());
  }
  for (unsigned i = 0; i < shapes.size(); ++i)
    if (gradient.wants(i))
      gradient.set(i, gradient.like<SliceOp>({gradient.ofResult(), (*offsets)[i], shapes[i]}));
}

static void buildGradientOfSplit(Gradient &gradient, Value axis) {
  SmallVector<Value> operands = allOrZeros(gradient);
  operands.push_back(axis);
  gradient.set(0, gradient.like<ConcatOp>(operands));
}
void SplitOp::buildGradient(Gradient &gradient) { buildGradientOfSplit(gradient, getAxis()); }
void SplitVOp::buildGradient(Gradient &gradient) { buildGradientOfSplit(gradient, getAxis()); }

// ---- Boxes --------------------------------------------------------------------------------------

void SliceOp::buildGradient(Gradient &gradient) {
  Value before = sizes(gradient, getBegin());
  Value rest = difference(gradient, gradient.shapeOf(getInput()), before);
  Value after = difference(gradient, rest, gradient.shapeOf(getResult()));
  Value value = gradient.ofResult();
  Value zero = gradient.scalar(Gradient::elementOf(value), 0);
  gradient.set(0, gradient.like<PadOp>({value, columns(gradient, before, after), zero}));
}

// Summed over what the padding put there.
static Value sumOfPadding(Gradient &gradient, PadOp pad) {
  Type truth = gradient.builder().getI1Type();
  Value no =
      gradient.one<FillOp>(truth, {gradient.shapeOf(pad.getInput()), gradient.scalar(truth, 0)});
  Value isPadding = gradient.one<PadOp>(truth, {no, pad.getPaddings(), gradient.scalar(truth, 1)});
  Value sum = sumOfAll(gradient, whereHolds(gradient, isPadding, gradient.ofResult()));
  return gradient.reshapedLike(sum, pad.getValue());
}

static Value firstColumn(Gradient &gradient, Value matrix) {
  if (auto known = constantInts(matrix)) {
    Ints first;
    for (size_t i = 0; i < known->size(); i += 2)
      first.push_back((*known)[i]);
    return gradient.ints(first);
  }
  Type type = Gradient::elementOf(matrix);
  return gradient.make<UnpackOp>({type, type}, matrix, gradient.number("axis", 1))->getResult(0);
}

void PadOp::buildGradient(Gradient &gradient) {
  if (gradient.wants(0))
    gradient.set(0,
                 gradient.like<SliceOp>({gradient.ofResult(), firstColumn(gradient, getPaddings()),
                                         gradient.shapeOf(getInput())}));
  if (gradient.wants(2))
    gradient.set(2, sumOfPadding(gradient, *this));
}

template <typename OpT> static SmallVector<NamedAttribute> masksOf(Gradient &gradient, OpT op) {
  auto mask = [&](StringRef name, uint64_t bits) {
    return gradient.number(name, static_cast<int64_t>(bits));
  };
  return {mask("begin_mask", op.getBeginMask()), mask("end_mask", op.getEndMask()),
          mask("ellipsis_mask", op.getEllipsisMask()), mask("new_axis_mask", op.getNewAxisMask()),
          mask("shrink_axis_mask", op.getShrinkAxisMask())};
}

void StridedSliceOp::buildGradient(Gradient &gradient) {
  Value value = gradient.ofResult();
  gradient.set(0, gradient.one<StridedSliceGradOp>(
                      Gradient::elementOf(value),
                      {gradient.shapeOf(getInput()), getBegin(), getEnd(), getStrides(), value},
                      masksOf(gradient, *this)));
}

void StridedSliceGradOp::buildGradient(Gradient &gradient) {
  gradient.set(
      4, gradient.like<StridedSliceOp>({gradient.ofResult(), sizes(gradient, getBegin()),
                                        sizes(gradient, getEnd()), sizes(gradient, getStrides())},
                                       masksOf(gradient, *this)));
}

// ---- Moved and repeated -------------------------------------------------------------------------

static Value inverseOf(Gradient &gradient, Value permutation) {
  auto known = constantInts(permutation);
  if (!known)
    return gradient.like<InvertPermutationOp>(permutation);
  auto rank = static_cast<int64_t>(known->size());
  Ints inverse(known->size(), -1);
  for (auto [to, from] : llvm::enumerate(*known))
    if (int64_t axis = from < 0 ? from + rank : from; axis >= 0 && axis < rank)
      inverse[static_cast<size_t>(axis)] = static_cast<int64_t>(to);
  return gradient.ints(inverse);
}

void TransposeOp::buildGradient(Gradient &gradient) {
  gradient.set(
      0, gradient.like<TransposeOp>({gradient.ofResult(), inverseOf(gradient, getPermutation())},
                                    gradient.flag("conjugate", getConjugate())));
}

// Each dim becomes two, of which the first one says which repetition it is.
void TileOp::buildGradient(Gradient &gradient) {
  Value dims = flat(
      gradient, columns(gradient, sizes(gradient, getMultiples()), gradient.shapeOf(getInput())));
  Value axes;
  if (auto ranked = dyn_cast<RankedTensorType>(getInput().getType())) {
    Ints even;
    for (int64_t i = 0; i < ranked.getRank(); ++i)
      even.push_back(2 * i);
    axes = gradient.ints(even);
  } else {
    Value rank = numbersBelow(gradient, rankOf(gradient, getInput()));
    axes = gradient.like<MulOp>({rank, gradient.int64(2)});
  }
  Value repetitions = gradient.like<ReshapeOp>({gradient.ofResult(), dims});
  gradient.set(0,
               gradient.like<ReduceSumOp>({repetitions, axes}, gradient.flag("keep_dims", false)));
}

void FillOp::buildGradient(Gradient &gradient) {
  gradient.set(1, sumOfAll(gradient, gradient.ofResult()));
}

// The limit only says how many there are.
void RangeOp::buildGradient(Gradient &gradient) {
  Value value = gradient.ofResult();
  if (gradient.wants(0))
    gradient.set(0, gradient.reshapedLike(sumOfAll(gradient, value), getStart()));
  if (!gradient.wants(2))
    return;
  Value steps = gradient.one<CastOp>(Gradient::elementOf(value),
                                     numbersBelow(gradient, gradient.shapeOf(value)));
  Value sum = sumOfAll(gradient, gradient.like<MulOp>({value, steps}));
  gradient.set(2, gradient.reshapedLike(sum, getDelta()));
}

void ReverseOp::buildGradient(Gradient &gradient) {
  gradient.set(0, gradient.like<ReverseOp>({gradient.ofResult(), getAxes()}));
}
