// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A disk in memory, for tests; any file can be made to fail.
#pragma once

#include "runtime/io/disk.h"

#include <map>

namespace sluice::rt {

class MemoryDisk final : public Disk {
public:
  Result<std::string> read(const std::string &path, uint64_t limit) override;
  Result<std::unique_ptr<ByteSource>> open(const std::string &path) override;
  Result<std::unique_ptr<FileParts>> openParts(const std::string &path) override;
  // Folders are what names of files say.
  Result<std::vector<std::string>> list(const std::string &folder) override;
  bool exists(const std::string &path) override;
  Status makeFoldersOf(const std::string &path) override;
  std::string identity(const std::string &path) override;
  Status checkWritable(const std::string &path) override;
  Status write(const std::string &path, std::string_view content) override;
  std::unique_ptr<NewFiles> writeSeveral() override;

  std::map<std::string, std::string> files;
  // Paths whose `write` fails after `checkWritable` has passed, as when the disk fills up.
  std::map<std::string, Status> failingWrites;
  // How often each path was written.
  std::map<std::string, int> writes;
};

} // namespace sluice::rt
