// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// HostDisk: folders.
#include "runtime/io/disk.h"
#include "runtime/io/file_system.h"
#include "runtime/io/new_file.h"

#include <cerrno>
#include <sys/stat.h>

namespace sluice::rt {

Result<std::vector<std::string>> HostDisk::list(const std::string &folder) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<FolderEntry> entries, HostFileSystem().list(folder));
  std::vector<std::string> names;
  for (FolderEntry &entry : entries)
    names.push_back(std::move(entry.name));
  return names;
}

bool HostDisk::exists(const std::string &path) {
  struct stat info;
  return path.find('\0') == std::string::npos && ::stat(path.c_str(), &info) == 0;
}

// What is wrong with a name shows when the file is written.
Status HostDisk::makeFoldersOf(const std::string &path) {
  const std::string folder = folderOf(path);
  if (exists(folder))
    return okStatus();
  if (folder != path)
    SLUICE_RETURN_IF_ERROR(makeFoldersOf(folder));
  if (::mkdir(folder.c_str(), 0777) != 0 && errno != EEXIST)
    return systemError(errno, "make the folder", folder);
  return okStatus();
}

} // namespace sluice::rt
