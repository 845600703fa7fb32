// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tensors out of checkpoints, and what is wrong with those that are refused.
#include "compiler/import/bundle/Bundle.h"
#include "test/compiler/import/bundle/BundleWriter.h"
#include "test/compiler/import/bundle/TestFolder.h"

#include <gtest/gtest.h>

namespace sluice::import {
namespace {

// A checkpoint on disk, and what reading one tensor of it gives.
struct Checkpoint {
  TestFolder folder;
  DiagnosticList diagnostics;
  Limits limits;

  std::optional<TensorValue> read(const BundleWriter &writer, const std::string &name,
                                  const std::string &part = "") {
    folder.write("c.index", writer.index());
    folder.write("c.data-00000-of-00001", writer.data);
    return readAgain(name, part);
  }
  std::optional<TensorValue> readAgain(const std::string &name, const std::string &part = "") {
    diagnostics = {};
    auto bundle = Bundle::open(folder.path("c"), limits, diagnostics);
    return bundle ? bundle->read(name, part, diagnostics) : std::nullopt;
  }
  std::string said() const { return formatLines(diagnostics, false); }
  void expectRefused(const BundleWriter &writer, const std::string &name, const std::string &part,
                     const std::string &says, int code = 1) {
    EXPECT_FALSE(read(writer, name, part));
    EXPECT_NE(said().find(says), std::string::npos) << "'" << said() << "' lacks '" << says << "'";
    EXPECT_EQ(static_cast<int>(diagnostics.exitCode()), code) << said();
  }
};

std::vector<float> floatsOf(const TensorValue &value) {
  std::vector<float> floats(value.bytes.size() / 4);
  std::memcpy(floats.data(), value.bytes.data(), value.bytes.size());
  return floats;
}

TEST(Bundle, Numbers) {
  Checkpoint c;
  BundleWriter w;
  w.addFloats("a", {2}, {1, 2});
  w.addFloats("b", {3, 0}, {});
  w.addFloats("c", {}, {5});
  auto a = c.read(w, "a");
  ASSERT_TRUE(a) << c.said();
  EXPECT_EQ(a->type, graphdef::DT_FLOAT);
  EXPECT_EQ(a->shape, (std::vector<int64_t>{2}));
  EXPECT_EQ(floatsOf(*a), (std::vector<float>{1, 2}));
  EXPECT_EQ(c.readAgain("b")->elements, 0);
  EXPECT_EQ(floatsOf(*c.readAgain("c")), (std::vector<float>{5}));
  auto bundle = Bundle::open(c.folder.path("c"), {}, c.diagnostics);
  EXPECT_EQ(bundle->names(), (std::vector<llvm::StringRef>{"a", "b", "c"}));
  EXPECT_EQ(bundle->describe("a", c.diagnostics)->shape, (std::vector<int64_t>{2}));
}

TEST(Bundle, Strings) {
  Checkpoint c;
  BundleWriter w;
  std::string large(1000, 'l');
  w.addStrings("s", {2, 2}, {"", "a", std::string("b\0c", 3), large});
  auto s = c.read(w, "s");
  ASSERT_TRUE(s) << c.said();
  EXPECT_EQ(s->strings, (std::vector<std::string>{"", "a", std::string("b\0c", 3), large}));
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
  w.entries["s"].set_size(3);
  c.expectRefused(w, "s", "", "expected 4 strings but there are only 3 bytes");
  w.entries["s"].set_size(4);
  c.expectRefused(w, "s", "", "the lengths of its strings are damaged");
}

TEST(Bundle, DataThatWasChanged) {
  Checkpoint c;
  BundleWriter w;
  w.addFloats("a", {2}, {1, 2});
  w.data[3] ^= 1;
  c.expectRefused(w, "a", "", "tensor 'a': wrong checksum of its elements: ");
  w.data.resize(7);
  c.expectRefused(w, "a", "", "bytes 0 to 8 lie beyond the end of ");
  c.folder.remove("c.data-00000-of-00001");
  EXPECT_FALSE(c.readAgain("a"));
  EXPECT_NE(c.said().find("c.data-00000-of-00001: error: cannot be opened"), std::string::npos)
      << c.said();
  EXPECT_EQ(static_cast<int>(c.diagnostics.exitCode()), 3);
}

TEST(Bundle, RowsThatLie) {
  Checkpoint c;
  BundleWriter good;
  good.addFloats("a", {2}, {1, 2});
  auto refuse = [&](auto damage, const std::string &says, int code = 1) {
    BundleWriter bad = good;
    damage(bad.entries["a"]);
    c.expectRefused(bad, "a", "", says, code);
  };
  using Entry = graphdef::BundleEntry;
  refuse([](Entry &e) { e.set_shard_id(1); }, "expected a place in one of 1 data files");
  refuse([](Entry &e) { e.set_shard_id(-1); }, "in file -1");
  refuse([](Entry &e) { e.set_offset(-8); }, "got byte -8");
  refuse([](Entry &e) { e.set_size(-8); }, "size -8");
  refuse([](Entry &e) { e.set_offset(INT64_MAX); }, "lie beyond the end of");
  refuse([](Entry &e) { e.set_size(INT64_MAX); }, "expected at most 2147483648 bytes");
  refuse([](Entry &e) { e.set_size(4); }, "expected 8 bytes for 2 elements of float but got 4");
  refuse([](Entry &e) { e.set_dtype(graphdef::DT_INVALID); }, "expected the type of a tensor");
  refuse([](Entry &e) { e.set_dtype(static_cast<graphdef::DataType>(999)); }, "type 999");
  refuse([](Entry &e) { e.set_dtype(graphdef::DT_VARIANT); }, "values of variant are not supported",
         4);
  refuse([](Entry &e) { e.mutable_shape()->mutable_dim(0)->set_size(-1); }, "some are unknown");
  refuse([](Entry &e) { e.mutable_shape()->mutable_dim(0)->set_size(-2); }, "-2");
  refuse([](Entry &e) { e.mutable_shape()->set_unknown_rank(true); }, "");
  refuse(
      [](Entry &e) {
        e.mutable_shape()->mutable_dim(0)->set_size(int64_t{1} << 40);
        e.mutable_shape()->add_dim()->set_size(int64_t{1} << 40);
      },
      "");
  c.expectRefused(good, "b", "", "tensor 'b': the checkpoint has no such tensor");
  good.addFloats("weights", {}, {1});
  c.expectRefused(good, "wieghts", "", "did you mean 'weights'?");
}

TEST(Bundle, Headers) {
  Checkpoint c;
  BundleWriter w;
  w.addFloats("a", {2}, {1, 2});
  w.header.set_num_shards(0);
  c.expectRefused(w, "a", "", "c.index: error: header: expected 1 to 99999 data files but got 0");
  w.header.set_num_shards(1);
  w.header.set_endianness(graphdef::BundleHeader::BIG);
  c.expectRefused(w, "a", "", "high bytes first");
  w.header.set_endianness(graphdef::BundleHeader::LITTLE);
  w.header.mutable_version()->set_min_consumer(2);
  c.expectRefused(w, "a", "", "needs a reader of version 2");
  TableWriter none;
  none.add("a", "");
  c.folder.write("c.index", none.finish());
  EXPECT_FALSE(c.readAgain("a"));
  EXPECT_NE(c.said().find("expected a header"), std::string::npos) << c.said();
  TableWriter damaged;
  damaged.add("", "\x0a\x05");
  c.folder.write("c.index", damaged.finish());
  EXPECT_FALSE(c.readAgain("a"));
  EXPECT_NE(c.said().find("header: "), std::string::npos) << c.said();
}

// A tensor of 4 by 2 in two parts.
struct PartedBundle : BundleWriter {
  PartedBundle() {
    entries["v"].set_dtype(graphdef::DT_FLOAT);
    for (int64_t dim : {4, 2})
      entries["v"].mutable_shape()->add_dim()->set_size(dim);
    addPart(0, 3, {1, 2, 3, 4, 5, 6});
    addPart(3, 1, {7, 8});
  }
  graphdef::BundleEntry &addPart(int64_t start, int64_t length, const std::vector<float> &values) {
    graphdef::TensorSlice &slice = *entries["v"].add_slices();
    auto *rows = slice.add_extent();
    rows->set_start(start);
    rows->set_length(length);
    slice.add_extent();
    return addFloats(keyOfRegion("v", slice), {length, 2}, values);
  }
};

TEST(Bundle, TensorsInParts) {
  Checkpoint c;
  PartedBundle w;
  auto whole = c.read(w, "v");
  ASSERT_TRUE(whole) << c.said();
  EXPECT_EQ(floatsOf(*whole), (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8}));
  auto part = c.readAgain("v", "4 2 2,2:1,1");
  ASSERT_TRUE(part) << c.said();
  EXPECT_EQ(part->shape, (std::vector<int64_t>{2, 1}));
  EXPECT_EQ(floatsOf(*part), (std::vector<float>{6, 8}));
  w.addFloats("w", {4, 2}, {1, 2, 3, 4, 5, 6, 7, 8});
  EXPECT_EQ(floatsOf(*c.read(w, "w", "4 2 1,2:-")), (std::vector<float>{3, 4, 5, 6}));
  auto bundle = Bundle::open(c.folder.path("c"), {}, c.diagnostics);
  EXPECT_EQ(bundle->names(), (std::vector<llvm::StringRef>{"v", "w"}));
}

TEST(Bundle, PartsThatLie) {
  Checkpoint c;
  PartedBundle w;
  c.expectRefused(w, "v", "4 2 3,2:-", "expected dims and a range along each");
  c.expectRefused(w, "v", "5 2 3,2:-", "its shape is not that of the whole");
  PartedBundle missing;
  missing.entries["v"].mutable_slices()->RemoveLast();
  c.expectRefused(missing, "v", "", "its parts have 6 elements of 8 that are wanted");
  PartedBundle twice;
  *twice.entries["v"].add_slices() = twice.entries["v"].slices(1);
  c.expectRefused(twice, "v", "", "its parts have 10 elements of 8");
  PartedBundle beyond;
  beyond.entries["v"].mutable_slices(1)->mutable_extent(0)->set_length(2);
  c.expectRefused(beyond, "v", "", "part 1 does not lie within the tensor");
  PartedBundle otherShape;
  otherShape.entries["v"].mutable_slices(1)->mutable_extent(0)->set_length(0);
  c.expectRefused(otherShape, "v", "", "its parts have 6 elements of 8");
  PartedBundle noData;
  noData.entries.erase(keyOfRegion("v", noData.entries["v"].slices(1)));
  c.expectRefused(noData, "v", "", "the checkpoint has no such tensor");
  PartedBundle huge; // says to be large, but nobody has the bytes
  huge.entries["v"].mutable_shape()->mutable_dim(0)->set_size(int64_t{1} << 27);
  c.expectRefused(huge, "v", "", "bytes but the data files have fewer");
}

} // namespace
} // namespace sluice::import
