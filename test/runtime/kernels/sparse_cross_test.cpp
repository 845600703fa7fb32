// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Features of rows that are crossed.
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<int64_t>;

Tensor numbers(const Shape &shape, const Numbers &values) { return tensor<int64_t>(shape, values); }
Tensor texts(const Shape &shape, const Texts &values) { return tensor<std::string>(shape, values); }

KernelResult cross(const char *how, const Numbers &given, const std::vector<Tensor> &columns,
                   int64_t sparse) {
  std::vector<Tensor> operands{Tensor::string("-"),
                               numbers({static_cast<int64_t>(given.size())}, given)};
  operands.insert(operands.end(), columns.begin(), columns.end());
  DType feature = std::string_view(how) == "join" ? DType::kString : DType::kI64;
  return callKernel(sluice_kernel_sci_sparse_cross_any, operands,
                    {DType::kI64, feature, DType::kI64}, {textAttr(how), intAttr(sparse)});
}

// Rows of 1, 0 and 2 features, beside 2 in each row.
const std::vector<Tensor> kColumns = {numbers({3, 2}, {0, 0, 2, 0, 2, 4}),
                                      texts({3}, {"x", "y", "z"}), numbers({2}, {3, 5}),
                                      numbers({3, 2}, {1, 2, 3, 4, 5, 6})};

TEST(SparseCross, LastColumnFirst) {
  KernelResult result = cross("join", {0, 0, 0}, kColumns, 1);
  ASSERT_TRUE(result.ok()) << result.status.toString();
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[0]), (Numbers{0, 0, 0, 1, 2, 0, 2, 1, 2, 2, 2, 3}));
  EXPECT_EQ(valuesOf<std::string>(result.outputs[1]),
            (Texts{"x-1", "x-2", "y-5", "y-6", "z-5", "z-6"}));
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[2]), (Numbers{3, 4}));
}

// The numbers are TensorFlow's.
TEST(SparseCross, Hashes) {
  std::vector<Tensor> columns = {texts({1, 2}, {"a", "b"}), numbers({1, 2}, {5, -7})};
  auto of = [&](const char *how, const Numbers &given) {
    return valuesOf<int64_t>(cross(how, given, columns, 0).outputs[1]);
  };
  EXPECT_EQ(of("seeded", {0, 99, 0}), (Numbers{1443123839931468884, 6081013325868004357,
                                               719827586028217827, 4398439963584173133}));
  EXPECT_EQ(of("plain", {0, 3, 4}), (Numbers{1581116392146741802, 1991479436631770815,
                                             2749404292992048660, 8592744278657526493}));
  EXPECT_EQ(of("seeded", {10, 99, 0}), (Numbers{1, 4, 4, 3}));
  columns.pop_back();
  EXPECT_EQ(of("keyed", {int64_t{1} << 40, 3, 4}), (Numbers{1092705234840, 1043712535906}));
}

TEST(SparseCross, RowsWithoutFeatures) {
  KernelResult result =
      cross("plain", {0, 0, 0}, {numbers({2, 0}, {}), numbers({2, 1}, {1, 2})}, 0);
  ASSERT_TRUE(result.ok());
  EXPECT_EQ(result.outputs[0].shape(), Shape({0, 2}));
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[2]), (Numbers{2, 0}));
}

TEST(SparseCross, Errors) {
  auto of = [](const Tensor &indices, const Tensor &values, const Tensor &dims) {
    return errorOf(cross("join", {0, 0, 0}, {indices, values, dims}, 1));
  };
  Tensor two = texts({2}, {"x", "y"}), dims = numbers({2}, {3, 5});
  EXPECT_EQ(of(numbers({2, 2}, {1, 0, 0, 0}), two, dims),
            "expected indices in the order of their rows but got 0 behind 1");
  EXPECT_EQ(of(numbers({2, 2}, {0, 0, 3, 0}), two, dims), "expected rows below 3 but got 3");
  EXPECT_EQ(of(numbers({2, 2}, {-1, 0, 0, 0}), two, dims), "expected rows below 3 but got -1");
  EXPECT_EQ(of(numbers({1, 2}, {0, 0}), two, dims),
            "expected a value for each index but got the shape [2]");
  EXPECT_EQ(of(numbers({2, 3}, {0, 0, 0, 0, 0, 0}), two, dims),
            "expected indices of a matrix but got the shape [2,3]");
  EXPECT_EQ(of(numbers({2, 2}, {0, 0, 1, 0}), two, numbers({1}, {3})),
            "expected two dims but got the shape [1]");
  EXPECT_EQ(of(numbers({0, 2}, {}), texts({0}, {}), numbers({2}, {-1, 5})),
            "expected a number of rows but got -1");
  EXPECT_EQ(cross("join", {0, 0, 0},
                  {numbers({0, 2}, {}), texts({0}, {}), numbers({2}, {INT64_MAX, 5})}, 1)
                .status.code(),
            Code::kResourceExhausted);
  EXPECT_EQ(errorOf(cross("join", {0, 0, 0}, {numbers({1, 1}, {1}), numbers({2, 1}, {1, 2})}, 0)),
            "Expected batch size 1 got 2");
  EXPECT_EQ(errorOf(cross("join", {0, 0, 0}, {numbers({1}, {1})}, 0)),
            "expected a dense matrix but got the shape [1]");
  EXPECT_EQ(errorOf(cross("plain", {0, 0}, {numbers({1, 1}, {1})}, 0)),
            "expected three numbers but got the shape [2]");
}

} // namespace
} // namespace sluice::rt
