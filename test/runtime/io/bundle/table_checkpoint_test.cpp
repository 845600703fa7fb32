// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints of the first format: round trips, several files, and messages that lie.
#include "runtime/io/bundle/saved_values.h"
#include "runtime/io/bundle/sorted_table_writer.h"
#include "runtime/io/bundle/table_checkpoint.h"
#include "runtime/io/bundle/tensor_messages.h"
#include "runtime/io/memory_disk.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

Tensor numbered(DType dtype, const Shape &shape) {
  Tensor tensor = *Tensor::allocate(dtype, shape);
  if (dtype == DType::kString) {
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.data<std::string>()[i] = std::string(static_cast<size_t>(i), 'a') + '\0';
    return tensor;
  }
  for (size_t i = 0; i < tensor.bytes(); ++i)
    tensor.data<unsigned char>()[i] =
        static_cast<unsigned char>(dtype == DType::kBool ? i % 2 : i * 37);
  return tensor;
}

SavedTensor whole(const std::string &name, const Tensor &tensor) {
  std::span<const int64_t> dims = tensor.shape().dims();
  return {name, {dims.begin(), dims.end()}, TensorSlice::whole(dims.size()), &tensor};
}
SavedTensor part(const std::string &name, const std::string &text, const Tensor &tensor) {
  PartOfTensor parsed = *parsePart(text);
  return {name, parsed.shape, parsed.slice, &tensor};
}

struct OnDisk {
  MemoryDisk disk;
  Status status;

  void write(const std::vector<SavedTensor> &tensors) {
    status = writeTableCheckpoint("c", tensors, disk);
  }
  std::optional<Tensor> read(const std::string &name, const std::string &slice = "") {
    auto tensor = tryToRead(name, slice);
    status = tensor.status();
    return tensor.ok() ? std::optional(*tensor) : std::nullopt;
  }
  Result<Tensor> tryToRead(const std::string &name, const std::string &slice) {
    SLUICE_ASSIGN_OR_RETURN(auto table, TableCheckpoint::open("c", CheckpointLimits::of(), disk));
    SLUICE_ASSIGN_OR_RETURN(FoundTensor found, table->find(name, slice));
    return table->readTensor(found);
  }
  void expectStatus(Code code, const char *says) {
    EXPECT_EQ(status.code(), code) << status.toString();
    EXPECT_NE(status.message().find(says), std::string::npos) << status.toString();
  }
};

TEST(TableCheckpoint, EveryTypeThatItHas) {
  for (int i = 0; i <= static_cast<int>(DType::kString); ++i)
    for (const Shape &shape : {Shape{}, Shape{3, 5}, Shape{2, 0}}) {
      OnDisk c;
      auto dtype = static_cast<DType>(i);
      SCOPED_TRACE(dtypeName(dtype));
      Tensor tensor = numbered(dtype, shape);
      c.write({whole("x", tensor)});
      if (dtype == DType::kBF16 || dtype == DType::kU32 || dtype == DType::kU64) {
        c.expectStatus(dtype == DType::kBF16 ? Code::kUnimplemented : Code::kInvalidArgument,
                       "tensor 'x': ");
        EXPECT_TRUE(c.disk.files.empty());
        continue;
      }
      ASSERT_TRUE(c.status.ok()) << c.status.toString();
      auto got = c.read("x");
      ASSERT_TRUE(got) << c.status.toString();
      EXPECT_EQ(got->dtype(), dtype);
      EXPECT_EQ(got->shape(), shape);
      if (dtype == DType::kString)
        EXPECT_TRUE(std::ranges::equal(got->values<std::string>(), tensor.values<std::string>()));
      else
        EXPECT_EQ(std::memcmp(got->raw(), tensor.raw(), tensor.bytes()), 0);
    }
}

TEST(TableCheckpoint, Slices) {
  OnDisk c;
  Tensor upper = numbered(DType::kI32, Shape{3, 2}), lower = numbered(DType::kI32, Shape{1, 2});
  c.write({part("v", "4 2 3,1:-", lower), part("v", "4 2 0,3:-", upper),
           part("v", "4 2 3,1:-", upper)}); // the first one of a slice counts
  ASSERT_TRUE(c.status.ok()) << c.status.toString();
  auto all = c.read("v");
  ASSERT_TRUE(all) << c.status.toString();
  EXPECT_EQ(std::memcmp(all->raw(), upper.raw(), 24), 0);
  EXPECT_EQ(std::memcmp(all->data<char>() + 24, lower.raw(), 8), 0);
  EXPECT_EQ(c.read("v", "4 2 2,2:1,1")->asInt(1), lower.asInt(1));
  EXPECT_FALSE(c.read("v", "4 3 2,2:1,1"));
  c.expectStatus(Code::kInvalidArgument, "is not that of the whole");
  EXPECT_FALSE(c.read("w"));
  c.expectStatus(Code::kNotFound, "tensor 'w': the checkpoint has no such tensor");
  c.write({part("v", "4 2 0,3:-", upper)});
  EXPECT_TRUE(c.read("v", "4 2 1,2:-"));
  EXPECT_FALSE(c.read("v"));
  c.expectStatus(Code::kInvalidArgument, "its parts have 6 elements of 8");
  c.write({part("v", "4 2 0,3:-", upper), part("v", "5 2 4,1:-", lower)});
  c.expectStatus(Code::kInternal, "differ in their types or in the shape");
}

