// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The random number that Linux draws at each start.
#include "runtime/io/machine_id.h"

#include "runtime/io/disk.h"

namespace sluice::rt {

std::string machineId() {
  HostDisk disk;
  Result<std::unique_ptr<ByteSource>> file = disk.open("/proc/sys/kernel/random/boot_id");
  char id[64];
  if (!file.ok())
    return {};
  Result<size_t> size = (*file)->read(id, sizeof id);
  std::string text(id, size.ok() ? *size : 0);
  return text.substr(0, text.find('\n'));
}

} // namespace sluice::rt
