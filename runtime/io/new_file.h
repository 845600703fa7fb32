// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file that is written from the beginning to the end, and then takes the place of another one.
#pragma once

#include "runtime/base/status.h"
#include "runtime/io/descriptor.h"

#include <string>
#include <string_view>
#include <sys/types.h>

namespace sluice::rt {

class NewFile {
public:
  // There must be no such file. The umask takes permissions from `mode`. Messages call the file by
  // the name that its user knows.
  static Result<NewFile> create(const std::string &path, mode_t mode, std::string name);

  Status write(std::string_view bytes);
  // Those of the file that will be replaced, if it is there. Who may read that one may execute the
  // new one, if it is executable.
  Status takeOverPermissions(const std::string &replaced);
  // What was written so far begins to go to the disk, if the system can do that.
  void startSync();
  // Returns when the disk holds all that was written.
  Status sync();
  Status close();

private:
  NewFile(Descriptor descriptor, std::string name)
      : descriptor_(std::move(descriptor)), name_(std::move(name)) {}

  Descriptor descriptor_;
  std::string name_;
};

// The folder that a file is in.
std::string folderOf(const std::string &path);

// Where an output of this name goes. A symbolic link stays, and what it points to is replaced, or
// made if it is not there yet, as if the file had been opened for writing.
Result<std::string> fileBehindLinks(const std::string &path);

// The same text for two paths exactly if what is written to one of them replaces what is written to
// the other. Folders need not be there yet.
std::string fileIdentity(const std::string &path);

} // namespace sluice::rt
