// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of files in folders, and writing them.
#include "tools/sluice-conformance/files.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/Path.h"

namespace sluice::conformance {

std::string pathIn(llvm::StringRef folder, llvm::StringRef file) {
  llvm::SmallString<256> path(folder);
  llvm::sys::path::append(path, file);
  return std::string(path);
}

bool writeFile(const std::string &path, llvm::function_ref<void(llvm::raw_ostream &)> body) {
  std::error_code code;
  llvm::raw_fd_ostream stream(path, code);
  if (code)
    return false;
  body(stream);
  stream.close();
  bool good = !stream.has_error();
  stream.clear_error();
  return good;
}

} // namespace sluice::conformance
