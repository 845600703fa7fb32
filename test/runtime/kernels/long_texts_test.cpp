// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings for which there is no memory are an error of whoever makes them.
#include "runtime/base/held_memory.h"
#include "runtime/io/records/inflater.h"
#include "runtime/memory/text_room.h"
#include "runtime/pattern/pattern.h"
#include "test/runtime/kernels/kernel_caller.h"
#include "test/runtime/kernels/long_firing.h"

#include <zlib.h>

namespace sluice::rt {
namespace {

constexpr size_t kLimit = 1'000'000; // beyond what is held

class LongTexts : public testing::Test {
protected:
  void SetUp() override {
    limitHeldMemory(1); // what is free goes back now, and not when something is refused
    limitHeldMemory(heldMemory() + kLimit);
  }
  void TearDown() override { limitHeldMemory(0); }
};

TEST_F(LongTexts, HaveRoomUpToTheLimit) {
  EXPECT_TRUE(textHasRoom(kLimit - 1000));
  EXPECT_FALSE(textHasRoom(2 * kLimit));
  EXPECT_TRUE(textHasRoom(kLongText - 1)); // nobody is asked
  limitHeldMemory(0);
  EXPECT_TRUE(textHasRoom(2 * kLimit));
  EXPECT_FALSE(textHasRoom(SIZE_MAX / 2)); // of the system
}

TEST_F(LongTexts, ThatAreJoined) {
  const std::string half(kLimit * 2 / 3, 'x'), few(1000, 'x');
  auto codeOf = [](const std::string &text) {
    Tensor tensor = Tensor::string(text);
    return callKernel(sluice_kernel_nd_join_texts_any, {tensor, tensor}, {textAttr("")})
        .status.code();
  };
  EXPECT_EQ(codeOf(half), Code::kResourceExhausted);
  EXPECT_EQ(codeOf(few), Code::kOk);
}

TEST_F(LongTexts, InWhichIsReplaced) {
  const std::string text(20'000, 'a');
  std::string often;
  for (int i = 0; i < 100; ++i)
    often += "\\0";
  Pattern whole = *Pattern::parse("a+"), single = *Pattern::parse("a");
  EXPECT_EQ(whole.replace(text, often, true).status().code(), Code::kResourceExhausted);
  EXPECT_EQ(single.replace(text, often, true).status().code(), Code::kResourceExhausted);
  EXPECT_EQ(whole.replace(text, "\\0\\0\\0", true)->size(), 3 * text.size());
  EXPECT_EQ(single.replace(text, "\\0\\0", true)->size(), 2 * text.size());
}

TEST_F(LongTexts, ThatAreInflated) {
  auto deflated = [](size_t size) {
    std::string text(size, 'x'), bytes(compressBound(size), '\0');
    uLongf length = bytes.size();
    EXPECT_EQ(compress(reinterpret_cast<Bytef *>(bytes.data()), &length,
                       reinterpret_cast<const Bytef *>(text.data()), size),
              Z_OK);
    bytes.resize(length);
    return bytes;
  };
  EXPECT_EQ(decompress(deflated(200'000), Compression::kZlib)->size(), 200'000u);
  // There would be room for as much again, but not for both.
  EXPECT_EQ(decompress(deflated(700'000), Compression::kZlib).status().code(),
            Code::kResourceExhausted);
}

} // namespace
} // namespace sluice::rt
