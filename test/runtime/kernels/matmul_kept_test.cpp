// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Products with kept matrices: the same bits as without, also after every way to write to them.
#include "runtime/kernels/matmul_kept.h"

#include "runtime/base/cancellation.h"
#include "runtime/memory/guard_pages.h"
#include "runtime/state/addition.h"
#include "runtime/state/list.h"
#include "runtime/state/variable.h"
#include "test/runtime/kernels/kernel_case.h"

#include <cmath>
#include <cstring>

namespace sluice::rt {
namespace {

std::vector<Attr> layout(bool transposeA, bool transposeB) {
  return {caseInt(0), caseInt(0), caseInt(transposeA), caseInt(transposeB)};
}

template <typename T> Tensor waves(const Shape &shape, float step) {
  Tensor t = *Tensor::allocate(DTypeOf<T>::value, shape);
  for (int64_t i = 0; i < t.elements(); ++i)
    t.data<T>()[i] = static_cast<T>(std::sin(step * static_cast<float>(i + 1)));
  return t;
}

Tensor product(const Kernel &kernel, const Tensor &a, const Tensor &b, bool transposeA,
               bool transposeB) {
  const Tensor *operands[] = {&a, &b};
  std::vector<Tensor> outputs(1);
  const DType types[] = {a.dtype()};
  const auto attrs = layout(transposeA, transposeB);
  EXPECT_TRUE(runKernel(kernel, operands, outputs, attrs, types, nullptr).ok());
  return outputs[0];
}

bool haveEqualBits(const Tensor &a, const Tensor &b) {
  return a.shape() == b.shape() && std::memcmp(a.raw(), b.raw(), a.bytes()) == 0;
}

uint64_t reused() { return KeptForms::figures().reused; }

template <typename T> const Kernel &matmulOf();
template <> const Kernel &matmulOf<float>() { return sluice_kernel_nd_matmul_f32; }
template <> const Kernel &matmulOf<double>() { return sluice_kernel_nd_matmul_f64; }
template <> const Kernel &matmulOf<Half>() { return sluice_kernel_nd_matmul_f16; }
template <> const Kernel &matmulOf<BFloat16>() { return sluice_kernel_nd_matmul_bf16; }

template <typename T> class KeptProducts : public testing::Test {};
using Floats = testing::Types<float, double, Half, BFloat16>;
TYPED_TEST_SUITE(KeptProducts, Floats);

TYPED_TEST(KeptProducts, SameBitsAsTheFirst) {
  const Kernel &kernel = matmulOf<TypeParam>();
  const int64_t sizes[][3] = {{1, 130, 520}, {2, 70, 1030}, {7, 513, 130}, {17, 64, 64},
                              {40, 97, 301}, {130, 80, 90}, {600, 1, 300}, {5, 3000, 70}};
  for (auto &[m, n, k] : sizes)
    for (int i = 0; i < 4; ++i) {
      const bool transposeA = i & 1, transposeB = i & 2;
      Tensor a = waves<TypeParam>(transposeA ? Shape{k, m} : Shape{m, k}, 0.7f);
      Tensor b = waves<TypeParam>(transposeB ? Shape{n, k} : Shape{k, n}, 0.3f);
      const uint64_t before = reused();
      Tensor first = product(kernel, a, b, transposeA, transposeB);
      for (int turn = 0; turn < 10; ++turn)
        ASSERT_TRUE(haveEqualBits(product(kernel, a, b, transposeA, transposeB), first))
            << m << "x" << n << "x" << k << " transposed " << transposeA << transposeB;
      EXPECT_GE(reused(), before + 3) << m << "x" << n << "x" << k;
    }
}

// What a call that ends has packed is whole, as later calls use it.
TYPED_TEST(KeptProducts, PackedForACallThatEnds) {
  const Kernel &kernel = matmulOf<TypeParam>();
  Tensor a = waves<TypeParam>({20, 700}, 0.7f), b = waves<TypeParam>({700, 900}, 0.3f);
  const Tensor expected = product(kernel, a, *b.clone(), false, false);
  {
    Cancellation call;
    call.request();
    CancellationScope ending(call);
    for (int turn = 0; turn < 3; ++turn)
      product(kernel, a, b, false, false);
  }
  const uint64_t before = reused();
  EXPECT_TRUE(haveEqualBits(product(kernel, a, b, false, false), expected));
  EXPECT_GT(reused(), before);
}

TYPED_TEST(KeptProducts, OneMatrixOfManyBatches) {
  const Kernel &kernel = matmulOf<TypeParam>();
  Tensor b = waves<TypeParam>({1, 90, 110}, 0.3f);
  for (bool transposeA : {false, true}) {
    Tensor a = waves<TypeParam>(transposeA ? Shape{3, 2, 90, 5} : Shape{3, 2, 5, 90}, 0.7f);
    Tensor first = product(kernel, a, b, transposeA, false);
    EXPECT_EQ(first.shape(), (Shape{3, 2, 5, 110}));
    for (int turn = 0; turn < 10; ++turn)
      EXPECT_TRUE(haveEqualBits(product(kernel, a, b, transposeA, false), first));
  }
}

TEST(KeptProducts, PartsOfAMatrixAreMatrices) {
  Tensor a = waves<float>({16, 80}, 0.7f), b = waves<float>({160, 120}, 0.3f);
  std::vector<float> expected(16 * 50), c(expected.size());
  for (int turn = 0; turn < 4; ++turn)
    for (int64_t row : {0, 7, 80})
      for (int64_t column : {0, 70}) {
        const MatrixView<float> left{a.data<float>(), 80, 1},
            right = MatrixView<float>{b.data<float>(), 120, 1}.at(row, column);
        multiplyMatrices<float>({16, 50, 80}, left, right, expected.data(), 50, false);
        multiplyKeeping<float>({16, 50, 80}, {left, a.buffer()}, {right, b.buffer()}, c.data(), 50,
                               false);
        ASSERT_EQ(c, expected) << row << ',' << column;
      }
}

// ---- Writing ------------------------------------------------------------------------------------

constexpr int64_t kRows = 80, kColumns = 96;

// A variable whose value is multiplied until its packed form is used.
class Writes : public testing::Test {
protected:
  Writes() {
    for (const char *name : {"v", "m1", "m2"}) {
      variables_.push_back(
          Ref<Variable>::adopt(new Variable(name, DType::kF32, Shape{kRows, kColumns})));
      variables_.back()->value = waves<float>({kRows, kColumns}, 0.2f);
      for (int64_t i = 0; i < kRows * kColumns; ++i)
        variables_.back()->value.data<float>()[i] += 2;
    }
  }
  Tensor handle(size_t i) { return Tensor::handle(Ref<Object>::share(variables_[i].get())); }
  Tensor &value(size_t i = 0) { return variables_[i]->value; }

