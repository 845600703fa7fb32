// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One firing of a node whose work a worker may do: operands from cells and constants, and results.
#pragma once

#include "runtime/base/cancellation.h"
#include "runtime/executor/frame.h"
#include "runtime/executor/small_array.h"
#include "runtime/workers/workers.h"

namespace sluice::rt {

// What a firing of a codelet adds to the figures of a call.
struct CodeletCounts {
  uint64_t floatOps = 0; // executed in compiled code
  uint64_t bails = 0;
  uint64_t floatKernels = 0; // executed instead, one by one
};

class Firing : public Work {
public:
  // Takes references to the operands in the iteration's cells; they stay there until
  // `releaseInputs`.
  Firing(const Node &node, Iteration &iteration, const Cancellation &cancellation)
      : node_(node), iteration_(iteration), cancellation_(cancellation),
        inputs_(node.inputs.size()), outputs_(node.outputTypes.size()) {
    for (size_t i = 0; i < node.inputs.size(); ++i) {
      const Input &input = node.inputs[i];
      inputs_[i] = input.constant ? input.constant : &iteration.slots[input.slot];
    }
  }

  const Node &node() const { return node_; }
  Iteration &iteration() const { return iteration_; }
  // Before the outputs are delivered: consumers may then be the only holders of what they get.
  void releaseInputs() {
    for (const Input &input : node_.inputs)
      if (!input.constant)
        iteration_.slots[input.slot].reset();
  }
  std::span<Tensor> outputs() { return outputs_.span(); }
  // Whether it waits for what another firing brings, and for no worker.
  virtual bool isParked() const { return false; }
  // Null but for codelets.
  virtual const CodeletCounts *counts() const { return nullptr; }

protected:
  const Node &node_;
  Iteration &iteration_;
  const Cancellation &cancellation_;
  SmallArray<const Tensor *, 8> inputs_;
  SmallArray<Tensor, 2> outputs_;
};

} // namespace sluice::rt
