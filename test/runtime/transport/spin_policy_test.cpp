// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// SpinPolicy: spins while it helps.
#include "runtime/transport/tcp/spin_policy.h"

#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

constexpr uint64_t kSpin = 50'000, kMicrosecond = 1'000, kSecond = 1'000'000'000;

TEST(SpinPolicy, NeverSpinsWithoutTime) {
  SpinPolicy policy(0);
  EXPECT_EQ(policy.spinNs(kSecond), 0u);
}

TEST(SpinPolicy, GoesOnWhilePeersAnswer) {
  SpinPolicy policy(kSpin);
  for (uint64_t now = kSecond; now < kSecond + 100 * kMicrosecond; now += kMicrosecond) {
    EXPECT_EQ(policy.spinNs(now), kSpin);
    policy.note(/*answered=*/true, now);
  }
}

TEST(SpinPolicy, PausesLongerEachTimeButTriesAgain) {
  SpinPolicy policy(kSpin);
  uint64_t now = kSecond, pauses = 0;
  for (int futile = 0; futile < 20; ++futile) {
    policy.note(/*answered=*/false, now);
    EXPECT_EQ(policy.spinNs(now + 99 * kMicrosecond), 0u);
    uint64_t start = now;
    while (policy.spinNs(now) == 0)
      now += 100 * kMicrosecond;
    EXPECT_GE(now - start, pauses);
    pauses = now - start;
  }
  EXPECT_EQ(pauses, 20'000 * kMicrosecond);
}

TEST(SpinPolicy, AnswersEndThePauses) {
  SpinPolicy policy(kSpin);
  for (int i = 0; i < 20; ++i)
    policy.note(/*answered=*/false, kSecond);
  for (int i = 0; i < 20; ++i)
    policy.note(/*answered=*/true, 2 * kSecond);
  EXPECT_GT(policy.spinNs(2 * kSecond + 100 * kMicrosecond), 0u);
}

} // namespace
