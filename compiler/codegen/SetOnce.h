// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements that may be set once only, and read once only, as those of TensorFlow 1's arrays: where
// it is known that nobody does so twice, an array needs not know which elements are set.
#pragma once

#include "compiler/codegen/ListStrands.h"

namespace sluice::codegen {

class SetOnce {
public:
  using StrandOf = llvm::function_ref<const Strand *(mlir::Value list)>;
  // `count`: of elements, if that is known, else below 0.
  SetOnce(const Strand &strand, int64_t count, StrandOf strandOf)
      : strand_(strand), count_(count), strandOf_(strandOf) {}

  // Whether each iteration of a loop sets another element of a list that was made for it.
  bool holds(list::SetOp set) const;
  // Whether all elements are set to rows, which were empty or zeros.
  bool setsAll(list::ScatterOp scatter) const;
  // Whether each iteration of a loop reads another element, and nobody a cleared one. All elements
  // are set if the loop begins with what `setsAll`; it says so.
  bool holds(list::GetOp get, bool &allAreSet) const;
  // Whether all elements are read, and no cleared one afterwards.
  bool takesAll(list::GatherOp gather) const;

private:
  bool haveOneLength() const; // all lists of the strand
  bool areAll(mlir::Value indices) const;
  bool isPopOfCounter(mlir::Value index, flow::WhileOp loop, bool isSetThere) const;

  const Strand &strand_;
  int64_t count_;
  StrandOf strandOf_;
};

} // namespace sluice::codegen
