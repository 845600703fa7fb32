// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elementwise kernels: values, corner cases, broadcasting, shape rules, scalar functions.
#include "test/runtime/kernels/kernel_caller.h"

#include <cmath>
#include <limits>

namespace sluice::rt {
namespace {

constexpr float kInf = std::numeric_limits<float>::infinity();
const float kNan = std::nanf("");
constexpr int32_t kMin = std::numeric_limits<int32_t>::min();
constexpr int32_t kMax = std::numeric_limits<int32_t>::max();
using Strings = std::vector<std::string>;
using C64 = std::complex<float>;

// NaNs are equal to each other, and zeros have signs.
void expectSame(const std::vector<float> &actual, const std::vector<float> &expected,
                const char *what) {
  ASSERT_EQ(actual.size(), expected.size()) << what;
  for (size_t i = 0; i < expected.size(); ++i) {
    if (std::isnan(expected[i])) {
      EXPECT_TRUE(std::isnan(actual[i])) << what << " element " << i << " is " << actual[i];
      continue;
    }
    EXPECT_FLOAT_EQ(actual[i], expected[i]) << what << " element " << i;
    EXPECT_EQ(std::signbit(actual[i]), std::signbit(expected[i])) << what << " element " << i;
  }
}

TEST(ElementwiseUnary, FloatValues) {
  struct {
    const char *name;
    const Kernel &kernel;
    std::vector<float> in, out;
  } table[] = {
      {"neg", sluice_kernel_nd_neg_f32, {1, -0.0f, -kInf}, {-1, 0, kInf}},
      {"abs", sluice_kernel_nd_abs_f32, {-2, -0.0f, kNan}, {2, 0, kNan}},
      {"sign", sluice_kernel_nd_sign_f32, {kNan, -0.0f, -kInf, 3}, {kNan, 0, -1, 1}},
      {"floor", sluice_kernel_nd_floor_f32, {1.5f, -1.5f, kInf}, {1, -2, kInf}},
      {"ceil", sluice_kernel_nd_ceil_f32, {1.5f, -1.5f, -0.5f}, {2, -1, -0.0f}},
      {"round", sluice_kernel_nd_round_f32, {0.5f, 1.5f, 2.5f, -2.5f}, {0, 2, 2, -2}},
      {"sqrt", sluice_kernel_nd_sqrt_f32, {0, -1, -0.0f, kInf}, {0, kNan, -0.0f, kInf}},
      {"rsqrt", sluice_kernel_nd_rsqrt_f32, {0, -1, -0.0f, 4}, {kInf, kNan, -kInf, 0.5f}},
      {"exp", sluice_kernel_nd_exp_f32, {0, 89, -200, 1}, {1, kInf, 0, 2.7182817f}},
      {"log", sluice_kernel_nd_log_f32, {0, -1, kInf, 1e-30f}, {-kInf, kNan, kInf, -69.077553f}},
      {"log1p", sluice_kernel_nd_log1p_f32, {0, -1, 1e-30f}, {0, -kInf, 1e-30f}},
      {"expm1", sluice_kernel_nd_expm1_f32, {0, -104, 20, 1e-30f}, {0, -1, 485165184, 1e-30f}},
      {"tanh", sluice_kernel_nd_tanh_f32, {0, 89, -104, 0.5f}, {0, 1, -1, 0.46211717f}},
      {"sigmoid",
       sluice_kernel_nd_sigmoid_f32,
       {0, 89, -200, -20, kNan},
       {0.5f, 1, 0, 2.0611537e-09f, kNan}},
      {"sin", sluice_kernel_nd_sin_f32, {0, 1, kInf}, {0, 0.84147099f, kNan}},
      {"cos", sluice_kernel_nd_cos_f32, {0, 1}, {1, 0.54030231f}},
  };
  for (auto &row : table) {
    Tensor in = tensor<float>({static_cast<int64_t>(row.in.size())}, row.in);
    expectSame(valuesOf<float>(*callKernel(row.kernel, {in})), row.out, row.name);
    std::vector<float> scalars(row.in.size());
    for (size_t i = 0; i < scalars.size(); ++i) {
      const void *operand = &row.in[i];
      row.kernel.scalar(&operand, &scalars[i]);
    }
    expectSame(scalars, row.out, row.name);
  }
}

TEST(ElementwiseUnary, OtherTypes) {
  auto ints = tensor<int32_t>({3}, {kMin, -3, kMax});
  EXPECT_EQ(valuesOf<int32_t>(*callKernel(sluice_kernel_nd_abs_i32, {ints})),
            (std::vector<int32_t>{kMin, 3, kMax}));
  EXPECT_EQ(valuesOf<int32_t>(*callKernel(sluice_kernel_nd_neg_i32, {ints})),
            (std::vector<int32_t>{kMin, 3, -kMax}));
  EXPECT_EQ(valuesOf<int32_t>(*callKernel(sluice_kernel_nd_sign_i32, {ints})),
            (std::vector<int32_t>{-1, -1, 1}));
  auto bytes = tensor<uint8_t>({2}, {1, 0});
  EXPECT_EQ(valuesOf<uint8_t>(*callKernel(sluice_kernel_nd_neg_u8, {bytes})),
            (std::vector<uint8_t>{255, 0}));
  auto halves = tensor<Half>({2}, {Half(2.5f), Half(-1.0f)});
  EXPECT_EQ(float(callKernel(sluice_kernel_nd_round_f16, {halves})->data<Half>()[0]), 2.0f);
  EXPECT_EQ(float(callKernel(sluice_kernel_nd_abs_f16, {halves})->data<Half>()[1]), 1.0f);
  auto complex = tensor<C64>({2}, {{3, 4}, {0, 0}});
  EXPECT_EQ(valuesOf<C64>(*callKernel(sluice_kernel_nd_sign_c64, {complex})),
            (std::vector<C64>{{0.6f, 0.8f}, {0, 0}}));
  C64 tiny =
      callKernel(sluice_kernel_nd_expm1_c64, {tensor<C64>({}, {{1e-8f, 2e-8f}})})->data<C64>()[0];
  EXPECT_FLOAT_EQ(tiny.real(), 1e-8f);
  EXPECT_FLOAT_EQ(tiny.imag(), 2e-8f);
  tiny =
      callKernel(sluice_kernel_nd_log1p_c64, {tensor<C64>({}, {{1e-8f, 2e-8f}})})->data<C64>()[0];
  EXPECT_FLOAT_EQ(tiny.real(), 1e-8f);
  EXPECT_FLOAT_EQ(tiny.imag(), 2e-8f);
  using C128 = std::complex<double>;
  for (C128 z : {C128(0.5, 1), C128(-0.5, 2), C128(0.2, -0.3), C128(3, 1), C128(0.1, 0.8)}) {
    auto of = [&](const Kernel &kernel) {
      return callKernel(kernel, {tensor<C128>({}, {z})})->data<C128>()[0];
    };
    EXPECT_LT(std::abs(of(sluice_kernel_nd_sigmoid_c128) - 1. / (1. + std::exp(-z))), 1e-14);
    EXPECT_LT(std::abs(of(sluice_kernel_nd_log1p_c128) - std::log(1. + z)), 1e-14);
    EXPECT_LT(std::abs(of(sluice_kernel_nd_expm1_c128) - (std::exp(z) - 1.)), 1e-13);
  }
  auto doubles = valuesOf<double>(
      *callKernel(sluice_kernel_nd_sigmoid_f64, {tensor<double>({4}, {-2, 2, 0, -800})}));
  EXPECT_DOUBLE_EQ(doubles[0], 1 / (1 + std::exp(2.)));
  EXPECT_DOUBLE_EQ(doubles[1], 1 / (1 + std::exp(-2.)));
  EXPECT_EQ(doubles[2], 0.5);
  EXPECT_EQ(doubles[3], 0);
  auto far = tensor<C64>({3}, {{-100, 1}, {100, 1}, {kInf, 0}});
  auto sigmoids = valuesOf<C64>(*callKernel(sluice_kernel_nd_sigmoid_c64, {far}));
  EXPECT_LT(std::abs(sigmoids[0]), 1e-30f);
  EXPECT_LT(std::abs(sigmoids[1] - 1.f), 1e-6f);
  EXPECT_EQ(valuesOf<C64>(*callKernel(sluice_kernel_nd_expm1_c64, {far}))[2], C64(kInf, 0));
  using Bools = std::vector<bool>;
  auto specials = tensor<float>({4}, {kNan, -kInf, 1, -0.0f});
  EXPECT_EQ(valuesOf<bool>(*callKernel(sluice_kernel_nd_is_nan_f32, {specials}, {DType::kBool})),
            (Bools{true, false, false, false}));
  EXPECT_EQ(valuesOf<bool>(*callKernel(sluice_kernel_nd_is_inf_f32, {specials}, {DType::kBool})),
            (Bools{false, true, false, false}));
  EXPECT_EQ(valuesOf<bool>(*callKernel(sluice_kernel_nd_is_finite_f32, {specials}, {DType::kBool})),
            (Bools{false, false, true, true}));
  EXPECT_EQ(valuesOf<bool>(
                *callKernel(sluice_kernel_nd_logical_not_bool, {tensor<bool>({2}, {true, false})})),
            (Bools{false, true}));
  EXPECT_EQ(inferShape(sluice_kernel_nd_neg_f32, {{2, -1}}), "[2,?]");
  EXPECT_EQ(inferShape(sluice_kernel_nd_neg_f32, {kAnyShape}), "<unknown>");
}

TEST(ElementwiseBinary, FloatValues) {
  struct {
    const char *name;
    const Kernel &kernel;
    std::vector<float> x, y, out;
  } table[] = {
      {"add", sluice_kernel_nd_add_f32, {1, kInf}, {2, -kInf}, {3, kNan}},
      {"sub", sluice_kernel_nd_sub_f32, {1, 2}, {2, 2}, {-1, 0}},
      {"mul", sluice_kernel_nd_mul_f32, {3, 0}, {2, kInf}, {6, kNan}},
      {"div", sluice_kernel_nd_div_f32, {1, -1, 0}, {0, 0, 0}, {kInf, -kInf, kNan}},
      {"floor_div", sluice_kernel_nd_floor_div_f32, {7, -7, 1}, {2, 2, 0}, {3, -4, kInf}},
      {"floor_mod", sluice_kernel_nd_floor_mod_f32, {7, -7, 7, -7}, {3, 3, -3, -3}, {1, 2, -2, -1}},
      {"trunc_mod", sluice_kernel_nd_trunc_mod_f32, {7, -7, 1}, {3, 3, 0}, {1, -1, kNan}},
      {"div_no_nan", sluice_kernel_nd_div_no_nan_f32, {1, kNan, 4}, {0, 0, 2}, {0, 0, 2}},
      {"maximum", sluice_kernel_nd_maximum_f32, {kNan, 1, 3}, {1, kNan, 2}, {kNan, kNan, 3}},
      {"minimum", sluice_kernel_nd_minimum_f32, {kNan, 1, 3}, {1, kNan, 2}, {kNan, kNan, 2}},
      {"pow", sluice_kernel_nd_pow_f32, {0, -8, kInf, -2}, {0, 1.f / 3, 0, 3}, {1, kNan, 1, -8}},
  };
  for (auto &row : table) {
    Shape shape{static_cast<int64_t>(row.x.size())};
    auto result = callKernel(row.kernel, {tensor(shape, row.x), tensor(shape, row.y)});
    expectSame(valuesOf<float>(*result), row.out, row.name);
    std::vector<float> scalars(row.x.size());
    for (size_t i = 0; i < scalars.size(); ++i) {
      const void *operands[] = {&row.x[i], &row.y[i]};
      row.kernel.scalar(operands, &scalars[i]);
    }
    expectSame(scalars, row.out, row.name);
  }
}

TEST(ElementwiseBinary, IntegerValues) {
  struct {
    const char *name;
    const Kernel &kernel;
    std::vector<int32_t> x, y, out;
  } table[] = {
      {"add", sluice_kernel_nd_add_i32, {kMax, kMin}, {1, -1}, {kMin, kMax}},
      {"sub", sluice_kernel_nd_sub_i32, {kMin, 5}, {1, 7}, {kMax, -2}},
      {"mul", sluice_kernel_nd_mul_i32, {kMin, kMax}, {-1, 2}, {kMin, -2}},
      {"div", sluice_kernel_nd_div_i32, {7, -7, kMin, 7}, {2, 2, -1, -2}, {3, -3, kMin, -3}},
      {"floor_div",
       sluice_kernel_nd_floor_div_i32,
       {7, -7, kMin, 7},
       {2, 2, -1, -2},
       {3, -4, kMin, -4}},
      {"floor_mod",
       sluice_kernel_nd_floor_mod_i32,
       {7, -7, kMin, 7},
       {3, 3, -1, -3},
       {1, 2, 0, -2}},
      {"trunc_mod", sluice_kernel_nd_trunc_mod_i32, {7, -7, kMin}, {3, 3, -1}, {1, -1, 0}},
      {"maximum", sluice_kernel_nd_maximum_i32, {1, kMin}, {2, 0}, {2, 0}},
      {"minimum", sluice_kernel_nd_minimum_i32, {1, kMin}, {2, 0}, {1, kMin}},
      {"pow",
       sluice_kernel_nd_pow_i32,
       {2, -3, 0, 3, 2},
       {10, 3, 0, 21, 32},
       {1024, -27, 1, 1870418611, 0}},
  };
  for (auto &row : table) {
    Shape shape{static_cast<int64_t>(row.x.size())};
    auto result = callKernel(row.kernel, {tensor(shape, row.x), tensor(shape, row.y)});
    EXPECT_EQ(valuesOf<int32_t>(*result), row.out) << row.name;
  }
}

TEST(ElementwiseBinary, IntegerErrors) {
  auto one = tensor<int32_t>({1}, {1}), zero = tensor<int32_t>({1}, {0});
  for (const Kernel *kernel : {&sluice_kernel_nd_div_i32, &sluice_kernel_nd_floor_div_i32,
                               &sluice_kernel_nd_floor_mod_i32, &sluice_kernel_nd_trunc_mod_i32}) {
    EXPECT_EQ(errorOf(callKernel(*kernel, {one, zero})), "Integer division by zero");
    EXPECT_EQ(kernel->scalar, nullptr);
    // No element divides, so nothing is wrong.
    EXPECT_TRUE(callKernel(*kernel, {tensor<int32_t>({0}, {}), zero}).ok());
  }
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_div_u8,
                               {tensor<uint8_t>({1}, {1}), tensor<uint8_t>({1}, {0})})),
            "Integer division by zero");
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_pow_i32, {one, tensor<int32_t>({1}, {-1})})),
            "Integers to negative integer powers are not allowed");
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_pow_u8, {tensor<uint8_t>({1}, {3}), tensor<uint8_t>({1}, {255})})
          ->data<uint8_t>()[0],
      171);
}

