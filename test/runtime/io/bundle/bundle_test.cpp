// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors out of checkpoints, and what is wrong with those that are refused.
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/memory_disk.h"
#include "test/runtime/io/bundle/checkpoint_by_hand.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

using by_hand::BundleByHand;
using by_hand::TableByHand;
using Names = std::vector<std::string_view>;
using Numbers = std::vector<int64_t>;

// A checkpoint on a disk, and what reading one tensor of it gives.
struct OnDisk {
  MemoryDisk disk;
  Status status;

  std::optional<Tensor> read(const BundleByHand &bundle, const std::string &name,
                             const std::string &part = "") {
    disk.files["c.index"] = bundle.index();
    disk.files["c.data-00000-of-00001"] = bundle.data;
    return readAgain(name, part);
  }
  std::optional<Tensor> readAgain(const std::string &name, const std::string &part = "") {
    Result<Tensor> tensor = tryToRead(name, part);
    status = tensor.status();
    return tensor.ok() ? std::optional(*tensor) : std::nullopt;
  }
  Result<Tensor> tryToRead(const std::string &name, const std::string &part) {
    SLUICE_ASSIGN_OR_RETURN(auto bundle, open());
    SLUICE_ASSIGN_OR_RETURN(FoundTensor found, bundle->find(name, part));
    return bundle->readTensor(found);
  }
  Result<std::unique_ptr<Bundle>> open() { return Bundle::open("c", CheckpointLimits::of(), disk); }
  std::string said() const { return status.toString(); }
  void expectRefused(const BundleByHand &bundle, const std::string &name, const std::string &part,
                     const std::string &says, Code code = Code::kDataLoss) {
    EXPECT_FALSE(read(bundle, name, part));
    EXPECT_NE(said().find(says), std::string::npos) << "'" << said() << "' lacks '" << says << "'";
    EXPECT_EQ(status.code(), code) << said();
  }
};

std::vector<float> floatsOf(const Tensor &tensor) {
  return {tensor.values<float>().begin(), tensor.values<float>().end()};
}

TEST(Bundle, Numbers) {
  OnDisk c;
  BundleByHand w;
  w.addFloats("a", {2}, {1, 2});
  w.addFloats("b", {3, 0}, {});
  w.addFloats("c", {}, {5});
  auto a = c.read(w, "a");
  ASSERT_TRUE(a) << c.said();
  EXPECT_EQ(a->dtype(), DType::kF32);
  EXPECT_EQ(a->shape(), Shape({2}));
  EXPECT_EQ(floatsOf(*a), (std::vector<float>{1, 2}));
  EXPECT_EQ(c.readAgain("b")->elements(), 0);
  EXPECT_EQ(floatsOf(*c.readAgain("c")), (std::vector<float>{5}));
  auto bundle = c.open();
  EXPECT_EQ((*bundle)->names(), (Names{"a", "b", "c"}));
  EXPECT_EQ((*bundle)->describe("a")->shape, (Numbers{2}));
  EXPECT_EQ((*bundle)->describe("x").status().code(), Code::kNotFound);
  EXPECT_TRUE((*bundle)->has("a"));
  EXPECT_FALSE((*bundle)->has("")); // which is the header
}

TEST(Bundle, Strings) {
  OnDisk c;
  BundleByHand w;
  std::string large(1000, 'l');
  w.addStrings("s", {2, 2}, {"", "a", std::string("b\0c", 3), large});
  auto s = c.read(w, "s");
  ASSERT_TRUE(s) << c.said();
  EXPECT_EQ(s->shape(), Shape({2, 2}));
  EXPECT_TRUE(std::ranges::equal(s->values<std::string>(),
                                 std::vector<std::string>{"", "a", std::string("b\0c", 3), large}));
  std::string good = w.data;
  w.data[0] = 1; // a length
  c.expectRefused(w, "s", "", "expected 1005 bytes of strings behind their lengths but got 1004");
  w.data = good;
  w.data[0] = 1, w.data[1] = 0;
  c.expectRefused(w, "s", "", "wrong checksum of the lengths");
  w.data = good;
  w.data.back() = 'x';
  c.expectRefused(w, "s", "", "wrong checksum of its elements");
  w.data = good;
  w.entries["s"].size = 3;
  c.expectRefused(w, "s", "", "expected 4 strings but there are only 3 bytes");
  w.entries["s"].size = 4;
  c.expectRefused(w, "s", "", "the lengths of its strings are damaged");
}

