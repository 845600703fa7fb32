// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One firing of a compiled codelet; when a guard in its code does not hold, of its members'
// kernels.
#pragma once

#include "runtime/executor/boxes.h"
#include "runtime/executor/firing.h"
#include "runtime/state/list.h"

#include <array>
#include <optional>
#include <vector>

namespace sluice::rt {

class CodeletFiring final : public Firing {
public:
  CodeletFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation);

  // Finds the sizes of the outputs and makes them.
  Status prepare();
  Status run() override;
  const CodeletCounts *counts() const override { return &counts_; }

private:
  class Operands;

  Status compute();
  Status guardInlineInputs();
  Status computeSizes();
  Status placeOutput(size_t index, const Shape &shape, size_t bytes);
  bool reuseInput(size_t output, const Shape &shape);
  Status lendLists();
  Result<Ref<List>> listFor(const SluiceCell &cell);
  void takeLists();
  void takeBoxes();

  const Codelet &codelet_;
  SmallArray<SluiceTensorRef, 8> inputRefs_;
  SmallArray<SluiceOutputRef, 2> outputRefs_;
  SmallArray<std::array<int64_t, kSluiceMaxRank>, 2> dims_; // written by `sizes`
  std::vector<Tensor> guarded_; // copies of inputs, where buffers are guarded
  std::vector<Ref<List>> cells_;
  std::vector<SluiceList> lists_; // what the code sees of them
  std::vector<std::array<int64_t, kSluiceMaxRank>> rowDims_;
  std::optional<Boxes> boxes_;
  SluiceCodeletCall call_{};
  CodeletCounts counts_;
  bool bailed_ = false;
};

// Runs the members' kernels one after the other. On a failure the status names the member.
Status runMembers(const Codelet &codelet, std::span<const Tensor *const> inputs,
                  std::span<Tensor> outputs, CodeletCounts &counts);

// What the code has said by a status that is neither kSluiceOk nor kSluiceBail.
Status codeletError(const Codelet &codelet, int32_t status, uint32_t failedMember);

} // namespace sluice::rt
