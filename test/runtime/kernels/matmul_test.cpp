// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matrix products against the definition, for all element kinds, layouts and batch shapes.
#include "runtime/base/arithmetic.h"
#include "test/runtime/kernels/kernel_caller.h"

#include <cmath>
#include <cstring>

namespace sluice::rt {
namespace {

using C64 = std::complex<float>;

std::vector<Attr> flags(bool transposeA, bool transposeB, bool adjointA = false,
                        bool adjointB = false) {
  return {intAttr(adjointA), intAttr(adjointB), intAttr(transposeA), intAttr(transposeB)};
}

// Small whole numbers, so that every order of accumulation gives the same.
template <typename T> Tensor numbers(const Shape &shape, int seed) {
  Tensor t = *Tensor::allocate(DTypeOf<T>::value, shape);
  for (int64_t i = 0; i < t.elements(); ++i) {
    float value = static_cast<float>((i * 7 + seed) % 11 - 5);
    if constexpr (std::is_same_v<T, C64>)
      t.data<T>()[i] = C64(value, static_cast<float>((i * 5 + seed) % 7 - 3));
    else
      t.data<T>()[i] = static_cast<T>(value);
  }
  return t;
}

template <typename T> C64 at(const Tensor &t, int64_t i) {
  if constexpr (std::is_same_v<T, C64>)
    return t.data<T>()[i];
  else
    return static_cast<float>(t.data<T>()[i]);
}

template <typename T>
void checkProduct(const Kernel &kernel, int64_t m, int64_t k, int64_t n, int layout,
                  bool adjoint = false) {
  bool transA = layout & 1, transB = layout & 2;
  Tensor a = numbers<T>(transA ? Shape{k, m} : Shape{m, k}, 1);
  Tensor b = numbers<T>(transB ? Shape{n, k} : Shape{k, n}, 3);
  auto result = callKernel(kernel, {a, b},
                           adjoint ? flags(false, false, transA, transB) : flags(transA, transB));
  ASSERT_EQ(errorOf(result), "");
  ASSERT_EQ(result->shape(), (Shape{m, n}));
  for (int64_t i = 0; i < m; ++i)
    for (int64_t j = 0; j < n; ++j) {
      C64 sum = 0;
      for (int64_t x = 0; x < k; ++x) {
        C64 left = at<T>(a, transA ? x * m + i : i * k + x);
        C64 right = at<T>(b, transB ? j * k + x : x * n + j);
        sum += (adjoint && transA ? std::conj(left) : left) *
               (adjoint && transB ? std::conj(right) : right);
      }
      ASSERT_EQ(at<T>(*result, i * n + j), sum)
          << m << 'x' << k << 'x' << n << " layout " << layout << " at " << i << ',' << j;
    }
}

TEST(Matmul, AgreesWithDefinition) {
  const int64_t sizes[][3] = {{1, 1, 1},  {2, 3, 4},   {1, 300, 1},  {1, 37, 90},  {90, 37, 1},
                              {5, 1, 70}, {33, 40, 9}, {64, 64, 64}, {3, 500, 100}};
  for (auto &[m, k, n] : sizes)
    for (int layout = 0; layout < 4; ++layout) {
      checkProduct<float>(sluice_kernel_nd_matmul_f32, m, k, n, layout);
      checkProduct<double>(sluice_kernel_nd_matmul_f64, m, k, n, layout);
      checkProduct<C64>(sluice_kernel_nd_matmul_c64, m, k, n, layout);
      checkProduct<C64>(sluice_kernel_nd_matmul_c64, m, k, n, layout, true);
      checkProduct<int32_t>(sluice_kernel_nd_matmul_i32, m, k, n, layout);
      checkProduct<float>(sluice_kernel_nd_matmul_f32, m, k, n, layout, true);
      if (k <= 40)
        checkProduct<Half>(sluice_kernel_nd_matmul_f16, m, k, n, layout);
    }
}

// Numbers of which every sum is rounded.
template <typename T> std::vector<T> fractions(int64_t count, double step) {
  std::vector<T> values;
  for (int64_t i = 0; i < count; ++i)
    values.push_back(static_cast<T>(std::sin(step * static_cast<double>(i + 1))));
  return values;
}

// For tiles and blocks of every kind, the bits are those of the definition.
template <typename T> void checkChains(const Kernel &kernel, int64_t m, int64_t k, int64_t n) {
  for (int layout = 0; layout < 4; ++layout) {
    bool transA = layout & 1, transB = layout & 2;
    auto a = fractions<T>(m * k, 0.7), b = fractions<T>(k * n, 0.3);
    KernelResult result = callKernel(kernel,
                                     {tensor<T>(transA ? Shape{k, m} : Shape{m, k}, a),
                                      tensor<T>(transB ? Shape{n, k} : Shape{k, n}, b)},
                                     flags(transA, transB));
    for (int64_t i = 0; i < m; ++i)
      for (int64_t j = 0; j < n; ++j) {
        Compute<T> chain = 0;
        for (int64_t x = 0; x < k; ++x)
          chain =
              std::fma(Compute<T>(a[static_cast<size_t>(transA ? x * m + i : i * k + x)]),
                       Compute<T>(b[static_cast<size_t>(transB ? j * k + x : x * n + j)]), chain);
        ASSERT_EQ(result->data<T>()[i * n + j], static_cast<T>(chain))
            << m << 'x' << k << 'x' << n << " layout " << layout << " at " << i << ',' << j;
      }
  }
}

TEST(Matmul, EveryElementIsOneChain) {
  const int64_t sizes[][3] = {{1, 1, 1},     {1, 200, 1},   {1, 300, 150}, {150, 70, 1},
                              {2, 65, 101},  {3, 129, 70},  {4, 40, 64},   {6, 600, 16},
                              {7, 5, 33},    {12, 257, 48}, {13, 256, 40}, {65, 300, 520},
                              {200, 30, 130}};
  for (auto &[m, k, n] : sizes) {
    checkChains<float>(sluice_kernel_nd_matmul_f32, m, k, n);
    checkChains<double>(sluice_kernel_nd_matmul_f64, m, k, n);
  }
  const int64_t sizesOfSmallFloats[][3] = {{1, 1, 1}, {3, 129, 70}, {65, 258, 260}};
  for (auto &[m, k, n] : sizesOfSmallFloats) {
    checkChains<Half>(sluice_kernel_nd_matmul_f16, m, k, n);
    checkChains<BFloat16>(sluice_kernel_nd_matmul_bf16, m, k, n);
  }
}

// Parts of a product, each onto the one before, are the whole.
template <typename T> void checkParts(const Kernel &onto, const Kernel &whole) {
  constexpr int64_t m = 13, n = 70, k = 90;
  for (int layout = 0; layout < 4; ++layout) {
    bool transA = layout & 1, transB = layout & 2;
    auto a = fractions<T>(m * k, 0.7), b = fractions<T>(k * n, 0.3);
    auto part = [&](const std::vector<T> &all, bool isTransposed, int64_t rows, int64_t first,
                    int64_t count) { // columns of a matrix, or its rows if it is transposed
      std::vector<T> values;
      for (int64_t i = 0; i < (isTransposed ? count : rows); ++i)
        for (int64_t j = 0; j < (isTransposed ? rows : count); ++j)
          values.push_back(
              all[static_cast<size_t>(isTransposed ? (first + i) * rows + j : i * k + first + j)]);
      return tensor<T>(isTransposed ? Shape{count, rows} : Shape{rows, count}, values);
    };
    Tensor sum = tensor<T>({m, n}, std::vector<T>(m * n, 0));
    for (auto [first, count] : {std::pair<int64_t, int64_t>{0, 1}, {1, 49}, {50, 0}, {50, 40}}) {
      KernelResult next = callKernel(
          onto, {sum, part(a, transA, m, first, count), part(b, !transB, n, first, count)},
          {intAttr(transA), intAttr(transB)});
      ASSERT_EQ(errorOf(next), "");
      sum = *next;
    }
    KernelResult expected = callKernel(whole, {part(a, transA, m, 0, k), part(b, !transB, n, 0, k)},
                                       flags(transA, transB));
    EXPECT_EQ(valuesOf<T>(sum), valuesOf<T>(*expected)) << layout;
  }
}

TEST(Matmul, GoesOnWithASum) {
  checkParts<float>(sluice_kernel_nd_matmul_onto_f32, sluice_kernel_nd_matmul_f32);
  checkParts<double>(sluice_kernel_nd_matmul_onto_f64, sluice_kernel_nd_matmul_f64);
  auto error = [](Shape sum, Shape a, Shape b) {
    return errorOf(callKernel(sluice_kernel_nd_matmul_onto_f32,
                              {ramp<float>(sum), ramp<float>(a), ramp<float>(b)},
                              {intAttr(0), intAttr(0)}));
  };
  EXPECT_NE(error({2, 3}, {2, 3}, {2, 3}).find("inner dims"), std::string::npos);
  EXPECT_NE(error({3, 3}, {2, 4}, {4, 3}).find("expected a sum of the shape [2,3]"),
            std::string::npos);
  EXPECT_NE(error({2}, {2, 4}, {4, 3}).find("expected a matrix"), std::string::npos);
}

// The executor may take any operand of the result's shape for the result.
TEST(Matmul, GoesOnInTheMemoryOfAnOperand) {
  for (size_t taken = 0; taken < 3; ++taken) {
    std::vector<Tensor> operands;
    for (double step : {0.1, 0.7, 0.3})
      operands.push_back(tensor<float>({4, 4}, fractions<float>(16, step)));
    std::vector<Attr> attrs{intAttr(0), intAttr(1)};
    KernelResult expected = callKernel(sluice_kernel_nd_matmul_onto_f32, operands, attrs);
    const Tensor *inputs[] = {&operands[0], &operands[1], &operands[2]};
    Tensor out = operands[taken];
    const DType types[] = {DType::kF32};
    KernelCall call(inputs, {&out, 1}, attrs, types, nullptr);
    ASSERT_TRUE(sluice_kernel_nd_matmul_onto_f32.run(call).ok());
    EXPECT_EQ(valuesOf<float>(out), valuesOf<float>(*expected)) << taken;
  }
}

TEST(Matmul, ComplexProductsOfManyRows) {
  for (int layout = 0; layout < 4; ++layout)
    for (bool adjoint : {false, true})
      checkProduct<C64>(sluice_kernel_nd_matmul_c64, 150, 40, 30, layout, adjoint);
}

TEST(Matmul, ZeroSizesAndSpecialValues) {
  auto result = callKernel(sluice_kernel_nd_matmul_f32,
                           {tensor<float>({2, 0}, {}), tensor<float>({0, 3}, {})}, flags(0, 0));
  EXPECT_EQ(valuesOf<float>(*result), std::vector<float>(6, 0));
  result = callKernel(sluice_kernel_nd_matmul_f32, {tensor<float>({0, 3}, {}), ramp<float>({3, 4})},
                      flags(0, 0));
  EXPECT_EQ(result->shape(), (Shape{0, 4}));
  result = callKernel(sluice_kernel_nd_matmul_f32,
                      {tensor<float>({1, 2}, {0, 1}), tensor<float>({2, 1}, {std::nanf(""), 1})},
                      flags(0, 0));
  EXPECT_TRUE(std::isnan(result->data<float>()[0]));
  // Sums are rounded once: in bfloat16 they would stick at 256.
  result =
      callKernel(sluice_kernel_nd_matmul_bf16,
                 {ramp<BFloat16>({1, 512}, 1, 0), ramp<BFloat16>({512, 1}, 1, 0)}, flags(0, 0));
  EXPECT_EQ(float(result->data<BFloat16>()[0]), 512.f);
  result = callKernel(sluice_kernel_nd_matmul_u8,
                      {tensor<uint8_t>({1, 2}, {200, 100}), tensor<uint8_t>({2, 1}, {2, 1})},
                      flags(0, 0));
  EXPECT_EQ(result->data<uint8_t>()[0], 244);
}

TEST(Matmul, Batches) {
  const std::pair<Shape, Shape> table[] = {{{2}, {2}},         {{2}, {}},     {{}, {3}},
                                           {{2, 1}, {1, 3}},   {{2, 3}, {3}}, {{0}, {1}},
                                           {{4, 1, 2}, {3, 1}}};
  for (auto &[batchA, batchB] : table) {
    Shape shapeA = batchA, shapeB = batchB;
    for (int64_t d : {2, 3})
      shapeA.append(d);
    for (int64_t d : {3, 2})
      shapeB.append(d);
    Tensor a = numbers<float>(shapeA, 1), b = numbers<float>(shapeB, 2);
    auto result = callKernel(sluice_kernel_nd_matmul_f32, {a, b}, flags(0, 0));
    ASSERT_EQ(errorOf(result), "");
    // Positions in the batches by the broadcast of the positions themselves.
    auto whichA =
        callKernel(sluice_kernel_nd_add_i32, {ramp<int32_t>(batchA), ramp<int32_t>(batchB, 0, 0)});
    auto whichB =
        callKernel(sluice_kernel_nd_add_i32, {ramp<int32_t>(batchA, 0, 0), ramp<int32_t>(batchB)});
    ASSERT_EQ(result->elements(), whichA->elements() * 4);
    for (int64_t i = 0; i < whichA->elements(); ++i) {
      const float *x = a.data<float>() + whichA->data<int32_t>()[i] * 6;
      const float *y = b.data<float>() + whichB->data<int32_t>()[i] * 6;
      for (int e = 0; e < 4; ++e) {
        int row = e / 2, column = e % 2;
        ASSERT_EQ(result->data<float>()[i * 4 + e], x[row * 3] * y[column] +
                                                        x[row * 3 + 1] * y[column + 2] +
                                                        x[row * 3 + 2] * y[column + 4]);
      }
    }
  }
}

// Equal values give equal bits wherever they lie in memory.
TEST(Matmul, BitsDoNotDependOnAddresses) {
  const int64_t sizes[][3] = {{1, 1000, 1}, {7, 129, 1}, {1, 129, 7}, {9, 77, 13}, {2, 5, 3}};
  for (auto &[m, k, n] : sizes)
    for (int layout = 0; layout < 4; ++layout) {
      std::vector<float> first, room(static_cast<size_t>(k * (m + n) + 64));
      for (size_t shift = 0; shift < 9; ++shift) {
        float *a = room.data() + shift, *b = a + m * k + shift;
        for (int64_t i = 0; i < m * k; ++i)
          a[i] = std::sin(static_cast<float>(i));
        for (int64_t i = 0; i < n * k; ++i)
          b[i] = std::cos(static_cast<float>(i));
        Tensor x = *Tensor::view(DType::kF32, layout & 1 ? Shape{k, m} : Shape{m, k}, a);
        Tensor y = *Tensor::view(DType::kF32, layout & 2 ? Shape{n, k} : Shape{k, n}, b);
        auto bits = valuesOf<float>(
            *callKernel(sluice_kernel_nd_matmul_f32, {x, y}, flags(layout & 1, layout & 2)));
        if (shift == 0)
          first = bits;
        ASSERT_EQ(std::memcmp(first.data(), bits.data(), bits.size() * sizeof(float)), 0);
      }
    }
}

TEST(Matmul, ShapeRuleWorkAndErrors) {
  const Kernel &matmul = sluice_kernel_nd_matmul_f32;
  struct {
    Shape a, b;
    std::vector<Attr> attrs;
    const char *expected;
  } table[] = {
      {{2, -1}, {3, 4}, flags(0, 0), "[2,4]"},
      {{-1, 2}, {4, -1}, flags(1, 1), "[2,4]"},
      {{5, 2, 3}, {-1, 3, 4}, flags(0, 0), "[5,2,4]"},
      {{5, 3, 2}, {3, 4}, flags(0, 0, 1, 0), "[5,2,4]"},
      {kAnyShape, {3, 4}, flags(0, 0), "<unknown>"},
      {{2, 3}, {2, 3}, flags(0, 0), "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]"},
      {{3}, kAnyShape, flags(0, 0), "In[0] is not a matrix. Instead it has shape [3]"},
      {{2, 1, 1},
       {3, 1, 1},
       flags(0, 0),
       "In[0] and In[1] must have compatible batch dimensions: [2,1,1] vs. [3,1,1]"},
  };
  for (auto &row : table)
    EXPECT_EQ(inferShape(matmul, {row.a, row.b}, row.attrs), row.expected);
  EXPECT_EQ(errorOf(callKernel(matmul, {ramp<float>({2, 3}), ramp<float>({2, 3})}, flags(0, 0))),
            "Matrix size-incompatible: In[0]: [2,3], In[1]: [2,3]");
  Tensor a = ramp<float>({5, 2, 3}), b = ramp<float>({3, 4});
  const Tensor *inputs[] = {&a, &b};
  auto attrs = flags(0, 0);
  EXPECT_EQ(matmul.work(KernelCall(inputs, {}, attrs, {}, nullptr)), 2u * 5 * 2 * 3 * 4);
}

} // namespace
} // namespace sluice::rt
