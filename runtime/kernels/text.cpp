// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd ops whose results are strings: join_texts, decimal.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/memory/text_room.h"

#include <algorithm>
#include <string>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfText = 64;

// What is known of either; sizes that differ leave no result.
Status agree(Shape &result, const Shape &other) {
  if (!result.compatibleWith(other))
    return invalidArgument("expected scalars and strings of one shape but got the shapes " +
                           result.toString() + " and " + other.toString());
  if (!result.hasRank())
    result = other;
  for (int i = 0; other.hasRank() && i < other.rank(); ++i)
    if (result.dim(i) < 0)
      result.setDim(i, other.dim(i));
  return okStatus();
}

Status joinTextsShape(ShapeCall &call) {
  Shape result;
  bool isKnown = true;
  for (size_t i = 0; i < call.numInputs(); ++i) {
    const Shape &input = call.input(i);
    isKnown &= input.hasRank(); // else it may be a scalar, or say what the others are
    if (!input.hasRank() || input.isScalar())
      continue;
    if (result.isScalar())
      result = input;
    else
      SLUICE_RETURN_IF_ERROR(agree(result, input));
  }
  call.output(0) = isKnown || !result.isScalar() ? result : Shape::unknownRank();
  return okStatus();
}

Status joinTextsRun(KernelCall &call) {
  std::string_view separator = attributes::nd::JoinTexts(call).separator();
  Tensor &output = call.output(0);
  TurnsOfCall turns(kCostOfText * static_cast<int64_t>(call.numInputs()));
  for (int64_t i = 0, n = output.elements(); i < n; ++i) {
    if (turns.end())
      return cancelledWork();
    std::string &text = output.data<std::string>()[i];
    auto part = [&](size_t j) -> const std::string & {
      const Tensor &input = call.input(j);
      return input.data<std::string>()[input.shape().isScalar() ? 0 : i];
    };
    size_t size = separator.size() * (std::max<size_t>(call.numInputs(), 1) - 1);
    for (size_t j = 0; j < call.numInputs(); ++j)
      size += part(j).size();
    if (!textHasRoom(size))
      return resourceExhausted("not enough memory for a string of " + std::to_string(size) +
                               " bytes");
    text.clear();
    text.reserve(size);
    for (size_t j = 0; j < call.numInputs(); ++j) {
      if (j > 0)
        text += separator;
      text += part(j);
    }
  }
  return okStatus();
}

Status decimalShape(ShapeCall &call) {
  call.output(0) = call.input(0);
  return okStatus();
}

template <typename T> std::string digitsOf(T number, size_t width) {
  std::string digits = std::to_string(number);
  size_t sign = digits.starts_with('-') ? 1 : 0;
  if (digits.size() < width)
    digits.insert(sign, width - digits.size(), '0');
  return digits;
}

Status decimalRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  auto width = static_cast<size_t>(attributes::nd::Decimal(call).width());
  auto *texts = call.output(0).data<std::string>();
  TurnsOfCall turns(kCostOfText);
  for (int64_t i = 0, n = input.elements(); i < n; ++i) {
    if (turns.end())
      return cancelledWork();
    texts[i] = input.dtype() == DType::kU64 ? digitsOf(input.data<uint64_t>()[i], width)
                                            : digitsOf(input.asInt(i), width);
  }
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_join_texts, {joinTextsShape, joinTextsRun})
SLUICE_DEFINE_KERNEL(nd_decimal, {decimalShape, decimalRun})

} // namespace sluice::rt
