// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of somebody who writes in a folder, until they are complete and get their names.
//
// A writer that is killed cannot remove its files, so the next writer in the folder does, and must
// not touch those of writers that live. Process ids do not tell: in containers they are all the
// same, and other hosts may use the folder. Each writer therefore has a file that it holds locked:
//
//   .sluice-<machine>-<random>.tmp     the lock; empty
//   .sluice-<machine>-<random>.tmp.0   the writer's files, which are there only while the lock is
//
// Who gets another one's lock knows that its owner is dead. This is certain only if both run on one
// system since the same start, the machine in the name: some file systems keep the locks of each
// host to themselves, some have none. There, files must also have been left alone for a day.
#pragma once

#include "runtime/base/status.h"
#include "runtime/io/descriptor.h"

#include <memory>
#include <mutex>
#include <string>
#include <vector>

namespace sluice::rt {

class TemporaryFiles {
public:
  // Removes what dead writers have left in the folder first: it may be what fills the disk.
  // `output` is what the files are made for, for messages.
  static Result<std::unique_ptr<TemporaryFiles>> in(const std::string &folder,
                                                    const std::string &output);
  // Removes the files that are still there.
  ~TemporaryFiles();
  TemporaryFiles(const TemporaryFiles &) = delete;

  // The path of a file that nobody else uses. From any thread.
  std::string add();
  const std::string &lockPath() const { return lockPath_; }

private:
  TemporaryFiles() = default;
  // False if the file that was made is not ours any more.
  Result<bool> lock(const std::string &folder, const std::string &machine,
                    const std::string &output);

  std::string lockPath_;
  Descriptor lock_;
  std::mutex mutex_; // of what follows
  std::vector<std::string> paths_;
};

} // namespace sluice::rt
