// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of tensors: a variable that was cut into several is stored as one tensor of several
// regions, and a region of it may be asked for.
#pragma once

#include "compiler/import/model.pb.h"

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringRef.h"

#include <cstdint>
#include <optional>
#include <string>

namespace sluice::import {

// A range of indices along each dim.
struct Region {
  llvm::SmallVector<int64_t, 4> starts, sizes;

  static Region whole(llvm::ArrayRef<int64_t> shape);
  // Nothing when it does not lie within a tensor of the shape.
  static std::optional<Region> of(const graphdef::TensorSlice &slice,
                                  llvm::ArrayRef<int64_t> shape);
  int64_t elements() const;
  // What both have; no elements if there is nothing.
  Region intersection(const Region &other) const;
};

// A part as restoring ops write it: the shape of the whole, then a range along each dim:
// "10 4 0,5:-". Nothing when the text is something else or the range lies outside.
struct PartOfTensor {
  llvm::SmallVector<int64_t, 4> shape;
  Region region;
};
std::optional<PartOfTensor> parsePart(llvm::StringRef text);

// Copies what two regions share, from the elements of one to those of the other.
void copyShared(const Region &from, llvm::StringRef elements, const Region &to, char *target,
                size_t elementBytes);

// Under which key the elements of a region of the tensor `name` are stored.
std::string keyOfRegion(llvm::StringRef name, const graphdef::TensorSlice &slice);

} // namespace sluice::import
