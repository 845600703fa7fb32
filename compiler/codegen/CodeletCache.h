// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Machine code of codelets, kept on disk for the next compilation that asks for the same.
#pragma once

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/LogicalResult.h"

#include <optional>
#include <string>
#include <vector>

namespace sluice::codegen {

// What codelets that are compiled together become.
struct BatchCode {
  std::vector<std::string> objects; // for the linker
  // Of each codelet, the size of its machine code; nothing for one that cannot be compiled.
  std::vector<std::optional<uint64_t>> codeBytes;
};

// From any thread. What cannot be read or written, or is not what was written, is compiled: a cache
// never fails.
class CodeletCache {
public:
  // `$XDG_CACHE_HOME/sluice`, or `~/.cache/sluice`; empty if there is neither.
  static std::string usualFolder();

  // Keeps nothing if the folder is empty. It is made when there is something to keep.
  explicit CodeletCache(std::string folder) : folder_(std::move(folder)) {}
  // Makes room: nothing is older than a week, and all together at most 256 MiB.
  ~CodeletCache();

  // What was compiled for `key`, which is all that it follows from, or is compiled now.
  llvm::FailureOr<BatchCode> get(llvm::StringRef key,
                                 llvm::function_ref<llvm::FailureOr<BatchCode>()> compile);

private:
  std::optional<BatchCode> read(const std::string &path, llvm::StringRef key) const;
  void write(const std::string &path, llvm::StringRef key, const BatchCode &code) const;

  std::string folder_;
};

} // namespace sluice::codegen
