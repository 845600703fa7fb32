// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Objects end with their thread or with the library.
#include "runtime/embed/thread_exits.h"

#include <gtest/gtest.h>

#include <atomic>
#include <latch>
#include <thread>
#include <vector>

namespace sluice::rt {
namespace {

struct Log {
  std::vector<int> ended;
};
struct Entry {
  Log *log;
  int number;
};
void end(void *object) {
  auto *entry = static_cast<Entry *>(object);
  entry->log->ended.push_back(entry->number);
}

TEST(ThreadExits, EndWithTheThreadLatestFirst) {
  Log log;
  Entry entries[] = {{&log, 0}, {&log, 1}, {&log, 2}};
  std::thread([&] {
    for (Entry &entry : entries)
      EXPECT_TRUE(atThreadExit(end, &entry));
    EXPECT_TRUE(log.ended.empty());
  }).join();
  EXPECT_EQ(log.ended, (std::vector{2, 1, 0}));
}

Entry *added;
TEST(ThreadExits, MayAddOthers) {
  Log log;
  Entry second{&log, 7};
  added = &second;
  std::thread([&] {
    EXPECT_TRUE(atThreadExit([](void *) { EXPECT_TRUE(atThreadExit(end, added)); }, nullptr));
  }).join();
  EXPECT_EQ(log.ended, std::vector{7});
}

TEST(ThreadExits, EndWithTheLibraryWhileTheirThreadsGoOn) {
  Log log;
  Entry mine{&log, 1}, others{&log, 2};
  std::latch isAdded(1), isOver(1);
  std::thread other([&] {
    EXPECT_TRUE(atThreadExit(end, &others));
    isAdded.count_down();
    isOver.wait();
  });
  isAdded.wait();
  EXPECT_TRUE(atThreadExit(end, &mine));
  destroyThreadObjects();
  EXPECT_EQ(log.ended.size(), 2u);
  isOver.count_down();
  other.join();
  EXPECT_EQ(log.ended.size(), 2u); // not again
  Entry later{&log, 3};            // and it goes on if the library does
  std::thread([&] { EXPECT_TRUE(atThreadExit(end, &later)); }).join();
  EXPECT_EQ(log.ended.back(), 3);
}

} // namespace
} // namespace sluice::rt
