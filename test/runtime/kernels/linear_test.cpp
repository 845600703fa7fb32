// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices: small ones whose results are exact, products of what larger ones were decomposed into,
// and what there is of matrices without elements or with elements that are no numbers.
#include "test/runtime/kernels/kernel_case.h"

#include <cmath>

namespace sluice::rt {
namespace {

const Attr kYes = caseInt(1), kNo = caseInt(0);
const char *const kNotSquare = "INVALID_ARGUMENT: Input matrix must be square, but got shape [1,2]";

TEST(Cholesky, Cases) {
  checkCases(
      sluice_kernel_sci_cholesky_f32,
      {
          {{"f32[2,2] 4 9 2 10"}, {}, {"f32[2,2] 2 0 1 3"}},
          {{"f32[2,1,1] 9 -1"}, {}, {"f32[2,1,1] 3 nan"}},
          {{"f32[2,2] nan 2 2 1"}, {}, {"f32[2,2] nan 0 nan nan"}},
          {{"f32[3,0,0]"}, {}, {"f32[3,0,0]"}},
          {{"f32[1,2] 1 2"}, {}, {kNotSquare}},
          {{"f32[2] 1 2"}, {}, {"INVALID_ARGUMENT: Input tensor must have rank >= 2, got 1"}},
      });
  checkCases(sluice_kernel_sci_cholesky_c64,
             {{{"c64[2,2] (4,0) (0,0) (0,2) (10,0)"}, {}, {"c64[2,2] (2,0) (0,0) (0,1) (3,0)"}}});
  checkCases(sluice_kernel_sci_cholesky_f16, {{{"f16[1,1] 4"}, {}, {"f16[1,1] 2"}}});
}

TEST(MatrixInverse, Cases) {
  checkCases(sluice_kernel_sci_matrix_inverse_f64,
             {
                 {{"f64[2,2] 1 2 0 1"}, {kNo}, {"f64[2,2] 1 -2 0 1"}},
                 {{"f64[2,2] 1 2 0 1"}, {kYes}, {"f64[2,2] 1 0 -2 1"}},
                 {{"f64[2,1,1] 2 4"}, {kNo}, {"f64[2,1,1] 0.5 0.25"}},
                 {{"f64[0,0]"}, {kNo}, {"f64[0,0]"}},
                 {{"f64[2,1,1] 2 0"}, {kNo}, {"INVALID_ARGUMENT: Input is not invertible."}},
                 {{"f64[2,2] 1 1 1 1"}, {kNo}, {"INVALID_ARGUMENT: Input is not invertible."}},
                 {{"f64[1,2] 1 2"}, {kNo}, {kNotSquare}},
             });
}

TEST(Determinant, Cases) {
  checkCases(sluice_kernel_sci_determinant_f32, {
                                                    {{"f32[2,2] 2 1 4 6"}, {}, {"f32 8"}},
                                                    {{"f32[2,1,1] 5 0"}, {}, {"f32[2] 5 0"}},
                                                    {{"f32[3,0,0]"}, {}, {"f32[3] 1 1 1"}},
                                                    {{"f32[0,2,2]"}, {}, {"f32[0]"}},
                                                    {{"f32[1,2] 1 2"}, {}, {kNotSquare}},
                                                });
  checkCases(sluice_kernel_sci_log_determinant_f32,
             {
                 {{"f32[2,2] 0 1 1 0"}, {}, {"f32 -1", "f32 0"}, {DType::kF32, DType::kF32}},
                 {{"f32[2,2] 1 1 1 1"}, {}, {"f32 0", "f32 -inf"}, {DType::kF32, DType::kF32}},
                 {{"f32[2,0,0]"}, {}, {"f32[2] 1 1", "f32[2] 0 0"}, {DType::kF32, DType::kF32}},
             });
}

TEST(MatrixSolve, Cases) {
  checkCases(sluice_kernel_sci_matrix_solve_f32,
             {
                 {{"f32[2,2] 2 1 4 6", "f32[2,1] 4 16"}, {kNo}, {"f32[2,1] 1 2"}},
                 {{"f32[2,2] 2 4 1 6", "f32[2,1] 4 16"}, {kYes}, {"f32[2,1] 1 2"}},
                 {{"f32[0,0]", "f32[0,3]"}, {kNo}, {"f32[0,3]"}},
                 {{"f32[1,1] 0", "f32[1,1] 1"},
                  {kNo},
                  {"INVALID_ARGUMENT: Input matrix is not invertible."}},
                 {{"f32[1,1] 1", "f32[2,1] 1 1"},
                  {kNo},
                  {"INVALID_ARGUMENT: Input matrix and rhs are incompatible: [1,1] vs. [2,1]"}},
                 {{"f32[2,1,1] 1 1", "f32[1,1] 1"},
                  {kNo},
                  {"INVALID_ARGUMENT: Input matrix and rhs are incompatible: [2,1,1] vs. [1,1]"}},
             });
}

TEST(TriangularSolve, Cases) {
  checkCases(sluice_kernel_sci_triangular_solve_f32,
             {
                 // Adjoint, lower.
                 {{"f32[2,2] 2 9 1 4", "f32[2,1] 2 9"}, {kNo, kYes}, {"f32[2,1] 1 2"}},
                 {{"f32[2,2] 2 1 9 4", "f32[2,1] 4 8"}, {kNo, kNo}, {"f32[2,1] 1 2"}},
                 {{"f32[2,2] 2 1 9 4", "f32[2,1] 2 9"}, {kYes, kNo}, {"f32[2,1] 1 2"}},
                 {{"f32[2,1,1] 2 4", "f32[1,1] 8"}, {kNo, kYes}, {"f32[2,1,1] 4 2"}},
                 {{"f32[1,1] 0", "f32[1,1] 8"}, {kNo, kYes}, {"f32[1,1] inf"}},
                 {{"f32[0,0]", "f32[0,1]"}, {kNo, kYes}, {"f32[0,1]"}},
                 {{"f32[2,1,1] 2 4", "f32[3,1,1] 8 8 8"},
                  {kNo, kYes},
                  {"INVALID_ARGUMENT: Incompatible shapes: [2] vs. [3]"}},
             });
}

// ---- What is put together again -----------------------------------------------------------------

Tensor matrixOf(int64_t rows, int64_t columns) {
  Tensor t = *Tensor::allocate(DType::kF64, {rows, columns});
  for (int64_t i = 0; i < t.elements(); ++i)
    t.data<double>()[i] = std::sin(double(i * i + 1));
  return t;
}
double at(const Tensor &t, int64_t row, int64_t column) {
  return t.data<double>()[row * t.shape().dim(1) + column];
}
std::vector<Tensor> decompose(const Kernel &kernel, const Tensor &x, size_t results,
                              const std::vector<Attr> &attrs) {
  const Tensor *inputs[] = {&x};
  std::vector<Tensor> outputs(results);
  const std::vector<DType> types(results, DType::kF64);
  EXPECT_TRUE(runKernel(kernel, inputs, outputs, attrs, types, nullptr).ok());
  return outputs;
}
void expectOrthonormalColumns(const Tensor &q) {
  for (int64_t a = 0; a < q.shape().dim(1); ++a)
    for (int64_t b = 0; b < q.shape().dim(1); ++b) {
      double sum = 0;
      for (int64_t row = 0; row < q.shape().dim(0); ++row)
        sum += at(q, row, a) * at(q, row, b);
      EXPECT_NEAR(sum, a == b, 1e-12);
    }
}

TEST(Qr, IsProduct) {
  for (auto [rows, columns] : {std::pair(5, 3), std::pair(3, 5), std::pair(4, 4), std::pair(1, 1)})
    for (const Attr &full : {kYes, kNo}) {
      const Tensor x = matrixOf(rows, columns);
      const std::vector<Tensor> found = decompose(sluice_kernel_sci_qr_f64, x, 2, {full});
      const Tensor &q = found[0], &r = found[1];
      expectOrthonormalColumns(q);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
          double sum = 0;
          for (int64_t k = 0; k < q.shape().dim(1); ++k)
            sum += at(q, i, k) * at(r, k, j);
          EXPECT_NEAR(sum, at(x, i, j), 1e-12);
          if (i > j && i < r.shape().dim(0))
            EXPECT_EQ(at(r, i, j), 0);
        }
    }
}

TEST(Qr, OfNothing) {
  checkCases(sluice_kernel_sci_qr_f32,
             {{{"f32[0,2]"}, {kYes}, {"f32[0,0]", "f32[0,2]"}, {DType::kF32, DType::kF32}},
              {{"f32[2,0]"}, {kYes}, {"f32[2,2] 1 0 0 1", "f32[2,0]"}, {DType::kF32, DType::kF32}},
              {{"f32[2,0]"}, {kNo}, {"f32[2,0]", "f32[0,0]"}, {DType::kF32, DType::kF32}}});
}

TEST(Svd, IsProduct) {
  for (auto [rows, columns] :
       {std::pair(5, 3), std::pair(3, 5), std::pair(20, 20), std::pair(1, 1)})
    for (const Attr &full : {kYes, kNo}) {
      const Tensor x = matrixOf(rows, columns);
      const std::vector<Tensor> found = decompose(sluice_kernel_sci_svd_f64, x, 3, {kYes, full});
      const double *s = found[0].data<double>();
      expectOrthonormalColumns(found[1]);
      expectOrthonormalColumns(found[2]);
      for (int64_t i = 0; i < rows; ++i)
        for (int64_t j = 0; j < columns; ++j) {
          double sum = 0;
          for (int64_t k = 0; k < found[0].elements(); ++k)
            sum += at(found[1], i, k) * s[k] * at(found[2], j, k);
          EXPECT_NEAR(sum, at(x, i, j), 1e-12);
        }
    }
}

TEST(Svd, OfNothingAndOfNoNumbers) {
  const std::vector<DType> types(3, DType::kF32);
  checkCases(
      sluice_kernel_sci_svd_f32,
      {{{"f32[0,2]"}, {kYes, kYes}, {"f32[0]", "f32[0,0]", "f32[2,2] 1 0 0 1"}, types},
       {{"f32[2,0]"}, {kYes, kNo}, {"f32[0]", "f32[2,0]", "f32[0,0]"}, types},
       {{"f32[1,1] -2"}, {kNo, kNo}, {"f32[1] 2", "f32 0", "f32 0"}, types},
       {{"f32[1,1] inf"}, {kYes, kNo}, {"f32[1] nan", "f32[1,1] nan", "f32[1,1] nan"}, types}});
}

TEST(SelfAdjointEig, IsProduct) {
  const int64_t side = 6;
  Tensor x = matrixOf(side, side);
  const std::vector<Tensor> found = decompose(sluice_kernel_sci_self_adjoint_eig_f64, x, 2, {kYes});
  const double *e = found[0].data<double>();
  expectOrthonormalColumns(found[1]);
  for (int64_t i = 0; i < side; ++i)
    for (int64_t j = 0; j <= i; ++j) {
      double sum = 0;
      for (int64_t k = 0; k < side; ++k)
        sum += at(found[1], i, k) * e[k] * at(found[1], j, k);
      EXPECT_NEAR(sum, at(x, i, j), 1e-12);
    }
  for (int64_t k = 1; k < side; ++k)
    EXPECT_LE(e[k - 1], e[k]);
}

TEST(SelfAdjointEig, Cases) {
  const std::vector<DType> types(2, DType::kF32);
  checkCases(sluice_kernel_sci_self_adjoint_eig_f32,
             {{{"f32[1,1] 3"}, {kNo}, {"f32[1] 3", "f32 0"}, types},
              {{"f32[2,0,0]"}, {kYes}, {"f32[2,0]", "f32[2,0,0]"}, types},
              {{"f32[2,2] nan 1 1 1"},
               {kYes},
               {"INVALID_ARGUMENT: Self-adjoint eigen decomposition was not successful. The input "
                "might not be valid."},
               types},
              {{"f32[1,2] 1 2"}, {kYes}, {kNotSquare}, types}});
}

} // namespace
} // namespace sluice::rt
