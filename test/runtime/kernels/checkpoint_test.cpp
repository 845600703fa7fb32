// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Saving, restoring and merging: what comes back, and TensorFlow's codes where nothing does.
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

#include <filesystem>
#include <fstream>

namespace sluice::rt {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

Tensor texts(const Texts &values) {
  return tensor<std::string>({static_cast<int64_t>(values.size())}, values);
}

struct Folder {
  std::string path;
  Folder() {
    path = testing::TempDir() + "/sluice-checkpoint-XXXXXX";
    EXPECT_NE(::mkdtemp(path.data()), nullptr);
  }
  ~Folder() { fs::remove_all(path); }
  std::string operator/(const std::string &name) const { return path + "/" + name; }
};

Status save(const std::string &prefix, const Texts &names, const Texts &slices,
            const std::vector<Tensor> &tensors, const char *form = "bundle") {
  std::vector<Tensor> inputs = {Tensor::string(prefix), texts(names), texts(slices)};
  inputs.insert(inputs.end(), tensors.begin(), tensors.end());
  return callKernel(sluice_kernel_state_save_tensors_any, inputs, std::vector<DType>{},
                    {textAttr(form)})
      .status;
}

KernelResult restore(const std::string &prefix, const Texts &names, const Texts &slices,
                     const std::vector<DType> &types, const char *form = "any") {
  return callKernel(sluice_kernel_state_restore_tensors_any,
                    {Tensor::string(prefix), texts(names), texts(slices)}, types, {textAttr(form)});
}

Status merge(const Tensor &prefixes, const std::string &destination, bool allowMissing = false,
             bool deleteOld = true) {
  return callKernel(sluice_kernel_state_merge_checkpoints_any,
                    {prefixes, Tensor::string(destination)}, std::vector<DType>{},
                    {intAttr(allowMissing), intAttr(deleteOld)})
      .status;
}

const Tensor kMatrix = ramp<float>({4, 2});
constexpr DType kF32 = DType::kF32;

void flipByte(const std::string &path, size_t at) {
  std::fstream file(path, std::ios::in | std::ios::out | std::ios::binary);
  file.seekg(static_cast<std::streamoff>(at));
  char byte = static_cast<char>(file.get() ^ 1);
  file.seekp(static_cast<std::streamoff>(at));
  file.put(byte);
}

TEST(Checkpoints, WhatIsSavedIsRestored) {
  for (const char *form : {"bundle", "table"}) {
    SCOPED_TRACE(form);
    Folder folder;
    Tensor words = texts({"x", "yy"});
    ASSERT_TRUE(save(folder / "new/c", {"m", "w"}, {"", ""}, {kMatrix, words}, form).ok());
    KernelResult got = restore(folder / "new/c", {"w", "m", "m"}, {"", "", "4 2 1,2:-"},
                               {DType::kString, kF32, kF32});
    ASSERT_TRUE(got.ok()) << got.status.toString();
    EXPECT_EQ(valuesOf<std::string>(got.outputs[0]), (Texts{"x", "yy"}));
    EXPECT_EQ(got.outputs[1].shape(), kMatrix.shape());
    EXPECT_EQ(valuesOf<float>(got.outputs[1]), valuesOf<float>(kMatrix));
    EXPECT_EQ(valuesOf<float>(got.outputs[2]), (std::vector<float>{2, 3, 4, 5}));
    // One folder is made, not two; and what is there is replaced.
    EXPECT_EQ(save(folder / "a/b/c", {"m"}, {""}, {kMatrix}, form).code(), Code::kNotFound);
    ASSERT_TRUE(save(folder / "new/c", {"m"}, {""}, {words}, form).ok());
    EXPECT_EQ(restore(folder / "new/c", {"m"}, {""}, {DType::kString})->elements(), 2);
  }
}

TEST(Checkpoints, NoDenormalsComeIn) {
  Folder folder;
  Tensor tiny = tensor<float>({2}, {1e-40f, 1.0f});
  ASSERT_TRUE(save(folder / "c", {"x"}, {""}, {tiny}).ok());
  EXPECT_EQ(valuesOf<float>(*restore(folder / "c", {"x"}, {""}, {kF32})),
            (std::vector<float>{0, 1}));
}

TEST(Checkpoints, Slices) {
  Folder folder;
  Texts slices = {"8 2 0,4:-", "8 2 4,4:-"};
  ASSERT_TRUE(save(folder / "c", {"v", "v"}, slices, {kMatrix, kMatrix}).ok());
  ASSERT_TRUE(save(folder / "t-0", {"v"}, {slices[0]}, {kMatrix}, "table").ok());
  ASSERT_TRUE(save(folder / "t-1", {"v"}, {slices[1]}, {kMatrix}, "table").ok());
  for (const std::string &prefix :
       {folder / "c", folder / "t-*", folder / "t-[01]", folder / "t-?"}) {
    SCOPED_TRACE(prefix);
    EXPECT_EQ(restore(prefix, {"v"}, {""}, {kF32})->shape(), (Shape{8, 2}));
    EXPECT_EQ(valuesOf<float>(*restore(prefix, {"v"}, {"8 2 3,2:-"}, {kF32})),
              (std::vector<float>{6, 7, 0, 1}));
  }
  EXPECT_EQ(restore(folder / "t-0", {"v"}, {""}, {kF32}).status.code(), Code::kInvalidArgument);
}

TEST(Checkpoints, CodesOfSaving) {
  Folder folder;
  auto codeOf = [&](const Texts &names, const Texts &slices, const std::vector<Tensor> &tensors) {
    Status status = save(folder / "c", names, slices, tensors);
    EXPECT_FALSE(fs::exists(folder / "c.index")) << "something was written";
    return status.code();
  };
  constexpr Code kWrong = Code::kInvalidArgument;
  EXPECT_EQ(codeOf({"a", "a"}, {"", ""}, {kMatrix, kMatrix}), kWrong);
  EXPECT_EQ(codeOf({"a"}, {"8 2 0,3:-"}, {kMatrix}), kWrong);
  EXPECT_EQ(codeOf({"a"}, {"4 2 1,4:-"}, {kMatrix}), Code::kInternal);
  EXPECT_EQ(codeOf({"a", "a"}, {"8 2 0,4:-", "8 2 0,4:-"}, {kMatrix, kMatrix}), kWrong);
  EXPECT_EQ(codeOf({"a", "a"}, {"8 2 0,4:-", ""}, {kMatrix, kMatrix}), kWrong);
  EXPECT_EQ(codeOf({"a"}, {"", ""}, {kMatrix}), kWrong);
  EXPECT_EQ(codeOf({"a", "b"}, {"", ""}, {kMatrix}), kWrong);
  EXPECT_EQ(codeOf({"a"}, {"x"}, {kMatrix}), kWrong);
  Tensor prefixes = texts({folder / "c", folder / "d"});
  EXPECT_EQ(callKernel(sluice_kernel_state_save_tensors_any,
                       {prefixes, texts({"a"}), texts({""}), kMatrix}, std::vector<DType>{},
                       {textAttr("bundle")})
                .status.code(),
            kWrong);
  EXPECT_TRUE(fs::is_empty(folder.path));
}

TEST(Checkpoints, CodesOfRestoring) {
  Folder folder;
  const std::string prefix = folder / "c";
  ASSERT_TRUE(save(prefix, {"a", "s"}, {"", ""}, {kMatrix, texts({"x", "y"})}).ok());
  auto codeOf = [&](const Texts &names, const Texts &slices, const std::vector<DType> &types) {
    return restore(prefix, names, slices, types).status.code();
  };
  constexpr Code kWrong = Code::kInvalidArgument;
  EXPECT_EQ(codeOf({"b"}, {""}, {kF32}), Code::kNotFound);
  EXPECT_EQ(codeOf({"a"}, {""}, {DType::kI32}), kWrong);
  EXPECT_EQ(codeOf({"a"}, {"4 2"}, {kF32}), kWrong);
  EXPECT_EQ(codeOf({"a"}, {"4 2 0,0:-"}, {kF32}), kWrong);
  EXPECT_EQ(codeOf({"a"}, {"4 2 3,2:-"}, {kF32}), Code::kInternal);
  EXPECT_EQ(codeOf({"a"}, {"5 2 1,2:-"}, {kF32}), kWrong);
  EXPECT_EQ(codeOf({"a", "a"}, {""}, {kF32}), kWrong);
  EXPECT_EQ(codeOf({"a"}, {""}, {kF32, kF32}), kWrong);
  EXPECT_EQ(codeOf({"s"}, {"2 1,1"}, {DType::kString}), kWrong);
  EXPECT_EQ(restore(folder / "nothing", {"a"}, {""}, {kF32}).status.code(), Code::kNotFound);
  EXPECT_EQ(restore(prefix, {"a"}, {""}, {kF32}, "table").status.code(), Code::kNotFound);
  EXPECT_EQ(restore(prefix + ".index", {"a"}, {""}, {kF32}, "table").status.code(),
            Code::kNotFound);
  const std::string data = prefix + ".data-00000-of-00001";
  flipByte(data, 0);
  EXPECT_EQ(codeOf({"a"}, {""}, {kF32}), Code::kDataLoss);
  fs::resize_file(data, 20);
  EXPECT_EQ(codeOf({"a"}, {""}, {kF32}), Code::kOutOfRange);
  fs::remove(data);
  EXPECT_EQ(codeOf({"a"}, {""}, {kF32}), Code::kNotFound);
  flipByte(prefix + ".index", 0);
  EXPECT_EQ(codeOf({"a"}, {""}, {kF32}), Code::kDataLoss);
  fs::resize_file(prefix + ".index", 0);
  EXPECT_EQ(codeOf({"a"}, {""}, {kF32}), Code::kDataLoss);
}

TEST(Checkpoints, ShapesThatSlicesSay) {
  Tensor slices = texts({"4 2 1,2:-"}), none = texts({""});
  const Kernel &kernel = sluice_kernel_state_restore_tensors_any;
  std::vector<Shape> outputs(1);
  const DType types[] = {kF32};
  const Shape scalar{}, one{1};
  const Shape *inputs[] = {&scalar, &one, &one};
  std::vector<Attr> attrs = {textAttr("any")};
  for (const auto &[value, shape] : {std::pair{&slices, Shape({2, 2})},
                                     {&none, kAnyShape},
                                     {static_cast<Tensor *>(nullptr), kAnyShape}}) {
    const Tensor *values[] = {nullptr, nullptr, value};
    ShapeCall call(inputs, values, attrs, outputs, types);
    EXPECT_TRUE(kernel.shape(call).ok());
    EXPECT_EQ(outputs[0], shape);
  }
}

TEST(Checkpoints, Merging) {
  Folder folder;
  const std::string parts = folder / "parts";
  ASSERT_TRUE(save(parts + "/0", {"v", "a"}, {"8 2 0,4:-", ""}, {kMatrix, texts({"a"})}).ok());
  ASSERT_TRUE(save(parts + "/1", {"v", "b"}, {"8 2 4,4:-", ""}, {kMatrix, kMatrix}).ok());
  ASSERT_TRUE(merge(texts({parts + "/0", parts + "/1"}), folder / "all").ok());
  EXPECT_FALSE(fs::exists(parts));
  EXPECT_TRUE(fs::exists(folder / "all.data-00001-of-00002"));
  KernelResult got =
      restore(folder / "all", {"v", "a", "b"}, {"", "", ""}, {kF32, DType::kString, kF32});
  ASSERT_TRUE(got.ok()) << got.status.toString();
  EXPECT_EQ(got.outputs[0].shape(), (Shape{8, 2}));
  EXPECT_EQ(valuesOf<std::string>(got.outputs[1]), Texts{"a"});
  // Of several files into several others; and onto itself.
  ASSERT_TRUE(save(folder / "c", {"c"}, {""}, {kMatrix}).ok());
  ASSERT_TRUE(merge(texts({folder / "c", folder / "all"}), folder / "more").ok());
  ASSERT_TRUE(merge(texts({folder / "more"}), folder / "more").ok());
  EXPECT_TRUE(restore(folder / "more", {"v", "c"}, {"", ""}, {kF32, kF32}).ok());
  EXPECT_FALSE(fs::exists(folder / "all.index"));
}

TEST(Checkpoints, CodesOfMerging) {
  Folder folder;
  constexpr Code kWrong = Code::kInvalidArgument;
  const std::string a = folder / "a", b = folder / "b", all = folder / "all";
  ASSERT_TRUE(save(a, {"x"}, {""}, {kMatrix}).ok());
  ASSERT_TRUE(save(b, {"x", "y"}, {"", ""}, {kMatrix, kMatrix}).ok());
  EXPECT_EQ(merge(texts({a, b}), all).code(), kWrong);
  EXPECT_EQ(merge(texts({a, folder / "no"}), all).code(), kWrong);
  EXPECT_EQ(merge(texts({folder / "no"}), all, true).code(), kWrong);
  EXPECT_EQ(merge(texts({}), all).code(), kWrong);
  EXPECT_EQ(merge(Tensor::string(a), all).code(), kWrong);
  EXPECT_TRUE(fs::exists(a + ".index"));
  EXPECT_TRUE(merge(texts({a, folder / "no"}), all, true).ok());
  flipByte(b + ".index", 3);
  EXPECT_EQ(merge(texts({b}), all).code(), Code::kDataLoss);
  EXPECT_TRUE(restore(all, {"x"}, {""}, {kF32}).ok());
}

} // namespace
} // namespace sluice::rt
