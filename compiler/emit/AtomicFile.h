// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files that are there in whole or not at all: written beside their place, then renamed.
#pragma once

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <optional>
#include <string>

namespace sluice::emit {

// What went wrong with a file, for the user.
using FileFailure = std::optional<std::string>;

// A file beside the output that vanishes unless it is kept, also when a signal or want of memory
// ends the process.
class TemporaryFile {
public:
  // The umask takes permissions from `mode`.
  static llvm::Expected<TemporaryFile> create(llvm::StringRef output, llvm::StringRef suffix,
                                              unsigned mode = 0600);
  TemporaryFile(TemporaryFile &&other);
  ~TemporaryFile();

  llvm::StringRef path() const { return path_; }
  // Both may find that there is no room.
  bool write(llvm::StringRef bytes);
  bool close();
  // Replaces what is there, but not its permissions. A link would be replaced, too: see
  // `fileBehind`.
  FileFailure keepAs(llvm::StringRef output);

private:
  TemporaryFile(std::string path, int fd) : path_(std::move(path)), fd_(fd) {}

  std::string path_;
  int fd_;
};

// Where the bytes must land so that a symbolic link survives.
std::string fileBehind(llvm::StringRef output);

// Renaming onto a folder, a device or the like must not be tried.
FileFailure checkReplaceable(llvm::StringRef output);

// The file is replaced by one with these bytes, or left alone.
FileFailure writeFileAtomically(llvm::StringRef bytes, llvm::StringRef output);

} // namespace sluice::emit
