// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One firing of a compiled codelet; when a guard in its code does not hold, of its members'
// kernels.
#pragma once

#include "runtime/executor/boxes.h"
#include "runtime/executor/compiled_firing.h"
#include "runtime/state/list.h"

#include <array>
#include <optional>
#include <vector>

namespace sluice::rt {

class CodeletFiring final : public CompiledFiring {
public:
  using CompiledFiring::CompiledFiring;

  // Finds the sizes of the outputs and makes them.
  Status prepare();
  Status run() override;

private:
  class Operands;

  Status compute();
  Status guardInlineInputs();
  Status placeOutput(size_t index, const Shape &shape, size_t bytes);
  Status lendLists();
  Result<Ref<List>> listFor(const SluiceCell &cell);
  Shape rowOf(const SluiceCell &cell);
  void takeLists();
  void takeBoxes();

  std::vector<Tensor> guarded_; // copies of inputs, where buffers are guarded
  std::vector<Ref<List>> cells_;
  std::vector<SluiceList> lists_; // what the code sees of them
  std::vector<std::array<int64_t, kSluiceMaxRank>> rowDims_;
  std::optional<Boxes> boxes_;
};

// Runs the members' kernels one after the other. On a failure the status names the member.
Status runMembers(const Codelet &codelet, std::span<const Tensor *const> inputs,
                  std::span<Tensor> outputs, CodeletCounts &counts);

} // namespace sluice::rt
