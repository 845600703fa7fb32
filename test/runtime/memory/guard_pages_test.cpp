// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guarded buffers: what of them can be touched, what cannot, and what is said of it.
#include "runtime/memory/guard_pages.h"
#include "runtime/memory/tensor.h"

#include <gtest/gtest.h>

#include <csignal>
#include <sys/mman.h>

namespace sluice::rt {
namespace {

// Guards from now on, until it goes.
class Guarded {
public:
  explicit Guarded(GuardSide side) { guardBuffers(side); }
  ~Guarded() { guardBuffers(GuardSide::kNone); }
};

Tensor floats(int64_t count) {
  Result<Tensor> tensor = Tensor::allocate(DType::kF32, Shape{count});
  EXPECT_TRUE(tensor.ok());
  return std::move(*tensor);
}

// Keeps the compiler from dropping a load.
void touch(const float *at) { (void)*static_cast<const volatile float *>(at); }

TEST(GuardPages, EveryElementCanBeUsed) {
  for (GuardSide side : {GuardSide::kBehind, GuardSide::kBefore}) {
    Guarded guarded(side);
    for (int64_t count : {0, 1, 3, 5, 1024, 5000}) {
      Tensor tensor = floats(count);
      for (int64_t i = 0; i < count; ++i)
        tensor.data<float>()[i] = static_cast<float>(i);
      for (int64_t i = 0; i < count; ++i)
        ASSERT_EQ(tensor.data<float>()[i], static_cast<float>(i));
    }
  }
}

TEST(GuardPages, HoldStringsToo) {
  Guarded guarded(GuardSide::kBehind);
  Result<Tensor> tensor = Tensor::allocate(DType::kString, Shape{3});
  ASSERT_TRUE(tensor.ok());
  tensor->data<std::string>()[2] = std::string(100, 'x');
  EXPECT_EQ(tensor->data<std::string>()[0], "");
  EXPECT_EQ(tensor->data<std::string>()[2].size(), 100u);
}

TEST(GuardPages, BuffersLiveOnWhenTheModeChanges) {
  Tensor before = floats(100), during;
  {
    Guarded guarded(GuardSide::kBehind);
    during = floats(100);
    before.reset();
  }
  during.data<float>()[99] = 1;
  EXPECT_EQ(during.clone()->data<float>()[99], 1);
}

TEST(GuardPages, CountAsMemoryOfTheSameSize) {
  MemoryStats before = memoryStats();
  uint64_t plain, guardedBytes;
  {
    Tensor tensor = floats(100);
    plain = memoryStats().liveBytes - before.liveBytes;
  }
  {
    Guarded guarded(GuardSide::kBehind);
    Tensor tensor = floats(100);
    guardedBytes = memoryStats().liveBytes - before.liveBytes;
  }
  EXPECT_EQ(plain, guardedBytes);
  EXPECT_EQ(memoryStats().liveBytes, before.liveBytes);
}

TEST(GuardPages, ElementsThatNobodyHasSetAreNaN) {
  Guarded guarded(GuardSide::kBehind);
  Tensor tensor = floats(7);
  for (float element : tensor.values<float>())
    EXPECT_NE(element, element);
}

TEST(GuardPagesDeathTest, AnElementBehindEndsTheProcess) {
  auto readBehind = [](int64_t count) {
    guardBuffers(GuardSide::kBehind);
    Tensor tensor = floats(count);
    touch(tensor.data<float>() + count);
  };
  EXPECT_EXIT(readBehind(3), testing::ExitedWithCode(70),
              "^error: INTERNAL: access to byte 12 of a buffer of 12 bytes\n$");
  EXPECT_EXIT(readBehind(5000), testing::ExitedWithCode(70), "byte 20000 of a buffer of 20000");
  EXPECT_EXIT(readBehind(0), testing::ExitedWithCode(70), "byte 0 of a buffer of 0 bytes");
}

TEST(GuardPagesDeathTest, AnElementBeforeEndsTheProcess) {
  auto writeBefore = [] {
    guardBuffers(GuardSide::kBefore);
    Tensor tensor = floats(3);
    static_cast<volatile float *>(tensor.data<float>())[-1] = 1;
  };
  EXPECT_EXIT(writeBefore(), testing::ExitedWithCode(70), "access to byte -4 of a buffer of 12");
}

TEST(GuardPagesDeathTest, TheNodeThatIsWorkedForIsNamed) {
  auto readBehind = [](bool afterwards) {
    guardBuffers(GuardSide::kBehind);
    Tensor tensor = floats(8);
    {
      GuardedWork work("while/product");
      if (!afterwards)
        touch(tensor.data<float>() + 8);
    }
    touch(tensor.data<float>() + 8);
  };
  EXPECT_EXIT(readBehind(false), testing::ExitedWithCode(70), "INTERNAL: node 'while/product': ");
  EXPECT_EXIT(readBehind(true), testing::ExitedWithCode(70), "INTERNAL: access");
}

TEST(GuardPagesDeathTest, OtherFaultsEndAsEver) {
  auto readOtherPage = [] {
    guardBuffers(GuardSide::kBehind);
    void *page = ::mmap(nullptr, 1, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    touch(static_cast<const float *>(page));
  };
  EXPECT_EXIT(readOtherPage(), testing::KilledBySignal(SIGSEGV), "");
}

} // namespace
} // namespace sluice::rt
