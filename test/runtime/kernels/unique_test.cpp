// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels that find equal elements.
#include "test/runtime/kernels/kernel_case.h"

namespace sluice::rt {
namespace {

std::vector<DType> typesOf(DType values, DType positions) { return {values, positions, positions}; }

TEST(UniqueKernels, Unique) {
  const std::string none = "i32[0]";
  checkCases(
      sluice_kernel_nd_unique_any,
      {{{"i32[5] 7 3 7 7 1", none},
        {},
        {"i32[3] 7 3 1", "i32[5] 0 1 0 0 2", "i32[3] 3 1 1"},
        typesOf(DType::kI32, DType::kI32)},
       {{"string[3] b a b", "i64[1] 0"},
        {},
        {"string[2] b a", "i64[3] 0 1 0", "i64[2] 2 1"},
        typesOf(DType::kString, DType::kI64)},
       {{"i32[2,3] 1 2 1 4 5 4", "i32[1] 1"},
        {},
        {"i32[2,2] 1 2 4 5", "i32[3] 0 1 0", "i32[2] 2 1"},
        typesOf(DType::kI32, DType::kI32)},
       {{"i32[2,2] 1 2 1 2", "i32[1] -2"},
        {},
        {"i32[1,2] 1 2", "i32[2] 0 0", "i32[1] 2"},
        typesOf(DType::kI32, DType::kI32)},
       {{"f32[4] 0 -0 nan nan", none},
        {},
        {"f32[3] 0 nan nan", "i32[4] 0 0 1 2", "i32[3] 2 1 1"},
        typesOf(DType::kF32, DType::kI32)},
       {{"bool[0]", none}, {}, {"bool[0]", "i32[0]", "i32[0]"}, typesOf(DType::kBool, DType::kI32)},
       {{"i32[2,2] 1 2 1 2", none},
        {},
        {"INVALID_ARGUMENT: unique expects a 1D vector, got shape [2,2]"},
        typesOf(DType::kI32, DType::kI32)},
       {{"i32[2] 1 2", "i32[1] 1"},
        {},
        {"INVALID_ARGUMENT: axis has to be within [-1, 1) but is 1"},
        typesOf(DType::kI32, DType::kI32)},
       {{"i32[2] 1 2", "i32 0"},
        {},
        {"INVALID_ARGUMENT: axis must be a vector of at most one element, got shape []"},
        typesOf(DType::kI32, DType::kI32)}});
}

TEST(UniqueKernels, ListDiff) {
  auto types = [](DType values) { return std::vector<DType>{values, DType::kI32}; };
  checkCases(
      sluice_kernel_nd_list_diff_any,
      {{{"i32[5] 1 2 3 2 4", "i32[2] 2 9"},
        {},
        {"i32[3] 1 3 4", "i32[3] 0 2 4"},
        types(DType::kI32)},
       {{"string[2] a b", "string[0]"}, {}, {"string[2] a b", "i32[2] 0 1"}, types(DType::kString)},
       {{"i32[2,1] 1 2", "i32[0]"},
        {},
        {"INVALID_ARGUMENT: list_diff expects 1D vectors, got shape [2,1]"},
        types(DType::kI32)}});
}

} // namespace
} // namespace sluice::rt
