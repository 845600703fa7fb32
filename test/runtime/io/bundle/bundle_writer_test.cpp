// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is written can be read again, and what cannot be written is refused before anything is.
#include "runtime/io/bundle/bundle.h"
#include "runtime/io/bundle/bundle_writer.h"
#include "runtime/io/memory_disk.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

struct Written {
  MemoryDisk disk;
  std::unique_ptr<BundleWriter> writer;

  Written() {
    auto begun = BundleWriter::begin("folder/c", disk);
    EXPECT_TRUE(begun.ok()) << begun.status().toString();
    writer = std::move(*begun);
  }
  void commit() {
    Status status = writer->commit();
    EXPECT_TRUE(status.ok()) << status.toString();
  }
  std::unique_ptr<Bundle> open() {
    auto bundle = Bundle::open("folder/c", CheckpointLimits::of(), disk);
    EXPECT_TRUE(bundle.ok()) << bundle.status().toString();
    return std::move(*bundle);
  }
  Tensor read(std::string_view name, std::string_view part = "") {
    std::unique_ptr<Bundle> bundle = open();
    Result<FoundTensor> found = bundle->find(name, part);
    EXPECT_TRUE(found.ok()) << found.status().toString();
    Result<Tensor> tensor = bundle->readTensor(*found);
    EXPECT_TRUE(tensor.ok()) << tensor.status().toString();
    return *tensor;
  }
};

// Elements of any type, no two alike.
Tensor numbered(DType dtype, const Shape &shape) {
  Tensor tensor = *Tensor::allocate(dtype, shape);
  if (dtype == DType::kString) {
    for (int64_t i = 0; i < tensor.elements(); ++i)
      tensor.data<std::string>()[i] = std::string(static_cast<size_t>(i * i), 'a') + '\0';
    return tensor;
  }
  for (size_t i = 0; i < tensor.bytes(); ++i)
    tensor.data<unsigned char>()[i] = static_cast<unsigned char>(dtype == DType::kBool ? i % 2 : i);
  return tensor;
}

void expectSame(const Tensor &got, const Tensor &wanted) {
  ASSERT_EQ(got.dtype(), wanted.dtype());
  ASSERT_EQ(got.shape(), wanted.shape());
  if (wanted.dtype() == DType::kString)
    EXPECT_TRUE(std::ranges::equal(got.values<std::string>(), wanted.values<std::string>()));
  else
    EXPECT_EQ(std::memcmp(got.raw(), wanted.raw(), wanted.bytes()), 0);
}

TEST(BundleWriter, EveryType) {
  Written w;
  std::vector<std::pair<std::string, Tensor>> tensors;
  for (int i = 0; i <= static_cast<int>(DType::kString); ++i)
    for (const Shape &shape : {Shape{}, Shape{3, 5}, Shape{2, 0}}) {
      auto dtype = static_cast<DType>(i);
      std::string name = std::string(dtypeName(dtype)) + shape.toString();
      tensors.emplace_back(name, numbered(dtype, shape));
    }
  for (const auto &[name, tensor] : tensors)
    ASSERT_TRUE(w.writer->add(name, tensor).ok()) << name;
  w.commit();
  EXPECT_EQ(w.open()->names().size(), tensors.size());
  for (const auto &[name, tensor] : tensors) {
    SCOPED_TRACE(name);
    expectSame(w.read(name), tensor);
  }
}

TEST(BundleWriter, LargeTensorsAndStrings) {
  Written w;
  Tensor large = numbered(DType::kU8, Shape{(3 << 20) + 7});
  Tensor texts = *Tensor::allocate(DType::kString, Shape{3});
  texts.data<std::string>()[1] = std::string(200'000, 'x'), texts.data<std::string>()[2] = "y";
  ASSERT_TRUE(w.writer->add("large", large).ok());
  ASSERT_TRUE(w.writer->add("texts", texts).ok());
  w.commit();
  expectSame(w.read("large"), large);
  expectSame(w.read("texts"), texts);
}

TEST(BundleWriter, Parts) {
  Written w;
  Tensor upper = numbered(DType::kI32, Shape{3, 2}), lower = numbered(DType::kI32, Shape{1, 2});
  // As TensorFlow has them: "-" and all of a dim are not the same key.
  ASSERT_TRUE(w.writer->addPart("v", *parsePart("4 2 0,3:-"), upper).ok());
  ASSERT_TRUE(w.writer->addPart("v", *parsePart("4 2 3,1:0,2"), lower).ok());
  w.commit();
  EXPECT_EQ(w.open()->names(), std::vector<std::string_view>{"v"});
  Tensor whole = w.read("v");
  ASSERT_EQ(whole.shape(), (Shape{4, 2}));
  EXPECT_EQ(std::memcmp(whole.raw(), upper.raw(), 24), 0);
  EXPECT_EQ(std::memcmp(whole.data<char>() + 24, lower.raw(), 8), 0);
  EXPECT_EQ(w.read("v", "4 2 2,2:1,1").asInt(1), lower.asInt(1));
}

TEST(BundleWriter, WhatIsRefused) {
  Written w;
  Tensor x = numbered(DType::kF32, Shape{2});
  auto expectRefused = [](const Status &status, const char *says) {
    EXPECT_EQ(status.code(), Code::kInvalidArgument) << status.toString();
    EXPECT_NE(status.message().find(says), std::string::npos) << status.toString();
  };
  EXPECT_TRUE(w.writer->add("x", x).ok());
  expectRefused(w.writer->add("x", x), "the name 'x' is there twice");
  expectRefused(w.writer->addPart("x", *parsePart("4 0,2"), x), "twice");
  expectRefused(w.writer->add("", x), "expected the name of a tensor");
  expectRefused(w.writer->add(std::string("\0a", 2), x), "expected the name of a tensor");
  EXPECT_TRUE(w.writer->addPart("v", *parsePart("4 0,2"), x).ok());
  expectRefused(w.writer->addPart("v", *parsePart("4 0,2"), x), "twice");
  expectRefused(w.writer->addPart("v", *parsePart("5 2,2"), x), "differ");
  expectRefused(w.writer->addPart("v", *parsePart("4 2,2"), numbered(DType::kI32, Shape{2})),
                "differ");
  expectRefused(w.writer->addPart("v", *parsePart("4 1,3"), x), "does not match the shape");
  expectRefused(w.writer->add("v", x), "twice");
}

TEST(BundleWriter, NothingIsThereBeforeAllIs) {
  MemoryDisk disk;
  disk.failingWrites["c.index"] = {Code::kUnavailable, "full"};
  auto writer = BundleWriter::begin("c", disk);
  ASSERT_TRUE(writer.ok());
  EXPECT_TRUE((*writer)->add("x", numbered(DType::kF32, Shape{2})).ok());
  EXPECT_TRUE(disk.files.empty());
  EXPECT_EQ((*writer)->commit().code(), Code::kUnavailable);
}

} // namespace
} // namespace sluice::rt
