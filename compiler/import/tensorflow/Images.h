// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How TensorFlow's ops on images say where channels are, and what windows do. Ours have channels
// last, so others are transposed before and behind.
#pragma once

#include "compiler/import/tensorflow/SizeVectors.h"

namespace sluice::import {

class ImageLayout {
public:
  // Of the attribute `data_format`, which may be such as "NCHW".
  explicit ImageLayout(llvm::StringRef format)
      : rank_(static_cast<int64_t>(format.size())), isChannelsFirst_(format[1] == 'C') {}
  ImageLayout(int64_t rank, bool isChannelsFirst)
      : rank_(rank), isChannelsFirst_(isChannelsFirst) {}

  int64_t rank() const { return rank_; }
  int64_t channelDim() const { return isChannelsFirst_ ? 1 : rank_ - 1; }
  // Of an attribute with an entry for each dim.
  llvm::SmallVector<int64_t> spatial(llvm::ArrayRef<int64_t> all) const;
  // Whether it has these values for what is not spatial.
  bool hasOthers(llvm::ArrayRef<int64_t> all, int64_t value) const;

  Value channelsLast(Expansion &e, Value images) const;
  Value asGiven(Expansion &e, Value channelsLast) const;
  // A vector of such dims.
  Value dimsChannelsLast(Expansion &e, Value dims) const;

private:
  int64_t rank_;
  bool isChannelsFirst_;
};

// The attribute `data_format`, or a diagnostic where it is not one of these two.
std::optional<ImageLayout> imageLayout(Expansion &e, llvm::StringRef channelsLast,
                                       llvm::StringRef channelsFirst);

// Adds the attributes `padding` and `pads` of our ops; false after a diagnostic.
bool addPadding(Expansion &e, const ImageLayout &layout,
                llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes);
// Adds a list of numbers, all from 1 to 2^31 - 1 and for spatial dims only, under our name; false
// after a diagnostic.
bool addSpatial(Expansion &e, const ImageLayout &layout, llvm::StringRef name,
                llvm::ArrayRef<int64_t> all, llvm::StringRef ours,
                llvm::SmallVectorImpl<mlir::NamedAttribute> &attributes);

} // namespace sluice::import
