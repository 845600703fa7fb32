// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A disk that remembers how it came to be, and so what might be left of it after a crash: what was
// synced, and any part of what was not.
#pragma once

#include "runtime/io/file_system.h"

#include <functional>
#include <map>
#include <set>

namespace sluice::rt {

// Files and folders have numbers; the root folder "/d" is number 0.
class CrashingDisk final : public FileSystem {
public:
  struct Step {
    enum class Kind { kMake, kName, kWrite, kRename, kRemove, kSync };
    Kind kind;
    int node = 0; // that is made, written, synced; of names: the folder
    std::string name = {}, to = {};
    int target = 0;         // kName, kRename: what has this name
    std::string bytes = {}; // kWrite
    bool isFolder = false;  // kMake
  };

  Status makeFolder(const std::string &path) override;
  Result<std::vector<FolderEntry>> list(const std::string &path) override;
  Result<std::unique_ptr<OutputFile>> create(const std::string &path) override;
  Result<std::unique_ptr<InputFile>> open(const std::string &path) override;
  Status rename(const std::string &from, const std::string &to) override;
  Status removeFile(const std::string &path) override;
  Status removeFolder(const std::string &path) override;
  Status syncFolder(const std::string &path) override;
  Result<std::unique_ptr<FolderLock>> lock(const std::string &path) override;

  // What was done since the disk was made.
  const std::vector<Step> &steps() const { return steps_; }
  // Calls `see` with each disk that may be found after a crash that came when so many steps were
  // done. What was synced then is there; of the others any set may be missing, and of the last
  // bytes written to a file the second half as well.
  void forEachCrash(size_t done, const std::function<void(CrashingDisk &)> &see) const;
  // The paths of all files and folders.
  std::set<std::string> paths() const;
  // The bytes of a file, to be damaged.
  std::string &bytes(const std::string &path);

  // The step that fails with this, once so many were done; then all others too.
  size_t failsAfter = SIZE_MAX;
  Status failure;

private:
  struct Node {
    bool isFolder = false;
    std::string bytes;
    std::map<std::string, int> names;
  };
  class Output;
  class Input;

  Result<int> find(const std::string &path) const;
  Status add(Step step);
  void apply(const Step &step);
  void addPaths(int folder, const std::string &path, std::set<std::string> &paths) const;

  std::map<int, Node> nodes_{{0, {true, {}, {}}}};
  int next_ = 1;
  std::vector<Step> steps_;
  bool locked_ = false;
};

} // namespace sluice::rt
