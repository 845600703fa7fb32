// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings of several pieces: special functions, bits, parts of complex numbers, diagonals.
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

constexpr int64_t kMany = 40'011;

// Of an element type, with operands from 0 to 1.
template <typename T> Tensor someNumbers(int64_t count, int seed) {
  Tensor t = *Tensor::allocate(DTypeOf<T>::value, {count});
  for (int64_t i = 0; i < count; ++i)
    t.data<T>()[i] = static_cast<T>(static_cast<float>((i * 31 + seed) % 97 + 1) / 100);
  return t;
}

void addFunctions(std::vector<LongCase> &cases) {
  // With few operations for an element, or sums.
  for (const char *op : {"sci.erf", "sci.erfc", "sci.erfinv", "sci.ndtri", "sci.lgamma",
                         "sci.digamma", "sci.atan2", "sci.next_after"})
    cases.push_back({op, [op] {
                       LongFiring firing{{}, {DType::kF64}};
                       bool isOfTwo = op == std::string_view("sci.atan2") ||
                                      op == std::string_view("sci.next_after");
                       for (int i = 0; i < (isOfTwo ? 2 : 1); ++i)
                         firing.inputs.push_back(someNumbers<double>(5 * kMany, i));
                       return firing;
                     }});
  const struct {
    const char *op;
    int operands;
  } ops[] = {{"sci.dawsn", 1},         {"sci.fresnel_sin", 1}, {"sci.expint", 1},
             {"sci.fresnel_cos", 1},   {"sci.spence", 1},      {"sci.bessel_i0", 1},
             {"sci.bessel_i1", 1},     {"sci.bessel_i0e", 1},  {"sci.bessel_i1e", 1},
             {"sci.bessel_k0", 1},     {"sci.bessel_k1", 1},   {"sci.bessel_k0e", 1},
             {"sci.bessel_k1e", 1},    {"sci.bessel_j0", 1},   {"sci.bessel_j1", 1},
             {"sci.bessel_y0", 1},     {"sci.bessel_y1", 1},   {"sci.polygamma", 2},
             {"sci.zeta", 2},          {"sci.igamma", 2},      {"sci.igammac", 2},
             {"sci.igamma_grad_a", 2}, {"sci.betainc", 3},     {"sci.random_gamma_grad", 2}};
  for (const auto &op : ops)
    cases.push_back({op.op, [op] {
                       LongFiring firing{{}, {DType::kF64}};
                       for (int i = 0; i < op.operands; ++i)
                         firing.inputs.push_back(someNumbers<double>(1'003, i));
                       return firing;
                     }});
}

void addBits(std::vector<LongCase> &cases) {
  for (const char *op :
       {"sci.bit_and", "sci.bit_or", "sci.bit_xor", "sci.shift_left", "sci.shift_right"})
    cases.push_back({op, [] {
                       return LongFiring{{indices({5 * kMany}, 1000), indices({5 * kMany}, 30)},
                                         {DType::kI32}};
                     }});
  cases.push_back({"sci.population_count",
                   [] { return LongFiring{{indices({5 * kMany}, 1000)}, {DType::kU8}}; }});
  cases.push_back(
      {"sci.bitcast", [] { return LongFiring{{fractions({5 * kMany})}, {DType::kI32}}; }});
}

Tensor complexNumbers(int64_t count) {
  Tensor t = *Tensor::allocate(DType::kC64, {count});
  for (int64_t i = 0; i < count; ++i)
    t.data<std::complex<float>>()[i] = {static_cast<float>(i % 7), static_cast<float>(i % 5)};
  return t;
}

void addParts(std::vector<LongCase> &cases) {
  cases.push_back({"sci.complex", [] {
                     return LongFiring{{fractions({kMany}), fractions({kMany}, 2)}, {DType::kC64}};
                   }});
  for (const char *op : {"sci.imaginary", "sci.magnitude"})
    cases.push_back({op, [] { return LongFiring{{complexNumbers(kMany)}, {DType::kF32}}; }});
  for (int axis : {0, 1})
    cases.push_back({"sci.cumulative_logsumexp", [axis] {
                       return LongFiring{{fractions({331, 61}), number(axis)},
                                         {DType::kF32},
                                         {intAttr(axis), intAttr(1 - axis)}};
                     }});
  cases.push_back({"sci.search_sorted", [] {
                     return LongFiring{{ramp<float>({1000}, 0, 0.001), fractions({kMany})},
                                       {DType::kI32},
                                       {intAttr(1)}};
                   }});
  const std::vector<Attr> places = {intAttr(1), intAttr(0)};
  cases.push_back({"sci.diagonals", [places] {
                     return LongFiring{{fractions({70, 40, 41}), tensor<int32_t>({2}, {-9, 12}),
                                        Tensor::scalar(1.0f)},
                                       {DType::kF32},
                                       places};
                   }});
  cases.push_back({"sci.set_diagonals", [places] {
                     return LongFiring{{fractions({70, 40, 41}), fractions({70, 22, 40}),
                                        tensor<int32_t>({2}, {-9, 12})},
                                       {DType::kF32},
                                       places};
                   }});
}

} // namespace

std::vector<LongCase> longPartCases() {
  std::vector<LongCase> cases;
  addFunctions(cases);
  addBits(cases);
  addParts(cases);
  return cases;
}

} // namespace sluice::rt