TEST(TableCheckpoint, EveryFlippedBitAndEveryCut) {
  OnDisk good;
  Tensor numbers = numbered(DType::kI32, Shape{3, 2}), texts = numbered(DType::kString, Shape{2});
  good.write({whole("numbers", numbers), whole("texts", texts)});
  const std::string bytes = good.disk.files["c"];
  for (size_t at = 0; at < bytes.size(); ++at) {
    OnDisk bad;
    bad.disk.files["c"] = bytes;
    bad.disk.files["c"][at] ^= 1 << at % 8;
    auto got = bad.read("numbers");
    if (at < bytes.size() - 48 - 60) // behind lie the blocks that nobody needs, and zeros
      EXPECT_FALSE(got) << at;
    else if (got)
      EXPECT_EQ(std::memcmp(got->raw(), numbers.raw(), numbers.bytes()), 0) << at;
    bad.disk.files["c"] = bytes.substr(0, at);
    EXPECT_FALSE(bad.read("numbers")) << at;
  }
}

// A file whose checksums are right and whose messages are these.
struct ByHand : OnDisk {
  std::map<std::string, std::string> entries;

  static std::string field(uint32_t number, const std::string &bytes) {
    MessageWriter writer;
    writer.bytes(number, bytes);
    return writer.take();
  }
  ByHand(const std::vector<int64_t> &shape, uint64_t type, const std::string &values) {
    MessageWriter type3;
    type3.number(3, type);
    std::string slice = messageOf(TensorSlice::whole(shape.size()));
    entries[""] = field(1, field(1, field(1, "x") + field(2, messageOfShape(shape)) + type3.text() +
                                        field(4, slice)));
    entries[keyOfSlice("x", TensorSlice::whole(shape.size()))] =
        field(2, field(1, "x") + field(2, slice) + field(3, values));
  }
  void expectRefused(Code code, const char *says) {
    std::string &bytes = disk.files["c"];
    bytes.clear();
    SortedTableWriter table([&](std::string_view part) {
      bytes += part;
      return okStatus();
    });
    for (const auto &[key, value] : entries)
      ASSERT_TRUE(table.add(key, value).ok());
    ASSERT_TRUE(table.finish().ok());
    EXPECT_FALSE(read("x"));
    expectStatus(code, says);
  }
};

TEST(TableCheckpoint, MessagesThatLie) {
  constexpr uint64_t kFloat = 1, kInt32 = 3, kUint8 = 4, kBool = 10;
  constexpr Code kLoss = Code::kDataLoss;
  std::string four = ByHand::field(5, "\1\2\3\4");
  ByHand({2}, kFloat, four).expectRefused(kLoss, "expected 2 elements but there are only 6 bytes");
  ByHand({1}, kFloat, four + four).expectRefused(kLoss, "it has too many elements");
  ByHand({1}, kFloat, ByHand::field(5, "\1\2\3")).expectRefused(kLoss, "does not have 1 elements");
  ByHand({1}, kFloat, ByHand::field(6, "\1\2\3\4")).expectRefused(kLoss, "does not have 1");
  ByHand({2}, kInt32, ByHand::field(7, "\1\2\3")).expectRefused(kLoss, "too many elements");
  ByHand({2}, kInt32, ByHand::field(7, "\1\xff")).expectRefused(kLoss, "elements are damaged");
  ByHand({3}, kUint8, ByHand::field(7, "\1\xff\3")).expectRefused(kLoss, "beyond the range");
  ByHand({1}, kBool, ByHand::field(11, "\2")).expectRefused(kLoss, "expected 0 or 1 as bool");
  ByHand({int64_t{1} << 33}, kInt32, ByHand::field(7, "\1"))
      .expectRefused(kLoss, "expected 8589934592 elements");
  ByHand({int64_t{1} << 40}, kInt32, "").expectRefused(Code::kResourceExhausted, "at most");
  ByHand({1}, 21, "").expectRefused(Code::kUnimplemented, "number 21");
  ByHand({1}, 22, "").expectRefused(Code::kUnimplemented, "number 22"); // not in this format
  ByHand noDescriptions({1}, kFloat, four);
  noDescriptions.entries.erase("");
  noDescriptions.expectRefused(kLoss, "expected descriptions");
  ByHand damaged({1}, kFloat, four);
  damaged.entries[""].pop_back();
  damaged.expectRefused(kLoss, "damaged");
  ByHand noValues({1}, kFloat, four);
  noValues.entries.erase(keyOfSlice("x", TensorSlice::whole(1)));
  noValues.expectRefused(kLoss, "tensor 'x': its part - is not in the file 'c'");
  ByHand otherRank({1}, kFloat, four);
  otherRank.entries[""] = ByHand::field(
      1, ByHand::field(1, ByHand::field(1, "x") +
                              ByHand::field(2, messageOfShape(std::vector<int64_t>{1, 1})) +
                              std::string("\x18\1", 2) +
                              ByHand::field(4, messageOf(TensorSlice::whole(1)))));
  otherRank.expectRefused(kLoss, "a part does not lie within the tensor");
}

} // namespace
} // namespace sluice::rt
