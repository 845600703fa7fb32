// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files and folders step by step, for those whose files must be right after any crash: each
// function is one system call, or close to it, so that tests can end the world between any two of
// them.
//
// What is written is sure to be there after a crash only once it was synced: the bytes of a file by
// OutputFile::sync, its name by `syncFolder` of the folder that it is in.
#pragma once

#include "runtime/base/status.h"
#include "runtime/memory/tensor.h"

#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

class OutputFile {
public:
  virtual ~OutputFile() = default;
  virtual Status write(std::string_view bytes) = 0;
  // The system may begin to bring to the disk what was written so far. Nobody waits.
  virtual void startSync() {}
  virtual Status sync() = 0;
  virtual Status close() = 0;
};

class InputFile {
public:
  virtual ~InputFile() = default;
  virtual uint64_t size() const = 0;
  // Exactly so many bytes; UNAVAILABLE if the file ends before.
  virtual Status read(uint64_t offset, char *to, size_t size) = 0;
  // Plain elements of a complete shape that are in the file there, as they are when somebody looks
  // at them. Fails where the system cannot do that; then they can be read.
  virtual Result<Tensor> map(DType dtype, const Shape &shape, uint64_t offset) = 0;
};

// Of one process among all that use the same folder, until it is destroyed.
class FolderLock {
public:
  virtual ~FolderLock() = default;
};

struct FolderEntry {
  std::string name;
  bool isFolder = false; // and no link to one
};

class FileSystem {
public:
  virtual ~FileSystem() = default;
  // It may be there already, but not as a link. The folder around it must be there.
  virtual Status makeFolder(const std::string &path) = 0;
  // NOT_FOUND if it is not there.
  virtual Result<std::vector<FolderEntry>> list(const std::string &path) = 0;
  // There must be no such file.
  virtual Result<std::unique_ptr<OutputFile>> create(const std::string &path) = 0;
  // Of a regular file, not through a link.
  virtual Result<std::unique_ptr<InputFile>> open(const std::string &path) = 0;
  // Within one folder. What had the new name is gone.
  virtual Status rename(const std::string &from, const std::string &to) = 0;
  virtual Status removeFile(const std::string &path) = 0;
  // It must be empty.
  virtual Status removeFolder(const std::string &path) = 0;
  virtual Status syncFolder(const std::string &path) = 0;
  // Makes the file of the lock if need be, and leaves it. FAILED_PRECONDITION if somebody else has
  // the lock.
  virtual Result<std::unique_ptr<FolderLock>> lock(const std::string &path) = 0;
};

// The one of the operating system.
class HostFileSystem final : public FileSystem {
public:
  Status makeFolder(const std::string &path) override;
  Result<std::vector<FolderEntry>> list(const std::string &path) override;
  Result<std::unique_ptr<OutputFile>> create(const std::string &path) override;
  Result<std::unique_ptr<InputFile>> open(const std::string &path) override;
  Status rename(const std::string &from, const std::string &to) override;
  Status removeFile(const std::string &path) override;
  Status removeFolder(const std::string &path) override;
  Status syncFolder(const std::string &path) override;
  Result<std::unique_ptr<FolderLock>> lock(const std::string &path) override;
};

} // namespace sluice::rt
