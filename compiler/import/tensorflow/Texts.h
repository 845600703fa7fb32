// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constant strings.
#pragma once

#include "compiler/import/tensorflow/Expansion.h"

namespace sluice::import {

inline mlir::RankedTensorType textsType(Expansion &e, llvm::ArrayRef<int64_t> shape) {
  return mlir::RankedTensorType::get(shape, nd::StringType::get(e.builder().getContext()));
}

inline Value text(Expansion &e, llvm::StringRef value) {
  mlir::RankedTensorType type = textsType(e, {});
  return nd::ConstantOp::create(e.builder(), e.loc(), type,
                                mlir::DenseStringElementsAttr::get(type, value));
}

// A vector.
inline Value texts(Expansion &e, llvm::ArrayRef<llvm::StringRef> values) {
  mlir::RankedTensorType type = textsType(e, {static_cast<int64_t>(values.size())});
  return nd::ConstantOp::create(e.builder(), e.loc(), type,
                                mlir::DenseStringElementsAttr::get(type, values));
}

} // namespace sluice::import
