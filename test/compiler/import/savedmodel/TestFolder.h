// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder that goes away with the test.
#pragma once

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"

#include <gtest/gtest.h>

#include <string>

namespace sluice::import {

class TestFolder {
public:
  TestFolder() { EXPECT_FALSE(llvm::sys::fs::createUniqueDirectory("sluice-import", path_)); }
  ~TestFolder() { llvm::sys::fs::remove_directories(path_); }

  std::string path(llvm::StringRef file) const {
    llvm::SmallString<128> path(path_);
    llvm::sys::path::append(path, file);
    return std::string(path);
  }
  void write(llvm::StringRef file, llvm::StringRef content) const {
    std::string name = path(file);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(name));
    std::error_code error;
    llvm::raw_fd_ostream(name, error) << content;
    EXPECT_FALSE(error) << name;
  }
  void remove(llvm::StringRef file) const { llvm::sys::fs::remove(path(file)); }

private:
  llvm::SmallString<128> path_;
};

} // namespace sluice::import
