// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Files of the operating system, written beside their places and then renamed.
#pragma once

#include "runtime/io/disk.h"
#include "runtime/io/new_file.h"
#include "runtime/io/temporary_files.h"

#include <map>
#include <optional>
#include <vector>

namespace sluice::rt {

class NewHostFiles final : public NewFiles {
public:
  explicit NewHostFiles(Disk &disk) : disk_(disk) {}
  Status begin(const std::string &path) override;
  Status write(std::string_view bytes) override;
  Status commit() override;

private:
  struct Written {
    std::string path, made, target;
  };
  // The disk holds the file that was begun last.
  Status finish();

  Disk &disk_;
  std::map<std::string, std::unique_ptr<TemporaryFiles>> temporary_; // by folder
  std::vector<Written> files_;
  std::optional<NewFile> open_; // the last one
  uint64_t written_ = 0;        // bytes of all files
};

} // namespace sluice::rt
