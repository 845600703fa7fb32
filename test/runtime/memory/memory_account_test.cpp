// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Buffers count for whoever's thread has made them, until they are gone.
#include "runtime/memory/memory_account.h"

#include "runtime/memory/buffer.h"
#include "runtime/memory/size_classes.h"

#include <gtest/gtest.h>

#include <thread>

namespace sluice::rt {
namespace {

int released;
void release(MemoryBudget &) { ++released; }

class Accounts : public testing::Test {
protected:
  void SetUp() override { released = 0; }
  MemoryBudget budget_;
};

TEST_F(Accounts, CountBuffersUntilTheyAreGone) {
  uint8_t account = MemoryAccount::open(budget_, release);
  ASSERT_NE(account, 0);
  Buffer *buffer;
  {
    MemoryAccount::Scope scope(account);
    buffer = Buffer::allocate(1000);
  }
  Buffer *others = Buffer::allocate(1000);
  EXPECT_EQ(budget_.held, blockBytesFor(1000));
  MemoryAccount::close(account);
  EXPECT_EQ(released, 0);
  std::thread([&] { buffer->release(); }).join();
  EXPECT_EQ(released, 1);
  EXPECT_EQ(budget_.held, 0u);
  EXPECT_EQ(budget_.peak, blockBytesFor(1000));
  others->release();
  EXPECT_EQ(released, 1);
}

TEST_F(Accounts, RefuseWhatIsTooMuch) {
  budget_.limit = blockBytesFor(1000) + blockBytesFor(100);
  uint8_t account = MemoryAccount::open(budget_, release);
  MemoryAccount::Scope scope(account);
  Buffer *one = Buffer::allocate(1000), *two = Buffer::allocate(100);
  ASSERT_TRUE(one && two);
  EXPECT_EQ(Buffer::allocate(1), nullptr);
  EXPECT_EQ(budget_.held, budget_.limit);
  two->release();
  two = Buffer::allocate(100);
  EXPECT_NE(two, nullptr);
  two->release();
  one->release();
  MemoryAccount::close(account);
  EXPECT_EQ(released, 1);
}

// Large elements keep their pages, and what they count for is what they have.
TEST_F(Accounts, FollowBuffersThatChangeTheirSize) {
  constexpr size_t kSmall = 2 << 20, kLarge = 6 << 20;
  budget_.limit = blockBytesFor(kLarge) + 1;
  uint8_t account = MemoryAccount::open(budget_, release);
  MemoryAccount::Scope scope(account);
  Buffer *buffer = Buffer::allocate(kSmall);
  Buffer *larger = Buffer::resize(buffer, kLarge, kSmall);
  ASSERT_NE(larger, nullptr);
  EXPECT_EQ(budget_.held, blockBytesFor(kLarge));
  EXPECT_EQ(Buffer::resize(larger, 2 * kLarge, kSmall), nullptr);
  EXPECT_EQ(budget_.held, blockBytesFor(kLarge));
  Buffer *smaller = Buffer::resize(larger, kSmall, kSmall);
  ASSERT_NE(smaller, nullptr);
  EXPECT_EQ(budget_.held, blockBytesFor(kSmall));
  smaller->release();
  EXPECT_EQ(budget_.held, 0u);
  MemoryAccount::close(account);
}

TEST_F(Accounts, AreUsedAgain) {
  for (int i = 0; i < 1000; ++i) {
    uint8_t account = MemoryAccount::open(budget_, release);
    ASSERT_NE(account, 0);
    MemoryAccount::close(account);
  }
  EXPECT_EQ(released, 1000);
  std::vector<uint8_t> all;
  while (uint8_t account = MemoryAccount::open(budget_, release))
    all.push_back(account);
  EXPECT_EQ(all.size(), 255u);
  for (uint8_t account : all)
    MemoryAccount::close(account);
}

} // namespace
} // namespace sluice::rt
