// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tensors of a checkpoint, as the importer has values and tells what is wrong.
#pragma once

#include "compiler/import/Diagnostic.h"
#include "compiler/import/Limits.h"
#include "compiler/import/TensorValue.h"
#include "runtime/io/bundle/checkpoint.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace sluice::import {

class StoredTensors {
public:
  // From `prefix`.index, or from the file `prefix` if that is a checkpoint of the first format;
  // null after a diagnostic.
  static std::unique_ptr<StoredTensors> open(const std::string &prefix, const Limits &limits,
                                             DiagnosticList &diagnostics);

  std::string indexPath() const { return checkpoint_->indexPath(); }
  std::vector<llvm::StringRef> names() const;
  bool has(llvm::StringRef name) const { return checkpoint_->has(name); }
  // The tensor, or a part of it as `part` says unless that is empty. Nothing, after a diagnostic,
  // when there is no such tensor, it makes no sense, or it cannot be read.
  std::optional<TensorValue> read(llvm::StringRef name, llvm::StringRef part,
                                  DiagnosticList &diagnostics);

private:
  std::optional<TensorValue> tryToRead(llvm::StringRef name, llvm::StringRef part,
                                       rt::Status &problem);

  rt::HostDisk disk_;
  std::unique_ptr<rt::Checkpoint> checkpoint_;
};

} // namespace sluice::import