  static Tensor multiply(const Tensor &w, bool transposed) {
    const int64_t k = transposed ? kColumns : kRows;
    return product(sluice_kernel_nd_matmul_f32, waves<float>({17, k}, 0.7f), w, false, transposed);
  }
  // Product with what is kept of it, and without.
  static void check(const Tensor &w, const char *what) {
    for (bool transposed : {false, true}) {
      Tensor copy = *w.clone();
      Tensor expected = multiply(copy, transposed);
      const uint64_t before = reused();
      for (int turn = 0; turn < 4; ++turn)
        ASSERT_TRUE(haveEqualBits(multiply(w, transposed), expected)) << what;
      EXPECT_GE(reused(), before + 2) << what;
    }
  }
  // The kernel writes to where the elements lie, three times.
  void update(const char *what, const Kernel &kernel, std::vector<Tensor> inputs,
              std::vector<Attr> attrs = {}) {
    for (int turn = 0; turn < 3; ++turn) {
      check(value(), what);
      Tensor before = *value().clone();
      const void *elements = value().raw();
      std::vector<const Tensor *> pointers;
      for (const Tensor &input : inputs)
        pointers.push_back(&input);
      std::vector<Tensor> outputs;
      Status status = runKernel(kernel, pointers, outputs, attrs, {}, nullptr);
      ASSERT_TRUE(status.ok()) << what << ": " << status.toString();
      EXPECT_EQ(value().raw(), elements) << what;
      EXPECT_FALSE(haveEqualBits(value(), before)) << what;
      check(value(), what);
    }
  }