TEST(Bundle, DataThatWasChanged) {
  OnDisk c;
  BundleByHand w;
  w.addFloats("a", {2}, {1, 2});
  w.data[3] ^= 1;
  c.expectRefused(w, "a", "", "tensor 'a': wrong checksum of its elements: ");
  w.data.resize(7);
  c.expectRefused(w, "a", "", "bytes 0 to 8 lie beyond the end of ", Code::kOutOfRange);
  c.disk.files.erase("c.data-00000-of-00001");
  EXPECT_FALSE(c.readAgain("a"));
  EXPECT_EQ(c.said(), "NOT_FOUND: tensor 'a': cannot read 'c.data-00000-of-00001': No such file or "
                      "directory; the index of the checkpoint says that it has this file");
  BundleByHand bools;
  bools.add("b", BundleByHand::kBool, {2}, std::string("\1\2", 2));
  c.expectRefused(bools, "b", "", "expected 0 or 1 as bool");
}

TEST(Bundle, EveryFlippedBitAndEveryCutOfDataIsFound) {
  OnDisk c;
  BundleByHand good;
  good.addFloats("a", {2}, {1, 2});
  good.addStrings("s", {2}, {"text", "more"});
  ASSERT_TRUE(c.read(good, "a") && c.read(good, "s")) << c.said();
  for (size_t i = 0; i < good.data.size(); ++i)
    for (int bit = 0; bit < 8; ++bit) {
      BundleByHand bad = good;
      bad.data[i] = static_cast<char>(bad.data[i] ^ (1 << bit));
      EXPECT_FALSE(c.read(bad, i < 8 ? "a" : "s")) << "byte " << i << " bit " << bit;
    }
  for (size_t size = 0; size < good.data.size(); ++size) {
    BundleByHand bad = good;
    bad.data.resize(size);
    EXPECT_FALSE(c.read(bad, size < 8 ? "a" : "s")) << size;
    EXPECT_EQ(c.status.code(), Code::kOutOfRange) << c.said();
  }
}

TEST(Bundle, RowsThatLie) {
  OnDisk c;
  BundleByHand good;
  good.addFloats("a", {2}, {1, 2});
  auto refuse = [&](auto damage, const std::string &says, Code code = Code::kDataLoss) {
    BundleByHand bad = good;
    damage(bad.entries["a"]);
    c.expectRefused(bad, "a", "", says, code);
  };
  using Entry = BundleEntry;
  refuse([](Entry &e) { e.shard = 1; }, "expected a place in one of 1 data files");
  refuse([](Entry &e) { e.shard = -1; }, "in file -1");
  refuse([](Entry &e) { e.offset = -8; }, "got byte -8");
  refuse([](Entry &e) { e.size = -8; }, "size -8");
  refuse([](Entry &e) { e.offset = INT64_MAX; }, "lie beyond the end of", Code::kOutOfRange);
  refuse([](Entry &e) { e.size = INT64_MAX; }, "expected at most 68719476736 bytes",
         Code::kResourceExhausted);
  refuse([](Entry &e) { e.size = 4; }, "expected 8 bytes for 2 elements of f32 but got 4");
  for (int64_t type : {int64_t{0}, int64_t{999}, BundleByHand::kVariant})
    refuse([&](Entry &e) { e.type = type; },
           "values of the type with number " + std::to_string(type) + " are not supported",
           Code::kUnimplemented);
  refuse([](Entry &e) { e.shape = {-1}; }, "some are unknown");
  refuse([](Entry &e) { e.shape = {-2}; }, "-2");
  refuse([](Entry &e) { e.shape = {int64_t{1} << 40, int64_t{1} << 40}; }, "overflow");
  refuse([](Entry &e) { e.shape = {int64_t{1} << 40}; }, "expected at most 68719476736 bytes",
         Code::kResourceExhausted);
  refuse([](Entry &e) { e.shape.assign(255, 1); }, "expected at most 254 dims");
  c.expectRefused(good, "b", "", "tensor 'b': the checkpoint has no such tensor", Code::kNotFound);
}

TEST(Bundle, Headers) {
  OnDisk c;
  BundleByHand w;
  w.addFloats("a", {2}, {1, 2});
  w.header.shards = 0;
  c.expectRefused(w, "a", "", "header: expected 1 to 99999 data files but got 0");
  w.header.shards = 1;
  w.header.endianness = 1;
  c.expectRefused(w, "a", "", "high bytes first", Code::kUnimplemented);
  w.header.endianness = BundleHeader::kLittleEndian;
  w.header.minConsumer = 2;
  c.expectRefused(w, "a", "", "needs a reader of version 2", Code::kUnimplemented);
  TableByHand none;
  none.add("a", "");
  c.disk.files["c.index"] = none.finish();
  EXPECT_FALSE(c.readAgain("a"));
  EXPECT_NE(c.said().find("expected a header"), std::string::npos) << c.said();
  TableByHand damaged;
  damaged.add("", "\x0a\x05");
  c.disk.files["c.index"] = damaged.finish();
  EXPECT_FALSE(c.readAgain("a"));
  EXPECT_NE(c.said().find("header: "), std::string::npos) << c.said();
  c.disk.files.erase("c.index");
  EXPECT_FALSE(c.readAgain("a"));
  EXPECT_EQ(c.status.code(), Code::kNotFound);
}

