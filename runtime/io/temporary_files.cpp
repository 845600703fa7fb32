// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Locks, and what is left without one.
#include "runtime/io/temporary_files.h"

#include "runtime/io/disk.h"
#include "runtime/io/machine_id.h"

#include <cerrno>
#include <cstdlib>
#include <ctime>
#include <dirent.h>
#include <fcntl.h>
#include <map>
#include <string_view>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>

namespace sluice::rt {

namespace {

constexpr std::string_view kPrefix = ".sluice-", kSuffix = ".tmp";
constexpr size_t kHexDigits = 16;
constexpr size_t kLockNameSize =
    kPrefix.size() + kHexDigits + 1 + kHexDigits + kSuffix.size();
constexpr time_t kLeftAloneSeconds = 24 * 60 * 60;

std::string hex(uint64_t number) {
  return format("%016llx", static_cast<unsigned long long>(number));
}

// Of sixteen digits; zeros if the system has no id.
std::string machineDigits() {
  std::string digits;
  for (char c : machineId())
    if (c != '-' && digits.size() < kHexDigits)
      digits += c;
  digits.resize(kHexDigits, '0');
  return digits;
}

bool areHexDigits(std::string_view text) {
  return text.find_first_not_of("0123456789abcdef") == text.npos;
}

// The machine in the name of a lock or of a writer's file; empty in all other names.
std::string_view machineIn(std::string_view name) {
  if (name.size() < kLockNameSize || !name.starts_with(kPrefix) ||
      name.substr(kLockNameSize - kSuffix.size(), kSuffix.size()) != kSuffix)
    return {};
  std::string_view machine = name.substr(kPrefix.size(), kHexDigits);
  std::string_view random = name.substr(kPrefix.size() + kHexDigits + 1, kHexDigits);
  bool whole = name.size() == kLockNameSize || name[kLockNameSize] == '.';
  bool ours = whole && areHexDigits(machine) && areHexDigits(random) &&
              name[kPrefix.size() + kHexDigits] == '-';
  return ours ? machine : std::string_view();
}

// The names of each writer's files, by the name of its lock.
std::map<std::string, std::vector<std::string>> writersIn(const std::string &folder) {
  std::map<std::string, std::vector<std::string>> writers;
  DIR *entries = ::opendir(folder.c_str());
  if (!entries)
    return writers;
  while (const dirent *entry = ::readdir(entries)) {
    std::string_view name = entry->d_name;
    if (machineIn(name).empty())
      continue;
    auto &files = writers[std::string(name.substr(0, kLockNameSize))];
    if (name.size() > kLockNameSize)
      files.emplace_back(name);
  }
  ::closedir(entries);
  return writers;
}

bool leftAlone(const std::string &path) {
  struct stat info;
  return ::lstat(path.c_str(), &info) != 0 ||
         ::time(nullptr) - info.st_mtim.tv_sec > kLeftAloneSeconds;
}

bool allLeftAlone(const std::string &folder, const std::string &lock,
                  const std::vector<std::string> &files) {
  for (const std::string &file : files)
    if (!leftAlone(folder + '/' + file))
      return false;
  return leftAlone(folder + '/' + lock);
}

void removeIfDead(const std::string &folder, const std::string &lock,
                  const std::vector<std::string> &files, std::string_view machine) {
  std::string path = folder + '/' + lock;
  // Writable, or a network file system gives no lock.
  Descriptor held(::open(path.c_str(), O_RDWR | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK));
  if (!held.isOpen()) // of another user, or gone meanwhile
    return;
  bool locked = ::flock(held.get(), LOCK_EX | LOCK_NB) == 0;
  if (!locked && errno == EWOULDBLOCK)
    return;
  bool certain = locked && machineIn(lock) == machine &&
                 machine.find_first_not_of('0') != machine.npos;
  if (!certain && !allLeftAlone(folder, lock, files))
    return;
  for (const std::string &file : files)
    ::unlink((folder + '/' + file).c_str());
  ::unlink(path.c_str());
}

void removeWhatTheDeadLeft(const std::string &folder, std::string_view machine) {
  for (const auto &[lock, files] : writersIn(folder))
    removeIfDead(folder, lock, files, machine);
}

} // namespace

Result<std::unique_ptr<TemporaryFiles>> TemporaryFiles::in(const std::string &folder,
                                                           const std::string &output) {
  std::string machine = machineDigits();
  removeWhatTheDeadLeft(folder, machine);
  std::unique_ptr<TemporaryFiles> files(new TemporaryFiles);
  constexpr int kMostAttempts = 100;
  for (int attempt = 0; attempt < kMostAttempts; ++attempt) {
    SLUICE_ASSIGN_OR_RETURN(bool locked, files->lock(folder, machine, output));
    if (locked)
      return files;
  }
  return Status(Code::kUnavailable,
                "cannot write '" + output + "': new files in its folder are removed at once");
}

Result<bool> TemporaryFiles::lock(const std::string &folder, const std::string &machine,
                                  const std::string &output) {
  uint64_t random;
  if (::getrandom(&random, sizeof random, 0) != sizeof random)
    return systemError(errno, "write", output);
  std::string path =
      folder + '/' + std::string(kPrefix) + machine + '-' + hex(random) + std::string(kSuffix);
  Descriptor file(::open(path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600));
  if (!file.isOpen())
    return errno == EEXIST ? Result<bool>(false) : systemError(errno, "write", output);
  // Another writer may have found the file before it was locked, and taken it for a dead one's.
  struct stat info;
  bool taken = ::flock(file.get(), LOCK_EX | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  if (taken || ::fstat(file.get(), &info) != 0 || info.st_nlink == 0) {
    ::unlink(path.c_str());
    return false;
  }
  lockPath_ = path;
  lock_ = std::move(file);
  return true;
}

TemporaryFiles::~TemporaryFiles() {
  for (const std::string &path : paths_)
    ::unlink(path.c_str());
  if (!lockPath_.empty())
    ::unlink(lockPath_.c_str());
}

std::string TemporaryFiles::add() {
  std::lock_guard<std::mutex> held(mutex_);
  paths_.push_back(lockPath_ + '.' + std::to_string(paths_.size()));
  return paths_.back();
}

} // namespace sluice::rt
