// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file with the elements of tensors, of which only what is asked for is read.
#pragma once

#include "compiler/import/Diagnostic.h"

#include <cstdint>
#include <memory>
#include <string>

namespace sluice::import {

class DataShard {
public:
  // Null after a diagnostic: only regular files are opened.
  static std::unique_ptr<DataShard> open(const std::string &path, DiagnosticList &diagnostics);
  ~DataShard();
  DataShard(const DataShard &) = delete;
  DataShard &operator=(const DataShard &) = delete;

  const std::string &path() const { return path_; }
  uint64_t size() const { return size_; }
  // Into `target`, which is as long as what is read; that lies within the file. False after a
  // diagnostic.
  bool read(uint64_t offset, std::string &target, DiagnosticList &diagnostics) const;

private:
  DataShard(std::string path, int file, uint64_t size)
      : path_(std::move(path)), file_(file), size_(size) {}

  std::string path_;
  int file_;
  uint64_t size_;
};

} // namespace sluice::import
