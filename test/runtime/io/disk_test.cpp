// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of the operating system: whole or not at all.
#include "runtime/io/disk.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <fstream>
#include <gtest/gtest.h>
#include <string>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace sluice::rt;

namespace {

class HostDiskTest : public testing::Test {
protected:
  void SetUp() override {
    std::string pattern = testing::TempDir() + "sluice-disk-XXXXXX";
    ASSERT_NE(mkdtemp(pattern.data()), nullptr);
    folder = pattern;
  }
  void TearDown() override { EXPECT_EQ(std::system(("rm -rf '" + folder + "'").c_str()), 0); }
  std::string path(const char *name) const { return folder + "/" + name; }
  // Number of entries, to see that no temporary file stays.
  int entries() const {
    int n = 0;
    FILE *list = popen(("ls -A '" + folder + "' | wc -l").c_str(), "r");
    EXPECT_EQ(std::fscanf(list, "%d", &n), 1);
    pclose(list);
    return n;
  }

  std::string folder;
  HostDisk disk;
};

TEST_F(HostDiskTest, WritesAndReads) {
  std::string content(100'000, 'x');
  content[5] = '\0';
  ASSERT_TRUE(disk.write(path("f"), content).ok());
  EXPECT_EQ(*disk.read(path("f"), 1 << 20), content);
  ASSERT_TRUE(disk.write(path("f"), "short").ok());
  EXPECT_EQ(*disk.read(path("f"), 5), "short");
  ASSERT_TRUE(disk.write(path("empty"), "").ok());
  EXPECT_EQ(*disk.read(path("empty"), 0), "");
  EXPECT_EQ(entries(), 2);
}

// The disk is told to begin in between.
TEST_F(HostDiskTest, WritesLongFilesWhole) {
  std::string content((size_t{33} << 20) + 5, '\0');
  for (size_t i = 0; i < content.size(); ++i)
    content[i] = static_cast<char>(i * 2654435761 >> 13);
  auto files = disk.writeSeveral();
  ASSERT_TRUE(files->begin(path("f")).ok());
  ASSERT_TRUE(files->write("ab").ok());
  ASSERT_TRUE(files->write(content).ok());
  ASSERT_TRUE(files->commit().ok());
  EXPECT_TRUE(*disk.read(path("f"), UINT64_MAX) == "ab" + content);
}

TEST_F(HostDiskTest, OpensWithinALimit) {
  ASSERT_TRUE(disk.write(path("f"), "12345").ok());
  Limits limits;
  limits.set(Limit::kVariablesFileBytes, 5);
  EXPECT_EQ((*openWithin(disk, path("f"), limits, Limit::kVariablesFileBytes))->size(), 5u);
  limits.set(Limit::kVariablesFileBytes, 4);
  auto longer = openWithin(disk, path("f"), limits, Limit::kVariablesFileBytes);
  EXPECT_EQ(longer.status().message(), "'" + path("f") + "' is longer than the limit of 4 bytes" +
                                           seeLimit(Limit::kVariablesFileBytes));
}

TEST_F(HostDiskTest, KeepsModeAndLinks) {
  ASSERT_TRUE(disk.write(path("f"), "1").ok());
  ASSERT_EQ(chmod(path("f").c_str(), 0640), 0);
  ASSERT_EQ(symlink("f", path("link").c_str()), 0);
  ASSERT_TRUE(disk.write(path("link"), "2").ok());
  struct stat info;
  ASSERT_EQ(lstat(path("link").c_str(), &info), 0);
  EXPECT_TRUE(S_ISLNK(info.st_mode));
  ASSERT_EQ(stat(path("f").c_str(), &info), 0);
  EXPECT_EQ(info.st_mode & 0777, 0640u);
  EXPECT_EQ(*disk.read(path("f"), 10), "2");
}

TEST_F(HostDiskTest, MakesWhatALinkPointsTo) {
  ASSERT_EQ(mkdir(path("there").c_str(), 0700), 0);
  ASSERT_EQ(symlink("there/second", path("link").c_str()), 0);
  ASSERT_EQ(symlink("file", path("there/second").c_str()), 0);
  ASSERT_TRUE(disk.write(path("link"), "1").ok());
  EXPECT_EQ(*disk.read(path("there/file"), 10), "1");
  struct stat info;
  for (const char *name : {"link", "there/second"}) {
    ASSERT_EQ(lstat(path(name).c_str(), &info), 0);
    EXPECT_TRUE(S_ISLNK(info.st_mode));
  }
  ASSERT_EQ(symlink("no/such/folder", path("lost").c_str()), 0);
  EXPECT_FALSE(disk.checkWritable(path("lost")).ok());
  EXPECT_FALSE(disk.write(path("lost"), "1").ok());
}

TEST_F(HostDiskTest, LimitsSize) {
  ASSERT_TRUE(disk.write(path("f"), "12345").ok());
  EXPECT_EQ(disk.read(path("f"), 4).status().code(), Code::kOutOfRange);
  ASSERT_EQ(truncate(path("f").c_str(), off_t{1} << 40), 0); // sparse
  EXPECT_EQ(disk.read(path("f"), 1 << 20).status().code(), Code::kOutOfRange);
}

TEST_F(HostDiskTest, RefusesWhatIsNoRegularFile) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  ASSERT_EQ(symlink("loop", path("loop").c_str()), 0);
  for (const std::string &bad : {folder, path("pipe"), std::string("/dev/zero"), path("loop"),
                                 path("missing"), std::string(), std::string("a\0b", 3)}) {
    EXPECT_FALSE(disk.read(bad, 1 << 20).ok()) << bad;
    if (bad != path("missing")) {
      EXPECT_FALSE(disk.checkWritable(bad).ok()) << bad;
      EXPECT_FALSE(disk.write(bad, "x").ok()) << bad;
    }
  }
  EXPECT_FALSE(disk.write(path("no/such/folder"), "x").ok());
  EXPECT_FALSE(disk.write(path("pipe/file"), "x").ok());
  EXPECT_FALSE(disk.write("/dev/null", "x").ok());
  EXPECT_FALSE(disk.write("/proc/file", "x").ok());
  EXPECT_EQ(entries(), 2);
}

TEST_F(HostDiskTest, SaysWhatItGotInsteadOfAFile) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  int socket = ::socket(AF_UNIX, SOCK_STREAM, 0);
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  ASSERT_LT(path("socket").size(), sizeof address.sun_path);
  std::strcpy(address.sun_path, path("socket").c_str());
  ASSERT_EQ(::bind(socket, reinterpret_cast<sockaddr *>(&address), sizeof address), 0);
  const std::pair<std::string, const char *> table[] = {{folder, "a folder"},
                                                        {path("pipe"), "a pipe"},
                                                        {path("socket"), "a socket"},
                                                        {"/dev/null", "a device"}};
  for (const auto &[name, kind] : table) {
    std::string expected = std::string("FAILED_PRECONDITION: expected a regular file but got ") +
                           kind + ": '" + name + "'";
    EXPECT_EQ(disk.checkWritable(name).toString(), expected);
    if (std::string_view(kind) != "a socket") // which cannot even be opened
      EXPECT_EQ(disk.read(name, 10).status().toString(), expected);
  }
  ::close(socket);
  EXPECT_EQ(disk.read("", 10).status().toString(),
            "NOT_FOUND: expected a file name but got an empty string");
  EXPECT_EQ(disk.read(std::string("a\0b", 3), 10).status().toString(),
            "NOT_FOUND: file name contains a NUL character");
}

