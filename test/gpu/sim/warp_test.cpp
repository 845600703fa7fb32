// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What lanes of a warp get of each other.
#include "runtime/sim/warp.h"

#include <bit>
#include <gtest/gtest.h>

namespace sluice::rt::sim {
namespace {

// Lane i brings 100 + i.
std::vector<WarpAnswer> exchange(WarpOperation operation, uint32_t lane = 0, uint32_t clamp = 31,
                                 uint32_t mask = ~0u) {
  std::vector<WarpRequest> all(kWarpThreads);
  const WarpRequest *requests[kWarpThreads];
  for (uint32_t i = 0; i < kWarpThreads; ++i) {
    all[i] = {operation, mask, 100 + i, lane, clamp, nullptr};
    requests[i] = mask >> i & 1 ? &all[i] : nullptr;
  }
  std::vector<WarpAnswer> answers(kWarpThreads);
  for (uint32_t i = 0; i < kWarpThreads; ++i)
    if (requests[i])
      answers[i] = answerOf(requests, i);
  return answers;
}

TEST(Warps, shuffles) {
  auto down = exchange(WarpOperation::kShuffleDown, 4);
  EXPECT_EQ(down[0].value, 104u);
  EXPECT_TRUE(down[27].inRange);
  EXPECT_FALSE(down[28].inRange);
  EXPECT_EQ(down[28].value, 128u); // its own
  auto up = exchange(WarpOperation::kShuffleUp, 3, 0);
  EXPECT_EQ(up[10].value, 107u);
  EXPECT_FALSE(up[2].inRange);
  EXPECT_EQ(up[2].value, 102u);
  EXPECT_EQ(exchange(WarpOperation::kShuffleXor, 5)[8].value, 113u);
  EXPECT_EQ(exchange(WarpOperation::kShuffleIndex, 9)[30].value, 109u);
}

// In segments of eight lanes: the mask of the segment's bits is 0x18.
TEST(Warps, shufflesStayInSegments) {
  auto down = exchange(WarpOperation::kShuffleDown, 2, 0x1807);
  EXPECT_EQ(down[8].value, 110u);
  EXPECT_FALSE(down[14].inRange);
  auto up = exchange(WarpOperation::kShuffleUp, 2, 0x1800);
  EXPECT_EQ(up[10].value, 108u);
  EXPECT_FALSE(up[9].inRange);
  EXPECT_EQ(exchange(WarpOperation::kShuffleIndex, 3, 0x1807)[20].value, 119u);
}

TEST(Warps, votesAndReductions) {
  EXPECT_EQ(exchange(WarpOperation::kBallot, 0, 31, 0xF0)[4].value, 0xF0u);
  EXPECT_EQ(exchange(WarpOperation::kAll)[0].value, 1u);
  EXPECT_EQ(exchange(WarpOperation::kMatchAny)[7].value, 1u << 7);
  EXPECT_EQ(exchange(WarpOperation::kReduceAdd, 0, 31, 0x6)[1].value, 203u);
  EXPECT_EQ(exchange(WarpOperation::kReduceMax)[0].value, 131u);
  EXPECT_EQ(exchange(WarpOperation::kReduceUnsignedMin)[0].value, 100u);
  EXPECT_EQ(exchange(WarpOperation::kReduceXor, 0, 31, 0x3)[0].value, 100u ^ 101u);
}

// a[i][k] = i + 16 k, b[k][j] = k - j, all exact in f16; those of bf16 are half of k.
TEST(Warps, productsOfMatrices) {
  for (bool isF16 : {true, false}) {
    auto bits = [&](float x) {
      auto wide = std::bit_cast<uint32_t>(x);
      uint32_t sign = wide >> 16 & 0x8000;
      uint32_t narrow = x == 0 ? 0 : ((wide & 0x7fffffff) >> 13) - ((127 - 15) << 10);
      return isF16 ? sign | narrow : wide >> 16;
    };
    auto ofA = [&](int i, int k) { return isF16 ? float(i + 16 * k) : float(i) / 2 + float(k); };
    auto ofB = [](int k, int j) { return float(k - j); };
    std::vector<MatrixFragments> own(kWarpThreads);
    std::vector<WarpRequest> all(kWarpThreads);
    const WarpRequest *requests[kWarpThreads];
    for (int lane = 0; lane < 32; ++lane) {
      int line = lane / 4, k = lane % 4 * 2;
      auto pairOfA = [&](int i, int at) { return bits(ofA(i, at)) | bits(ofA(i, at + 1)) << 16; };
      auto pairOfB = [&](int at) { return bits(ofB(at, line)) | bits(ofB(at + 1, line)) << 16; };
      own[lane] = {
          {pairOfA(line, k), pairOfA(line + 8, k), pairOfA(line, k + 8), pairOfA(line + 8, k + 8)},
          {pairOfB(k), pairOfB(k + 8)},
          {1, 2, 3, 4}};
      all[lane] = {isF16 ? WarpOperation::kMultiplyF16 : WarpOperation::kMultiplyBF16,
                   ~0u,
                   0,
                   0,
                   0,
                   nullptr,
                   &own[lane]};
      requests[lane] = &all[lane];
    }
    multiplyFragments(requests);
    for (int lane = 0; lane < 32; ++lane)
      for (int i = 0; i < 4; ++i) {
        float expected = float(i + 1);
        for (int k = 0; k < 16; ++k)
          expected += ofA(lane / 4 + i / 2 * 8, k) * ofB(k, lane % 4 * 2 + i % 2);
        EXPECT_EQ(own[lane].sums[i], expected) << "lane " << lane;
      }
  }
}

} // namespace
} // namespace sluice::rt::sim
