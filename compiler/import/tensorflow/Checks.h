// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What an op asks of values that are known at run time only: assertions, for which its operands
// wait.
#pragma once

#include "compiler/import/tensorflow/SizeVectors.h"
#include "compiler/import/tensorflow/Texts.h"

namespace sluice::import {

class Checks {
public:
  explicit Checks(Expansion &e) : e_(e) {}

  // Every element of the condition has to hold. The data is shown if one does not. Of several
  // checks that fail, the first one is what the call ends with.
  void require(Value condition, llvm::StringRef text, Value data) {
    Expansion &e = e_;
    Value all =
        e.like<nd::ReduceAllOp>({flat(e, condition), e.ints({0})}, e.flag("keep_dims", false));
    llvm::SmallVector<Value> operands{all, import::text(e, text), data};
    operands.append(tokens_);
    auto check = e.make<state::AssertOp>(e.tokenType(), operands, e.number("summarize", 10));
    tokens_.push_back(check.getDone());
  }
  // The first dims of `x` are those of `prefix`.
  void requirePrefix(Value x, Value prefix, llvm::StringRef text) {
    Value dims = dimsOf(e_, prefix);
    Value first = part(e_, dimsOf(e_, checked(x)), e_.int32(0), rankOf(e_, prefix));
    require(e_.compare<nd::EqualOp>(first, dims), text, dims);
  }
  Value checked(Value value) { return e_.gated(value, tokens_); }

private:
  Expansion &e_;
  llvm::SmallVector<Value> tokens_;
};

} // namespace sluice::import
