// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryDisk: a map from path to content.
#include "runtime/io/memory_disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <vector>

namespace sluice::rt {

namespace {
class StringSource final : public ByteSource {
public:
  explicit StringSource(std::string content) : content_(std::move(content)) {}
  Result<size_t> read(char *data, size_t size) override {
    size_t n = std::min(size, content_.size() - used_);
    std::memcpy(data, content_.data() + used_, n);
    used_ += n;
    return n;
  }

private:
  std::string content_;
  size_t used_ = 0;
};

class StringParts final : public FileParts {
public:
  explicit StringParts(std::string content) : content_(std::move(content)) {}
  uint64_t size() const override { return content_.size(); }
  Status read(uint64_t offset, char *data, size_t size) override {
    std::memcpy(data, content_.data() + offset, size);
    return {};
  }

private:
  std::string content_;
};

class NewStrings final : public NewFiles {
public:
  explicit NewStrings(MemoryDisk &disk) : disk_(disk) {}
  Status begin(const std::string &path) override {
    written_.emplace_back(path, "");
    return disk_.checkWritable(path);
  }
  Status write(std::string_view bytes) override {
    written_.back().second += bytes;
    return {};
  }
  Status commit() override {
    for (const auto &[path, content] : written_)
      SLUICE_RETURN_IF_ERROR(disk_.write(path, content));
    return {};
  }

private:
  MemoryDisk &disk_;
  std::vector<std::pair<std::string, std::string>> written_;
};
} // namespace

Result<std::string> MemoryDisk::read(const std::string &path, uint64_t limit) {
  auto found = files.find(path);
  if (found == files.end())
    return systemError(ENOENT, "read", path);
  if (found->second.size() > limit)
    return longerThan(limit, path);
  return found->second;
}

Result<std::unique_ptr<ByteSource>> MemoryDisk::open(const std::string &path) {
  auto found = files.find(path);
  if (found == files.end())
    return systemError(ENOENT, "read", path);
  return std::unique_ptr<ByteSource>(new StringSource(found->second));
}

Result<std::unique_ptr<FileParts>> MemoryDisk::openParts(const std::string &path) {
  auto found = files.find(path);
  if (found == files.end())
    return systemError(ENOENT, "read", path);
  return std::unique_ptr<FileParts>(new StringParts(found->second));
}

Result<std::vector<std::string>> MemoryDisk::list(const std::string &folder) {
  const std::string prefix = folder.ends_with('/') ? folder : folder + '/';
  std::vector<std::string> names;
  for (const auto &[path, content] : files) {
    if (!path.starts_with(prefix))
      continue;
    std::string name = path.substr(prefix.size(), path.find('/', prefix.size()) - prefix.size());
    if (names.empty() || names.back() != name)
      names.push_back(std::move(name));
  }
  if (names.empty())
    return systemError(ENOENT, "read the folder", folder);
  return names;
}

bool MemoryDisk::exists(const std::string &path) {
  return files.contains(path) || (!path.empty() && list(path).ok());
}

Status MemoryDisk::makeFoldersOf(const std::string &) { return {}; }

std::unique_ptr<NewFiles> MemoryDisk::writeSeveral() { return std::make_unique<NewStrings>(*this); }

std::string MemoryDisk::identity(const std::string &path) {
  return path.starts_with("./") ? identity(path.substr(2)) : path;
}

Status MemoryDisk::checkWritable(const std::string &path) {
  if (path.empty() || path.back() == '/')
    return systemError(EISDIR, "write", path);
  return {};
}

Status MemoryDisk::write(const std::string &path, std::string_view content) {
  SLUICE_RETURN_IF_ERROR(checkWritable(path));
  if (auto failing = failingWrites.find(path); failing != failingWrites.end())
    return failing->second;
  files[path] = std::string(content);
  ++writes[path];
  return {};
}

} // namespace sluice::rt
