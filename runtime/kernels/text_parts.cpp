// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels of parts of strings: substring, split_texts, text_length.
#include "runtime/base/pieces.h"
#include "runtime/io/white_space.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/text_work.h"
#include "runtime/memory/text_room.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfText = 128;

// ---- Units

bool isTrailing(char byte) { return (static_cast<unsigned char>(byte) & 0xc0) == 0x80; }

// Where a string's part is; false if it begins outside.
bool findBytes(std::string_view text, int64_t position, int64_t length, std::string_view &part) {
  auto size = static_cast<int64_t>(text.size());
  if (position < -size || position > size)
    return false;
  auto begin = static_cast<size_t>(position < 0 ? position + size : position);
  part = text.substr(begin, length < 0 ? text.npos : static_cast<size_t>(length));
  return true;
}

// The place so many characters behind `at`, or how many are missing.
size_t skipCharacters(std::string_view text, size_t at, int64_t &count) {
  for (; count > 0 && at < text.size(); --count)
    do
      ++at;
    while (at < text.size() && isTrailing(text[at]));
  return at;
}
size_t skipBackwards(std::string_view text, int64_t &count) {
  size_t at = text.size();
  for (; count > 0 && at > 0; --count)
    do
      --at;
    while (at > 0 && isTrailing(text[at]));
  return at;
}

bool findCharacters(std::string_view text, int64_t position, int64_t length,
                    std::string_view &part) {
  int64_t left = position < 0 ? (position == INT64_MIN ? INT64_MAX : -position) : position;
  size_t begin = position < 0 ? skipBackwards(text, left) : skipCharacters(text, 0, left);
  if (left > 0)
    return false;
  left = length;
  part = text.substr(begin, skipCharacters(text, begin, left) - begin);
  return true;
}

// ---- substring

// Whether `positions` go with `texts` as they are.
bool goAlong(const Shape &texts, const Shape &positions) {
  return positions.isScalar() || positions == texts;
}

Status substringShape(ShapeCall &call) {
  const Shape &texts = call.input(0), &positions = call.input(1), &lengths = call.input(2);
  if (!positions.compatibleWith(lengths))
    return invalidArgument("pos and len should have the same shape, got: " + positions.toString() +
                           " vs. " + lengths.toString());
  call.output(0) = Shape::unknownRank();
  if (!texts.hasRank() || !positions.hasRank())
    return okStatus();
  if (positions.isScalar() || (texts.isComplete() && positions == texts)) {
    call.output(0) = texts;
    return okStatus();
  }
  int rank = std::max(texts.rank(), positions.rank());
  bool mayBeEqual = texts.compatibleWith(positions) && !texts.isComplete();
  if (rank > 2 && !mayBeEqual)
    return unimplemented(format("Substr broadcast not implemented for %d dimensions", rank));
  SLUICE_ASSIGN_OR_RETURN(call.output(0), broadcastShapes(texts, positions, call.sizes()));
  return okStatus();
}

// The position of an operand's element for one of the result, of at most two dims.
int64_t positionIn(const Shape &operand, const Shape &result, int64_t i) {
  if (operand == result)
    return i;
  int64_t columns = result.rank() > 0 ? result.dim(result.rank() - 1) : 1;
  int64_t row = i / columns, column = i % columns, width = 1;
  if (operand.rank() > 0)
    width = operand.dim(operand.rank() - 1);
  bool hasRows = operand.rank() > 1 && operand.dim(0) > 1;
  return (hasRows ? row * width : 0) + (width > 1 ? column : 0);
}

Status substringRun(KernelCall &call) {
  const Tensor &texts = call.input(0), &positions = call.input(1), &lengths = call.input(2);
  Tensor &output = call.output(0);
  bool ofBytes = attributes::nd::Substring(call).unit() == "byte";
  bool isPlainCase = goAlong(texts.shape(), positions.shape());
  TurnsOfCall turns(kCostOfText);
  for (int64_t i = 0, n = output.elements(); i < n; ++i) {
    if (turns.end())
      return cancelledWork();
    int64_t from = isPlainCase ? i : positionIn(texts.shape(), output.shape(), i);
    int64_t at = positions.shape().isScalar() ? 0
                 : isPlainCase                ? i
                                              : positionIn(positions.shape(), output.shape(), i);
    const std::string &text = texts.data<std::string>()[from];
    std::string_view part;
    bool isInside =
        (ofBytes ? findBytes : findCharacters)(text, positions.asInt(at), lengths.asInt(at), part);
    if (!isInside)
      return invalidArgument(format("pos %lld out of range for string at index %lld",
                                    static_cast<long long>(positions.asInt(at)),
                                    static_cast<long long>(i)));
    SLUICE_RETURN_IF_ERROR(storeText(part, output.data<std::string>()[i]));
  }
  return okStatus();
}

// ---- split_texts

using Parts = std::vector<std::string_view>;

void cutAtSpace(std::string_view text, int64_t limit, Parts &parts) {
  auto skip = [&] {
    text.remove_prefix(std::min(text.find_first_not_of(kWhiteSpace), text.size()));
  };
  skip();
  for (int64_t cuts = 0; !text.empty() && (limit < 0 || cuts < limit); ++cuts) {
    size_t end = std::min(text.find_first_of(kWhiteSpace), text.size());
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end);
    skip();
    if (cuts + 1 == limit)
      parts.push_back(text);
  }
}

