// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A folder of a test's own, for records, graphs and programs; removed when the test ends.
#pragma once

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

#include <string>

namespace sluice::conformance {

class RecordFolder : public testing::Test {
protected:
  void SetUp() override {
    ASSERT_FALSE(llvm::sys::fs::createUniqueDirectory("sluice-conformance-test", root_));
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root_); }

  std::string path(llvm::StringRef name) const {
    llvm::SmallString<128> result(root_);
    llvm::sys::path::append(result, name);
    return std::string(result);
  }
  void write(llvm::StringRef name, llvm::StringRef text) const {
    std::error_code code;
    llvm::raw_fd_ostream(path(name), code) << text;
  }

  llvm::SmallString<128> root_;
};

} // namespace sluice::conformance
