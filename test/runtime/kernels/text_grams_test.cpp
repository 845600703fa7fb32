// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Neighbouring strings that are joined.
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

namespace sluice::rt {
namespace {

using Texts = std::vector<std::string>;
using Numbers = std::vector<int64_t>;

struct Given {
  Numbers widths;
  int64_t padding = 0;
  bool keepsShort = false;
};

KernelResult ngrams(const Tensor &texts, const Tensor &splits, const Given &given) {
  Attr widths;
  widths.kind = Attr::Kind::kInts;
  widths.ints = given.widths;
  return callKernel(sluice_kernel_nd_ngrams_any, {texts, splits}, {DType::kString, splits.dtype()},
                    {intAttr(given.keepsShort), textAttr("<"), intAttr(given.padding),
                     textAttr(">"), textAttr("-"), widths});
}
KernelResult ofRows(const Texts &texts, const Numbers &splits, const Given &given) {
  return ngrams(tensor<std::string>({static_cast<int64_t>(texts.size())}, texts),
                tensor<int64_t>({static_cast<int64_t>(splits.size())}, splits), given);
}

void expect(const KernelResult &result, const Texts &texts, const Numbers &ends) {
  ASSERT_TRUE(result.ok()) << result.status.toString();
  EXPECT_EQ(valuesOf<std::string>(result.outputs[0]), texts);
  EXPECT_EQ(valuesOf<int64_t>(result.outputs[1]), ends);
}

TEST(Ngrams, OfEachWidthInEachRow) {
  expect(ofRows({"a", "b", "c", "d"}, {0, 3, 4}, {{2, 1}}), {"a-b", "b-c", "a", "b", "c", "d"},
         {0, 5, 6});
  expect(ofRows({"a", "b", "c"}, {0, 3}, {{4}}), {}, {0, 0});
}

TEST(Ngrams, PaddingIsBelowTheWidth) {
  expect(ofRows({"a", "b"}, {0, 2}, {{3}, -1}), {"<-<-a", "<-a-b", "a-b->", "b->->"}, {0, 4});
  expect(ofRows({"a", "b"}, {0, 2}, {{2}, 5}), {"<-a", "a-b", "b->"}, {0, 3});
  // A row that has nothing has padding alone.
  expect(ofRows({"a"}, {0, 0, 1}, {{2}, -1}), {"<->", "<-a", "a->"}, {0, 1, 3});
}

TEST(Ngrams, ShortRowsAreKept) {
  expect(ofRows({"a", "b"}, {0, 0, 1, 2}, {{3}, 0, true}), {"a", "b"}, {0, 0, 1, 2});
  expect(ofRows({"a"}, {0, 1}, {{9}, 1, true}), {"<-a->"}, {0, 1});
  EXPECT_EQ(errorOf(ofRows({"a"}, {0, 1}, {{}, -1, true})),
            "expected a padding that is not negative where there are no widths, but got -1");
}

TEST(Ngrams, WithoutTextsThereIsNothing) {
  expect(ofRows({}, {0, 0, 0}, {{2}, -1}), {}, {0, 0, 0});
  expect(ofRows({}, {}, {{2}}), {}, {});
  KernelResult narrow =
      ngrams(tensor<std::string>({1}, {"a"}), tensor<int32_t>({2}, {0, 1}), {{1}});
  ASSERT_TRUE(narrow.ok());
  EXPECT_EQ(valuesOf<int32_t>(narrow.outputs[1]), (std::vector<int32_t>{0, 1}));
}

TEST(Ngrams, Errors) {
  auto of = [](const Numbers &splits) { return errorOf(ofRows({"a", "b"}, splits, {{1}})); };
  EXPECT_EQ(of({1, 2}), "First split value must be 0, got 1");
  EXPECT_EQ(of({0, 2, 1, 2}), "Invalid split value 1, must be in [2, 2]");
  EXPECT_EQ(of({0, 3}), "Invalid split value 3, must be in [0, 2]");
  EXPECT_EQ(of({0, 1}), "Last split value must be data size. Expected 2, got 1");
  Tensor matrix = tensor<std::string>({1, 1}, {"a"}), splits = tensor<int64_t>({2}, {0, 1});
  EXPECT_EQ(errorOf(ngrams(matrix, splits, {{1}})),
            "expected a vector of strings but got the shape [1,1]");
}

// More strings than anybody can hold, of few bytes of operands.
TEST(Ngrams, WidthsMayBeTooLarge) {
  EXPECT_EQ(ofRows({"a"}, {0, 1}, {{INT64_MAX / 4}, 0}).outputs[0].elements(), 0);
}

} // namespace
} // namespace sluice::rt
