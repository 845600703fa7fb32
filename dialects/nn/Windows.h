// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What ops on windows share: checks of their attributes, and the attributes as a derivative takes
// them.
#pragma once

#include "dialects/interfaces/Gradient.h"

namespace sluice::nn {

// An error unless there are one to three windows or strides, each of these has its stride or
// dilation, and pads come if and only if they are explicit. The numbers of constraints are those of
// both families.
mlir::LogicalResult verifyWindows(mlir::Operation *op, llvm::StringRef firstName,
                                  llvm::ArrayRef<int64_t> first, llvm::StringRef secondName,
                                  llvm::ArrayRef<int64_t> second, llvm::StringRef padding,
                                  llvm::ArrayRef<int64_t> pads);

// Those that the definition of the op names.
llvm::SmallVector<mlir::NamedAttribute> windowAttributes(mlir::Operation *op);

} // namespace sluice::nn
