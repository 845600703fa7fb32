// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which addresses are looked up, and what is told while they are not known.
#include "runtime/transport/tcp/resolver.h"

#include <gtest/gtest.h>

namespace sluice::rt {
namespace {

// A system that has no thread to give.
class RefusedThreads final : public Threads {
public:
  std::unique_ptr<ThreadHandle> start(const char *, std::function<void()>) override {
    ++asked;
    return nullptr;
  }
  int asked = 0;
};

TEST(Resolver, NumbersNeedNoThread) {
  RefusedThreads threads;
  Resolver resolver(threads, {{"127.0.0.1", "80"}, {"::1", "443"}});
  EXPECT_EQ(threads.asked, 0);
  for (size_t i : {0, 1}) {
    EXPECT_EQ(resolver.find(i).size(), 1u);
    EXPECT_EQ(resolver.trouble(i), "");
  }
}

TEST(Resolver, TellsWhatItCannotLookUp) {
  RefusedThreads threads;
  Resolver resolver(threads, {{"127.0.0.1", "80"}, {"name.invalid", "80"}});
  EXPECT_EQ(threads.asked, 1);
  EXPECT_EQ(resolver.find(0).size(), 1u);
  EXPECT_EQ(resolver.trouble(0), "");
  EXPECT_TRUE(resolver.find(1).empty());
  EXPECT_EQ(resolver.trouble(1), "the system refuses the thread that would resolve it");
}

} // namespace
} // namespace sluice::rt
