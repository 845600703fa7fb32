// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Normal random numbers between bounds: TensorFlow's numbers. Robert, "Simulation of truncated
// normal variables". What a distribution takes of the stream is known only once its numbers are
// good, so one after the other is drawn.
#include "runtime/base/arithmetic.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/movement.h"
#include "runtime/kernels/random_stream.h"

#include <algorithm>
#include <utility>

namespace sluice::rt {

namespace {

// The distribution with mean 0 and deviation 1 after it was turned and moved, so that one bound is
// below the mean, or both are above it. Each step is rounded as the type of the elements is.
template <typename T> class Truncated {
public:
  using F = Compute<T>;
  static constexpr size_t kSize = kElementsOfGroup<T>;
  using Group = std::array<F, kSize>;

  static bool isValid(F deviation, F low, F high) {
    return deviation > 0 && low < high && (std::isfinite(low) || std::isfinite(high));
  }
  Truncated(F mean, F deviation, F low, F high) : mean_(mean), deviation_(deviation) {
    if ((std::isinf(low) && low < 0) || high < mean) {
      std::swap(low, high);
      deviation_ = -deviation_;
    }
    low_ = of(of(low - mean) / deviation_);
    high_ = of(of(high - mean) / deviation_);
    square_ = of(low_ * low_);
    root_ = of(std::sqrt(of(square_ + F(4))));
    length_ = of(high_ - low_);
  }

  // Tries the next numbers of the stream: calls take(number) with those that are good, until it
  // says that this was the last one. Whether there was one among so many tries.
  template <typename Take> bool draw(Philox &philox, const Take &take) const {
    const F inside = of(F(1.3));
    if ((low_ < -inside && high_ >= 0) || (high_ > inside && low_ <= 0))
      return drawNormal(philox, take);
    const F exponent = of(of(low_ * of(low_ - root_)) / F(4));
    const F power = of(std::exp(of(F(0.5) + exponent)));
    return length_ < of(of(F(2) * power) / of(low_ + root_)) ? drawUniform(philox, take)
                                                             : drawExponential(philox, take);
  }

private:
  static constexpr int kMostTries = 1000;

  static F of(F x) { return static_cast<F>(T(x)); }
  F result(F normal) const { return of(of(normal * deviation_) + mean_); }

  static Group uniforms(Philox &philox) {
    const Philox::Numbers bits = philox.next();
    Group group;
    for (size_t k = 0; k < kSize; ++k)
      group[k] = static_cast<F>(toUniform<T>(&bits[k * (4 / kSize)]));
    return group;
  }

  template <typename Take> bool drawNormal(Philox &philox, const Take &take) const {
    for (int tries = 0; tries <= kMostTries;) {
      const Philox::Numbers bits = philox.next();
      Group group;
      for (size_t k = 0; k < kSize; k += 2)
        makeNormals(&bits[k], group.data() + k);
      for (F x : group) {
        x = of(x);
        if (x >= low_ && x <= high_) {
          if (!take(result(x)))
            return true;
          tries = 0;
        } else if (++tries > kMostTries) {
          break;
        }
      }
    }
    return false;
  }
  template <typename Take> bool drawUniform(Philox &philox, const Take &take) const {
    const F most = low_ < 0 ? F(0) : square_;
    for (int tries = 0; tries < kMostTries;) {
      const Group places = uniforms(philox), chances = uniforms(philox);
      for (size_t k = 0; k < kSize && tries < kMostTries; ++k) {
        const F x = of(of(places[k] * length_) + low_);
        const F logarithm = of(of(most - of(x * x)) / F(2));
        if (chances[k] > of(std::exp(logarithm)) || std::isnan(logarithm)) {
          ++tries;
          continue;
        }
        if (!take(result(x)))
          return true;
        tries = 0;
      }
    }
    return false;
  }
  template <typename Take> bool drawExponential(Philox &philox, const Take &take) const {
    const F rate = of(of(low_ + root_) / F(2));
    for (int tries = 0; tries < kMostTries;) {
      const Group numbers = uniforms(philox);
      for (size_t k = 0; k < kSize && tries < kMostTries; k += 2) {
        const F x = of(of(-of(std::log(numbers[k])) / rate) + low_);
        const F apart = low_ < rate ? of(rate - x) : of(low_ - rate);
        const F chance = of(std::exp(of(of(-apart * apart) / F(2))));
        if (!(numbers[k + 1] <= chance && x < high_)) {
          ++tries;
          continue;
        }
        if (!take(result(x)))
          return true;
        tries = 0;
      }
    }
    return false;
  }

  F mean_, deviation_, low_, high_, square_, root_, length_;
};

// The samples of a distribution follow each other in the stream, and are apart in the result.
template <typename T> Status boundedRun(KernelCall &call) {
  constexpr int64_t kCostOfDistribution = 2000;
  Tensor &output = call.output(0);
  const int64_t distributions = call.input(2).elements();
  if (output.elements() == 0)
    return okStatus();
  const int64_t samples = output.elements() / distributions;
  Philox philox = positionOf(call).philox();
  T *to = output.data<T>();
  TurnsOfCall turns(kCostOfDistribution + costOfAll(samples, 200));
  for (int64_t i = 0; i < distributions; ++i) {
    if (turns.end())
      return cancelledWork();
    auto at = [&](size_t operand) {
      return static_cast<Compute<T>>(call.input(operand).data<T>()[i]);
    };
    if (!Truncated<T>::isValid(at(3), at(4), at(5)))
      return invalidArgument("Invalid parameters: expected a positive deviation, and bounds of "
                             "which the first one is smaller and one is finite");
    int64_t made = 0;
    auto take = [&](Compute<T> number) {
      to[made * distributions + i] = T(number);
      return ++made < samples;
    };
    if (!Truncated<T>(at(2), at(3), at(4), at(5)).draw(philox, take))
      return Status(Code::kInternal, "no number between the bounds was found in 1000 tries");
  }
  return okStatus();
}

Status boundedShape(ShapeCall &call) {
  for (size_t i = 3; i < call.numInputs(); ++i)
    if (!call.input(2).compatibleWith(call.input(i)))
      return invalidArgument("expected parameters of one shape but got " +
                             call.input(2).toString() + " and " + call.input(i).toString());
  return shapeOfSamples(call);
}
template <typename T> constexpr Kernel sci_random_bounded_normal_kernel() {
  return {boundedShape, boundedRun<T>};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_random_bounded_normal, FLOAT)

} // namespace sluice::rt
