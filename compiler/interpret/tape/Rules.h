// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What each op does to derivatives, written down a second time: on arrays of numbers, with loops,
// and with nothing of what builds derivatives out of ops. It is to be obvious, not fast.
//
// A rule has the values that an op was given and has made, and what is known of its results; it
// finds what is known of its operands. `dialects/nd` and the phase differentiate have their own
// rules; each judges the other.
#pragma once

#include "compiler/interpret/KernelCall.h"
#include "compiler/interpret/tape/Numbers.h"

#include <span>

namespace sluice::interpret {

using Tensors = std::vector<rt::Tensor>;

// One op that has run.
struct Step {
  mlir::Operation *op;
  const KernelCall *kernel; // null where the op has none
  std::span<const rt::Tensor> inputs, outputs;
  std::vector<Numbers> ofOutputs; // zeros where nothing depends on them; empty of what is not
                                  // continuous
  std::vector<bool> wanted;       // by input
  std::vector<Numbers> ofInputs;  // to be found where they are wanted

  bool flag(llvm::StringRef name) const {
    auto attribute = op->getAttrOfType<mlir::BoolAttr>(name);
    return attribute && attribute.getValue();
  }
  // The op once more, with other inputs.
  rt::Result<Tensors> run(const Tensors &others) const;
};

using Rule = rt::Status (*)(Step &);

// Null where there is none; by the op's name, or the name that it is known as.
Rule findRule(llvm::StringRef name);
// Whether the result is constant wherever it has a derivative.
bool isStep(llvm::StringRef name);

// The files that rules stand in; null if it is not there.
Rule findElementwiseRule(llvm::StringRef name);
Rule findReductionRule(llvm::StringRef name);
Rule findMovingRule(llvm::StringRef name);
Rule findNamedRule(llvm::StringRef name);
Rule findMatmulRule(llvm::StringRef name);

// Of an element of `of`, by its place in a row, the place in `other`, which broadcasts to `of`.
int64_t placeInOperand(int64_t place, const rt::Shape &of, const rt::Shape &other);

} // namespace sluice::interpret
