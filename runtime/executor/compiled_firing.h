// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What firings of codelets have in common, wherever their values lie: the call as the code takes
// it, the sizes of results, and results that take over an operand's memory.
#pragma once

#include "runtime/executor/firing.h"

#include <array>

namespace sluice::rt {

class CompiledFiring : public Firing {
public:
  CompiledFiring(const Node &node, Iteration &iteration, const Cancellation &cancellation);
  const CodeletCounts *counts() const override { return &counts_; }

protected:
  // Calls `place(output, shape)` for each output that the code writes, with its shape, which it
  // finds out where it is not known. Where a guard does not hold, `bailed_` says so.
  template <typename Place> Status placeOutputs(Place place) {
    SLUICE_RETURN_IF_ERROR(findSizes());
    for (size_t i = 0; !bailed_ && i < codelet_.outputs.size(); ++i) {
      const CodeletOutput &output = codelet_.outputs[i];
      if (output.dtype == DType::kHandle || output.box != CodeletOutput::kNoBox)
        continue; // in a cell or box
      SLUICE_RETURN_IF_ERROR(place(i, codelet_.code->sizes ? foundShape(i) : output.shape));
      outputRefs_[i] = {outputs_[i].raw(),
                        const_cast<int64_t *>(outputs_[i].shape().dims().data())};
    }
    return okStatus();
  }
  // Moves an operand of the output's shape and type, in memory of the same kind, into its place, if
  // the code allows it.
  bool reuseInput(size_t output, const Shape &shape);
  // Of an operand of a card that nobody else holds.
  virtual bool canBeOverwritten(const Tensor &) const { return true; }

  const Codelet &codelet_;
  SmallArray<SluiceTensorRef, 8> inputRefs_;
  SmallArray<SluiceOutputRef, 2> outputRefs_;
  SluiceCodeletCall call_{};
  CodeletCounts counts_;
  bool bailed_ = false;

private:
  Status findSizes();
  Shape foundShape(size_t output) {
    auto rank = static_cast<size_t>(codelet_.outputs[output].shape.rank());
    return Shape(std::span(dims_[output].data(), rank));
  }

  SmallArray<std::array<int64_t, kSluiceMaxRank>, 2> dims_; // written by `sizes`
};

// What the code has said by a status that is neither kSluiceOk nor kSluiceBail.
Status codeletError(const Codelet &codelet, int32_t status, uint32_t failedMember);

} // namespace sluice::rt
