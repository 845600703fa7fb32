// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// safetensors files: round trips and files that lie about their contents.
#include "runtime/io/safetensors.h"

#include "runtime/base/cancellation.h"
#include "runtime/base/crc32c.h"
#include "runtime/io/safetensors_seal.h"
#include "test/runtime/io/safetensors_bytes.h"

#include <algorithm>
#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

std::string file(std::string_view header, std::string_view data) {
  std::string out(8, '\0');
  uint64_t length = header.size();
  std::memcpy(out.data(), &length, 8);
  return out.append(header).append(data);
}

std::string errorOf(std::string_view bytes) {
  Result<std::vector<NamedTensor>> tensors = decodeSafetensors(bytes);
  return tensors.ok() ? "" : tensors.status().message();
}

TEST(Safetensors, RoundTripsEveryPlainDtype) {
  std::vector<NamedTensor> tensors;
  for (int d = 0; d < static_cast<int>(DType::kString); ++d) {
    Result<Tensor> t = Tensor::allocate(static_cast<DType>(d), Shape{3, 2});
    for (size_t i = 0; i < t->bytes(); ++i)
      t->data<unsigned char>()[i] = static_cast<unsigned char>(i % 2);
    tensors.emplace_back("layer/\"v" + std::to_string(d), *t);
  }
  tensors.emplace_back("empty", *Tensor::allocate(DType::kF32, Shape{0}));
  tensors.emplace_back("scalar", Tensor::scalar(1.5));
  Result<std::string> bytes = encodeSafetensors(tensors);
  ASSERT_TRUE(bytes.ok());
  std::reverse(tensors.begin(), tensors.end());
  EXPECT_EQ(*encodeSafetensors(tensors), *bytes);
  Result<std::vector<NamedTensor>> back = decodeSafetensors(*bytes);
  ASSERT_TRUE(back.ok()) << back.status().toString();
  ASSERT_EQ(back->size(), tensors.size());
  for (const auto &[name, value] : tensors) {
    auto found = std::find_if(back->begin(), back->end(),
                              [&name = name](const NamedTensor &t) { return t.first == name; });
    ASSERT_NE(found, back->end()) << name;
    EXPECT_EQ(found->second.dtype(), value.dtype());
    EXPECT_EQ(found->second.shape(), value.shape());
    EXPECT_EQ(std::memcmp(found->second.raw(), value.raw(), value.bytes()), 0);
  }
}

// Aligned to 8 bytes without waste; large elements come first, so that all are aligned.
TEST(Safetensors, DataIsAligned) {
  for (size_t length = 0; length < 20; ++length) {
    std::string bytes = *encodeSafetensors(
        {{std::string(length, 'a'), Tensor::scalar<int8_t>(1)}, {"z", Tensor::scalar(1.5)}});
    uint64_t header;
    std::memcpy(&header, bytes.data(), 8);
    EXPECT_EQ(header % 8, 0u);
    EXPECT_LT(8 + header - 1 - bytes.rfind('}', 8 + header), 8u);
    EXPECT_EQ(bytes.size(), 8 + header + 9);
    EXPECT_EQ(decodeSafetensors(bytes)->front().first, "z");
  }
}

TEST(Safetensors, ShapesAndHeadersHaveALimit) {
  auto ofRank = [](int rank) {
    std::string dims;
    for (int i = 0; i < rank; ++i)
      dims += i ? ",1" : "1";
    return errorOf(
        file(R"({"a":{"dtype":"U8","shape":[)" + dims + R"(],"data_offsets":[0,1]}})", "x"));
  };
  EXPECT_EQ(ofRank(254), "");
  EXPECT_EQ(ofRank(255), "tensor \"a\": expected 'shape' to be at most 254 dims of at least 0");
  std::string bytes = *encodeSafetensors({{"a", Tensor::scalar(1.5)}});
  uint64_t header;
  std::memcpy(&header, bytes.data(), 8);
  Limits limits;
  limits.set(Limit::kVariablesHeaderBytes, header);
  EXPECT_TRUE(decodeSafetensors(bytes, limits).ok());
  limits.set(Limit::kVariablesHeaderBytes, header - 1);
  EXPECT_FALSE(decodeSafetensors(bytes, limits).ok());
}

