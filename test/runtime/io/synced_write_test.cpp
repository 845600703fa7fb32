// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is written survives a loss of power: the file is on the disk before it gets its name, and
// the name before `write` returns. System calls of this process are recorded to see that.
#include "runtime/io/disk.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fcntl.h>
#include <filesystem>
#include <gtest/gtest.h>
#include <string>
#include <sys/syscall.h>
#include <unistd.h>
#include <vector>

namespace {
std::vector<std::string> *recorded = nullptr;

std::string pathOf(int descriptor) {
  char path[4096];
  std::string link = "/proc/self/fd/" + std::to_string(descriptor);
  ssize_t size = ::readlink(link.c_str(), path, sizeof path);
  return {path, static_cast<size_t>(std::max<ssize_t>(size, 0))};
}
} // namespace

// In place of those of the C library.
extern "C" int fsync(int descriptor) {
  if (recorded)
    recorded->push_back("sync " + pathOf(descriptor));
  return static_cast<int>(::syscall(SYS_fsync, descriptor));
}
extern "C" int rename(const char *from, const char *to) noexcept {
  if (recorded)
    recorded->push_back(std::string("rename ") + from);
  return static_cast<int>(::syscall(SYS_renameat2, AT_FDCWD, from, AT_FDCWD, to, 0));
}

namespace sluice::rt {
namespace {

TEST(SyncedWrite, ComesBeforeTheNameAndTheNameBeforeTheEnd) {
  std::string folder = std::filesystem::canonical(testing::TempDir()) / "sluice-synced-XXXXXX";
  ASSERT_NE(::mkdtemp(folder.data()), nullptr);
  std::vector<std::string> calls;
  recorded = &calls;
  Status status = HostDisk().write(folder + "/f", "content");
  recorded = nullptr;
  EXPECT_TRUE(status.ok()) << status.toString();
  ASSERT_EQ(calls.size(), 3u);
  std::string made = calls[0].substr(5);
  EXPECT_EQ(std::filesystem::path(made).parent_path(), folder);
  EXPECT_EQ(calls, (std::vector<std::string>{"sync " + made, "rename " + made, "sync " + folder}));
  std::filesystem::remove_all(folder);
}

} // namespace
} // namespace sluice::rt
