// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors in JSON are checked before they are used.
#include "tools/sluice-conformance/tensor.h"

#include "llvm/Support/Error.h"
#include "gtest/gtest.h"

#include <cstring>

using namespace sluice::conformance;
namespace json = llvm::json;

namespace {

llvm::Expected<Tensor> parse(const char *text) {
  llvm::Expected<json::Value> value = json::parse(text);
  return value ? parseTensor(*value) : value.takeError();
}

std::string messageOf(const char *text) {
  llvm::Expected<Tensor> result = parse(text);
  return result ? "" : llvm::toString(result.takeError());
}

Tensor tensorOf(const char *text) { return llvm::cantFail(parse(text)); }

TEST(Tensor, NumbersAreDecoded) {
  Tensor tensor = tensorOf(R"({"dtype":"int32","shape":[2],"b64":"AQAAAAIAAAA="})");
  EXPECT_EQ(tensor.elementCount(), 2);
  int32_t elements[2];
  ASSERT_EQ(tensor.bytes.size(), sizeof(elements));
  std::memcpy(elements, tensor.bytes.data(), sizeof(elements));
  EXPECT_EQ(elements[1], 2);
}

TEST(Tensor, StringsAreDecoded) {
  Tensor tensor = tensorOf(R"({"dtype":"string","shape":[1,2],"data":["YWI=",""]})");
  EXPECT_EQ(tensor.strings, (std::vector<std::string>{"ab", ""}));
}

TEST(Tensor, LengthMustFitTheShape) {
  EXPECT_EQ(messageOf(R"({"dtype":"int32","shape":[3],"b64":"AQAAAAIAAAA="})"),
            "not a tensor: expected 12 bytes but got 8");
  EXPECT_EQ(messageOf(R"({"dtype":"string","shape":[3],"data":["YWI="]})"),
            "not a tensor: expected 3 strings but got 1");
}

TEST(Tensor, MissingPartsAreNamed) {
  EXPECT_EQ(messageOf("[]"), "not a tensor: expected an object");
  EXPECT_EQ(messageOf(R"({"shape":[],"b64":""})"), "not a tensor: expected 'dtype'");
  EXPECT_EQ(messageOf(R"({"dtype":"float99","shape":[],"b64":""})"),
            "not a tensor: unknown dtype 'float99'");
  EXPECT_EQ(messageOf(R"({"dtype":"int32","shape":[-1],"b64":""})"),
            "not a tensor: expected dimensions that are integers of at least 0");
}

TEST(Tensor, SparseRowsAreAddedUp) {
  // Rows [1,1] and [2,2] both go to row 2 of a 3×2 result.
  Tensor values = tensorOf(R"({"dtype":"float32","shape":[2,2],"b64":"AACAPwAAgD8AAABAAAAAQA=="})");
  Tensor indices = tensorOf(R"({"dtype":"int32","shape":[2],"b64":"AgAAAAIAAAA="})");
  Tensor shape = tensorOf(R"({"dtype":"int32","shape":[2],"b64":"AwAAAAIAAAA="})");
  Tensor dense = llvm::cantFail(densify(values, indices, shape));
  float elements[6];
  ASSERT_EQ(dense.bytes.size(), sizeof(elements));
  std::memcpy(elements, dense.bytes.data(), sizeof(elements));
  EXPECT_EQ(std::vector<float>(elements, elements + 6), (std::vector<float>{0, 0, 0, 0, 3, 3}));
}

TEST(Tensor, SparseRowsOutsideAreRefused) {
  Tensor values = tensorOf(R"({"dtype":"float32","shape":[1,1],"b64":"AACAPw=="})");
  Tensor indices = tensorOf(R"({"dtype":"int32","shape":[1],"b64":"BwAAAA=="})");
  Tensor shape = tensorOf(R"({"dtype":"int32","shape":[2],"b64":"AwAAAAEAAAA="})");
  llvm::Expected<Tensor> dense = densify(values, indices, shape);
  ASSERT_FALSE(bool(dense));
  llvm::consumeError(dense.takeError());
}

TEST(Tensor, CanonicalBitsTellShapesApart) {
  Tensor row = tensorOf(R"({"dtype":"int32","shape":[1,2],"b64":"AQAAAAIAAAA="})");
  Tensor column = tensorOf(R"({"dtype":"int32","shape":[2,1],"b64":"AQAAAAIAAAA="})");
  EXPECT_NE(canonicalBits(row), canonicalBits(column));
  EXPECT_EQ(canonicalBits(row), canonicalBits(row));
}

} // namespace