  std::vector<Ref<Variable>> variables_;
};

TEST_F(Writes, Assignments) {
  Tensor change = waves<float>({kRows, kColumns}, 0.9f);
  update("assign_add", sluice_kernel_state_assign_add_any, {handle(0), change});
  update("assign_sub", sluice_kernel_state_assign_sub_any, {handle(0), change});
}

TEST_F(Writes, Scatters) {
  Tensor rows = tensorOf("i32[2] 3 70"), change = waves<float>({2, kColumns}, 0.9f);
  const struct {
    const char *name;
    const Kernel &kernel;
  } table[] = {
      {"scatter_add", sluice_kernel_state_scatter_add_any},
      {"scatter_sub", sluice_kernel_state_scatter_sub_any},
      {"scatter_mul", sluice_kernel_state_scatter_mul_any},
      {"scatter_div", sluice_kernel_state_scatter_div_any},
  };
  for (auto &row : table)
    update(row.name, row.kernel, {handle(0), rows, change});
}

TEST_F(Writes, ScattersThatReplace) {
  Tensor rows = tensorOf("i32[2] 3 70");
  float step = 0.9f, least = -1, most = 9;
  for (int turn = 0; turn < 3; ++turn) {
    std::vector<Tensor> changes{waves<float>({2, kColumns}, step += 0.1f),
                                waves<float>({2, kColumns}, step),
                                waves<float>({2, kColumns}, step)};
    for (int64_t i = 0; i < changes[1].elements(); ++i) {
      changes[1].data<float>()[i] += most;
      changes[2].data<float>()[i] += least;
    }
    ++most, --least;
    const Kernel *kernels[] = {&sluice_kernel_state_scatter_update_any,
                               &sluice_kernel_state_scatter_max_any,
                               &sluice_kernel_state_scatter_min_any};
    for (size_t i = 0; i < changes.size(); ++i) {
      check(value(), "before");
      std::vector<Tensor> inputs{handle(0), rows, changes[i]};
      std::vector<const Tensor *> pointers{&inputs[0], &inputs[1], &inputs[2]};
      std::vector<Tensor> outputs;
      const void *elements = value().raw();
      ASSERT_TRUE(runKernel(*kernels[i], pointers, outputs, {}, {}, nullptr).ok());
      EXPECT_EQ(value().raw(), elements);
      check(value(), "scatters that replace");
    }
  }
}

TEST_F(Writes, Optimizers) {
  Tensor gradient = waves<float>({kRows, kColumns}, 0.9f), rate = Tensor::scalar(0.5f);
  update("gradient descent", sluice_kernel_state_apply_gradient_descent_any,
         {handle(0), rate, gradient});
  update("momentum", sluice_kernel_state_apply_momentum_any,
         {handle(0), handle(1), rate, gradient, Tensor::scalar(0.9f)}, {caseInt(0)});
  update("adam", sluice_kernel_state_apply_adam_any,
         {handle(0), handle(1), handle(2), Tensor::scalar(0.9f), Tensor::scalar(0.99f), rate,
          Tensor::scalar(0.9f), Tensor::scalar(0.99f), Tensor::scalar(0.1f), gradient},
         {caseInt(0)});
}

TEST_F(Writes, OptimizersWriteToTheirSlotsAsWell) {
  Tensor gradient = waves<float>({kRows, kColumns}, 0.9f), rate = Tensor::scalar(0.5f);
  std::vector<Tensor> inputs{handle(1), handle(0), rate, gradient, Tensor::scalar(0.9f)};
  update("slot of momentum", sluice_kernel_state_apply_momentum_any, inputs, {caseInt(0)});
}

TEST_F(Writes, SumsOfTensors) {
  Tensor change = waves<float>({kRows, kColumns}, 0.9f);
  for (int turn = 0; turn < 3; ++turn) {
    check(value(), "addInto");
    const void *elements = value().raw();
    ASSERT_TRUE(addInto(value(), change).ok());
    EXPECT_EQ(value().raw(), elements);
    check(value(), "addInto");
    ASSERT_TRUE(subtractFrom(value(), change).ok());
    check(value(), "subtractFrom");
  }
}

// A list takes over the elements of a tensor, and gives them as one.
TEST_F(Writes, RowsOfLists) {
  Tensor w = waves<float>({kRows, kColumns}, 0.3f);
  check(w, "before");
  Result<Ref<List>> list = List::unstack(w, Shape{kColumns});
  ASSERT_TRUE(list.ok()) << list.status().toString();
  w.reset();
  for (int turn = 0; turn < 3; ++turn) {
    SluiceList rows{};
    int64_t dims[8];
    rows.dims = dims;
    ASSERT_TRUE(
        (*list)
            ->lendRows(DType::kF32, Shape{kColumns}, {.withStates = false, .changes = true}, rows)
            .ok());
    std::copy((*list)->rowShape().dims().begin(), (*list)->rowShape().dims().end(), dims);
    static_cast<float *>(rows.rows)[5] += 1;
    (*list)->takeBack(rows);
    std::optional<Tensor> whole = (*list)->asTensor();
    ASSERT_TRUE(whole);
    Tensor expected = multiply(*whole->clone(), false);
    for (int i = 0; i < 5; ++i)
      EXPECT_TRUE(haveEqualBits(multiply(*whole, false), expected));
  }
}

} // namespace
} // namespace sluice::rt
