// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All bytes of a shard before its directory, each compared with its checksum.
//
// They are read from front to back, for which systems are made, and not looked at through a
// mapping, so that a sector that cannot be read is an error and not a signal. A second thread takes
// checksums meanwhile.
#pragma once

#include "runtime/checkpoint/shard_directory.h"
#include "runtime/io/file_system.h"

#include <functional>
#include <string>

namespace sluice::rt {

// Gives each block once it was checked: its bytes, where they are in the file, how many. In their
// order, from one thread, not always the caller's. DATA_LOSS for a block that is not as it was
// written.
Status readShardBlocks(InputFile &file, const std::string &path, const ShardDirectory &directory,
                       const std::function<void(const char *, uint64_t, size_t)> &see);

} // namespace sluice::rt
