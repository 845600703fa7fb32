// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a checkpoint may have at most, and what a message says of who allows more.
#pragma once

#include "runtime/base/limits.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <string>

namespace sluice::rt {

struct CheckpointLimits {
  struct Row {
    uint64_t most;
    std::string remedy; // "; see --limit …", or nothing
    bool allows(uint64_t amount) const { return amount <= most; }
    // RESOURCE_EXHAUSTED: "expected at most 100 entries but got 101".
    Status excess(const std::string &things, uint64_t amount) const {
      return resourceExhausted("expected at most " + std::to_string(most) + " " + things +
                               " but got " + std::to_string(amount) + remedy);
    }
  };
  Row indexBytes;  // of the index file
  Row entries;     // tensors, and parts of tensors
  Row nameBytes;   // of one name
  Row grownBytes;  // that names have beyond those in the file, as neighbours share their beginnings
  Row tensorBytes; // of one tensor
  Row tableBytes;  // of a file of the first format

  // Those of a program's own table.
  static CheckpointLimits of(const Limits &limits = Limits());
};

} // namespace sluice::rt
