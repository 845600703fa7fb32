// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms of the last dims of tensors, of complex and of real numbers.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/sci.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/fourier.h"

namespace sluice::rt {

namespace {

using Number = FourierPlan::Number;

Status checkTransformed(const Shape &shape, int64_t dims) {
  if (shape.hasRank() && shape.rank() < dims)
    return invalidArgument(format("Input must have rank of at least %lld but got: %s",
                                  static_cast<long long>(dims), shape.toString().c_str()));
  return okStatus();
}

// Memory of one line, on one thread.
struct Line {
  explicit Line(const FourierPlan &plan)
      : plan(plan), numbers(plan.scratchSize()), scratch(plan.scratchSize()) {}
  void transform() { plan.transform(numbers.data(), scratch.data()); }
  Number &operator[](int64_t k) { return numbers[static_cast<size_t>(k)]; }

  const FourierPlan &plan;
  std::vector<Number> numbers, scratch;
};

Number swapped(Number x) { return {x.imag(), x.real()}; }

// function(line, begin, end) for lines, as many as there are.
template <typename Function>
void forLines(int64_t lines, const FourierPlan &plan, const Function &function) {
  forPieces(lines, plan.cost(), [&](int64_t begin, int64_t end) {
    Line line(plan);
    for (int64_t i = begin; i < end && !Cancellation::requestedHere(); ++i)
      function(line, i);
  });
}

// Along one axis, in place.
template <typename C> void transformAxis(C *data, const Shape &shape, int axis, bool inverse) {
  const int64_t length = shape.dim(axis), inner = elementsBetween(shape, axis + 1, shape.rank());
  const FourierPlan plan(length);
  const double scale = inverse ? 1.0 / static_cast<double>(length) : 1;
  forLines(elementsBetween(shape, 0, axis) * inner, plan, [=](Line &line, int64_t i) {
    C *first = data + i / inner * length * inner + i % inner;
    for (int64_t k = 0; k < length; ++k)
      line[k] = inverse ? swapped(Number(first[k * inner])) : Number(first[k * inner]);
    line.transform();
    for (int64_t k = 0; k < length; ++k)
      first[k * inner] = C((inverse ? swapped(line[k]) : line[k]) * scale);
  });
}

// All of the last dims but `without`.
template <typename C>
void transformAxes(Tensor &tensor, int64_t dims, bool inverse, int64_t without) {
  const Shape &shape = tensor.shape();
  for (auto axis = static_cast<int>(shape.rank() - 1 - without); axis >= shape.rank() - dims;
       --axis)
    transformAxis(tensor.data<C>(), shape, axis, inverse);
}

// ---- Complex numbers ----------------------------------------------------------------------------

Status fftShape(ShapeCall &call) {
  call.output(0) = call.input(0);
  return checkTransformed(call.input(0), attributes::sci::Fft(call).dims());
}

Status fftRun(KernelCall &call) {
  Tensor &output = call.output(0);
  if (output.elements() == 0)
    return okStatus();
  attributes::sci::Fft attributes(call);
  copyInPieces(output.raw(), call.input(0).raw(), output.bytes());
  if (output.dtype() == DType::kC64)
    transformAxes<std::complex<float>>(output, attributes.dims(), attributes.inverse(), 0);
  else
    transformAxes<std::complex<double>>(output, attributes.dims(), attributes.inverse(), 0);
  return okStatus();
}

uint64_t transformWork(const KernelCall &call) {
  constexpr uint64_t kPerElement = 500; // some twenty bits of a size, and a few steps for each
  return kPerElement * static_cast<uint64_t>(call.input(0).elements());
}

// ---- Real numbers -------------------------------------------------------------------------------

// How many of so many elements a transform of real numbers has.
int64_t halfOf(int64_t length) { return length == 0 ? 0 : length / 2 + 1; }

Status checkLengths(const Shape &length, int64_t dims) {
  if (!length.hasRank() || length.compatibleWith(Shape{dims}))
    return okStatus();
  return invalidArgument(format("fft_length must have shape [%lld] but got %s",
                                static_cast<long long>(dims), length.toString().c_str()));
}

// The shape of `input` with the sizes of the real side, or of the other one, in the last dims.
// `isHalf` says which of them the result is, `needsHalf` which the input.
Status realShape(ShapeCall &call, int64_t dims, bool inverse) {
  const Shape &input = call.input(0);
  SLUICE_RETURN_IF_ERROR(checkTransformed(input, dims));
  SLUICE_RETURN_IF_ERROR(checkLengths(call.input(1), dims));
  call.output(0) = Shape::unknownRank();
  if (!input.hasRank())
    return okStatus();
  Shape result = input;
  for (int64_t i = 0; i < dims; ++i) {
    const int axis = static_cast<int>(input.rank() - dims + i);
    result.setDim(axis, Shape::kUnknown);
    if (!call.value(1))
      continue;
    const int64_t length = call.value(1)->asInt(i);
    if (length < 0)
      return invalidArgument(format("fft_length[%lld] must >= 0, but got: %lld",
                                    static_cast<long long>(i), static_cast<long long>(length)));
    const bool isLast = i + 1 == dims;
    const int64_t needed = isLast && inverse ? halfOf(length) : length;
    if (input.dim(axis) >= 0 && input.dim(axis) < needed)
      return invalidArgument(
          format("Input dimension %d must have length of at least %lld but got: %lld", axis,
                 static_cast<long long>(needed), static_cast<long long>(input.dim(axis))));
    result.setDim(axis, isLast && !inverse ? halfOf(length) : length);
  }
  call.output(0) = result;
  return okStatus();
}

// Where in `larger` the line `i` along the last axis begins that `smaller` has as well; both have
// the same rank.
int64_t lineIn(const Shape &larger, const Shape &smaller, int64_t i) {
  int64_t at = 0, step = larger.dim(larger.rank() - 1);
  for (int axis = smaller.rank() - 2; axis >= 0; --axis) {
    at += i % smaller.dim(axis) * step;
    i /= smaller.dim(axis);
    step *= larger.dim(axis);
  }
  return at;
}

int64_t lastLength(const KernelCall &call) {
  return call.input(1).asInt(call.input(1).elements() - 1);
}

template <typename R> void rfft(KernelCall &call, int64_t dims) {
  const Tensor &input = call.input(0);
  Tensor &output = call.output(0);
  const Shape &from = input.shape(), &shape = output.shape();
  const FourierPlan plan(lastLength(call));
  const int64_t half = shape.dim(shape.rank() - 1);
  forLines(output.elements() / half, plan, [&](Line &line, int64_t i) {
    const R *x = input.data<R>() + lineIn(from, shape, i);
    for (int64_t k = 0; k < plan.length(); ++k)
      line[k] = x[k];
    line.transform();
    auto *y = output.data<std::complex<R>>() + i * half;
    for (int64_t k = 0; k < half; ++k)
      y[k] = std::complex<R>(line[k]);
  });
  transformAxes<std::complex<R>>(output, dims, false, 1);
}

template <typename R> Status irfft(KernelCall &call, int64_t dims) {
  const Tensor &input = call.input(0);
  Tensor &output = call.output(0);
  const FourierPlan plan(lastLength(call));
  const int64_t length = plan.length(), half = halfOf(length);
  Shape shape = output.shape();
  shape.setDim(shape.rank() - 1, half);
  SLUICE_ASSIGN_OR_RETURN(Tensor lines, Tensor::allocate(input.dtype(), shape));
  auto *numbers = lines.data<std::complex<R>>();
  const int64_t count = output.elements() / length;
  forPieces(count, costOfAll(half, sizeof(*numbers)), [&](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      std::copy_n(input.data<std::complex<R>>() + lineIn(input.shape(), shape, i), half,
                  numbers + i * half);
  });
  transformAxes<std::complex<R>>(lines, dims, true, 1);
  // The other half is the conjugate one. Backwards as transformAxis, of which the imaginary part,
  // the real one here, is all that counts.
  const double scale = 1.0 / static_cast<double>(length);
  forLines(count, plan, [&](Line &line, int64_t i) {
    const std::complex<R> *x = numbers + i * half;
    for (int64_t k = 0; k < half && k < length; ++k)
      line[k] = swapped(Number(x[k]));
    for (int64_t k = half; k < length; ++k)
      line[k] = swapped(std::conj(Number(x[length - k])));
    for (int64_t k : {int64_t{0}, length / 2})
      if (2 * k % length == 0)
        line[k] = {0, x[k].real()};
    line.transform();
    for (int64_t k = 0; k < length; ++k)
      output.data<R>()[i * length + k] = static_cast<R>(line[k].imag() * scale);
  });
  return okStatus();
}

Status rfftShape(ShapeCall &call) {
  return realShape(call, attributes::sci::Rfft(call).dims(), false);
}
Status rfftRun(KernelCall &call) {
  if (call.output(0).elements() == 0)
    return okStatus();
  const int64_t dims = attributes::sci::Rfft(call).dims();
  if (call.input(0).dtype() == DType::kF32)
    rfft<float>(call, dims);
  else
    rfft<double>(call, dims);
  return okStatus();
}

Status irfftShape(ShapeCall &call) {
  return realShape(call, attributes::sci::Irfft(call).dims(), true);
}
Status irfftRun(KernelCall &call) {
  if (call.output(0).elements() == 0)
    return okStatus();
  const int64_t dims = attributes::sci::Irfft(call).dims();
  return call.output(0).dtype() == DType::kF32 ? irfft<float>(call, dims)
                                               : irfft<double>(call, dims);
}

} // namespace

SLUICE_DEFINE_KERNEL(sci_fft, {fftShape, fftRun, Kernel::kNone, nullptr, transformWork})
SLUICE_DEFINE_KERNEL(sci_rfft, {rfftShape, rfftRun, Kernel::kNone, nullptr, transformWork})
SLUICE_DEFINE_KERNEL(sci_irfft, {irfftShape, irfftRun, Kernel::kNone, nullptr, transformWork})

} // namespace sluice::rt
