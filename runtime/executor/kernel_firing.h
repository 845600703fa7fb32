// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One firing of a kernel: operands gathered from cells and constants, outputs sized and allocated.
#pragma once

#include "runtime/executor/firing.h"
#include "runtime/kernels/environment.h"

#include <optional>

namespace sluice::rt {

class KernelFiring final : public Firing {
public:
  // A stateful kernel needs an environment, which is copied.
  KernelFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation,
               const Environment *environment)
      : Firing(node, iteration, cancellation) {
    if (environment)
      environment_ = *environment;
  }

  // Runs the shape rule and makes the outputs.
  Status prepare();
  uint64_t work();
  Status run() override;

private:
  bool shapesAgree();
  Status runKernel();
  Status runWithCard();
  bool reuseInput(const Shape &shape);

  std::optional<Environment> environment_;
};

} // namespace sluice::rt
