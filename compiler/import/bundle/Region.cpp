// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of tensors, their texts and their keys.
#include "compiler/import/bundle/Region.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

#include <cstring>

namespace sluice::import {

using llvm::ArrayRef;
using llvm::StringRef;

Region Region::whole(ArrayRef<int64_t> shape) {
  Region region;
  region.starts.assign(shape.size(), 0);
  region.sizes.assign(shape.begin(), shape.end());
  return region;
}

// Adds a range of one dim, unless it goes beyond it.
static bool addRange(Region &region, int64_t start, int64_t size, int64_t dim) {
  if (start < 0 || size < 0 || start > dim || size > dim - start)
    return false;
  region.starts.push_back(start);
  region.sizes.push_back(size);
  return true;
}

std::optional<Region> Region::of(const graphdef::TensorSlice &slice, ArrayRef<int64_t> shape) {
  if (static_cast<size_t>(slice.extent_size()) != shape.size())
    return std::nullopt;
  Region region;
  for (auto [extent, dim] : llvm::zip_equal(slice.extent(), shape)) {
    bool isWhole = extent.has_length_case() == graphdef::TensorSlice::Extent::HAS_LENGTH_NOT_SET;
    if (!addRange(region, extent.start(), isWhole ? dim : extent.length(), dim))
      return std::nullopt;
  }
  return region;
}

int64_t Region::elements() const {
  int64_t count = 1;
  for (int64_t size : sizes)
    count *= size;
  return count;
}

Region Region::intersection(const Region &other) const {
  Region shared;
  for (size_t i = 0; i < starts.size(); ++i) {
    int64_t start = std::max(starts[i], other.starts[i]);
    int64_t end = std::min(starts[i] + sizes[i], other.starts[i] + other.sizes[i]);
    shared.starts.push_back(start);
    shared.sizes.push_back(std::max<int64_t>(0, end - start));
  }
  return shared;
}

std::optional<PartOfTensor> parsePart(StringRef text) {
  llvm::SmallVector<StringRef> words;
  text.split(words, ' ', -1, /*KeepEmpty=*/false);
  if (words.empty())
    return std::nullopt;
  PartOfTensor part;
  int64_t elements = 1;
  for (StringRef word : llvm::ArrayRef(words).drop_back()) {
    int64_t dim;
    if (word.getAsInteger(10, dim) || dim < 0 || __builtin_mul_overflow(elements, dim, &elements))
      return std::nullopt;
    part.shape.push_back(dim);
  }
  llvm::SmallVector<StringRef> ranges;
  words.back().split(ranges, ':');
  if (ranges.size() != part.shape.size())
    return std::nullopt;
  for (auto [range, dim] : llvm::zip_equal(ranges, part.shape)) {
    auto [start, size] = range.split(',');
    int64_t first = 0, count = dim;
    if (range != "-" && (start.getAsInteger(10, first) || size.getAsInteger(10, count)))
      return std::nullopt;
    if (!addRange(part.region, first, count, dim))
      return std::nullopt;
  }
  return part;
}

// Position of an index in the elements of a region.
static int64_t positionOf(ArrayRef<int64_t> index, const Region &region) {
  int64_t position = 0;
  for (size_t i = 0; i < index.size(); ++i)
    position = position * region.sizes[i] + (index[i] - region.starts[i]);
  return position;
}

void copyShared(const Region &from, StringRef elements, const Region &to, char *target,
                size_t elementBytes) {
  Region shared = from.intersection(to);
  if (shared.elements() == 0)
    return;
  // Along the last dim elements are neighbours on both sides.
  size_t rank = shared.sizes.size();
  int64_t run = rank ? shared.sizes.back() : 1;
  llvm::SmallVector<int64_t, 4> index(shared.starts);
  for (;;) {
    std::memcpy(target + static_cast<size_t>(positionOf(index, to)) * elementBytes,
                elements.data() + static_cast<size_t>(positionOf(index, from)) * elementBytes,
                static_cast<size_t>(run) * elementBytes);
    size_t dim = rank ? rank - 1 : 0;
    while (dim > 0 && ++index[dim - 1] == shared.starts[dim - 1] + shared.sizes[dim - 1]) {
      index[dim - 1] = shared.starts[dim - 1];
      --dim;
    }
    if (dim == 0)
      return;
  }
}

// ---- Keys. Numbers and texts are written such that keys sort as they do. ------------------------

// Its length in bytes, then its bytes, the highest first.
static void addNumber(std::string &key, uint64_t number) {
  std::string bytes;
  for (; number; number >>= 8)
    bytes.insert(bytes.begin(), static_cast<char>(number));
  key += static_cast<char>(bytes.size());
  key += bytes;
}

static void addText(std::string &key, StringRef text) {
  for (char c : text) {
    key += c;
    if (c == '\0')
      key += '\xff';
    else if (c == '\xff')
      key += '\0';
  }
  key += '\0';
  key += '\1';
}

// As many bits as bytes are inverted at the front: ones before positive numbers, zeros before
// negative ones. A byte of them holds 6 bits of the number and its sign, each more 7.
static void addSigned(std::string &key, int64_t number) {
  uint64_t magnitude = static_cast<uint64_t>(number < 0 ? ~number : number);
  unsigned length = 1;
  while (length < 10 && magnitude >> (7 * length - 1))
    ++length;
  std::string bytes(10, number < 0 ? '\xff' : '\0');
  for (unsigned i = 0; i < 8; ++i)
    bytes[9 - i] = static_cast<char>(static_cast<uint64_t>(number) >> (8 * i));
  bytes.erase(0, 10 - length);
  for (unsigned bit = 0; bit < length; ++bit)
    bytes[bit / 8] = static_cast<char>(bytes[bit / 8] ^ (0x80 >> bit % 8));
  key += bytes;
}

std::string keyOfRegion(StringRef name, const graphdef::TensorSlice &slice) {
  std::string key;
  addNumber(key, 0);
  addText(key, name);
  addNumber(key, static_cast<uint64_t>(slice.extent_size()));
  for (const graphdef::TensorSlice::Extent &extent : slice.extent()) {
    bool isWhole = extent.has_length_case() == graphdef::TensorSlice::Extent::HAS_LENGTH_NOT_SET;
    addSigned(key, isWhole ? 0 : extent.start());
    addSigned(key, isWhole ? -1 : extent.length());
  }
  return key;
}

} // namespace sluice::import
