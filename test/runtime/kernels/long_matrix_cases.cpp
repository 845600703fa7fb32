// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Firings of several pieces: kernels of matrices, of Fourier transforms and of random numbers.
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

Attr flagAttr(bool value) {
  Attr attr;
  attr.kind = Attr::Kind::kInt;
  attr.i = value;
  return attr;
}
Attr nameAttr(std::string_view value) {
  Attr attr;
  attr.kind = Attr::Kind::kString;
  attr.s = value;
  return attr;
}
Attr dimsAttr(int64_t value) {
  Attr attr;
  attr.kind = Attr::Kind::kInt;
  attr.i = value;
  return attr;
}

constexpr int64_t kBatch = 37, kSide = 24;

// Positive definite ones.
Tensor symmetricMatrices() {
  Tensor t = fractions({kBatch, kSide, kSide});
  auto *x = t.data<float>();
  for (int64_t i = 0; i < kBatch; ++i)
    for (int64_t row = 0; row < kSide; ++row)
      for (int64_t column = 0; column <= row; ++column) {
        float &lower = x[(i * kSide + row) * kSide + column];
        if (row == column)
          lower = 3 * float(kSide);
        x[(i * kSide + column) * kSide + row] = lower;
      }
  return t;
}

void addMatrices(std::vector<LongCase> &cases) {
  constexpr DType kType = DType::kF32;
  auto add = [&](const char *op, size_t results, std::vector<Attr> attrs = {},
                 bool hasRhs = false) {
    cases.push_back({op, [=] {
                       std::vector<Tensor> inputs = {symmetricMatrices()};
                       if (hasRhs)
                         inputs.push_back(fractions({kBatch, kSide, 31}, 7));
                       return LongFiring{inputs, std::vector<DType>(results, kType), attrs};
                     }});
  };
  add("sci.cholesky", 1);
  add("sci.matrix_inverse", 1, {flagAttr(true)});
  add("sci.determinant", 1);
  add("sci.log_determinant", 2);
  add("sci.matrix_solve", 1, {flagAttr(false)}, true);
  add("sci.triangular_solve", 1, {flagAttr(false), flagAttr(true)}, true);
  add("sci.qr", 2, {flagAttr(true)});
  add("sci.svd", 3, {flagAttr(true), flagAttr(false)});
  add("sci.self_adjoint_eig", 2, {flagAttr(true)});
  add("sci.matrix_function", 1, {nameAttr("sqrt")});
  cases.push_back(
      {"sci.lu", [] { return LongFiring{{symmetricMatrices()}, {kType, DType::kI32}}; }});
  cases.push_back({"sci.eig", [] {
                     return LongFiring{
                         {symmetricMatrices()}, {DType::kC64, DType::kC64}, {flagAttr(true)}};
                   }});
  cases.push_back({"sci.tridiagonal_solve", [] {
                     return LongFiring{{fractions({kBatch, 3, 601}), fractions({kBatch, 601, 31})},
                                       {kType},
                                       {flagAttr(true)}};
                   }});
  cases.push_back({"sci.least_squares", [] {
                     return LongFiring{{symmetricMatrices(), fractions({kBatch, kSide, 31}, 7),
                                        tensor<double>({}, {0.5})},
                                       {kType},
                                       {flagAttr(true)}};
                   }});
}

void addTransforms(std::vector<LongCase> &cases) {
  auto numbers = [](const Shape &shape) {
    Tensor parts = fractions({2 * shape.elements()});
    Tensor t = *Tensor::allocate(DType::kC64, shape);
    std::memcpy(t.raw(), parts.raw(), t.bytes());
    return t;
  };
  // Of small factors, and of a large prime one.
  for (const Shape &shape : {Shape{7, 120, 60}, Shape{211, 331}})
    cases.push_back({"sci.fft", [=] {
                       return LongFiring{
                           {numbers(shape)}, {DType::kC64}, {dimsAttr(2), flagAttr(true)}};
                     }});
  cases.push_back({"sci.rfft", [] {
                     return LongFiring{{fractions({9, 100, 90}), integers({90, 72})},
                                       {DType::kC64},
                                       {dimsAttr(2)}};
                   }});
  cases.push_back({"sci.irfft", [=] {
                     return LongFiring{
                         {numbers({9, 100, 60}), integers({90, 97})}, {DType::kF32}, {dimsAttr(2)}};
                   }});
}