TEST(Safetensors, MessagesQuoteTheBeginningOfLongNames) {
  std::string name(150, 'n'), where = "tensor \"" + name.substr(0, 100) + "\"...: ";
  auto entry = [&](const std::string &content) {
    return errorOf(file("{\"" + name + "\":{" + content + "}}", "\2"));
  };
  EXPECT_EQ(entry("\"" + name + "\":1"),
            where + "unknown member \"" + name.substr(0, 40) + "\"...");
  EXPECT_EQ(entry("\"dtype\":\"" + name + "\""),
            where + "dtype \"" + name.substr(0, 40) + "\"... is not supported");
  EXPECT_EQ(entry(R"("dtype":"U8","shape":[1],"data_offsets":[1,2])"),
            where + "expected data at byte 0 but got 1: the file has a gap or an overlap");
  EXPECT_EQ(entry(R"("dtype":"BOOL","shape":[1],"data_offsets":[0,1])"),
            where + "expected 0 or 1 as bool but got 2 at element 0");
}

TEST(Safetensors, EmptyFileAndMetadata) {
  Result<std::string> bytes = encodeSafetensors({});
  ASSERT_TRUE(bytes.ok());
  EXPECT_TRUE(decodeSafetensors(*bytes)->empty());
  EXPECT_EQ(errorOf(file(R"({"__metadata__":{"format":"pt"}})", "")), "");
}

TEST(Safetensors, RefusesStrings) {
  EXPECT_FALSE(encodeSafetensors({{"s", Tensor::string("x")}}).ok());
}

struct BadFile {
  std::string bytes;
  const char *message;
};

const std::string four(4, '\0'), eight(8, '\0');
const BadFile kHostileFiles[] = {
    {"", "starts with 8 bytes"},
    {"1234567", "starts with 8 bytes"},
    {std::string(8, '\xff'), "goes beyond the end"},
    {file("", ""), "not a JSON text"},
    {file("[]", ""), "expected an object as safetensors header"},
    {file("{\"a\":1}", ""), "tensor \"a\": expected a string 'dtype'"},
    {file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4],"x":1}})", four),
     "unknown member \"x\""},
    {file(R"({"a":{"dtype":"F8_E4M3","shape":[4],"data_offsets":[0,4]}})", four),
     "dtype \"F8_E4M3\" is not supported"},
    {file(R"({"a":{"dtype":"F32","shape":[-1],"data_offsets":[0,4]}})", four), "'shape'"},
    {file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,0]}})", four), "'data_offsets'"},
    {file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0]}})", four), "'data_offsets'"},
    {file(R"({"a":{"dtype":"F32","shape":[2],"data_offsets":[0,4]}})", four),
     "expected 8 bytes of data for f32[2] but got 4"},
    {file(R"({"a":{"dtype":"F32","shape":[4294967296,4294967296],"data_offsets":[0,4]}})", four),
     "overflows"},
    {file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})", eight), "gap or an overlap"},
    {file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", eight),
     "expected 4 bytes of data but got 8"},
    {file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})", ""),
     "expected 4 bytes of data but got 0"},
    {file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
          R"("b":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})",
          four),
     "gap or an overlap"},
    {file(R"({"a":{"dtype":"F32","shape":[1],"data_offsets":[0,4]},)"
          R"("a":{"dtype":"F32","shape":[1],"data_offsets":[4,8]}})",
          eight),
     "occurs twice"},
    {file(R"({"a":{"dtype":"BOOL","shape":[1],"data_offsets":[0,1]}})", "\2"), "expected 0 or 1"},
};

TEST(Safetensors, RefusesHostileFiles) {
  for (const BadFile &c : kHostileFiles)
    EXPECT_NE(errorOf(c.bytes).find(c.message), std::string::npos)
        << "expected: " << c.message << "\ngot: " << errorOf(c.bytes);
}

