// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Values that variables have when a program starts.
#pragma once

#include "compiler/import/Diagnostic.h"

#include "mlir/IR/BuiltinAttributeInterfaces.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringRef.h"

namespace sluice::import {

// A source of them, such as a checkpoint. It is asked only for variables that a program has, so
// that nothing else is read.
class InitialValues {
public:
  virtual ~InitialValues() = default;

  // The value of the variable of this key, which `type` allows; null if there is none, or after a
  // diagnostic. `place` is that of the variable's node.
  virtual mlir::ElementsAttr valueOf(llvm::StringRef key, mlir::TensorType type, const Place &place,
                                     DiagnosticList &diagnostics) = 0;
  // After the last question: warns of what looks like a mistake.
  virtual void finish(DiagnosticList &diagnostics) = 0;
};

} // namespace sluice::import
