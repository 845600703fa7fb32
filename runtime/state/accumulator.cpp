// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Accumulator: what is added, and what is taken.
#include "runtime/state/accumulator.h"

#include "runtime/base/arithmetic.h"
#include "runtime/state/addition.h"

#include <algorithm>

namespace sluice::rt {

Result<Ref<Accumulator>> Accumulator::make(Options options) {
  return Ref<Accumulator>::adopt(new Accumulator(std::move(options)));
}

Status Accumulator::check(const Options &options) const {
  Options same = options;
  same.title = options_.title;
  if (same == options_)
    return okStatus();
  return invalidArgument("shared " + options_.title +
                         " has been made with another type, shape or reduction: " +
                         std::string(dtypeName(options_.dtype)) + " " + options_.shape.toString());
}

Status Accumulator::checkUse(DType dtype, bool rows) const {
  if (rows != options_.isSparse)
    return invalidArgument(options_.title + (rows ? " takes whole tensors but was asked for rows"
                                                  : " takes rows but was asked for whole tensors"));
  if (dtype != options_.dtype)
    return invalidArgument("expected " + std::string(dtypeName(options_.dtype)) + ", as " +
                           options_.title + " has, but got " + std::string(dtypeName(dtype)));
  return okStatus();
}

static Status shapeMismatch(const Shape &expected, const Shape &got) {
  return invalidArgument("Shape mismatch: expected " + expected.toString() + ", got " +
                         got.toString());
}

// ---- Whole tensors

Status Accumulator::checkShape(const Tensor &gradient) const {
  if (count_ > 0 && !(sum_.shape() == gradient.shape()))
    return shapeMismatch(sum_.shape(), gradient.shape());
  if (!options_.shape.compatibleWith(gradient.shape()))
    return shapeMismatch(options_.shape, gradient.shape());
  return okStatus();
}

Status Accumulator::apply(int64_t step, const Tensor &gradient) {
  SLUICE_RETURN_IF_ERROR(checkUse(gradient.dtype(), false));
  std::unique_lock<std::mutex> lock(mutex_);
  SLUICE_RETURN_IF_ERROR(checkShape(gradient));
  if (step < step_)
    return okStatus();
  if (count_ == 0) {
    sum_ = gradient;
  } else {
    SLUICE_RETURN_IF_ERROR(addInto(sum_, gradient));
  }
  ++count_;
  serveOthers(lock);
  return okStatus();
}

// ---- What is taken

template <typename T> static Status divide(T *elements, int64_t count, int64_t by) {
  T divisor;
  if constexpr (std::is_integral_v<T>)
    divisor = static_cast<T>(by); // of which elements have the last bits
  else
    divisor = static_cast<T>(static_cast<double>(by));
  if (divisor == static_cast<T>(0.0))
    return invalidArgument("there is no mean of so many gradients in elements of this type");
  for (int64_t i = 0; i < count; ++i)
    elements[i] = static_cast<T>(elements[i] / divisor);
  return okStatus();
}

static Status divideElements(Tensor &tensor, int64_t first, int64_t count, int64_t by) {
  switch (tensor.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    return divide(tensor.data<T>() + first, count, by);
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  default:
    return invalidArgument("there is no mean of elements of type " +
                           std::string(dtypeName(tensor.dtype())));
  }
}

class Accumulator::Take final : public Wish {
public:
  Take(Accumulator &accumulator, int64_t count) : accumulator_(accumulator), count_(count) {}
  Outcome attempt(std::span<Tensor> outputs, Status &status) override {
    if (accumulator_.count_ < count_)
      return Outcome::kWaits;
    status = accumulator_.give(outputs);
    return Outcome::kEnded;
  }

private:
  Accumulator &accumulator_;
  int64_t count_;
};

Status Accumulator::give(std::span<Tensor> outputs) {
  if (options_.averages && !sum_.solelyOwned()) {
    SLUICE_ASSIGN_OR_RETURN(sum_, sum_.clone());
  }
  if (options_.averages && !options_.isSparse)
    SLUICE_RETURN_IF_ERROR(divideElements(sum_, 0, sum_.elements(), count_));
  auto rows = static_cast<int64_t>(counts_.size());
  for (int64_t i = 0, width = rows ? sum_.elements() / rows : 0; options_.averages && i < rows; ++i)
    SLUICE_RETURN_IF_ERROR(divideElements(sum_, i * width, width, counts_[static_cast<size_t>(i)]));
  if (options_.isSparse) {
    outputs[2] = dimsOfWhole();
    outputs[1] = std::exchange(sum_, {});
    outputs[0] = Tensor::vector<int64_t>(std::exchange(indices_, {}));
    counts_.clear();
  } else {
    outputs[0] = std::exchange(sum_, {});
  }
  ++step_;
  count_ = 0;
  return okStatus();
}

Tensor Accumulator::dimsOfWhole() const {
  std::vector<int64_t> dims(sum_.shape().dims().begin(), sum_.shape().dims().end());
  dims[0] = options_.shape.rank() > 0 ? options_.shape.dim(0) : Shape::kUnknown;
  return Tensor::vector<int64_t>(dims);
}

Status Accumulator::take(int64_t count, DType dtype, bool rows, Client client) {
  SLUICE_RETURN_IF_ERROR(checkUse(dtype, rows));
  if (count <= 0)
    return invalidArgument("Argument num_required must be positive, but got " +
                           std::to_string(count));
  return ask(0, Take(*this, count), client, "take");
}

Status Accumulator::setStep(int64_t step) {
  std::lock_guard<std::mutex> lock(mutex_);
  step_ = step;
  return okStatus();
}

int64_t Accumulator::count() const {
  std::lock_guard<std::mutex> lock(mutex_);
  return count_;
}

} // namespace sluice::rt
