// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Layouts of images, and attributes of windows.
#include "compiler/import/tensorflow/Images.h"

#include <limits>

using namespace mlir;

namespace sluice::import {

SmallVector<int64_t> ImageLayout::spatial(ArrayRef<int64_t> all) const {
  SmallVector<int64_t> found;
  for (auto [dim, number] : llvm::enumerate(all))
    if (dim != 0 && static_cast<int64_t>(dim) != channelDim())
      found.push_back(number);
  return found;
}

bool ImageLayout::hasOthers(ArrayRef<int64_t> all, int64_t value) const {
  return all[0] == value && all[static_cast<size_t>(channelDim())] == value;
}

Value ImageLayout::channelsLast(Expansion &e, Value images) const {
  if (!isChannelsFirst_)
    return images;
  SmallVector<int64_t> order{0};
  for (int64_t dim = 2; dim < rank_; ++dim)
    order.push_back(dim);
  order.push_back(1);
  return transposed(e, images, e.ints(order));
}

Value ImageLayout::asGiven(Expansion &e, Value channelsLast) const {
  if (!isChannelsFirst_)
    return channelsLast;
  SmallVector<int64_t> order{0, rank_ - 1};
  for (int64_t dim = 1; dim + 1 < rank_; ++dim)
    order.push_back(dim);
  return transposed(e, channelsLast, e.ints(order));
}

Value ImageLayout::dimsChannelsLast(Expansion &e, Value dims) const {
  if (!isChannelsFirst_)
    return dims;
  auto piece = [&](int64_t from, int64_t count) {
    return part(e, dims, e.int32(from), e.int32(count));
  };
  if (auto known = constantOf(dims); known && static_cast<int64_t>(known->size()) == rank_) {
    std::rotate(known->begin() + 1, known->begin() + 2, known->end());
    return e.ints(*known, e.elementOf(dims));
  }
  return joined(e, {piece(0, 1), piece(2, rank_ - 2), piece(1, 1)});
}

std::optional<ImageLayout> imageLayout(Expansion &e, StringRef channelsLast,
                                       StringRef channelsFirst) {
  std::string format = e.stringAttr("data_format");
  if (format == channelsLast || format == channelsFirst)
    return ImageLayout(format);
  e.unsupported("attribute 'data_format': " + quoted(format) + " is not supported");
  return std::nullopt;
}

bool addSpatial(Expansion &e, const ImageLayout &layout, StringRef name, ArrayRef<int64_t> all,
                StringRef ours, SmallVectorImpl<NamedAttribute> &attributes) {
  auto fails = [&](ExitCode code, const std::string &expected) {
    e.fail(code, "attribute " + quoted(name) + ": expected " + expected);
    return false;
  };
  if (static_cast<int64_t>(all.size()) != layout.rank())
    return fails(ExitCode::kBadGraph,
                 std::to_string(layout.rank()) + " numbers but got " + std::to_string(all.size()));
  for (int64_t number : all)
    if (number < 1 || number > std::numeric_limits<int32_t>::max())
      return fails(ExitCode::kBadGraph,
                   "numbers from 1 to 2147483647 but got " + std::to_string(number));
  if (!layout.hasOthers(all, 1))
    return fails(ExitCode::kUnsupported, "1 for images and channels");
  attributes.push_back(
      e.builder().getNamedAttr(ours, e.builder().getDenseI64ArrayAttr(layout.spatial(all))));
  return true;
}

bool addPadding(Expansion &e, const ImageLayout &layout,
                SmallVectorImpl<NamedAttribute> &attributes) {
  std::string padding = StringRef(e.stringAttr("padding")).lower();
  SmallVector<int64_t> pads;
  if (padding == "explicit") {
    SmallVector<int64_t> all = e.intsAttr("explicit_paddings");
    if (static_cast<int64_t>(all.size()) != 2 * layout.rank()) {
      e.fail(ExitCode::kBadGraph, "attribute 'explicit_paddings': expected " +
                                      std::to_string(2 * layout.rank()) + " numbers but got " +
                                      std::to_string(all.size()));
      return false;
    }
    for (int64_t dim = 0; dim < layout.rank(); ++dim) {
      ArrayRef<int64_t> pair = ArrayRef(all).slice(static_cast<size_t>(2 * dim), 2);
      bool isSpatial = dim != 0 && dim != layout.channelDim();
      if (llvm::any_of(pair, [&](int64_t pad) {
            return pad < 0 || pad > (isSpatial ? std::numeric_limits<int32_t>::max() : 0);
          })) {
        e.fail(ExitCode::kBadGraph, "attribute 'explicit_paddings': expected numbers from 0 "
                                    "to 2147483647, and 0 for images and channels");
        return false;
      }
      if (isSpatial)
        pads.append(pair.begin(), pair.end());
    }
  } else if (padding != "same" && padding != "valid") {
    e.unsupported("attribute 'padding': " + quoted(e.stringAttr("padding")) + " is not supported");
    return false;
  }
  attributes.push_back(e.text("padding", padding));
  attributes.push_back(e.builder().getNamedAttr("pads", e.builder().getDenseI64ArrayAttr(pads)));
  return true;
}

} // namespace sluice::import
