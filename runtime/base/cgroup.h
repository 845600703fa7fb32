// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the control groups of Linux, and so containers, leave to this process.
#pragma once

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::rt {

// Nothing where no group says anything.
struct CgroupLimits {
  std::optional<int64_t> processors; // time on so many, rounded up; at least 1
  std::optional<uint64_t> memory;    // bytes
};

// The smallest of the process's groups and all around them, in both versions of control groups.
// `root` is the folder that "proc" and "sys" lie in. What cannot be read or understood is no limit.
CgroupLimits readCgroupLimits(const std::string &root = "");

// The same of the machine's own folders, as they were when this was first asked: reading them takes
// longer than a call of a small program.
const CgroupLimits &processCgroupLimits();

// Of that much memory, what --memory-limit would have to be: code, stacks, and what the kernel and
// libraries keep for the process need the rest.
uint64_t memoryLimitWithin(uint64_t memory);

} // namespace sluice::rt
