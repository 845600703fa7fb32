// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a shard to the contents of a rank's objects.
#pragma once

#include "runtime/checkpoint/shard_record.h"
#include "runtime/io/file_system.h"
#include "runtime/state/lasting_object.h"

#include <span>
#include <vector>

namespace sluice::rt {

// By object. Every byte of the file has been compared with its checksum; large tensors are the
// file's own pages. DATA_LOSS if the file is not the one of the record, FAILED_PRECONDITION if it
// has other objects.
Result<std::vector<std::vector<NamedTensor>>> loadShard(FileSystem &files, const std::string &path,
                                                        const ShardRecord &record, uint64_t step,
                                                        uint32_t rank,
                                                        std::span<const LastingResource> state);

} // namespace sluice::rt
