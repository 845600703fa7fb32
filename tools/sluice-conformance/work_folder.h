// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where the files of a replay are, a folder for each test.
#pragma once

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <string>
#include <system_error>

namespace sluice::conformance {

// A folder that goes away at the end, unless the user named one.
class WorkFolder {
public:
  // `named` may be empty.
  std::error_code create(const std::string &named) {
    kept_ = !named.empty();
    if (!kept_)
      return llvm::sys::fs::createUniqueDirectory("sluice-conformance", path_);
    path_ = named;
    return llvm::sys::fs::create_directories(path_);
  }
  ~WorkFolder() {
    if (!kept_ && !path_.empty())
      llvm::sys::fs::remove_directories(path_);
  }
  std::string childFor(llvm::StringRef name) const {
    llvm::SmallString<256> child(path_);
    llvm::sys::path::append(child, name);
    llvm::sys::fs::create_directories(child);
    return std::string(child);
  }
  void finished(const std::string &child) const {
    if (!kept_)
      llvm::sys::fs::remove_directories(child);
  }

private:
  llvm::SmallString<256> path_;
  bool kept_ = false;
};

} // namespace sluice::conformance
