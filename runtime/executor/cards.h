// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the executor asks of its rank's cards. Who opens cards makes it (open_cards.h), and nobody
// else names what is behind it, so that programs without cards carry none of that.
#pragma once

#include "runtime/api/runner.h"
#include "runtime/executor/frame.h"
#include "runtime/state/variable.h"
#include "runtime/workers/workers.h"

namespace sluice::rt {

class TokenMachine;

class Cards {
public:
  virtual ~Cards() = default;
  virtual size_t count() const = 0;
  // For variables that live there.
  virtual VariableMemory &memory(MemoryNumber number) = 0;
  // Of the host, as `Card` has it.
  virtual Tensor tryAllocatePinned(MemoryNumber number, DType dtype, const Shape &shape) = 0;
  virtual void addFigures(Stats &stats) const = 0;

  // A codelet for a card. Whether it has ended well; else it has failed, or ends later.
  virtual bool fireCodelet(TokenMachine &machine, const Node &node, Iteration &iteration) = 0;
  // To or from a card; settles the iteration, at once or later.
  virtual void fireCopy(TokenMachine &machine, const Node &node, Iteration &iteration) = 0;
  // Whether the work goes on elsewhere.
  virtual bool goOn(TokenMachine &machine, Completion &completion) = 0;
};

} // namespace sluice::rt
