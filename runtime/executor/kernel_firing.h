// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One firing of a kernel: operands gathered from cells and constants, outputs sized and allocated.
#pragma once

#include "runtime/executor/firing.h"

namespace sluice::rt {

class KernelFiring final : public Firing {
public:
  KernelFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation,
               Environment *environment)
      : Firing(node, iteration, cancellation), environment_(environment) {}

  // Runs the shape rule and makes the outputs.
  Status prepare();
  uint64_t work();
  Status run() override;

private:
  bool shapesAgree();
  bool reuseInput(const Shape &shape);

  Environment *environment_;
};

} // namespace sluice::rt
