// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random numbers that are drawn until one is good: of gamma, Poisson and binomial distributions.
// They are TensorFlow's numbers, as far as the C library's logarithms let them. A sample has a part
// of the stream for itself, wherever and whenever it is made.
#include "runtime/base/arithmetic.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/random_stream.h"

namespace sluice::rt {

namespace {

// ---- Numbers of a stream ------------------------------------------------------------------------

// Groups become two numbers each, of which the second is taken first.
class Draws {
public:
  explicit Draws(const Philox &philox) : philox_(philox) {}
  double uniform() {
    if (uniforms_ == 0) {
      const Philox::Numbers bits = philox_.next();
      uniform_[0] = toUniform<double>(&bits[0]);
      uniform_[1] = toUniform<double>(&bits[2]);
      uniforms_ = 2;
    }
    return uniform_[--uniforms_];
  }
  double normal() {
    if (normals_ == 0) {
      const Philox::Numbers bits = philox_.next();
      makeNormals<double>(bits.data(), normal_);
      normals_ = 2;
    }
    return normal_[--normals_];
  }

private:
  Philox philox_;
  double uniform_[2], normal_[2];
  int uniforms_ = 0, normals_ = 0;
};

constexpr int64_t kCostOfDrawn = 800;

// Calls draw(distribution, sample of the stream): the samples of a distribution follow each other
// in the stream, and are apart in the result.
template <typename T, typename Draw> void fillDrawn(KernelCall &call, const Draw &draw) {
  Tensor &output = call.output(0);
  const int64_t distributions = call.input(2).elements(), all = output.elements();
  if (all == 0)
    return;
  const int64_t samples = all / distributions;
  T *to = output.data<T>();
  forPieces(all, kCostOfDrawn, [=](int64_t begin, int64_t end) {
    for (int64_t i = begin; i < end; ++i)
      to[i % samples * distributions + i / samples] = draw(i / samples, i);
  });
}

Philox streamOfSample(const StreamPosition &position, int64_t sample,
                      uint64_t groups = kGroupsPerElement) {
  Philox philox = position.philox();
  philox.skip(static_cast<uint64_t>(sample) * groups);
  return philox;
}

template <typename T> T numberOf(double x) {
  if constexpr (std::is_integral_v<T>)
    return x >= static_cast<double>(std::numeric_limits<T>::max()) ? std::numeric_limits<T>::max()
           : x > 0                                                 ? static_cast<T>(x)
                                                                   : T(0); // also NaN
  else
    return static_cast<T>(static_cast<Compute<T>>(x));
}

// The largest that a draw may give.
template <typename T> double largest() {
  if constexpr (std::is_integral_v<T>)
    return static_cast<double>(std::numeric_limits<T>::max());
  else if constexpr (std::is_same_v<T, Half>)
    return 65504;
  else if constexpr (std::is_same_v<T, double>)
    return std::numeric_limits<double>::max();
  else
    return std::numeric_limits<float>::max();
}

// ---- Gamma --------------------------------------------------------------------------------------

// Marsaglia and Tsang, "A simple method for generating gamma variables".

double drawGamma(double alpha, Draws draws) {
  if (alpha == 1)
    return -std::log1p(-draws.uniform());
  const bool isSmall = alpha < 1;
  const double d = alpha + (isSmall ? 2.0 / 3 : -1.0 / 3), c = 1.0 / 3 / std::sqrt(d);
  while (true) {
    const double x = draws.normal(), root = 1 + c * x;
    if (root <= 0)
      continue;
    const double v = root * root * root, u = draws.uniform();
    // Most are good by the first inequality, which needs no logarithms.
    if (u < 1 - 0.0331 * (x * x) * (x * x) || std::log(u) < 0.5 * x * x + d * (1 - v + std::log(v)))
      return isSmall ? d * v * std::pow(draws.uniform(), 1 / alpha) : d * v;
  }
}

template <typename T> Status gammaRun(KernelCall &call) {
  const T *alphas = call.input(2).data<T>();
  const StreamPosition position = positionOf(call);
  fillDrawn<T>(call, [=](int64_t i, int64_t sample) {
    const double alpha = static_cast<Compute<T>>(alphas[i]);
    return numberOf<T>(drawGamma(alpha, Draws(streamOfSample(position, sample))));
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_random_gamma_kernel() {
  return {shapeOfSamples, gammaRun<T>};
}

// ---- Poisson ------------------------------------------------------------------------------------

// Many events by Hörmann, "The transformed rejection method for generating Poisson variables".

// By the times between events.
double drawFewEvents(double rate, Draws draws) {
  const double least = std::exp(-rate);
  double product = 1;
  for (double events = 0;; events += 1) {
    product *= draws.uniform();
    if (product <= least)
      return events;
  }
}

double drawManyEvents(double rate, double most, Draws draws) {
  const double logOfRate = std::log(rate);
  const double b = 0.931 + 2.53 * std::sqrt(rate), a = -0.059 + 0.02483 * b;
  const double inverseAlpha = 1.1239 + 1.1328 / (b - 3.4);
  while (true) {
    const double u = draws.uniform() - 0.5, v = draws.uniform(), shifted = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / shifted + b) * u + rate + 0.43);
    if (k > most)
      continue;
    if (shifted >= 0.07 && v <= 0.9277 - 3.6224 / (b - 2))
      return k;
    if (k < 0 || (shifted < 0.013 && v > shifted))
      continue;
    int sign;
    if (std::log(v * inverseAlpha / (a / (shifted * shifted) + b)) <=
        -rate + k * logOfRate - ::lgamma_r(k + 1, &sign))
      return k;
  }
}

template <typename T> Status poissonRun(KernelCall &call) {
  auto *rates = call.input(2).data<double>();
  const StreamPosition position = positionOf(call);
  fillDrawn<T>(call, [=](int64_t i, int64_t sample) {
    const double rate = rates[i], most = largest<T>();
    if (!(rate <= most)) // no draw would be good
      return numberOf<T>(rate);
    const Draws draws(streamOfSample(position, sample));
    return numberOf<T>(rate < 10 ? drawFewEvents(rate, draws) : drawManyEvents(rate, most, draws));
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_random_poisson_kernel() {
  return {shapeOfSamples, poissonRun<T>};
}

// ---- Binomial -----------------------------------------------------------------------------------

// Many hits by Hörmann, "The generation of binomial random variates".

// By the lengths of runs of failures.
double drawFewHits(double count, double chance, Draws draws) {
  double tries = 0, hits = 0;
  while (true) {
    tries += std::ceil(std::log(draws.uniform()) / std::log1p(-chance));
    if (!(tries <= count))
      return hits;
    hits += 1;
  }
}

// What Stirling's formula leaves of the logarithm of a factorial.
double restOfStirling(double k) {
  static constexpr double kFirst[] = {0.0810614667953272,  0.0413406959554092, 0.0276779256849983,
                                      0.02079067210376509, 0.0166446911898211, 0.0138761288230707,
                                      0.0118967099458917,  0.0104112652619720, 0.00925546218271273,
                                      0.00833056343336287};
  if (k <= 9)
    return kFirst[static_cast<int>(k)];
  const double square = (k + 1) * (k + 1);
  return (1.0 / 12 - (1.0 / 360 - 1.0 / 1260 / square) / square) / (k + 1);
}

double drawManyHits(double count, double chance, Draws draws) {
  const double deviation = std::sqrt(count * chance * (1 - chance));
  const double b = 1.15 + 2.53 * deviation, a = -0.0873 + 0.0248 * b + 0.01 * chance;
  const double center = count * chance + 0.5, ratio = chance / (1 - chance);
  const double alpha = (2.83 + 5.1 / b) * deviation, mode = std::floor((count + 1) * chance);
  while (true) {
    const double u = draws.uniform() - 0.5, v = draws.uniform(), shifted = 0.5 - std::abs(u);
    const double k = std::floor((2 * a / shifted + b) * u + center);
    if (shifted >= 0.07 && v <= 0.92 - 4.2 / b)
      return k;
    if (k < 0 || k > count)
      continue;
    const double bound = (mode + 0.5) * std::log((mode + 1) / (ratio * (count - mode + 1))) +
                         (count + 1) * std::log((count - mode + 1) / (count - k + 1)) +
                         (k + 0.5) * std::log(ratio * (count - k + 1) / (k + 1)) +
                         restOfStirling(mode) + restOfStirling(count - mode) - restOfStirling(k) -
                         restOfStirling(count - k);
    if (std::log(v * alpha / (a / (shifted * shifted) + b)) <= bound)
      return k;
  }
}

double realAt(const Tensor &tensor, int64_t i) {
  switch (tensor.dtype()) {
  case DType::kF16:
    return static_cast<float>(tensor.data<Half>()[i]);
  case DType::kBF16:
    return static_cast<float>(tensor.data<BFloat16>()[i]);
  case DType::kF32:
    return tensor.data<float>()[i];
  default:
    return tensor.data<double>()[i];
  }
}

// As if computed in the parameters' type.
double roundedAs(DType dtype, double x) {
  if (dtype == DType::kF16)
    return static_cast<float>(Half(static_cast<float>(x)));
  if (dtype == DType::kBF16)
    return static_cast<float>(BFloat16(static_cast<float>(x)));
  return dtype == DType::kF32 ? static_cast<float>(x) : x;
}

// Of more hits than misses, the misses are drawn.
double drawHits(DType dtype, double count, double chance, const StreamPosition &position,
                int64_t sample) {
  constexpr uint64_t kGroupsOfFew = 42;
  if (count <= 0 || chance <= 0)
    return 0;
  if (chance >= 1)
    return count;
  if (std::isnan(chance) || std::isnan(count))
    return std::numeric_limits<double>::quiet_NaN();
  if (std::isinf(count))
    return count;
  const bool isOften = chance > 0.5;
  const double rarer = isOften ? 1 - chance : chance;
  const double drawn =
      roundedAs(dtype, count * rarer) >= 10
          ? drawManyHits(count, rarer, Draws(streamOfSample(position, sample)))
          : drawFewHits(count, rarer, Draws(streamOfSample(position, sample, kGroupsOfFew)));
  return isOften ? count - drawn : drawn;
}

Status binomialShape(ShapeCall &call) {
  const Shape &counts = call.input(2), &chances = call.input(3);
  if (!counts.compatibleWith(chances))
    return invalidArgument("expected counts and probs of one shape but got " + counts.toString() +
                           " and " + chances.toString());
  return shapeOfSamples(call);
}

template <typename T> Status binomialRun(KernelCall &call) {
  const Tensor *counts = &call.input(2), *chances = &call.input(3);
  const StreamPosition position = positionOf(call);
  fillDrawn<T>(call, [=](int64_t i, int64_t sample) {
    return numberOf<T>(
        drawHits(counts->dtype(), realAt(*counts, i), realAt(*chances, i), position, sample));
  });
  return okStatus();
}
template <typename T> constexpr Kernel sci_random_binomial_kernel() {
  return {binomialShape, binomialRun<T>};
}

} // namespace

SLUICE_DEFINE_KERNELS(sci_random_gamma, FLOAT)
SLUICE_DEFINE_KERNELS(sci_random_poisson, REAL)
SLUICE_DEFINE_KERNELS(sci_random_binomial, REAL)

} // namespace sluice::rt
