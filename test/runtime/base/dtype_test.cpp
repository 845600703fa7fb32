// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Element types, and how the 16-bit floats round.
#include "runtime/base/dtype.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>
#include <limits>

namespace sluice::rt {
namespace {

constexpr float kInfinity = std::numeric_limits<float>::infinity();
constexpr float kNaN = std::numeric_limits<float>::quiet_NaN();

TEST(DType, HasTheSizeOfItsElements) {
#define EXPECT_SIZE(E, T, N)                                                                       \
  EXPECT_EQ(sizeOf(DType::E), sizeof(T));                                                          \
  EXPECT_EQ(dtypeName(DType::E), #N);                                                              \
  EXPECT_EQ(dtypeFromName(#N), DType::E);
  SLUICE_NUMBER_DTYPES(EXPECT_SIZE)
#undef EXPECT_SIZE
  EXPECT_EQ(sizeOf(DType::kBool), 1u);
  EXPECT_EQ(sizeOf(DType::kString), sizeof(std::string));
  EXPECT_EQ(sizeOf(DType::kHandle), sizeof(void *));
  EXPECT_EQ(dtypeName(DType::kInvalid), "invalid");
  EXPECT_EQ(dtypeFromName("handle"), DType::kHandle);
  EXPECT_EQ(dtypeFromName("invalid"), std::nullopt);
  EXPECT_EQ(dtypeFromName(""), std::nullopt);
}

TEST(DType, BelongsToItsKinds) {
  std::string floats, ints, signedInts, complex, plain;
  for (int i = 0; i <= kNumDTypes; ++i) {
    auto dtype = static_cast<DType>(i);
    std::string name = std::string(dtypeName(dtype)) + " ";
    floats += isFloat(dtype) ? name : "";
    ints += isInt(dtype) ? name : "";
    signedInts += isSignedInt(dtype) ? name : "";
    complex += isComplex(dtype) ? name : "";
    plain += isPlain(dtype) ? "" : name;
  }
  EXPECT_EQ(floats, "f16 bf16 f32 f64 ");
  EXPECT_EQ(ints, "i8 i16 i32 i64 u8 u16 u32 u64 ");
  EXPECT_EQ(signedInts, "i8 i16 i32 i64 ");
  EXPECT_EQ(complex, "c64 c128 ");
  EXPECT_EQ(plain, "string handle invalid ");
}

// Every number of 16 bits is itself again, except that a NaN may be another one.
template <typename T> void expectAllComeBack() {
  for (uint32_t bits = 0; bits < 1 << 16; ++bits) {
    T before;
    before.bits = static_cast<uint16_t>(bits);
    auto wide = static_cast<float>(before);
    T after(wide);
    if (std::isnan(wide))
      EXPECT_TRUE(std::isnan(static_cast<float>(after)));
    else
      ASSERT_EQ(after.bits, bits);
  }
}

TEST(Half, ComesBack) { expectAllComeBack<Half>(); }
TEST(BFloat16, ComesBack) { expectAllComeBack<BFloat16>(); }

TEST(Half, RoundsToTheNearestAndTiesToEven) {
  for (auto [value, bits] : {std::pair(1.f, 0x3c00),
                             {1 + 0x1p-11f, 0x3c00}, // halfway
                             {1 + 0x1p-11f + 0x1p-20f, 0x3c01},
                             {1 + 3 * 0x1p-11f, 0x3c02}, // halfway
                             {-2.f, 0xc000},
                             {65504.f, 0x7bff},
                             {65519.f, 0x7bff},
                             {65520.f, 0x7c00},
                             {1e6f, 0x7c00},
                             {-kInfinity, 0xfc00},
                             {0x1p-14f, 0x0400},
                             {0x1p-24f, 0x0001},
                             {0x1p-25f, 0x0000}, // halfway
                             {0x1.1p-25f, 0x0001},
                             {-3 * 0x1p-25f, 0x8002}, // halfway
                             {0x1.ffcp-15f, 0x0400},
                             {1e-30f, 0x0000},
                             {-0.f, 0x8000},
                             {kNaN, 0x7e00}})
    EXPECT_EQ(Half(value).bits, bits) << value;
  EXPECT_EQ(static_cast<float>(Half(0x1p-24f)), 0x1p-24f);
  EXPECT_EQ(static_cast<float>(Half(-kInfinity)), -kInfinity);
}

TEST(BFloat16, RoundsToTheNearestAndTiesToEven) {
  for (auto [value, bits] : {std::pair(1.f, 0x3f80),
                             {1 + 0x1p-8f, 0x3f80}, // halfway
                             {1 + 0x1p-8f + 0x1p-20f, 0x3f81},
                             {1 + 3 * 0x1p-8f, 0x3f82}, // halfway
                             {-2.f, 0xc000},
                             {3.4e38f, 0x7f80},
                             {kInfinity, 0x7f80},
                             {-0.f, 0x8000}})
    EXPECT_EQ(BFloat16(value).bits, bits) << value;
  // What is cut off may be all that makes it a NaN.
  EXPECT_EQ(BFloat16(std::bit_cast<float>(0x7f800001u)).bits, 0x7fc0);
  EXPECT_EQ(BFloat16(std::bit_cast<float>(0xff81ffffu)).bits, 0xffc1);
}

} // namespace
} // namespace sluice::rt
