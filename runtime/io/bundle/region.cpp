// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions of tensors, their texts, and what they share.
#include "runtime/io/bundle/region.h"

#include "runtime/io/number_text.h"

#include <algorithm>
#include <charconv>
#include <cstring>

namespace sluice::rt {

Region Region::whole(std::span<const int64_t> shape) {
  return {std::vector<int64_t>(shape.size(), 0), {shape.begin(), shape.end()}};
}

std::optional<Region> Region::of(const TensorSlice &slice, std::span<const int64_t> shape) {
  if (slice.starts.size() != shape.size())
    return std::nullopt;
  Region region;
  for (size_t i = 0; i < shape.size(); ++i) {
    int64_t start = slice.starts[i], size = slice.sizes[i] == -1 ? shape[i] : slice.sizes[i];
    if (start < 0 || size < 0 || start > shape[i] || size > shape[i] - start)
      return std::nullopt;
    region.starts.push_back(start);
    region.sizes.push_back(size);
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

// ---- Texts

namespace {

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == text.npos)
      return parts;
    text.remove_prefix(end + 1);
  }
}

bool parseNumber(std::string_view text, int64_t &number) {
  if (text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size();
}

Status parseRange(std::string_view text, TensorSlice &slice) {
  int64_t start = 0, size = -1;
  if (text != "-") {
    std::vector<std::string_view> numbers = split(text, ',');
    if (numbers.size() != 2 || !parseNumber(numbers[0], start) || !parseNumber(numbers[1], size))
      return invalidArgument("Expected a pair of numbers or '-' but got " + quoted(text, 60, '\''));
    if (start < 0 || size <= 0)
      return invalidArgument("Expected non-negative start and positive length but got " +
                             quoted(text, 60, '\''));
  }
  slice.starts.push_back(start);
  slice.sizes.push_back(size);
  return okStatus();
}

} // namespace

Result<PartOfTensor> parsePart(std::string_view text) {
  std::vector<std::string_view> words = split(text, ' ');
  std::string shown =
      ", in " + quoted(text, 100, '\'') + ": expected dims and a range along each, as '10 4 0,5:-'";
  if (words.size() < 2)
    return invalidArgument("Need at least a dim and a range" + shown);
  PartOfTensor part;
  int64_t elements = 1;
  for (std::string_view word : std::span(words).first(words.size() - 1)) {
    int64_t dim;
    if (!parseNumber(word, dim) || dim < 0 || __builtin_mul_overflow(elements, dim, &elements))
      return invalidArgument("Expected numbers of at least 0 as dims but got " +
                             quoted(word, 60, '\'') + shown);
    part.shape.push_back(dim);
  }
  for (std::string_view range : split(words.back(), ':'))
    if (Status status = parseRange(range, part.slice); !status.ok())
      return Status(status.code(), status.message() + shown);
  if (part.slice.starts.size() != part.shape.size())
    return internalError("Expected as many ranges as dims" + shown);
  std::optional<Region> region = Region::of(part.slice, part.shape);
  if (!region)
    return internalError("A range goes beyond its dim" + shown);
  part.region = std::move(*region);
  return part;
}

std::string textOf(const Region &region, std::span<const int64_t> shape) {
  std::string text;
  for (size_t i = 0; i < shape.size(); ++i) {
    text += i > 0 ? ":" : "";
    bool isWhole = region.sizes[i] == shape[i];
    text +=
        isWhole ? "-" : std::to_string(region.starts[i]) + "," + std::to_string(region.sizes[i]);
  }
  return text;
}

// ---- Elements

// Position of an index in the elements of a region.
static int64_t positionOf(std::span<const int64_t> index, const Region &region) {
  int64_t position = 0;
  for (size_t i = 0; i < index.size(); ++i)
    position = position * region.sizes[i] + (index[i] - region.starts[i]);
  return position;
}

void copyShared(const Region &from, const void *elements, const Region &to, void *target,
                DType dtype) {
  Region shared = from.intersection(to);
  if (shared.elements() == 0)
    return;
  auto copy = [&](int64_t at, int64_t put, int64_t count) {
    if (dtype == DType::kString)
      std::copy_n(static_cast<const std::string *>(elements) + at, count,
                  static_cast<std::string *>(target) + put);
    else
      std::memcpy(static_cast<char *>(target) + static_cast<size_t>(put) * sizeOf(dtype),
                  static_cast<const char *>(elements) + static_cast<size_t>(at) * sizeOf(dtype),
                  static_cast<size_t>(count) * sizeOf(dtype));
  };
  // Along the last dim elements are neighbours on both sides.
  size_t rank = shared.sizes.size();
  int64_t run = rank ? shared.sizes.back() : 1;
  std::vector<int64_t> index(shared.starts);
  for (;;) {
    copy(positionOf(index, from), positionOf(index, to), run);
    size_t dim = rank ? rank - 1 : 0;
    while (dim > 0 && ++index[dim - 1] == shared.starts[dim - 1] + shared.sizes[dim - 1]) {
      index[dim - 1] = shared.starts[dim - 1];
      --dim;
    }
    if (dim == 0)
      return;
  }
}

} // namespace sluice::rt
