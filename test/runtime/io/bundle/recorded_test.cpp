// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checkpoints that TensorFlow has written (record.py): all that is in them, and what becomes of
// damage.
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/bundle/bundle_writer.h"
#include "runtime/io/bundle/table_checkpoint.h"
#include "runtime/io/memory_disk.h"

#include <gtest/gtest.h>

#include <complex>
#include <numeric>

namespace sluice::rt {
namespace {

const std::string kFolder = SLUICE_RECORDED_CHECKPOINTS "/";

// In the order in which they were written.
const std::vector<std::pair<std::string, DType>> kSigned = {
    {"half", DType::kF16},       {"bfloat16", DType::kBF16}, {"float", DType::kF32},
    {"double", DType::kF64},     {"int8", DType::kI8},       {"int16", DType::kI16},
    {"int32", DType::kI32},      {"int64", DType::kI64},     {"complex64", DType::kC64},
    {"complex128", DType::kC128}};
const std::vector<std::pair<std::string, DType>> kUnsigned = {{"uint8", DType::kU8},
                                                              {"uint16", DType::kU16},
                                                              {"uint32", DType::kU32},
                                                              {"uint64", DType::kU64},
                                                              {"bool", DType::kBool}};

double numberAt(const Tensor &tensor, int64_t i) {
  switch (tensor.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    return static_cast<double>(tensor.data<T>()[i]);
    SLUICE_REAL_DTYPES(SLUICE_CASE)
    SLUICE_CASE(kBool, bool, bool)
#undef SLUICE_CASE
  case DType::kC64:
    EXPECT_EQ(tensor.data<std::complex<float>>()[i].imag(), 0);
    return tensor.data<std::complex<float>>()[i].real();
  default:
    EXPECT_EQ(tensor.data<std::complex<double>>()[i].imag(), 0);
    return tensor.data<std::complex<double>>()[i].real();
  }
}

Result<Tensor> readFrom(Checkpoint &checkpoint, const std::string &name,
                        const std::string &part = "") {
  SLUICE_ASSIGN_OR_RETURN(FoundTensor found, checkpoint.find(name, part));
  return checkpoint.readTensor(found);
}

void expectNumbers(Checkpoint &checkpoint, const std::string &name, DType dtype, int first) {
  SCOPED_TRACE(name);
  Result<Tensor> tensor = readFrom(checkpoint, name);
  ASSERT_TRUE(tensor.ok()) << tensor.status().toString();
  ASSERT_EQ(tensor->dtype(), dtype);
  ASSERT_EQ(tensor->shape(), (Shape{2, 3}));
  for (int i = 0; i < 6; ++i)
    EXPECT_EQ(numberAt(*tensor, i), dtype == DType::kBool ? i % 2 : first + i);
}

void expectEveryType(Checkpoint &checkpoint) {
  for (const auto &[name, dtype] : kSigned)
    if (checkpoint.has(name))
      expectNumbers(checkpoint, name, dtype, -2);
  for (const auto &[name, dtype] : kUnsigned)
    if (checkpoint.has(name))
      expectNumbers(checkpoint, name, dtype, 0);
  auto texts = readFrom(checkpoint, "string");
  ASSERT_TRUE(texts.ok()) << texts.status().toString();
  EXPECT_EQ(texts->shape(), (Shape{2, 2}));
  EXPECT_TRUE(std::ranges::equal(
      texts->values<std::string>(),
      std::vector<std::string>{"", "a", std::string("b\0c", 3), std::string(200, 'x')}));
  auto empty = readFrom(checkpoint, "empty"), scalar = readFrom(checkpoint, "scalar");
  ASSERT_TRUE(empty.ok() && scalar.ok());
  EXPECT_EQ(empty->shape(), (Shape{0, 3}));
  EXPECT_EQ(numberAt(*scalar, 0), 5);
}

void expectMatrix(Checkpoint &checkpoint) {
  auto matrix = readFrom(checkpoint, "matrix");
  ASSERT_TRUE(matrix.ok()) << matrix.status().toString();
  EXPECT_EQ(matrix->shape(), (Shape{5, 4}));
  std::vector<float> wanted(20);
  std::iota(wanted.begin(), wanted.end(), 0.0f);
  EXPECT_TRUE(std::ranges::equal(matrix->values<float>(), wanted));
  auto part = readFrom(checkpoint, "matrix", "5 4 1,2:0,2");
  ASSERT_TRUE(part.ok()) << part.status().toString();
  EXPECT_TRUE(std::ranges::equal(part->values<float>(), std::vector<float>{4, 5, 8, 9}));
}

struct RecordedBundle {
  HostDisk disk;
  std::unique_ptr<Bundle> bundle;
  explicit RecordedBundle(const std::string &name) {
    auto opened = Bundle::open(kFolder + name, CheckpointLimits::of(), disk);
    EXPECT_TRUE(opened.ok()) << opened.status().toString();
    bundle = std::move(*opened);
  }
};

TEST(RecordedCheckpoints, EveryType) {
  RecordedBundle recorded("every-type");
  EXPECT_EQ(recorded.bundle->names().size(), kSigned.size() + kUnsigned.size() + 3);
  expectEveryType(*recorded.bundle);
}

TEST(RecordedCheckpoints, ManyNames) {
  RecordedBundle recorded("many");
  ASSERT_EQ(recorded.bundle->names().size(), 300u);
  for (int i : {0, 15, 16, 299})
    EXPECT_EQ(readFrom(*recorded.bundle, std::string(recorded.bundle->names()[i]))->asInt(), i);
}

TEST(RecordedCheckpoints, PartsInSeveralFiles) {
  RecordedBundle recorded("merged");
  EXPECT_EQ(recorded.bundle->shards(), 3);
  expectMatrix(*recorded.bundle);
  EXPECT_EQ(readFrom(*recorded.bundle, "of-2")->asInt(), 2);
}

TEST(RecordedCheckpoints, TheFirstFormat) {
  HostDisk disk;
  auto table = openCheckpoint(kFolder + "every-type.table", CheckpointLimits::of(), disk);
  ASSERT_TRUE(table.ok()) << table.status().toString();
  EXPECT_EQ((*table)->names().size(), kSigned.size() + kUnsigned.size());
  expectEveryType(**table);
  auto parts = openCheckpoint(kFolder + "parts-*-of-3.table", CheckpointLimits::of(), disk);
  ASSERT_TRUE(parts.ok()) << parts.status().toString();
  expectMatrix(**parts);
  for (const char *pattern : {"nothing", "nothing-*"})
    EXPECT_EQ(openCheckpoint(kFolder + pattern, CheckpointLimits::of(), disk).status().code(),
              Code::kNotFound);
}

TEST(RecordedCheckpoints, TheFirstFormatIsWrittenAsTensorFlowDoes) {
  HostDisk disk;
  auto table = openCheckpoint(kFolder + "every-type.table", CheckpointLimits::of(), disk);
  ASSERT_TRUE(table.ok());
  std::vector<Tensor> tensors;
  std::vector<SavedTensor> saved;
  for (std::string_view name : (*table)->names())
    tensors.push_back(*readFrom(**table, std::string(name)));
  for (size_t i = 0; i < tensors.size(); ++i) {
    std::span<const int64_t> dims = tensors[i].shape().dims();
    saved.push_back({std::string((*table)->names()[i]),
                     {dims.begin(), dims.end()},
                     TensorSlice::whole(dims.size()),
                     &tensors[i]});
  }
  MemoryDisk ours;
  ASSERT_TRUE(writeTableCheckpoint("c", saved, ours).ok());
  std::string theirs = *disk.read(kFolder + "every-type.table", 1 << 20);
  SortedTable ourRows = *readSortedTable(ours.files["c"], CheckpointLimits::of());
  SortedTable theirRows = *readSortedTable(theirs, CheckpointLimits::of());
  ASSERT_EQ(ourRows.size(), theirRows.size());
  for (size_t i = 1; i < ourRows.size(); ++i) { // the first one has descriptions in any order
    EXPECT_EQ(ourRows[i].key, theirRows[i].key);
    EXPECT_EQ(ourRows[i].value, theirRows[i].value) << i;
  }
}

// What we write of the same tensors is, byte by byte, what TensorFlow has written.
TEST(RecordedCheckpoints, ElementsAreWrittenAsTensorFlowDoes) {
  RecordedBundle recorded("every-type");
  MemoryDisk disk;
  auto writer = BundleWriter::begin("c", disk);
  ASSERT_TRUE(writer.ok());
  auto copy = [&](const std::string &name) {
    EXPECT_TRUE((*writer)->add(name, *readFrom(*recorded.bundle, name)).ok()) << name;
  };
  for (const auto &[name, dtype] : kSigned)
    copy(name);
  for (const auto &[name, dtype] : kUnsigned)
    copy(name);
  for (const char *name : {"string", "empty", "scalar"})
    copy(name);
  ASSERT_TRUE((*writer)->commit().ok());
  EXPECT_EQ(disk.files["c.data-00000-of-00001"],
            *recorded.disk.read(kFolder + "every-type.data-00000-of-00001", 1 << 20));
  auto again = Bundle::open("c", CheckpointLimits::of(), disk);
  ASSERT_TRUE(again.ok());
  ASSERT_EQ((*again)->rows().size(), recorded.bundle->rows().size());
  for (size_t i = 0; i < recorded.bundle->rows().size(); ++i)
    EXPECT_EQ((*again)->rows()[i].value, recorded.bundle->rows()[i].value) << i;
}

// All tensors, one behind the other; or nothing, if any is refused.
std::string everythingIn(MemoryDisk &disk) {
  auto bundle = Bundle::open("c", CheckpointLimits::of(), disk);
  if (!bundle.ok())
    return "";
  std::string all;
  for (std::string_view name : (*bundle)->names()) {
    auto tensor = readFrom(**bundle, std::string(name));
    if (!tensor.ok())
      return "";
    all += std::string(name) + tensor->shape().toString();
    if (tensor->dtype() != DType::kString)
      all.append(tensor->data<char>(), tensor->bytes());
    else
      for (const std::string &text : tensor->values<std::string>())
        all += text;
  }
  return all;
}

TEST(RecordedCheckpoints, DamageIsFoundOrDoesNotMatter) {
  HostDisk host;
  const std::string kData = ".data-00000-of-00001";
  MemoryDisk good;
  for (const std::string &suffix : {std::string(".index"), kData})
    good.files["c" + suffix] = *host.read(kFolder + "every-type" + suffix, 1 << 20);
  const std::string wanted = everythingIn(good);
  ASSERT_FALSE(wanted.empty());
  size_t found = 0, tried = 0;
  for (const auto &[path, content] : good.files) {
    for (size_t at = 0; at < content.size(); ++at) {
      MemoryDisk bad = good;
      bad.files[path][at] = static_cast<char>(content[at] ^ (1 << at % 8));
      std::string got = everythingIn(bad);
      EXPECT_TRUE(got.empty() || got == wanted) << path << " byte " << at;
      found += got.empty(), ++tried;
      bad.files[path] = content.substr(0, at);
      EXPECT_EQ(everythingIn(bad), "") << path << " cut at " << at;
    }
  }
  EXPECT_GT(found, tried - 60); // the footer has zeros that mean nothing
}

} // namespace
} // namespace sluice::rt