void cutAt(std::string_view separator, std::string_view text, int64_t limit, Parts &parts) {
  for (int64_t cuts = 0; limit < 0 || cuts < limit; ++cuts) {
    size_t end = text.find(separator);
    if (end == text.npos)
      break;
    parts.push_back(text.substr(0, end));
    text.remove_prefix(end + separator.size());
  }
  parts.push_back(text);
}

void cutAtBytes(std::string_view bytes, std::string_view text, bool keepEmpty, Parts &parts) {
  if (text.empty())
    return;
  if (bytes.empty()) {
    for (size_t i = 0; i < text.size(); ++i)
      parts.push_back(text.substr(i, 1));
    return;
  }
  for (bool isMore = true; isMore;) {
    size_t end = text.find_first_of(bytes);
    isMore = end != text.npos;
    std::string_view part = text.substr(0, end);
    if (keepEmpty || !part.empty())
      parts.push_back(part);
    if (isMore)
      text.remove_prefix(end + 1);
  }
}

Status checkSplit(const Shape &texts, const Shape &separator) {
  if (texts.hasRank() && texts.rank() != 1)
    return invalidArgument("input must be a vector, got shape: " + texts.toString());
  if (separator.hasRank() && !separator.isScalar())
    return invalidArgument("sep must be a scalar, got shape: " + separator.toString());
  return okStatus();
}

Status splitShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkSplit(call.input(0), call.input(1)));
  call.output(0) = Shape{Shape::kUnknown, 2};
  call.output(1) = Shape{Shape::kUnknown};
  call.output(2) = Shape{2};
  return okStatus();
}

Status storeParts(KernelCall &call, const Parts &parts, const std::vector<int64_t> &counts) {
  auto total = static_cast<int64_t>(parts.size());
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(DType::kI64, Shape{total, 2}));
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(DType::kString, Shape{total}));
  SLUICE_ASSIGN_OR_RETURN(call.output(2), Tensor::allocate(DType::kI64, Shape{2}));
  auto *indices = call.output(0).data<int64_t>();
  auto *texts = call.output(1).data<std::string>();
  int64_t widest = 0, at = 0;
  TurnsOfCall turns(kCostOfText);
  for (size_t row = 0; row < counts.size(); ++row) {
    widest = std::max(widest, counts[row]);
    for (int64_t i = 0; i < counts[row]; ++i, ++at) {
      if (turns.end())
        return cancelledWork();
      indices[2 * at] = static_cast<int64_t>(row);
      indices[2 * at + 1] = i;
      SLUICE_RETURN_IF_ERROR(storeText(parts[static_cast<size_t>(at)], texts[at]));
    }
  }
  call.output(2).data<int64_t>()[0] = static_cast<int64_t>(counts.size());
  call.output(2).data<int64_t>()[1] = widest;
  return okStatus();
}

Status splitRun(KernelCall &call) {
  attributes::nd::SplitTexts given(call);
  SLUICE_RETURN_IF_ERROR(checkSplit(call.input(0).shape(), call.input(1).shape()));
  const std::string &separator = *call.input(1).data<std::string>();
  bool atBytes = given.at() == "bytes";
  Parts parts;
  std::vector<int64_t> counts;
  TurnsOfCall turns(kCostOfText);
  for (const std::string &text : call.input(0).values<std::string>()) {
    if (turns.end())
      return cancelledWork();
    if (!textHasRoom((text.size() + 1) * sizeof(std::string_view)))
      return resourceExhausted("not enough memory for the parts of a string");
    size_t before = parts.size();
    if (atBytes)
      cutAtBytes(separator, text, given.keepEmpty(), parts);
    else if (given.limit() == 0)
      parts.push_back(text);
    else if (separator.empty())
      cutAtSpace(text, given.limit(), parts);
    else
      cutAt(separator, text, given.limit(), parts);
    counts.push_back(static_cast<int64_t>(parts.size() - before));
  }
  return storeParts(call, parts, counts);
}

// ---- text_length

Status lengthRun(KernelCall &call) {
  bool ofBytes = attributes::nd::TextLength(call).unit() == "byte";
  auto *lengths = call.output(0).data<int32_t>();
  TurnsOfCall turns(kCostOfText);
  for (const std::string &text : call.input(0).values<std::string>()) {
    if (turns.end())
      return cancelledWork();
    auto trailing = ofBytes ? 0 : std::ranges::count_if(text, isTrailing);
    *lengths++ = static_cast<int32_t>(static_cast<int64_t>(text.size()) - trailing);
  }
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_substring,
                     {substringShape, substringRun, Kernel::kNone, nullptr, workOfTexts})
SLUICE_DEFINE_KERNEL(nd_split_texts,
                     {splitShape, splitRun, Kernel::kAllocates, nullptr, workOfTexts})
SLUICE_DEFINE_KERNEL(nd_text_length,
                     {sameShapeRule, lengthRun, Kernel::kNone, nullptr, workOfTexts})

} // namespace sluice::rt
