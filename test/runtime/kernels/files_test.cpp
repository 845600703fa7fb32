// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files that are read, written and found, and TensorFlow's codes where they are not.
#include "test/runtime/kernels/kernel_caller.h"

#include <filesystem>

namespace sluice::rt {
namespace {

namespace fs = std::filesystem;
using Texts = std::vector<std::string>;

class Files : public testing::Test {
protected:
  Files() { EXPECT_NE(::mkdtemp(folder_.data()), nullptr); }
  ~Files() override { fs::remove_all(folder_); }
  static KernelResult read(const Tensor &name) {
    return callKernel(sluice_kernel_state_read_file_any, {name}, {DType::kString});
  }
  static Status write(const Tensor &name, const Tensor &content) {
    return callKernel(sluice_kernel_state_write_file_any, {name, content}, std::vector<DType>{})
        .status;
  }
  static KernelResult matching(const Tensor &patterns) {
    return callKernel(sluice_kernel_state_matching_files_any, {patterns}, {DType::kString});
  }
  Tensor name(const std::string &path) const { return Tensor::string(folder_ + "/" + path); }

  std::string folder_ = testing::TempDir() + "/sluice-files-XXXXXX";
};

TEST_F(Files, WrittenAndRead) {
  ASSERT_TRUE(write(name("new/deep/f"), Tensor::string("hi")).ok());
  EXPECT_EQ(valuesOf<std::string>(*read(name("new/deep/f"))), Texts{"hi"});
  EXPECT_EQ(valuesOf<std::string>(*read(Tensor::string("file://" + folder_ + "/new/deep/f"))),
            Texts{"hi"});
  ASSERT_TRUE(write(name("new/deep/f"), Tensor::string("")).ok());
  EXPECT_EQ(valuesOf<std::string>(*read(name("new/deep/f"))), Texts{""});
}

TEST_F(Files, Codes) {
  Tensor content = Tensor::string("x"), several = tensor<std::string>({1}, {"x"});
  EXPECT_EQ(read(name("none")).status.code(), Code::kNotFound);
  EXPECT_EQ(read(Tensor::string("")).status.code(), Code::kNotFound);
  EXPECT_EQ(read(Tensor::string(folder_)).status.code(), Code::kFailedPrecondition);
  EXPECT_EQ(read(Tensor::string("s3://x")).status.code(), Code::kUnimplemented);
  EXPECT_EQ(errorOf(read(several)), "Input filename tensor must be scalar, but had shape: [1]");
  EXPECT_EQ(write(Tensor::string(folder_), content).code(), Code::kFailedPrecondition);
  EXPECT_EQ(write(Tensor::string(""), content).code(), Code::kNotFound);
  EXPECT_EQ(write(several, content).message(),
            "Input filename tensor must be scalar, but had shape: [1]");
  EXPECT_EQ(write(name("f"), several).message(),
            "Contents tensor must be scalar, but had shape: [1]");
  EXPECT_EQ(write(Tensor::string("gs://x"), content).code(), Code::kUnimplemented);
  EXPECT_TRUE(fs::is_empty(folder_));
}

TEST_F(Files, Matching) {
  for (const char *path : {"b.txt", "a.txt", ".c.txt", "sub/a.txt"})
    ASSERT_TRUE(write(name(path), Tensor::string("")).ok());
  auto path = [&](const char *part) { return folder_ + "/" + part; };
  KernelResult found = matching(name("*"));
  EXPECT_EQ(valuesOf<std::string>(*found),
            (Texts{path(".c.txt"), path("a.txt"), path("b.txt"), path("sub")}));
  found = matching(tensor<std::string>({3}, {path("b*"), path("*/a.txt"), path("?.txt")}));
  EXPECT_EQ(valuesOf<std::string>(*found),
            (Texts{path("a.txt"), path("b.txt"), path("b.txt"), path("sub/a.txt")}));
  // Just below the root.
  std::string top = folder_.substr(0, folder_.find('/', 1));
  EXPECT_EQ(valuesOf<std::string>(
                *matching(Tensor::string("/[" + top.substr(1, 1) + "]" + top.substr(2)))),
            Texts{top});
  EXPECT_EQ(matching(name("none*"))->shape(), Shape({0}));
  EXPECT_EQ(matching(name("a.txt"))->elements(), 1);
  EXPECT_EQ(matching(tensor<std::string>({0}, {}))->elements(), 0);
  EXPECT_EQ(matching(Tensor::string("s3://*")).status.code(), Code::kUnimplemented);
  EXPECT_EQ(errorOf(matching(tensor<std::string>({1, 1}, {"x"}))),
            "Input patterns tensor must be scalar or vector, but had shape: [1,1]");
}

TEST_F(Files, Shapes) {
  EXPECT_EQ(inferShape(sluice_kernel_state_read_file_any, {kAnyShape}), "[]");
  EXPECT_EQ(inferShape(sluice_kernel_state_matching_files_any, {kAnyShape}), "[?]");
  EXPECT_EQ(inferShape(sluice_kernel_state_read_file_any, {{1}}),
            "Input filename tensor must be scalar, but had shape: [1]");
}

} // namespace
} // namespace sluice::rt
