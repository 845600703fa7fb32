// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A runner that can record what happens when: those that execute programs, not the interpreter.
#pragma once

#include "runtime/api/runner.h"

namespace sluice::rt {

class RecordingRunner : public Runner {
public:
  // From the next `setOptions` on, at most so many events of each rank.
  virtual void record(uint64_t limit) = 0;
  // Afterwards no other rank waits for this one, and nothing runs here any more.
  virtual void leave() {}
  // What was recorded, as the text of a trace file. Only after `leave`.
  virtual std::string trace() const = 0;
  // Events beyond the limit.
  virtual uint64_t lostEvents() const = 0;
};

} // namespace sluice::rt