TEST(ElementwiseBinary, NarrowStringAndComplexTypes) {
  EXPECT_EQ(valuesOf<uint8_t>(*callKernel(sluice_kernel_nd_mul_u8, {tensor<uint8_t>({2}, {200, 1}),
                                                                    tensor<uint8_t>({}, {2})})),
            (std::vector<uint8_t>{144, 2}));
  EXPECT_EQ(callKernel(sluice_kernel_nd_mul_u16,
                       {tensor<uint16_t>({}, {65535}), tensor<uint16_t>({}, {65535})})
                ->data<uint16_t>()[0],
            1);
  EXPECT_EQ(callKernel(sluice_kernel_nd_floor_div_i8,
                       {tensor<int8_t>({}, {-128}), tensor<int8_t>({}, {-1})})
                ->data<int8_t>()[0],
            -128);
  EXPECT_EQ(valuesOf<std::string>(
                *callKernel(sluice_kernel_nd_add_string, {tensor<std::string>({2}, {"a", "b"}),
                                                          tensor<std::string>({}, {"x"})})),
            (Strings{"ax", "bx"}));
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_mul_c64, {tensor<C64>({}, {{3, 4}}), tensor<C64>({}, {{3, -4}})})
          ->data<C64>()[0],
      C64(25, 0));
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_pow_c64, {tensor<C64>({}, {{0, 0}}), tensor<C64>({}, {{0, 0}})})
          ->data<C64>()[0],
      C64(1, 0));
  EXPECT_EQ(
      callKernel(sluice_kernel_nd_pow_c64, {tensor<C64>({}, {{0, 0}}), tensor<C64>({}, {{1, 1}})})
          ->data<C64>()[0],
      C64(0, 0));
  C64 power =
      callKernel(sluice_kernel_nd_pow_c64, {tensor<C64>({}, {{0, 1}}), tensor<C64>({}, {{2, 0}})})
          ->data<C64>()[0];
  EXPECT_LT(std::abs(power + 1.f), 1e-6f);
  // 1 + 2^-9 rounds to 1 in bfloat16.
  EXPECT_EQ(float(callKernel(sluice_kernel_nd_add_bf16, {tensor<BFloat16>({}, {BFloat16(1.f)}),
                                                         tensor<BFloat16>({}, {BFloat16(0x1p-9f)})})
                      ->data<BFloat16>()[0]),
            1.f);
}

