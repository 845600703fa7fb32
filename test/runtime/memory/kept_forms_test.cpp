// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forms kept beside buffers: when they are made, when they go, and what they may take.
#include "runtime/memory/kept_forms.h"

#include "runtime/memory/tensor.h"

#include <gtest/gtest.h>

#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

namespace sluice::rt {
namespace {

constexpr uint64_t kBytes = 64 << 10, kForm = kBytes + sizeof(KeptForm);
constexpr uint64_t kUsual = uint64_t{1} << 30;

FormKey keyOf(int64_t offset = 0) { return {offset, 128, 128, 128, 1, 0}; }

class Kept : public testing::Test {
protected:
  void SetUp() override { KeptForms::giveBack(); }
  void TearDown() override {
    KeptForms::limit(kUsual);
    setMemoryLimit(0);
  }
  static Tensor matrix(uint8_t value) {
    Tensor t = *Tensor::allocate(DType::kU8, Shape{static_cast<int64_t>(kBytes)});
    std::memset(t.raw(), value, kBytes);
    return t;
  }
  // A form that is a copy, wanted from the third use on.
  KeptForms::Use use(const Tensor &of, FormKey key = keyOf()) {
    return KeptForms::find(*of.buffer(), key, kBytes, 2, [&](void *to) {
      std::memcpy(to, of.raw(), kBytes);
      ++made_;
    });
  }
  bool isUsed(const Tensor &of, FormKey key = keyOf()) {
    KeptForms::Use form = use(of, key);
    return form && std::memcmp(form.data(), of.raw(), kBytes) == 0;
  }
  static uint64_t bytes() { return KeptForms::figures().bytes; }
  // Of so many matrices, used in turns, how many have a form at last.
  size_t keptOf(std::vector<Tensor> &matrices, int turns) {
    size_t kept = 0;
    for (int turn = 0; turn < turns; ++turn) {
      kept = 0;
      for (Tensor &m : matrices)
        kept += isUsed(m);
    }
    return kept;
  }
  std::vector<Tensor> matrices(uint8_t count) {
    std::vector<Tensor> all;
    for (uint8_t i = 0; i < count; ++i)
      all.push_back(matrix(i));
    return all;
  }