TEST(Safetensors, SurvivesTruncationAndChangedBytes) {
  std::string good = *encodeSafetensors(
      {{"a", Tensor::scalar(1.5f)}, {"b", Tensor::scalar(true)}, {"c", Tensor::scalar(7)}});
  for (size_t n = 0; n < good.size(); ++n)
    EXPECT_NE(errorOf(good.substr(0, n)), "") << n;
  for (size_t i = 0; i < good.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      std::string changed = good;
      changed[i] = static_cast<char>(changed[i] ^ 1 << bit);
      EXPECT_NE(errorOf(changed), "") << "bit " << bit << " of byte " << i;
    }
}

// Longer than what is read at once.
TEST(Safetensors, LongTensors) {
  std::vector<NamedTensor> tensors;
  for (const char *name : {"a", "b"}) {
    tensors.emplace_back(name, *Tensor::allocate(DType::kU8, {(3 << 20) + 7}));
    for (int64_t i = 0; i < tensors.back().second.elements(); ++i)
      tensors.back().second.data<uint8_t>()[i] = static_cast<uint8_t>(i * 40503 >> (*name - 'a'));
  }
  std::string bytes = *encodeSafetensors(tensors);
  auto read = decodeSafetensors(bytes);
  ASSERT_TRUE(read.ok()) << read.status().toString();
  for (int i = 0; i < 2; ++i) {
    ASSERT_EQ((*read)[i].second.bytes(), tensors[i].second.bytes());
    EXPECT_EQ(
        std::memcmp((*read)[i].second.raw(), tensors[i].second.raw(), tensors[i].second.bytes()),
        0);
  }
  for (size_t at : {bytes.size() - 1, bytes.size() / 2, bytes.size() / 4}) {
    std::string changed = bytes;
    changed[at] ^= 1;
    EXPECT_NE(errorOf(changed).find("damaged: expected the checksum"), std::string::npos);
  }
}

// Not that it makes no sense, which is what comes of it.
TEST(Safetensors, DamagedHeadersAreSaidToBeDamaged) {
  std::string bytes = *encodeSafetensors({{"a", Tensor::scalar(1.5f)}});
  bytes.replace(bytes.find("F32"), 3, "F33");
  EXPECT_NE(errorOf(bytes).find("damaged: expected the checksum"), std::string::npos)
      << errorOf(bytes);
}

TEST(Safetensors, EndsWhenItsCallDoes) {
  std::string bytes = *encodeSafetensors({{"a", Tensor::scalar(1.5f)}});
  Cancellation cancellation;
  CancellationScope scope(cancellation);
  EXPECT_EQ(errorOf(bytes), "");
  cancellation.request();
  EXPECT_EQ(errorOf(bytes), cancelledWork().message());
}

TEST(Safetensors, FilesOfOthersNeedNoSeal) {
  EXPECT_EQ(errorOf(file(R"({"a":{"dtype":"U8","shape":[1],"data_offsets":[0,1]}})", "x")), "");
  EXPECT_NE(errorOf(file(R"({"__metadata__":1})", "")).find("expected an object"),
            std::string::npos);
  EXPECT_NE(errorOf(file(R"({"__metadata__":{"a":1}})", "")).find("expected texts"),
            std::string::npos);
  EXPECT_NE(errorOf(file(R"({"__metadata__":{"sluice_version":"1"}})", "")).find("damaged"),
            std::string::npos);
}

TEST(Safetensors, NewerVersionsAreSaidToBeSo) {
  std::string newer = *encodeSafetensors({{"a", Tensor::scalar(1.5f)}});
  newer[newer.find("\"1\"") + 1] = '2';
  EXPECT_NE(errorOf(newer).find("damaged"), std::string::npos) << errorOf(newer);
  size_t digits = newer.find("crc32c:") + 7;
  closeSeal(newer, crc32c(newer.replace(digits, 8, "00000000")));
  EXPECT_NE(errorOf(newer).find("version 1 but got 2"), std::string::npos) << errorOf(newer);
}

TEST(Crc32c, IsThatOfThePolynomial) {
  EXPECT_EQ(crc32c("123456789"), 0xe3069283u);
  EXPECT_EQ(crc32c(std::string(32, '\0')), 0x8a9136aau);
  EXPECT_EQ(crc32c("6789", crc32c("12345")), 0xe3069283u);
}

} // namespace