TEST(ElementwiseBinary, Comparisons) {
  using Bools = std::vector<bool>;
  auto x = tensor<float>({4}, {1, 2, 2, kNan}), y = tensor<float>({4}, {2, 2, 1, kNan});
  struct {
    const Kernel &kernel;
    Bools expected;
  } table[] = {
      {sluice_kernel_nd_less_f32, {true, false, false, false}},
      {sluice_kernel_nd_less_equal_f32, {true, true, false, false}},
      {sluice_kernel_nd_greater_f32, {false, false, true, false}},
      {sluice_kernel_nd_greater_equal_f32, {false, true, true, false}},
      {sluice_kernel_nd_equal_f32, {false, true, false, false}},
      {sluice_kernel_nd_not_equal_f32, {true, false, true, true}},
  };
  for (auto &row : table)
    EXPECT_EQ(valuesOf<bool>(*callKernel(row.kernel, {x, y}, {DType::kBool})), row.expected);
  EXPECT_EQ(valuesOf<bool>(
                *callKernel(sluice_kernel_nd_equal_string,
                            {tensor<std::string>({2}, {"a", "b"}), tensor<std::string>({}, {"b"})},
                            {DType::kBool})),
            (Bools{false, true}));
  EXPECT_TRUE(callKernel(sluice_kernel_nd_less_u64,
                         {tensor<uint64_t>({}, {1}), tensor<uint64_t>({}, {~0ull})}, {DType::kBool})
                  ->data<bool>()[0]);
  auto p = tensor<bool>({2, 1}, {false, true}), q = tensor<bool>({2}, {false, true});
  EXPECT_EQ(valuesOf<bool>(*callKernel(sluice_kernel_nd_logical_and_bool, {p, q})),
            (Bools{false, false, false, true}));
  EXPECT_EQ(valuesOf<bool>(*callKernel(sluice_kernel_nd_logical_or_bool, {p, q})),
            (Bools{false, true, true, true}));
}

