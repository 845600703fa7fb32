// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Optimizers, as users name them and as TensorFlow's ops apply them.
#pragma once

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace sluice::import {

// A number that a user may set: which input of the op it is, or another number's. Units are those
// of the op. A flag is 0 or 1, and an attribute of the op.
struct OptimizerNumber {
  llvm::StringLiteral name;
  double value; // unless somebody says another one
  llvm::StringLiteral input;
  bool isFlag = false;
};

// A variable that goes with each one that is trained, and what it holds at first: a number, or the
// value of one of the optimizer's.
struct OptimizerSlot {
  llvm::StringLiteral suffix;
  double initial = 0;
  llvm::StringLiteral initialName = "";
};

struct OptimizerRule {
  llvm::StringLiteral name;
  llvm::StringLiteral op; // "Adam" of "ApplyAdam" and "ResourceApplyAdam"
  bool onlyResources;     // there is no op for variables by reference
  llvm::ArrayRef<OptimizerSlot> slots;
  llvm::ArrayRef<OptimizerNumber> numbers;
};

llvm::ArrayRef<OptimizerRule> optimizerRules();

struct Optimizer {
  const OptimizerRule *rule;
  llvm::StringMap<double> numbers; // all of them, by name
};

// "adam", "adam(lr=1e-3, beta1=0.8)". Nothing, and the problem as text, when it is none.
std::optional<Optimizer> parseOptimizer(llvm::StringRef text, std::string &problem);

} // namespace sluice::import
