// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives are where what they are derivatives of is.
//
// Files ask for devices node by node, and derivatives have no nodes. What is built for an op has
// its location, so what is new and asks for nothing asks for what that op did. Tapes see to
// themselves (RegionMirror.cpp), and other lists are where they are used.
#pragma once

#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/DenseMap.h"

namespace sluice::differentiate {

class HandOnDevices {
public:
  // Before anything is built: from now on, ops are new.
  explicit HandOnDevices(mlir::ModuleOp module);
  // To all that is new. To be called once, unless building failed.
  void finish();

private:
  struct Wish {
    mlir::Attribute requested, colocate; // null: none
  };

  mlir::ModuleOp module_;
  llvm::DenseMap<mlir::Location, Wish> wishes_;
};

} // namespace sluice::differentiate
