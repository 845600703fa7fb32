// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What killed writers leave is removed by the next one, what living ones need is not.
#include "runtime/io/temporary_files.h"

#include "runtime/io/disk.h"
#include "runtime/io/machine_id.h"

#include <csignal>
#include <cstdlib>
#include <ctime>
#include <fcntl.h>
#include <filesystem>
#include <fstream>
#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sluice::rt;

namespace {

class TemporaryFilesTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "sluice-files-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { std::filesystem::remove_all(folder); }
  std::string path(const std::string &name) const { return folder + "/" + name; }
  size_t entries() const {
    return static_cast<size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
  }
  static constexpr time_t kDay = 86400;
  void make(const std::string &name, time_t age = 60) const {
    std::ofstream(path(name)) << "x";
    timespec times[2] = {};
    times[0].tv_sec = times[1].tv_sec = std::time(nullptr) - age;
    ASSERT_EQ(utimensat(AT_FDCWD, path(name).c_str(), times, 0), 0);
  }
  // A process that has a lock and two files, and waits to be killed.
  pid_t startWriter() const {
    int ends[2];
    EXPECT_EQ(pipe(ends), 0);
    pid_t child = fork();
    if (child == 0) {
      auto files = TemporaryFiles::in(folder, "f");
      std::ofstream((*files)->add()) << "half";
      std::ofstream((*files)->add()) << "half";
      (void)!write(ends[1], "x", 1);
      while (true)
        pause();
    }
    char ready;
    EXPECT_EQ(read(ends[0], &ready, 1), 1);
    close(ends[0]);
    close(ends[1]);
    return child;
  }
  static void end(pid_t writer) {
    kill(writer, SIGKILL);
    EXPECT_EQ(waitpid(writer, nullptr, 0), writer);
  }
  static std::string lockName(std::string machine) {
    std::erase(machine, '-');
    return ".sluice-" + machine.substr(0, 16) + "-0123456789abcdef.tmp";
  }

  std::string folder;
  HostDisk disk;
};

TEST_F(TemporaryFilesTest, LeavesTheFilesOfLivingWriters) {
  pid_t writer = startWriter();
  EXPECT_EQ(entries(), 3u);
  EXPECT_TRUE(disk.write(path("f"), "whole").ok());
  EXPECT_EQ(entries(), 4u);
  end(writer);
}

TEST_F(TemporaryFilesTest, RemovesTheFilesOfKilledWriters) {
  for (int i = 0; i < 150; ++i) { // the remains of one writer at most
    end(startWriter());
    EXPECT_EQ(entries(), 3u);
  }
  EXPECT_TRUE(disk.write(path("f"), "whole").ok());
  EXPECT_EQ(entries(), 1u);
}

TEST_F(TemporaryFilesTest, RemovesWhatItsOwnerLeaves) {
  {
    auto files = TemporaryFiles::in(folder, "f");
    ASSERT_TRUE(files.ok());
    std::ofstream((*files)->add()) << "x";
    EXPECT_NE((*files)->add(), (*files)->add());
    EXPECT_EQ(entries(), 2u);
  }
  EXPECT_EQ(entries(), 0u);
}

// Where locks of one host are unknown to others, only time tells.
TEST_F(TemporaryFilesTest, LeavesTheFilesOfOtherMachinesForADay) {
  std::string theirs = lockName("fedcba98-7654-3210"), ours = lockName(machineId());
  make(theirs, kDay + 600);
  make(theirs + ".0", kDay - 600);
  make(ours);
  make(ours + ".0");
  ASSERT_TRUE(disk.write(path("f"), "x").ok());
  EXPECT_EQ(access(path(theirs).c_str(), F_OK), 0);
  EXPECT_EQ(access(path(theirs + ".0").c_str(), F_OK), 0);
  EXPECT_EQ(entries(), 3u);
  make(theirs + ".0", kDay + 600);
  ASSERT_TRUE(disk.write(path("f"), "x").ok());
  EXPECT_EQ(entries(), 1u);
}

TEST_F(TemporaryFilesTest, LeavesWhatOthersHaveMade) {
  std::string name = lockName(machineId());
  make(name + "x", 2 * kDay);
  make(name.substr(1), 2 * kDay);
  make(".sluice-notes.tmp", 2 * kDay);
  ASSERT_EQ(symlink("elsewhere", path(name).c_str()), 0);
  std::string folderName = lockName("0000000000000000");
  ASSERT_EQ(mkdir(path(folderName).c_str(), 0700), 0);
  size_t before = entries();
  ASSERT_TRUE(disk.write(path("f"), "x").ok());
  EXPECT_EQ(entries(), before + 1);
}

TEST_F(TemporaryFilesTest, WritersDoNotDisturbEachOther) {
  std::vector<std::thread> writers;
  for (int writer = 0; writer < 4; ++writer)
    writers.emplace_back([this, writer] {
      for (int i = 0; i < 100; ++i)
        EXPECT_TRUE(HostDisk().write(path(std::to_string(writer)), "x").ok());
    });
  for (std::thread &writer : writers)
    writer.join();
  EXPECT_EQ(entries(), 4u);
}

TEST_F(TemporaryFilesTest, NeedTheirFolder) {
  auto files = TemporaryFiles::in(path("missing"), "output");
  ASSERT_FALSE(files.ok());
  EXPECT_EQ(files.status().code(), Code::kNotFound);
  EXPECT_NE(files.status().message().find("'output'"), std::string::npos)
      << files.status().message();
}

} // namespace