// The element of an operand that belongs to a row-major position of the result.
int64_t operandIndex(const Shape &operand, const Shape &result, int64_t position) {
  int64_t index = 0, stride = 1;
  for (int back = 1; back <= result.rank(); ++back) {
    int64_t size = result.dim(result.rank() - back), at = position % size;
    position /= size;
    if (back > operand.rank())
      continue;
    int64_t dim = operand.dim(operand.rank() - back);
    index += dim == 1 ? 0 : at * stride;
    stride *= dim;
  }
  return index;
}

TEST(Broadcast, AgreesWithDefinition) {
  Shape deep = Shape::unknownDims(Shape::kMaxRank), flipped = deep;
  for (int i = 0; i < Shape::kMaxRank; ++i) {
    deep.setDim(i, i % 50 == 0 ? 2 : 1);
    flipped.setDim(i, i % 50 == 25 ? 3 : i % 50 == 0 && i > 60 ? 2 : 1);
  }
  const std::pair<Shape, Shape> table[] = {
      {{}, {}},         {{3}, {}},           {{}, {2, 3}},      {{2, 3}, {3}},
      {{2, 1}, {3}},    {{2, 1, 3}, {5, 1}}, {{1, 4}, {4, 1}},  {{2, 3, 4}, {2, 1, 4}},
      {{1}, {1, 1}},    {{0, 3}, {3}},       {{1, 0}, {4, 1}},  {{2, 3, 1, 5}, {3, 4, 1}},
      {{7, 1}, {1, 9}}, {deep, flipped},     {{100}, {3, 100}},
  };
  for (auto &[a, b] : table) {
    Tensor x = ramp<float>(a, 1), y = ramp<float>(b, 1000, 3);
    auto result = callKernel(sluice_kernel_nd_sub_f32, {x, y});
    ASSERT_EQ(errorOf(result), "");
    for (int64_t i = 0; i < result->elements(); ++i)
      ASSERT_EQ(result->data<float>()[i], x.data<float>()[operandIndex(a, result->shape(), i)] -
                                              y.data<float>()[operandIndex(b, result->shape(), i)])
          << a.toString() << " and " << b.toString() << " at " << i;
  }
}