Tensor numbersOf103(double scale) {
  Tensor numbers = *Tensor::allocate(DType::kF64, Shape{103});
  for (int i = 0; i < 103; ++i)
    numbers.data<double>()[i] = scale * (i % 25 + 0.5) / (scale == 1 ? 1 : 25);
  return numbers;
}

void addRandomNumbers(std::vector<LongCase> &cases) {
  auto operands = [] {
    return std::vector<Tensor>{tensor<int64_t>({3}, {5, 6, 7}), integers({40'003})};
  };
  for (const char *op : {"sci.random_normal", "sci.random_truncated_normal"})
    for (DType dtype : {DType::kF16, DType::kF32, DType::kF64})
      cases.push_back({op, [=] { return LongFiring{operands(), {dtype}}; }});
  for (DType dtype : {DType::kI32, DType::kU64})
    cases.push_back({"sci.random_bits", [=] { return LongFiring{operands(), {dtype}}; }});
  cases.push_back({"sci.random_int", [=] {
                     std::vector<Tensor> inputs = operands();
                     inputs.push_back(number(-7));
                     inputs.push_back(number(1'000'000));
                     return LongFiring{inputs, {DType::kI32}};
                   }});
  cases.push_back({"sci.random_shuffle", [] {
                     return LongFiring{{tensor<int64_t>({3}, {5, 6, 7}), fractions({30'011, 3})},
                                       {DType::kF32}};
                   }});
  cases.push_back({"sci.random_choices", [] {
                     return LongFiring{
                         {tensor<int64_t>({3}, {5, 6, 7}), fractions({30, 501}), number(203)},
                         {DType::kI64}};
                   }});
  cases.push_back({"sci.random_bounded_normal", [] {
                     return LongFiring{{tensor<int64_t>({3}, {5, 6, 7}), integers({1001, 103}),
                                        numbersOf103(0), numbersOf103(1), numbersOf103(-1),
                                        numbersOf103(2)},
                                       {DType::kF64}};
                   }});
  cases.push_back({"sci.random_index_shuffle", [] {
                     return LongFiring{
                         {integers({40'003}), tensor<int64_t>({3}, {5, 6, 7}), number(1'000'000)},
                         {DType::kI32},
                         {dimsAttr(8)}};
                   }});
  cases.push_back(
      {"sci.random_candidates", [] {
         return LongFiring{
             {tensor<int64_t>({3}, {5, 6, 7}), tensor<int64_t>({1, 1}, {3})},
             {DType::kI64, DType::kF32, DType::kF32},
             {dimsAttr(50'000), nameAttr("uniform"), dimsAttr(1'000'000), flagAttr(true)}};
       }});
  for (const char *op : {"sci.random_gamma", "sci.random_poisson", "sci.random_binomial"})
    cases.push_back({op, [op] {
                       const bool isBinomial = std::string_view(op) == "sci.random_binomial";
                       std::vector<Tensor> inputs = {tensor<int64_t>({3}, {5, 6, 7}),
                                                     integers({101, 103}), numbersOf103(1)};
                       if (isBinomial)
                         inputs = {inputs[0], inputs[1], numbersOf103(50), numbersOf103(0.9)};
                       return LongFiring{inputs, {DType::kF64}};
                     }});
}

} // namespace

std::vector<LongCase> longMatrixCases() {
  std::vector<LongCase> cases;
  addMatrices(cases);
  addTransforms(cases);
  addRandomNumbers(cases);
  return cases;
}

} // namespace sluice::rt
