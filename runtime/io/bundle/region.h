// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of tensors: a variable that was cut into several is stored as one tensor of several
// regions, and a region of it may be asked for.
#pragma once

#include "runtime/base/dtype.h"
#include "runtime/base/status.h"

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace sluice::rt {

// A range of indices along each dim, as files and ops have it: a size of -1 is all of the dim.
struct TensorSlice {
  std::vector<int64_t> starts, sizes;

  static TensorSlice whole(size_t rank) {
    return {std::vector<int64_t>(rank, 0), std::vector<int64_t>(rank, -1)};
  }
  bool operator==(const TensorSlice &) const = default;
};

// The same within a tensor whose dims are known.
struct Region {
  std::vector<int64_t> starts, sizes;

  static Region whole(std::span<const int64_t> shape);
  // Nothing when it does not lie within a tensor of the shape.
  static std::optional<Region> of(const TensorSlice &slice, std::span<const int64_t> shape);
  int64_t elements() const;
  // What both have; no elements if there is nothing.
  Region intersection(const Region &other) const;
  bool operator==(const Region &) const = default;
};

// A part as ops write it: the shape of the whole, then a range along each dim: "10 4 0,5:-".
struct PartOfTensor {
  std::vector<int64_t> shape;
  TensorSlice slice;
  Region region;
};
// INVALID_ARGUMENT when the text is something else; INTERNAL, as in TensorFlow, when the ranges are
// not as many as the dims or go beyond them.
Result<PartOfTensor> parsePart(std::string_view text);
// "0,5:-", for messages.
std::string textOf(const Region &region, std::span<const int64_t> shape);

// Copies what two regions share, from the elements of one to those of the other; both are elements
// of a tensor of this type.
void copyShared(const Region &from, const void *elements, const Region &to, void *target,
                DType dtype);

// Under which key the elements of a region of the tensor `name` are stored.
std::string keyOfSlice(std::string_view name, const TensorSlice &slice);

} // namespace sluice::rt