TEST(Broadcast, ShapeRule) {
  struct {
    Shape a, b;
    const char *expected;
  } table[] = {
      {{2, 3}, {3}, "[2,3]"},
      {{2, 1}, {1, 3}, "[2,3]"},
      {{0}, {1}, "[0]"},
      {{-1}, {3}, "[3]"},
      {{-1}, {1}, "[?]"},
      {{-1}, {-1}, "[?]"},
      {{-1}, {0}, "[0]"},
      {{2, -1}, {4, 1, 1}, "[4,2,?]"},
      {kAnyShape, {3}, "<unknown>"},
      {{2}, {3}, "Incompatible shapes: [2] vs. [3]"},
      {{2, 3}, {2}, "Incompatible shapes: [2,3] vs. [2]"},
      {{2, -1}, {3, 1}, "Incompatible shapes: [2,?] vs. [3,1]"},
      {{0}, {2}, "Incompatible shapes: [0] vs. [2]"},
  };
  for (auto &row : table) {
    EXPECT_EQ(inferShape(sluice_kernel_nd_add_f32, {row.a, row.b}), row.expected);
  }
  EXPECT_EQ(errorOf(callKernel(sluice_kernel_nd_add_f32, {ramp<float>({2}), ramp<float>({3})})),
            "Incompatible shapes: [2] vs. [3]");
}

// Outputs may be inputs of the same shape.
TEST(Broadcast, InPlace) {
  Tensor x = ramp<float>({4, 50}), y = ramp<float>({50}, 5);
  std::vector<float> expected = valuesOf<float>(*callKernel(sluice_kernel_nd_mul_f32, {x, y}));
  const Tensor *inputs[] = {&x, &y};
  const DType types[] = {DType::kF32};
  KernelCall call(inputs, {&x, 1}, {}, types, nullptr);
  ASSERT_TRUE(sluice_kernel_nd_mul_f32.flags & Kernel::kInPlace);
  ASSERT_TRUE(sluice_kernel_nd_mul_f32.run(call).ok());
  EXPECT_EQ(valuesOf<float>(x), expected);
}

} // namespace
} // namespace sluice::rt
