// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// File access that can be replaced: tests put a disk in memory or one that fails in its place.
#pragma once

#include "runtime/base/limits.h"
#include "runtime/base/status.h"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// A stream of bytes read once from front to back.
class ByteSource {
public:
  virtual ~ByteSource() = default;
  // Up to `size` bytes; 0 only at the end.
  virtual Result<size_t> read(char *data, size_t size) = 0;
  // False if `read` would still have to wait after so many milliseconds.
  virtual bool awaitReadable(int /*milliseconds*/) { return true; }
};

// A regular file of which parts are read.
class FileParts {
public:
  virtual ~FileParts() = default;
  // When it was opened.
  virtual uint64_t size() const = 0;
  // `size` bytes from `offset` on, which lie within the file. OUT_OF_RANGE if it is shorter by now.
  virtual Status read(uint64_t offset, char *data, size_t size) = 0;
};

// Files that belong together, each written from the beginning to the end, one after the other.
class NewFiles {
public:
  virtual ~NewFiles() = default; // what was not committed is gone
  // Begins the next file. Fails if it is bound to fail in the end.
  virtual Status begin(const std::string &path) = 0;
  virtual Status write(std::string_view bytes) = 0;
  // All files take their places, in their order, once the disk holds all of them.
  virtual Status commit() = 0;
};

class Disk {
public:
  virtual ~Disk() = default;
  // The whole content of a regular file, OUT_OF_RANGE if it is longer than `limit` bytes.
  virtual Result<std::string> read(const std::string &path, uint64_t limit) = 0;
  // Opens a file or pipe for reading piece by piece.
  virtual Result<std::unique_ptr<ByteSource>> open(const std::string &path) = 0;
  // NOT_FOUND, PERMISSION_DENIED or UNAVAILABLE when the system refuses.
  virtual Result<std::unique_ptr<FileParts>> openParts(const std::string &path) = 0;
  // Names of all that is in a folder, in any order. NOT_FOUND, PERMISSION_DENIED or UNAVAILABLE
  // when the system refuses.
  virtual Result<std::vector<std::string>> list(const std::string &folder) = 0;
  // A file, a folder, or something else.
  virtual bool exists(const std::string &path) = 0;
  // The folder that a path of this name is in, and those around it, where they are not there yet.
  virtual Status makeFoldersOf(const std::string &path) = 0;
  // The same text for two paths exactly if `write` to one of them replaces what was written to the
  // other.
  virtual std::string identity(const std::string &path) = 0;
  // Fails if `write` to this path is bound to fail; changes nothing. Called before long work.
  virtual Status checkWritable(const std::string &path) = 0;
  // Replaces or creates the file; whatever happens, its content is the old or the new one whole.
  virtual Status write(const std::string &path, std::string_view content) = 0;
  virtual std::unique_ptr<NewFiles> writeSeveral() = 0;
};

// The disk of the operating system.
class HostDisk final : public Disk {
public:
  Result<std::string> read(const std::string &path, uint64_t limit) override;
  Result<std::unique_ptr<ByteSource>> open(const std::string &path) override;
  Result<std::unique_ptr<FileParts>> openParts(const std::string &path) override;
  Result<std::vector<std::string>> list(const std::string &folder) override;
  bool exists(const std::string &path) override;
  Status makeFoldersOf(const std::string &path) override;
  std::string identity(const std::string &path) override;
  Status checkWritable(const std::string &path) override;
  Status write(const std::string &path, std::string_view content) override;
  std::unique_ptr<NewFiles> writeSeveral() override;
};

// The content of a file that is no longer than the limit; the message of one that is names it.
Result<std::string> readWithin(Disk &disk, const std::string &path, const Limits &limits,
                               Limit limit);
// Such a file, to be read in parts.
Result<std::unique_ptr<FileParts>> openWithin(Disk &disk, const std::string &path,
                                              const Limits &limits, Limit limit);
// OUT_OF_RANGE: a file has more bytes than it may have.
Status longerThan(uint64_t limit, const std::string &path);
// A failed system call as NOT_FOUND, PERMISSION_DENIED or UNAVAILABLE, with the text
// `cannot VERB 'PATH': reason`.
Status systemError(int error, std::string_view verb, const std::string &path);
// Reads from a descriptor that stays open; `name` is for messages.
Result<size_t> readDescriptor(int descriptor, char *data, size_t size, const std::string &name);

} // namespace sluice::rt
