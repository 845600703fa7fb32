// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Output files that are there in whole or not at all: written beside their place, then renamed.
#pragma once

#include "runtime/io/new_file.h"
#include "runtime/io/temporary_files.h"

#include "llvm/ADT/StringRef.h"

#include <memory>
#include <string>

namespace sluice::emit {

// rt::TemporaryFiles that vanish also when a signal or want of memory ends the process.
class TemporaryFiles {
public:
  static rt::Result<std::shared_ptr<TemporaryFiles>> in(const std::string &folder,
                                                        const std::string &output);
  ~TemporaryFiles();

  const std::string &folder() const { return folder_; }
  // From any thread.
  std::string add();

private:
  TemporaryFiles(std::string folder, std::unique_ptr<rt::TemporaryFiles> files);

  std::string folder_;
  std::unique_ptr<rt::TemporaryFiles> files_;
  std::mutex mutex_; // of what follows
  std::vector<std::string> paths_;
};

// A file that will take the place of the one that the user has named.
class PendingOutput {
public:
  // Fails if what is there is no file. `shared` is used if it is in the same folder.
  static rt::Result<PendingOutput> create(llvm::StringRef output,
                                          std::shared_ptr<TemporaryFiles> shared = nullptr);

  const std::string &name() const { return output_; }
  TemporaryFiles &files() const { return *files_; }
  const std::shared_ptr<TemporaryFiles> &sharedFiles() const { return files_; }
  // Once. The umask takes permissions from `mode`.
  rt::Result<rt::NewFile> open(mode_t mode) const;
  rt::Status finish(rt::NewFile &file) const;
  // Opens, writes and finishes.
  rt::Status write(llvm::StringRef bytes) const;
  rt::Status moveIntoPlace() const;
  // Afterwards there is no file of that name until this one is moved there.
  rt::Status removeOld() const;

private:
  PendingOutput() = default;

  std::string output_, target_, made_;
  std::shared_ptr<TemporaryFiles> files_;
};

} // namespace sluice::emit
