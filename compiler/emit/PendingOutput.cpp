// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The runtime's way of replacing files, with LLVM's handlers of signals.
#include "compiler/emit/PendingOutput.h"

#include "runtime/io/disk.h"

#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Signals.h"

#include <cerrno>
#include <cstdio>
#include <unistd.h>

using namespace llvm;

namespace sluice::emit {

rt::Result<std::shared_ptr<TemporaryFiles>> TemporaryFiles::in(const std::string &folder,
                                                               const std::string &output) {
  SLUICE_ASSIGN_OR_RETURN(auto files, rt::TemporaryFiles::in(folder, output));
  return std::shared_ptr<TemporaryFiles>(new TemporaryFiles(folder, std::move(files)));
}

TemporaryFiles::TemporaryFiles(std::string folder, std::unique_ptr<rt::TemporaryFiles> files)
    : folder_(std::move(folder)), files_(std::move(files)) {
  sys::RemoveFileOnSignal(files_->lockPath());
}

TemporaryFiles::~TemporaryFiles() {
  std::string lock = files_->lockPath();
  files_.reset();
  for (const std::string &path : paths_)
    sys::DontRemoveFileOnSignal(path);
  sys::DontRemoveFileOnSignal(lock);
}

std::string TemporaryFiles::add() {
  std::string path = files_->add();
  sys::RemoveFileOnSignal(path);
  std::lock_guard<std::mutex> held(mutex_);
  paths_.push_back(path);
  return path;
}

rt::Result<PendingOutput> PendingOutput::create(StringRef output,
                                                std::shared_ptr<TemporaryFiles> shared) {
  PendingOutput pending;
  pending.output_ = output.str();
  sys::fs::file_status status;
  if (!sys::fs::status(output, status) && sys::fs::exists(status) &&
      !sys::fs::is_regular_file(status))
    return rt::failedPrecondition("cannot write '" + pending.output_ + "': it is no regular file");
  SLUICE_ASSIGN_OR_RETURN(pending.target_, rt::fileBehindLinks(pending.output_));
  std::string folder = rt::folderOf(pending.target_);
  if (!shared || shared->folder() != folder) {
    SLUICE_ASSIGN_OR_RETURN(shared, TemporaryFiles::in(folder, pending.output_));
  }
  pending.files_ = std::move(shared);
  pending.made_ = pending.files_->add();
  return pending;
}

rt::Result<rt::NewFile> PendingOutput::open(mode_t mode) const {
  return rt::NewFile::create(made_, mode, output_);
}

rt::Status PendingOutput::finish(rt::NewFile &file) const {
  SLUICE_RETURN_IF_ERROR(file.takeOverPermissions(target_));
  return file.close();
}

rt::Status PendingOutput::write(StringRef bytes) const {
  SLUICE_ASSIGN_OR_RETURN(rt::NewFile file, open(0666));
  SLUICE_RETURN_IF_ERROR(file.write(bytes));
  return finish(file);
}

rt::Status PendingOutput::removeOld() const {
  if (::unlink(target_.c_str()) == 0 || errno == ENOENT)
    return {};
  return rt::systemError(errno, "replace", output_);
}

rt::Status PendingOutput::moveIntoPlace() const {
  if (std::rename(made_.c_str(), target_.c_str()) == 0)
    return {};
  return rt::systemError(errno, "write", output_);
}

} // namespace sluice::emit
