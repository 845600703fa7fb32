// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fourier transforms, of lengths with small factors and with large ones, against the sum that
// defines them; and back again.
#include "runtime/kernels/fourier.h"
#include "test/runtime/kernels/kernel_case.h"

#include <cmath>

namespace sluice::rt {
namespace {

using Number = FourierPlan::Number;

Number numberAt(int64_t i) { return {std::sin(double(i * i + 1)), std::cos(double(3 * i))}; }

TEST(FourierPlan, IsTheSum) {
  for (int64_t n :
       {1, 2, 3, 4, 5, 6, 7, 8, 12, 13, 16, 17, 30, 37, 49, 60, 64, 97, 143, 289, 360}) {
    SCOPED_TRACE(n);
    FourierPlan plan(n);
    std::vector<Number> line(plan.scratchSize()), scratch(plan.scratchSize());
    for (int64_t i = 0; i < n; ++i)
      line[size_t(i)] = numberAt(i);
    plan.transform(line.data(), scratch.data());
    for (int64_t k = 0; k < n; ++k) {
      std::complex<long double> sum = 0;
      for (int64_t j = 0; j < n; ++j)
        sum += std::complex<long double>(numberAt(j)) *
               std::polar(1.0L, -2 * std::acos(-1.0L) * (long double)(j * k % n) / (long double)n);
      EXPECT_NEAR(std::abs(line[size_t(k)] - Number(sum)), 0, 1e-12 * double(n)) << k;
    }
  }
}

Attr dims(int64_t count) { return caseInt(count); }
const Attr kYes = caseInt(1), kNo = caseInt(0);

TEST(Fft, Cases) {
  checkCases(sluice_kernel_sci_fft_any,
             {
                 {{"c64[4] (1,0) (2,0) (3,0) (4,0)"},
                  {dims(1), kNo},
                  {"c64[4] (10,0) (-2,2) (-2,0) (-2,-2)"}},
                 {{"c64[4] (10,0) (-2,2) (-2,0) (-2,-2)"},
                  {dims(1), kYes},
                  {"c64[4] (1,0) (2,0) (3,0) (4,0)"}},
                 {{"c128[2,2] (1,0) (2,0) (3,0) (4,1)"},
                  {dims(2), kNo},
                  {"c128[2,2] (10,1) (-2,-1) (-4,-1) (0,1)"}},
                 {{"c64[2,0]"}, {dims(1), kNo}, {"c64[2,0]"}},
                 {{"c64[1,1,1] (3,4)"}, {dims(3), kNo}, {"c64[1,1,1] (3,4)"}},
                 {{"c64[2] (0,0) (0,0)"},
                  {dims(2), kNo},
                  {"INVALID_ARGUMENT: Input must have rank of at least 2 but got: [2]"}},
             });
}

TEST(Rfft, Cases) {
  const std::vector<DType> complex = {DType::kC64};
  checkCases(
      sluice_kernel_sci_rfft_any,
      {
          {{"f32[4] 1 2 3 4", "i32[1] 4"}, {dims(1)}, {"c64[3] (10,0) (-2,2) (-2,0)"}, complex},
          {{"f32[3] 1 2 9", "i32[1] 2"}, {dims(1)}, {"c64[2] (3,0) (-1,0)"}, complex},
          {{"f32[1,3] 1 2 9", "i32[2] 1 2"}, {dims(2)}, {"c64[1,2] (3,0) (-1,0)"}, complex},
          {{"f32[3] 1 2 9", "i32[1] 0"}, {dims(1)}, {"c64[0]"}, complex},
          {{"f32[0,2]", "i32[1] 2"}, {dims(1)}, {"c64[0,2]"}, complex},
          {{"f32[3] 1 2 9", "i32[1] 4"},
           {dims(1)},
           {"INVALID_ARGUMENT: Input dimension 0 must have length of at least 4 but got: 3"},
           complex},
          {{"f32[3] 1 2 9", "i32[1] -1"},
           {dims(1)},
           {"INVALID_ARGUMENT: fft_length[0] must >= 0, but got: -1"},
           complex},
          {{"f32[3] 1 2 9", "i32[2] 1 1"},
           {dims(1)},
           {"INVALID_ARGUMENT: fft_length must have shape [1] but got [2]"},
           complex},
      });
}

TEST(Irfft, Cases) {
  const std::vector<DType> real = {DType::kF32};
  checkCases(sluice_kernel_sci_irfft_any,
             {
                 {{"c64[3] (10,0) (-2,2) (-2,0)", "i32[1] 4"}, {dims(1)}, {"f32[4] 1 2 3 4"}, real},
                 // The imaginary parts of the first element and of the middle do not count.
                 {{"c64[3] (10,7) (-2,2) (-2,7)", "i32[1] 4"}, {dims(1)}, {"f32[4] 1 2 3 4"}, real},
                 {{"c64[3] (3,0) (-1,0) (9,9)", "i32[1] 2"}, {dims(1)}, {"f32[2] 1 2"}, real},
                 {{"c64[1] (3,1)", "i32[1] 1"}, {dims(1)}, {"f32[1] 3"}, real},
                 {{"c64[2,2] (10,0) (-2,0) (-4,0) (0,0)", "i32[2] 2 2"},
                  {dims(2)},
                  {"f32[2,2] 1 2 3 4"},
                  real},
                 {{"c64[3] (3,0) (-1,0) (9,9)", "i32[1] 0"}, {dims(1)}, {"f32[0]"}, real},
                 {{"c64[0]", "i32[1] 0"}, {dims(1)}, {"f32[0]"}, real},
                 {{"c64[2] (3,0) (-1,0)", "i32[1] 4"},
                  {dims(1)},
                  {"INVALID_ARGUMENT: Input dimension 0 must have length of at least 3 but got: 2"},
                  real},
             });
}

// In three dims, of which the outer ones are cut.
TEST(Rfft, ThereAndBack) {
  for (int64_t last : {5, 6}) {
    Tensor x = *Tensor::allocate(DType::kF64, {2, 4, 5, 7}), y, z;
    for (int64_t i = 0; i < x.elements(); ++i)
      x.data<double>()[i] = std::sin(double(i * i + 1));
    Tensor length = *Tensor::allocate(DType::kI64, {3});
    const int64_t sizes[] = {3, 5, last};
    std::copy(sizes, sizes + 3, length.data<int64_t>());
    const Attr attrs[] = {dims(3)};
    const DType complex = DType::kC128, real = DType::kF64;
    const Tensor *there[] = {&x, &length}, *back[] = {&y, &length};
    ASSERT_TRUE(
        runKernel(sluice_kernel_sci_rfft_any, there, {&y, 1}, attrs, {&complex, 1}, nullptr).ok());
    ASSERT_TRUE(
        runKernel(sluice_kernel_sci_irfft_any, back, {&z, 1}, attrs, {&real, 1}, nullptr).ok());
    ASSERT_EQ(z.shape(), (Shape{2, 3, 5, last}));
    for (int64_t i = 0; i < z.elements(); ++i) {
      const int64_t c = i % last, b = i / last % 5, a = i / last / 5 % 3, n = i / last / 15;
      EXPECT_NEAR(z.data<double>()[i], x.data<double>()[((n * 4 + a) * 5 + b) * 7 + c], 1e-13);
    }
  }
}

} // namespace
} // namespace sluice::rt
