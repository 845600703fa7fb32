// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops of random numbers share, wherever their streams begin.
#pragma once

#include "compiler/import/tensorflow/SizeVectors.h"

#include "dialects/sci/Sci.h"

namespace sluice::import {

inline Value streamOf(Expansion &e, ValueRange keyCounterAlgorithm) {
  return e.tensor<sci::RandomStreamOp>(e.builder().getI64Type(), keyCounterAlgorithm);
}

// Counts and probabilities broadcast.
inline Value binomial(Expansion &e, Value position, Value shape, Value counts, Value probs) {
  Value dims = e.tensor<nd::BroadcastArgsOp>(e.builder().getI32Type(),
                                             {dimsOf(e, counts), dimsOf(e, probs)});
  return e.tensor<sci::RandomBinomialOp>(
      e.resultElement(0), {position, shape, e.like<nd::BroadcastToOp>({counts, dims}),
                           e.like<nd::BroadcastToOp>({probs, dims})});
}

} // namespace sluice::import
