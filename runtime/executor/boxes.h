// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The boxes of one firing of a codelet: tensors by number, on which its code runs kernels.
#pragma once

#include "runtime/codelet/boxes.h"
#include "runtime/executor/frame.h"
#include "runtime/executor/small_array.h"
#include "runtime/program/codelet.h"

#include <vector>

namespace sluice::rt {

class Boxes {
public:
  // `inputs` are the operands of the node, which are in the iteration's cells or constants.
  Boxes(const Codelet &codelet, const Node &node, Iteration &iteration,
        std::span<const Tensor *const> inputs)
      : codelet_(codelet), node_(node), iteration_(iteration), inputs_(inputs),
        values_(codelet.numBoxes) {}

  Tensor &operator[](size_t box) { return values_[box]; }
  bool hasFailed() const { return !failure_.ok(); }
  // Why a kernel has failed, or a value was not what it has to be, at a node.
  Status takeFailure(std::string_view node) { return std::move(failure_).atNode(node); }
  // Kernels with a float result that have run.
  uint64_t floatKernels() const { return floatKernels_; }

  bool put(size_t box, DType dtype, const Shape &shape, const void *data);
  void take(size_t box, size_t input, bool isLast);
  bool get(size_t box, DType dtype, const Shape &shape, void *data);
  void move(size_t from, size_t to, bool isLast);
  bool run(size_t position, uint64_t last);

private:
  bool fail(Status status);
  static Status makeOutputs(const CodeletCall &call, std::span<const Tensor *> inputs,
                            std::span<Tensor> held, std::span<Tensor> outputs);

  const Codelet &codelet_;
  const Node &node_;
  Iteration &iteration_;
  std::span<const Tensor *const> inputs_;
  std::vector<Tensor> values_;
  Status failure_;
  uint64_t floatKernels_ = 0;
};

} // namespace sluice::rt