  int made_ = 0;
};

TEST_F(Kept, MadeOnceWhenItWasOfUseBefore) {
  Tensor m = matrix(1);
  EXPECT_FALSE(use(m));
  EXPECT_FALSE(use(m));
  EXPECT_EQ(bytes(), 0u);
  for (int i = 0; i < 5; ++i)
    EXPECT_TRUE(isUsed(m));
  EXPECT_EQ(made_, 1);
  EXPECT_EQ(bytes(), kForm);
  EXPECT_TRUE(isUsed(m, keyOf(64))); // the matrix has been of use
  EXPECT_EQ(made_, 2);
  EXPECT_EQ(bytes(), 2 * kForm);
}

TEST_F(Kept, GoesWithTheBuffer) {
  {
    std::vector<Tensor> all = matrices(3);
    EXPECT_EQ(keptOf(all, 3), 3u);
    all.erase(all.begin() + 1);
    EXPECT_EQ(bytes(), 2 * kForm);
  }
  EXPECT_EQ(bytes(), 0u);
}

TEST_F(Kept, GoesBeforeAnybodyMayWrite) {
  Tensor m = matrix(1);
  while (!isUsed(m)) {
  }
  {
    Tensor other = m;
    EXPECT_FALSE(m.solelyOwned());
    EXPECT_TRUE(isUsed(m));
    EXPECT_EQ(made_, 1);
  }
  EXPECT_TRUE(m.solelyOwned());
  EXPECT_EQ(bytes(), 0u);
  std::memset(m.raw(), 2, kBytes);
  EXPECT_FALSE(isUsed(m)); // counted from the beginning
  EXPECT_FALSE(isUsed(m));
  EXPECT_TRUE(isUsed(m));
  EXPECT_EQ(made_, 2);
}

TEST_F(Kept, NoneOfWhatIsWrittenWithoutAsking) {
  Tensor m = matrix(1);
  Tensor seen = Tensor::over(DType::kU8, m.shape(), m.buffer());
  for (int i = 0; i < 2; ++i)
    EXPECT_FALSE(use(seen));
  EXPECT_TRUE(isUsed(seen));
  m.buffer()->keepNoForms();
  for (int i = 0; i < 5; ++i)
    EXPECT_FALSE(use(seen));
}

TEST_F(Kept, StaysWhileItIsUsed) {
  Tensor m = matrix(7);
  while (!isUsed(m)) {
  }
  KeptForms::Use form = use(m);
  m.reset();
  KeptForms::giveBack();
  EXPECT_EQ(bytes(), kForm);
  for (uint64_t i = 0; i < kBytes; ++i)
    ASSERT_EQ(static_cast<uint8_t *>(form.data())[i], 7);
  form = {};
  EXPECT_EQ(bytes(), 0u);
}

TEST_F(Kept, OthersDoWithoutWhileOneThreadMakesIt) {
  Tensor m = matrix(1);
  use(m), use(m);
  KeptForms::Use form = KeptForms::find(*m.buffer(), keyOf(), kBytes, 2, [&](void *to) {
    std::thread([&] { EXPECT_FALSE(use(m)); }).join();
    KeptForms::giveBack(); // not what is being made
    std::memcpy(to, m.raw(), kBytes);
  });
  EXPECT_TRUE(form);
  EXPECT_TRUE(isUsed(m));
  EXPECT_EQ(made_, 0);
}

TEST_F(Kept, OfMoreThanThereIsRoomForAsManyStayAsFit) {
  KeptForms::limit(3 * kForm + 100);
  std::vector<Tensor> all = matrices(5);
  EXPECT_EQ(keptOf(all, 3), 3u);
  EXPECT_EQ(keptOf(all, 20), 3u);
  EXPECT_EQ(made_, 3);
  EXPECT_EQ(bytes(), 3 * kForm);
}

TEST_F(Kept, WhatIsUsedNoMoreGoesForOthers) {
  KeptForms::limit(3 * kForm);
  std::vector<Tensor> all = matrices(3), others = matrices(2);
  EXPECT_EQ(keptOf(all, 3), 3u);
  EXPECT_TRUE(isUsed(all[0]));
  EXPECT_EQ(keptOf(others, 4), 2u);
  EXPECT_TRUE(isUsed(all[0])); // used last of the old ones
  EXPECT_FALSE(isUsed(all[1]));
  EXPECT_EQ(bytes(), 3 * kForm);
}

TEST_F(Kept, NoneWithALimitOfNothing) {
  std::vector<Tensor> all = matrices(2);
  EXPECT_EQ(keptOf(all, 3), 2u);
  KeptForms::limit(0);
  EXPECT_EQ(bytes(), 0u);
  EXPECT_EQ(keptOf(all, 9), 0u);
}

TEST_F(Kept, GoesBeforeMemoryIsRefused) {
  setMemoryLimit(1); // what is free, to the system
  setMemoryLimit(0);
  std::vector<Tensor> all = matrices(40);
  EXPECT_EQ(keptOf(all, 3), 40u);
  setMemoryLimit(memoryStats().heldBytes + (1 << 20));
  Tensor large = *Tensor::allocate(DType::kU8, Shape{3 << 20}); // or the test ends here
  EXPECT_EQ(bytes(), 0u);
  EXPECT_LE(memoryStats().heldBytes, memoryStats().peakHeldBytes);
}

TEST_F(Kept, NotMoreThanAQuarterOfTheMemoryLimit) {
  std::vector<Tensor> all = matrices(16);
  setMemoryLimit(memoryStats().heldBytes + (64 << 20));
  const uint64_t quarter = (memoryStats().heldBytes + (64 << 20)) / 4;
  KeptForms::limit(kUsual);
  keptOf(all, 3);
  EXPECT_EQ(bytes(), 16 * kForm);
  setMemoryLimit(8 * kForm);
  EXPECT_LE(bytes(), quarter);
  keptOf(all, 3);
  EXPECT_LE(bytes(), 2 * kForm);
}

// Threads use, write and free matrices while forms are given back.
TEST_F(Kept, ManyThreads) {
  constexpr int kThreads = 4, kTurns = 3000;
  KeptForms::limit(5 * kForm);
  std::vector<Tensor> shared = matrices(4);
  std::atomic<int> wrong{0}, found{0};
  std::vector<std::thread> threads;
  for (int number = 0; number < kThreads; ++number)
    threads.emplace_back([&, number] {
      auto look = [&](const Tensor &m) {
        KeptForms::Use form = KeptForms::find(*m.buffer(), keyOf(), kBytes, 2,
                                              [&](void *to) { std::memcpy(to, m.raw(), kBytes); });
        found += bool(form);
        wrong += form && std::memcmp(form.data(), m.raw(), kBytes) != 0;
      };
      Tensor mine = matrix(static_cast<uint8_t>(number));
      for (int turn = 0; turn < kTurns; ++turn) {
        look(shared[static_cast<size_t>(turn * (number + 1)) % shared.size()]);
        look(mine);
        if (turn % 7 == number && mine.solelyOwned())
          std::memset(mine.raw(), turn, kBytes);
        if (turn % 50 == number)
          mine = matrix(static_cast<uint8_t>(turn));
        if (turn % 100 == 99)
          KeptForms::giveBack();
      }
    });
  for (std::thread &thread : threads)
    thread.join();
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(found, kTurns);
  shared.clear();
  EXPECT_EQ(bytes(), 0u);
}

} // namespace
} // namespace sluice::rt