TEST_F(HostDiskTest, TellsErrorsApart) {
  for (int error : {ENOENT, ENOTDIR})
    EXPECT_EQ(systemError(error, "read", "f").code(), Code::kNotFound);
  for (int error : {EACCES, EPERM, EROFS})
    EXPECT_EQ(systemError(error, "read", "f").code(), Code::kPermissionDenied);
  for (int error : {EIO, ENOSPC, EISDIR})
    EXPECT_EQ(systemError(error, "read", "f").code(), Code::kUnavailable);
  EXPECT_EQ(systemError(ENOENT, "read", "f").toString(),
            "NOT_FOUND: cannot read 'f': No such file or directory");
}

// Files of the system say that they are empty, and grow while they are read.
TEST_F(HostDiskTest, ReadsWhatIsLongerThanItSays) {
  const char *name = "/proc/version";
  std::ifstream stream(name);
  std::string content(std::istreambuf_iterator<char>(stream), {});
  ASSERT_GT(content.size(), 10u);
  EXPECT_EQ(*disk.read(name, 1 << 20), content);
  EXPECT_EQ(*disk.read(name, content.size()), content);
  EXPECT_EQ(disk.read(name, content.size() - 1).status().code(), Code::kOutOfRange);
  EXPECT_EQ(disk.read(name, 0).status().code(), Code::kOutOfRange);
}

TEST_F(HostDiskTest, DescriptorsThatCannotBeReadAreErrors) {
  char byte;
  EXPECT_EQ(readDescriptor(-1, &byte, 1, "name").status().toString(),
            "UNAVAILABLE: cannot read 'name': Bad file descriptor");
}

TEST_F(HostDiskTest, PipesAreReadAsTheyFill) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  auto source = disk.open(path("pipe"));
  ASSERT_TRUE(source.ok());
  int writer = ::open(path("pipe").c_str(), O_WRONLY);
  EXPECT_FALSE((*source)->awaitReadable(1));
  std::thread late([writer] {
    std::this_thread::sleep_for(std::chrono::milliseconds(20));
    EXPECT_EQ(::write(writer, "hello", 5), 5);
  });
  char text[10];
  EXPECT_EQ(*(*source)->read(text, sizeof text), 5u);
  late.join();
  EXPECT_EQ(std::string_view(text, 5), "hello");
  ::close(writer);
  EXPECT_TRUE((*source)->awaitReadable(0));
  EXPECT_EQ(*(*source)->read(text, sizeof text), 0u);
}

TEST_F(HostDiskTest, FailedWriteLeavesTheOldFile) {
  ASSERT_TRUE(disk.write(path("f"), "old").ok());
  pid_t child = fork();
  if (child == 0) {
    // A file size limit stands for a full disk.
    std::signal(SIGXFSZ, SIG_IGN);
    rlimit limit{1000, 1000};
    setrlimit(RLIMIT_FSIZE, &limit);
    _exit(disk.write(path("f"), std::string(5000, 'x')).ok() ? 1 : 0);
  }
  int status = 0;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(*disk.read(path("f"), 10), "old");
  EXPECT_EQ(entries(), 1);
}

} // namespace
