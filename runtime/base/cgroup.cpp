// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the files of control groups where every Linux has them. In a container a group's folder may
// be unknown under its own name, and is then what lies at the top.
#include "runtime/base/cgroup.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <memory>
#include <string_view>

namespace sluice::rt {

namespace {

constexpr uint64_t kNoMemoryLimit = uint64_t{1} << 62; // version 1 says so with a number about that

// The begin of a file: what is asked for is short.
std::string contentOf(const std::string &path) {
  constexpr size_t kMost = 8192;
  std::unique_ptr<FILE, int (*)(FILE *)> file(std::fopen(path.c_str(), "re"), &std::fclose);
  if (!file)
    return {};
  std::string content(kMost, '\0');
  content.resize(std::fread(content.data(), 1, kMost, file.get()));
  return content;
}

std::string_view firstWord(std::string_view &text) {
  text.remove_prefix(std::min(text.find_first_not_of(" \t\n"), text.size()));
  std::string_view word = text.substr(0, text.find_first_of(" \t\n"));
  text.remove_prefix(word.size());
  return word;
}

// A positive number and nothing else: "max" and -1 are none.
std::optional<int64_t> positive(std::string_view word) {
  int64_t number = 0;
  const char *end = word.data() + word.size();
  auto [last, error] = std::from_chars(word.data(), end, number);
  if (error != std::errc() || last != end || number <= 0)
    return std::nullopt;
  return number;
}

std::optional<int64_t> numberIn(const std::string &path) {
  std::string content = contentOf(path);
  std::string_view rest = content;
  return positive(firstWord(rest));
}

template <typename T, typename U> void lower(std::optional<T> &least, std::optional<U> value) {
  if (value && (!least || static_cast<T>(*value) < *least))
    least = static_cast<T>(*value);
}

void takeTime(std::optional<int64_t> quota, std::optional<int64_t> period, CgroupLimits &limits) {
  if (quota && period)
    lower(limits.processors, std::optional(1 + (*quota - 1) / *period));
}

void takeMemory(std::optional<int64_t> bytes, CgroupLimits &limits) {
  if (bytes && static_cast<uint64_t>(*bytes) < kNoMemoryLimit)
    lower(limits.memory, bytes);
}

void readUnified(const std::string &folder, CgroupLimits &limits) {
  std::string time = contentOf(folder + "/cpu.max");
  std::string_view rest = time;
  std::optional<int64_t> quota = positive(firstWord(rest));
  takeTime(quota, positive(firstWord(rest)), limits);
  takeMemory(numberIn(folder + "/memory.max"), limits);
}
void readTime(const std::string &folder, CgroupLimits &limits) {
  takeTime(numberIn(folder + "/cpu.cfs_quota_us"), numberIn(folder + "/cpu.cfs_period_us"), limits);
}
void readMemory(const std::string &folder, CgroupLimits &limits) {
  takeMemory(numberIn(folder + "/memory.limit_in_bytes"), limits);
}

// The group's folder below the top and all around it, up to the top itself.
template <typename Read>
void climb(const std::string &top, std::string_view group, Read read, CgroupLimits &limits) {
  // Of a group outside of what this process sees, only the top is known.
  if (group.starts_with("/..") || !group.starts_with('/'))
    group = {};
  for (;;) {
    while (group.ends_with('/'))
      group.remove_suffix(1);
    read(top + std::string(group), limits);
    if (group.empty())
      return;
    group = group.substr(0, group.rfind('/'));
  }
}

bool hasController(std::string_view controllers, std::string_view name) {
  for (;;) {
    size_t comma = controllers.find(',');
    if (controllers.substr(0, comma) == name)
      return true;
    if (comma == controllers.npos)
      return false;
    controllers.remove_prefix(comma + 1);
  }
}

} // namespace

CgroupLimits readCgroupLimits(const std::string &root) {
  const std::string top = root + "/sys/fs/cgroup";
  CgroupLimits limits;
  std::string groups = contentOf(root + "/proc/self/cgroup");
  // Each line: number of a hierarchy, its controllers, the group in it.
  for (std::string_view rest = groups; !rest.empty();) {
    size_t newline = std::min(rest.find('\n'), rest.size());
    std::string_view line = rest.substr(0, newline);
    rest.remove_prefix(std::min(newline + 1, rest.size()));
    size_t first = line.find(':'), second = line.find(':', first + 1);
    if (first == line.npos || second == line.npos)
      continue;
    std::string_view controllers = line.substr(first + 1, second - first - 1);
    std::string_view group = line.substr(second + 1);
    if (controllers.empty())
      climb(top, group, readUnified, limits);
    if (hasController(controllers, "cpu"))
      climb(top + "/cpu", group, readTime, limits);
    if (hasController(controllers, "memory"))
      climb(top + "/memory", group, readMemory, limits);
  }
  return limits;
}

const CgroupLimits &processCgroupLimits() {
  static const CgroupLimits limits = readCgroupLimits();
  return limits;
}

uint64_t memoryLimitWithin(uint64_t memory) {
  constexpr uint64_t kLeastReserve = uint64_t{16} << 20;
  uint64_t reserve = std::max(kLeastReserve, memory / 16);
  return memory - std::min(reserve, memory / 2);
}

} // namespace sluice::rt
