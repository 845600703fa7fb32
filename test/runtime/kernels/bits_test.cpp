// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bits of integers, neighbours of floats, and numbers seen as others.
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/kernel_case.h"

#include <cmath>
#include <limits>

namespace sluice::rt {
namespace {

TEST(Bits, OfTwoOperands) {
  checkCases(sluice_kernel_sci_bit_and_i8, {{{"i8[3] 12 -1 5", "i8 6"}, {}, {"i8[3] 4 6 4"}}});
  checkCases(sluice_kernel_sci_bit_or_u16,
             {{{"u16[2,1] 12 65535", "u16[2] 3 0"}, {}, {"u16[2,2] 15 12 65535 65535"}}});
  checkCases(sluice_kernel_sci_bit_xor_i32, {{{"i32[2] 12 -1", "i32[2] 10 0"}, {}, {"i32[2] 6 -1"}},
                                             {{"i32[0]", "i32 1"}, {}, {"i32[0]"}}});
  checkCases(sluice_kernel_sci_bit_xor_i64,
             {{{"i64[2] 1 2", "i64[3] 1 2 3"},
               {},
               {"INVALID_ARGUMENT: Incompatible shapes: [2] vs. [3]"}}});
}

TEST(Bits, ShiftsStayInside) {
  checkCases(sluice_kernel_sci_shift_left_i8,
             {{{"i8[5] 1 1 1 -1 64", "i8[5] 3 -4 99 7 1"}, {}, {"i8[5] 8 1 -128 -128 -128"}}});
  checkCases(sluice_kernel_sci_shift_right_i8,
             {{{"i8[5] 64 -64 -1 5 -128", "i8[5] 3 3 99 -9 7"}, {}, {"i8[5] 8 -8 -1 5 -1"}}});
  checkCases(sluice_kernel_sci_shift_left_u32,
             {{{"u32[2] 3 3", "u32[2] 31 4294967295"}, {}, {"u32[2] 2147483648 2147483648"}}});
  auto found =
      callKernel(sluice_kernel_sci_shift_right_u64,
                 {tensor<uint64_t>({2}, {~uint64_t{0}, 8}), tensor<uint64_t>({2}, {63, 200})});
  EXPECT_EQ(found->data<uint64_t>()[0], 1U);
  EXPECT_EQ(found->data<uint64_t>()[1], 0U);
}

TEST(Bits, PopulationCount) {
  checkCases(sluice_kernel_sci_population_count_i32,
             {{{"i32[4] 0 1 -1 6"}, {}, {"u8[4] 0 1 32 2"}, {DType::kU8}}});
  checkCases(sluice_kernel_sci_population_count_i8,
             {{{"i8[2] -1 -128"}, {}, {"u8[2] 8 1"}, {DType::kU8}}});
}

TEST(Bits, NextAfter) {
  const float inf = std::numeric_limits<float>::infinity();
  const float least = std::numeric_limits<float>::min();
  auto found =
      callKernel(sluice_kernel_sci_next_after_f32, {tensor<float>({6}, {1, 0, 2, 3, -least, 0}),
                                                    tensor<float>({6}, {inf, -1, 2, NAN, 1, 0})});
  EXPECT_EQ(found->data<float>()[0], 1.0f + std::numeric_limits<float>::epsilon());
  EXPECT_EQ(found->data<float>()[1], -least);
  EXPECT_EQ(found->data<float>()[2], 2.0f);
  EXPECT_TRUE(std::isnan(found->data<float>()[3]));
  EXPECT_EQ(found->data<float>()[4], 0.0f);
  EXPECT_TRUE(std::signbit(found->data<float>()[4]));
  EXPECT_EQ(found->data<float>()[5], 0.0f);
}

TEST(Bitcast, Values) {
  checkCases(sluice_kernel_sci_bitcast_f32,
             {{{"f32[2] 1 -2"}, {}, {"i32[2] 1065353216 -1073741824"}, {DType::kI32}},
              {{"f32[1] 1"}, {}, {"u8[1,4] 0 0 128 63"}, {DType::kU8}},
              {{"f32 1"}, {}, {"i16[2] 0 16256"}, {DType::kI16}},
              {{"f32[2,2] 1 2 3 4"}, {}, {"c64[2] (1,2) (3,4)"}, {DType::kC64}}});
  checkCases(sluice_kernel_sci_bitcast_u8,
             {{{"u8[0,4]"}, {}, {"f32[0]"}, {DType::kF32}},
              {{"u8[4] 0 0 128 63"}, {}, {"f32 1"}, {DType::kF32}},
              {{"u8[4] 1 0 0 0"}, {}, {"f32 0"}, {DType::kF32}}, // no denormals
              {{"u8[2] 1 2"},
               {},
               {"INVALID_ARGUMENT: expected a last dim of 4 but got the shape [2]"},
               {DType::kF32}},
              {{"u8 1"},
               {},
               {"INVALID_ARGUMENT: expected a last dim of 4 but got the shape []"},
               {DType::kF32}}});
}

TEST(Bitcast, TooManyDims) {
  Shape shape;
  for (int i = 0; i < Shape::kMaxRank; ++i)
    shape.append(1);
  EXPECT_FALSE(
      callKernel(sluice_kernel_sci_bitcast_i16, {ramp<int16_t>(shape)}, {DType::kI8}).ok());
}

} // namespace
} // namespace sluice::rt
