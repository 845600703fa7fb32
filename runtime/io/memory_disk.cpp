// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// MemoryDisk: a map from path to content.
#include "runtime/io/memory_disk.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

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
} // namespace

Result<std::string> MemoryDisk::read(const std::string &path, uint64_t limit) {
  auto found = files.find(path);
  if (found == files.end())
    return systemError(ENOENT, "read", path);
  if (found->second.size() > limit)
    return Status(Code::kOutOfRange,
                  "'" + path + "' is longer than the limit of " + std::to_string(limit) + " bytes");
  return found->second;
}

Result<std::unique_ptr<ByteSource>> MemoryDisk::open(const std::string &path) {
  auto found = files.find(path);
  if (found == files.end())
    return systemError(ENOENT, "read", path);
  return std::unique_ptr<ByteSource>(new StringSource(found->second));
}

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
