// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Images tell what they hold. The cubin is a recorded one, made by ptxas 13.0 of PTX with the
// kernels axpy(u64, f32, 16 bytes), for blocks of 128, and none().
#include "runtime/sim/image.h"

#include <fstream>
#include <gtest/gtest.h>
#include <sstream>

namespace sluice::rt::sim {
namespace {

std::string recordedCubin() {
  std::ostringstream bytes;
  bytes << std::ifstream(SLUICE_RECORDED_CUBIN, std::ios::binary).rdbuf();
  return bytes.str();
}

const ImageKernel *find(const Image &image, const std::string &name) {
  for (const ImageKernel &kernel : image.kernels)
    if (kernel.name == name)
      return &kernel;
  return nullptr;
}

TEST(Images, cubinsTellOfParametersAndBlocks) {
  std::string bytes = recordedCubin(), problem;
  ASSERT_FALSE(bytes.empty());
  Image image;
  ASSERT_TRUE(readImage(bytes, image, problem)) << problem;
  EXPECT_TRUE(image.isCubin);
  EXPECT_EQ(image.architecture, 90);
  ASSERT_EQ(image.kernels.size(), 2u);
  const ImageKernel *axpy = find(image, "axpy"), *none = find(image, "none");
  ASSERT_TRUE(axpy && none);
  EXPECT_EQ(axpy->parameterBytes, (std::vector<uint32_t>{8, 4, 16}));
  EXPECT_EQ(axpy->block[0], 128u);
  EXPECT_EQ(axpy->block[2], 1u);
  EXPECT_TRUE(none->parameterBytes.empty());
  EXPECT_EQ(none->block[0], 0u);
}

TEST(Images, cubinsEndWhereTheirHeadersSay) {
  std::string bytes = recordedCubin();
  std::string longer = bytes + "more";
  EXPECT_EQ(bytesOfImage(longer.data()).size(), bytes.size());
}

TEST(Images, damagedCubinsAreRefused) {
  std::string bytes = recordedCubin();
  for (size_t length = 64; length < bytes.size(); length += 61) {
    Image image;
    std::string problem;
    readImage(std::string_view(bytes).substr(0, length), image, problem); // does not crash
  }
  Image image;
  std::string problem;
  EXPECT_FALSE(readImage(bytes.substr(0, 100), image, problem));
  EXPECT_FALSE(problem.empty());
}

TEST(Images, ptxTellsTheSame) {
  Image image;
  std::string problem;
  ASSERT_TRUE(readImage("/* a comment\n .entry no */\n.version 7.8\n.target sm_90a, debug\n"
                        ".visible .entry _Z1ki(\n .param .u64 .ptr .global .align 16 p0,\n"
                        " .param .f32 p1, // .param .u8 no\n .param .align 8 .b8 p2[16]\n)\n"
                        ".maxntid 256, 1, 1 .reqntid 128, 2\n{ ret; }\n"
                        ".entry none { ret; }",
                        image, problem))
      << problem;
  EXPECT_EQ(image.architecture, 90);
  ASSERT_EQ(image.kernels.size(), 2u);
  EXPECT_EQ(image.kernels[0].name, "_Z1ki");
  EXPECT_EQ(image.kernels[0].parameterBytes, (std::vector<uint32_t>{8, 4, 16}));
  EXPECT_EQ(image.kernels[0].block[0], 128u);
  EXPECT_EQ(image.kernels[0].block[1], 2u);
  EXPECT_EQ(image.kernels[0].block[2], 1u);
  EXPECT_EQ(image.kernels[1].name, "none");
}

TEST(Images, hashesDependOnEveryByte) {
  std::string bytes = "0123456789abcdef0";
  uint64_t hash = hashOfImage(bytes);
  for (char &byte : bytes) {
    ++byte;
    EXPECT_NE(hashOfImage(bytes), hash);
    --byte;
  }
  EXPECT_NE(hashOfImage(bytes + '\0'), hash);
}

} // namespace
} // namespace sluice::rt::sim
