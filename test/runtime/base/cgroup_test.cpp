// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Limits of control groups, read from folders like those of Linux.
#include "runtime/base/cgroup.h"

#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>

using namespace sluice::rt;

namespace {

constexpr uint64_t kMega = 1 << 20;

// A folder in the place of "/", with files in it.
class Cgroups : public testing::Test {
protected:
  Cgroups() {
    std::string pattern = testing::TempDir() + "cgroupsXXXXXX";
    root_ = ::mkdtemp(pattern.data());
  }
  ~Cgroups() override { std::filesystem::remove_all(root_); }

  void add(const std::string &path, const std::string &content) {
    std::filesystem::path file = root_ + path;
    std::filesystem::create_directories(file.parent_path());
    std::ofstream(file) << content;
  }
  void group(const std::string &path, const std::string &content) {
    add("/sys/fs/cgroup" + path, content + "\n");
  }
  void self(const std::string &lines) { add("/proc/self/cgroup", lines); }

  int64_t processors() const { return readCgroupLimits(root_).processors.value_or(0); }
  uint64_t memory() const { return readCgroupLimits(root_).memory.value_or(0); }

private:
  std::string root_;
};

TEST_F(Cgroups, NoneLimitNothing) {
  EXPECT_EQ(processors(), 0);
  EXPECT_EQ(memory(), 0u);
  self("0::/\n");
  EXPECT_EQ(processors(), 0);
  EXPECT_EQ(memory(), 0u);
}

TEST_F(Cgroups, Version2) {
  self("0::/user.slice/job\n");
  group("/user.slice/job/cpu.max", "150000 100000");
  group("/user.slice/job/memory.max", "104857600");
  EXPECT_EQ(processors(), 2);
  EXPECT_EQ(memory(), 100 * kMega);
  group("/user.slice/job/cpu.max", "300000 100000");
  EXPECT_EQ(processors(), 3);
  group("/user.slice/job/cpu.max", "1000 100000");
  EXPECT_EQ(processors(), 1);
  group("/user.slice/job/cpu.max", "max 100000");
  group("/user.slice/job/memory.max", "max");
  EXPECT_EQ(processors(), 0);
  EXPECT_EQ(memory(), 0u);
}

TEST_F(Cgroups, TheSmallestAroundCounts) {
  self("0::/a/b/c\n");
  group("/a/b/c/cpu.max", "400000 100000");
  group("/a/b/cpu.max", "max 100000");
  group("/a/cpu.max", "100000 50000");
  group("/a/b/c/memory.max", "max");
  group("/a/b/memory.max", "52428800");
  group("/a/memory.max", "104857600");
  EXPECT_EQ(processors(), 2);
  EXPECT_EQ(memory(), 50 * kMega);
}

TEST_F(Cgroups, Version1) {
  self("11:memory:/docker/x\n10:cpuset:/docker/x\n4:cpu,cpuacct:/docker/x\n1:name=systemd:/\n");
  group("/cpu/docker/x/cpu.cfs_quota_us", "250000");
  group("/cpu/docker/x/cpu.cfs_period_us", "100000");
  group("/cpu/cpu.cfs_quota_us", "-1");
  group("/cpu/cpu.cfs_period_us", "100000");
  group("/memory/docker/x/memory.limit_in_bytes", "209715200");
  group("/memory/docker/memory.limit_in_bytes", "104857600");
  group("/memory/memory.limit_in_bytes", "9223372036854771712");
  EXPECT_EQ(processors(), 3);
  EXPECT_EQ(memory(), 100 * kMega);
  group("/memory/docker/memory.limit_in_bytes", "9223372036854771712");
  group("/memory/docker/x/memory.limit_in_bytes", "9223372036854771712");
  group("/cpu/docker/x/cpu.cfs_quota_us", "-1");
  EXPECT_EQ(processors(), 0);
  EXPECT_EQ(memory(), 0u);
}

// The process is told a name of the host, but sees its own group at the top.
TEST_F(Cgroups, OfContainersLieAtTheTop) {
  self("4:memory:/kubepods/pod1/x\n2:cpu:/kubepods/pod1/x\n0::/../y\n");
  group("/memory/memory.limit_in_bytes", "104857600");
  group("/cpu/cpu.cfs_quota_us", "100000");
  group("/cpu/cpu.cfs_period_us", "100000");
  EXPECT_EQ(processors(), 1);
  EXPECT_EQ(memory(), 100 * kMega);
  group("/memory.max", "52428800");
  EXPECT_EQ(memory(), 50 * kMega);
}

TEST_F(Cgroups, BothVersionsAtOnce) {
  self("3:cpu:/x\n0::/x\n");
  group("/cpu/x/cpu.cfs_quota_us", "200000");
  group("/cpu/x/cpu.cfs_period_us", "100000");
  group("/x/cpu.max", "500000 100000");
  group("/x/memory.max", "52428800");
  EXPECT_EQ(processors(), 2);
  EXPECT_EQ(memory(), 50 * kMega);
}

TEST_F(Cgroups, GarbageLimitsNothing) {
  self("0::/x\n4:memory\n:\n\n::relative\nx:cpu:/x\n4:memory:/x\n5:cpu:");
  for (const char *text : {"", "many", "100000", "100000 0", "0 100000", "-1 100000", "1e5 100000",
                           "99999999999999999999 100000", "100000 many", "100000 -5", "12x 100000"})
    for (const char *bytes : {"", "much", "0", "-1", "12M", "99999999999999999999"}) {
      group("/x/cpu.max", text);
      group("/x/memory.max", bytes);
      group("/cpu/x/cpu.cfs_quota_us", text);
      group("/cpu/x/cpu.cfs_period_us", bytes);
      group("/memory/x/memory.limit_in_bytes", bytes);
      EXPECT_EQ(processors(), 0) << text;
      EXPECT_EQ(memory(), 0u) << bytes;
    }
  self(std::string(100'000, '/'));
  EXPECT_EQ(memory(), 0u);
  self("0::" + std::string(50'000, '/') + "x");
  EXPECT_EQ(memory(), 0u);
}

TEST(MemoryLimitWithin, LeavesSomething) {
  EXPECT_EQ(memoryLimitWithin(1024 * kMega), 960 * kMega);
  EXPECT_EQ(memoryLimitWithin(256 * kMega), 240 * kMega);
  EXPECT_EQ(memoryLimitWithin(64 * kMega), 48 * kMega);
  EXPECT_EQ(memoryLimitWithin(16 * kMega), 8 * kMega);
  EXPECT_EQ(memoryLimitWithin(1), 1u);
}

} // namespace
