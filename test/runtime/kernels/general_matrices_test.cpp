// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrices of any kind: small ones whose factors, roots, eigenvalues and solutions are exact.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

const Attr kYes = caseInt(1), kNo = caseInt(0);
const char *const kNotSquare = "INVALID_ARGUMENT: Input matrix must be square, but got shape [1,2]";

void checkTyped(const Kernel &kernel, const std::vector<DType> &types,
                std::vector<KernelCase> cases) {
  for (KernelCase &each : cases)
    each.types = types;
  checkCases(kernel, cases);
}

// Row i of the product is row order[i] of what was given.
TEST(Lu, Cases) {
  checkTyped(
      sluice_kernel_sci_lu_f64, {DType::kF64, DType::kI32},
      {
          {{"f64[2,2] 1 2 4 4"}, {}, {"f64[2,2] 4 4 0.25 1", "i32[2] 1 0"}},
          {{"f64[3,3] 0 0 2 4 0 0 0 1 0"}, {}, {"f64[3,3] 4 0 0 0 1 0 0 0 2", "i32[3] 1 2 0"}},
          {{"f64[2,0,0]"}, {}, {"f64[2,0,0]", "i32[2,0]"}},
          {{"f64[2,2] 1 1 1 1"}, {}, {"INVALID_ARGUMENT: Input is not invertible."}},
          {{"f64[1,2] 1 2"}, {}, {kNotSquare}},
      });
  checkTyped(sluice_kernel_sci_lu_f32, {DType::kF32, DType::kI64},
             {{{"f32[2,1,1] 3 5"}, {}, {"f32[2,1,1] 3 5", "i64[2,1] 0 0"}}});
}

TEST(MatrixFunction, Cases) {
  const std::vector<Attr> root = {caseString("sqrt")}, exponential = {caseString("exp")},
                          logarithm = {caseString("log")};
  checkCases(sluice_kernel_sci_matrix_function_f64,
             {
                 {{"f64[2,2] 4 0 0 9"}, root, {"f64[2,2] 2 0 0 3"}},
                 {{"f64[2,1,1] 16 -1"}, root, {"f64[2,1,1] 4 nan"}},
                 {{"f64[2,2] 0 1 0 0"}, exponential, {"f64[2,2] 1 1 0 1"}},
                 {{"f64[1,1] nan"}, exponential, {"f64[1,1] nan"}},
                 {{"f64[3,0,0]"}, exponential, {"f64[3,0,0]"}},
                 {{"f64[1,2] 1 2"}, exponential, {kNotSquare}},
             });
  checkCases(
      sluice_kernel_sci_matrix_function_c128,
      {{{"c128[2,2] (1,0) (2,0) (0,0) (1,0)"}, logarithm, {"c128[2,2] (0,0) (2,0) (0,0) (0,0)"}}});
}

TEST(Eig, Cases) {
  checkTyped(sluice_kernel_sci_eig_f64, {DType::kC128, DType::kC128},
             {
                 {{"f64[2,2] 2 0 0 3"},
                  {kYes},
                  {"c128[2] (2,0) (3,0)", "c128[2,2] (1,0) (0,0) (0,0) (1,0)"}},
                 {{"f64[2,1,1] 5 7"}, {kNo}, {"c128[2,1] (5,0) (7,0)", "c128 (0,0)"}},
                 {{"f64[2,0,0]"}, {kYes}, {"c128[2,0]", "c128[2,0,0]"}},
                 {{"f64[1,1] nan"},
                  {kYes},
                  {"INVALID_ARGUMENT: Eigen decomposition was not successful. The input might not "
                   "be valid."}},
                 {{"f64[1,2] 1 2"}, {kYes}, {kNotSquare}},
             });
}

// Above, on and below the diagonal; the corners do not count.
TEST(TridiagonalSolve, Cases) {
  const char *const singular = "f64[2,1] nan nan";
  for (const Attr &pivoting : {kYes, kNo})
    checkCases(
        sluice_kernel_sci_tridiagonal_solve_f64,
        {
            {{"f64[3,3] 1 1 nan 4 4 4 nan 2 2", "f64[3,1] 5 7 6"}, {pivoting}, {"f64[3,1] 1 1 1"}},
            {{"f64[3,1] 9 2 9", "f64[1,2] 4 6"}, {pivoting}, {"f64[1,2] 2 3"}},
            {{"f64[2,3,0]", "f64[2,0,1]"}, {pivoting}, {"f64[2,0,1]"}},
            {{"f64[3,1] 9 0 9", "f64[1,1] 4"}, {pivoting}, {"f64[1,1] nan"}},
            {{"f64[2,1] 1 2", "f64[1,1] 4"},
             {pivoting},
             {"INVALID_ARGUMENT: Expected diagonals to have 3 rows, but got shape [2,1]"}},
            {{"f64[3,1] 1 2 3", "f64[2,1] 4 5"},
             {pivoting},
             {"INVALID_ARGUMENT: The length of diagonals and the right-hand sides are "
              "incompatible: [3,1] and [2,1]"}},
        });
  checkCases(sluice_kernel_sci_tridiagonal_solve_f64,
             {
                 {{"f64[3,2] 2 0 0 0 0 4", "f64[2,1] 6 8"}, {kYes}, {"f64[2,1] 2 3"}},
                 {{"f64[3,2] 2 0 0 0 0 4", "f64[2,1] 6 8"}, {kNo}, {singular}},
             });
}

TEST(LeastSquares, Cases) {
  for (const Attr &fast : {kYes, kNo})
    checkCases(sluice_kernel_sci_least_squares_f64,
               {
                   {{"f64[2,1] 1 0", "f64[2,1] 3 5", "f64 0"}, {fast}, {"f64[1,1] 3"}},
                   {{"f64[1,2] 2 0", "f64[1,1] 3", "f64 0"}, {fast}, {"f64[2,1] 1.5 0"}},
                   {{"f64[0,2]", "f64[0,1]", "f64 0"}, {fast}, {"f64[2,1] 0 0"}},
                   {{"f64[2,1] 1 0", "f64[1,1] 3", "f64 0"},
                    {fast},
                    {"INVALID_ARGUMENT: Input matrix and rhs are incompatible: [2,1] and [1,1]"}},
                   {{"f64[1,1] 1", "f64[1,1] 3", "f64[1] 0"},
                    {fast},
                    {"INVALID_ARGUMENT: l2_regularizer must be scalar, got shape [1]"}},
               });
  checkCases(sluice_kernel_sci_least_squares_f64,
             {
                 {{"f64[1,1] 1", "f64[1,1] 8", "f64 3"}, {kYes}, {"f64[1,1] 2"}},
                 {{"f64[1,1] 0", "f64[1,1] 3", "f64 0"}, {kNo}, {"f64[1,1] 0"}},
                 {{"f64[1,1] 0", "f64[1,1] 3", "f64 0"},
                  {kYes},
                  {"INVALID_ARGUMENT: Input matrix was rank deficient or ill-conditioned. Try "
                   "setting fast=False or provide a larger l2_regularizer > 0."}},
             });
}

} // namespace
} // namespace sluice::rt