// A tensor of 4 by 2 in two parts.
struct PartedBundle : BundleByHand {
  PartedBundle() {
    entries["v"].type = kFloat;
    entries["v"].shape = {4, 2};
    addPart(0, 3, {1, 2, 3, 4, 5, 6});
    addPart(3, 1, {7, 8});
  }
  void addPart(int64_t start, int64_t size, const std::vector<float> &values) {
    TensorSlice slice{{start, 0}, {size, -1}};
    entries["v"].slices.push_back(slice);
    addFloats(keyOfSlice("v", slice), {size, 2}, values);
  }
};

TEST(Bundle, TensorsInParts) {
  OnDisk c;
  PartedBundle w;
  auto whole = c.read(w, "v");
  ASSERT_TRUE(whole) << c.said();
  EXPECT_EQ(floatsOf(*whole), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  auto part = c.readAgain("v", "4 2 2,2:1,1");
  ASSERT_TRUE(part) << c.said();
  EXPECT_EQ(part->shape(), Shape({2, 1}));
  EXPECT_EQ(floatsOf(*part), (std::vector<float>{6, 8}));
  w.addFloats("w", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(floatsOf(*c.read(w, "w", "4 2 1,2:-")), (std::vector<float>{3, 4, 5, 6}));
  EXPECT_EQ((*c.open())->names(), (Names{"v", "w"}));
  w.addStrings("s", {2}, {"a", "b"});
  c.expectRefused(w, "s", "2 1,1", "parts of tensors of strings", Code::kInvalidArgument);
}

TEST(Bundle, PartsThatLie) {
  OnDisk c;
  PartedBundle w;
  constexpr Code kWrong = Code::kInvalidArgument;
  c.expectRefused(w, "v", "4 2 3", "expected dims and a range along each", kWrong);
  c.expectRefused(w, "v", "4 2 3,2:-", "A range goes beyond its dim", Code::kInternal);
  c.expectRefused(w, "v", "5 2 3,2:-", "its shape [4,2] is not that of the whole", kWrong);
  PartedBundle missing;
  missing.entries["v"].slices.pop_back();
  c.expectRefused(missing, "v", "", "its parts have 6 elements of 8 that are wanted", kWrong);
  EXPECT_TRUE(c.readAgain("v", "4 2 1,2:-"));
  PartedBundle twice;
  twice.entries["v"].slices.push_back(twice.entries["v"].slices[1]);
  c.expectRefused(twice, "v", "", "its parts have 10 elements of 8", kWrong);
  PartedBundle beyond;
  beyond.entries["v"].slices[1].sizes[0] = 2;
  c.expectRefused(beyond, "v", "", "part 1 does not lie within the tensor");
  PartedBundle otherShape;
  otherShape.entries["v"].slices[1].sizes[0] = 0;
  c.expectRefused(otherShape, "v", "", "its parts have 6 elements of 8", kWrong);
  PartedBundle otherType;
  otherType.entries[keyOfSlice("v", otherType.entries["v"].slices[1])].type = 3;
  c.expectRefused(otherType, "v", "", "part 1 has another type or shape");
  PartedBundle noData;
  noData.entries.erase(keyOfSlice("v", noData.entries["v"].slices[1]));
  c.expectRefused(noData, "v", "", "the checkpoint has no such tensor", Code::kNotFound);
}

// Says to be large, but nobody has the bytes: all slices lie at one place.
TEST(Bundle, MemoryOnlyForWhatIsThere) {
  OnDisk c;
  BundleByHand huge;
  constexpr int64_t kRows = 1 << 10, kColumns = 1 << 10;
  huge.entries["v"].type = BundleByHand::kFloat;
  huge.entries["v"].shape = {kRows, kColumns};
  for (int64_t i = 0; i < kRows; ++i) {
    TensorSlice slice{{i, 0}, {1, -1}};
    huge.entries["v"].slices.push_back(slice);
    huge.data.clear();
    huge.addFloats(keyOfSlice("v", slice), {1, kColumns}, std::vector<float>(kColumns));
  }
  c.expectRefused(huge, "v", "", "expected 4194304 bytes but the data files have fewer");
}

} // namespace
} // namespace sluice::rt
