// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From the objects of a rank to its shard.
#pragma once

#include "runtime/checkpoint/shard_record.h"
#include "runtime/io/file_system.h"
#include "runtime/state/lasting_object.h"

#include <span>

namespace sluice::rt {

// Writes all of the file and syncs it. UNIMPLEMENTED, with the name of the object, for what cannot
// be saved.
Result<ShardRecord> saveShard(OutputFile &file, uint64_t step, uint32_t rank,
                              std::span<const LastingResource> state);

} // namespace sluice::rt
