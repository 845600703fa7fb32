// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Greatest elements of windows whose sizes are known only when the graph runs.
//
// One dim after the other: the elements of each window become a dim of their own, which is reduced.
#pragma once

#include "compiler/import/tensorflow/SizeVectors.h"

namespace sluice::import {

class FedPool {
public:
  // Both are vectors with a number for each dim of the images, in the images' order. What
  // TensorFlow refuses is refused when the graph runs, and the images wait for that.
  FedPool(Expansion &e, Value images, Value windows, Value strides, int64_t channelDim,
          bool isSame);

  Value images() const { return images_; }
  Value greatest();
  // For each greatest element the row-major place of the first one in its window that is as large.
  Value places();

private:
  Value inWindows(Value elements, int64_t dim, Value rows);
  Value rowsOf(int64_t dim);

  Expansion &e_;
  Value images_, windows_, strides_;
  bool isSame_;
};

} // namespace sluice::import
