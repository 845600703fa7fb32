// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Strings made of many: format_text, reduce_join.
#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/summary.h"
#include "runtime/kernels/text_work.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfText = 128;

// ---- format_text

Status formatRun(KernelCall &call) {
  attributes::nd::FormatText given(call);
  std::string_view rest = given.pattern(), placeholder = given.placeholder();
  std::string text;
  for (size_t i = 0; i < call.numInputs(); ++i) {
    size_t end = std::min(rest.find(placeholder), rest.size());
    text += rest.substr(0, end);
    rest.remove_prefix(std::min(end + placeholder.size(), rest.size()));
    SLUICE_RETURN_IF_ERROR(appendEnds(call.input(i), given.summarize(), text));
  }
  text += rest;
  *call.output(0).data<std::string>() = std::move(text);
  return okStatus();
}

// Of the elements, which may all be shown.
uint64_t formatWork(const KernelCall &call) {
  constexpr uint64_t kWorkOfElement = 512, kWorkOfByte = 4;
  uint64_t work = 0;
  for (size_t i = 0; i < call.numInputs(); ++i) {
    work += static_cast<uint64_t>(call.input(i).elements()) * kWorkOfElement;
    if (call.input(i).dtype() == DType::kString)
      for (const std::string &text : call.input(i).values<std::string>())
        work += text.size() * kWorkOfByte;
  }
  return work;
}

// ---- reduce_join

// Counted from the front, each once.
Status readAxes(const Tensor &axes, int rank, std::vector<int> &found) {
  for (int64_t i = 0; i < axes.elements(); ++i) {
    int64_t axis = axes.asInt(i);
    if (!normalizeAxis(axis, rank))
      return outOfRange(format("Invalid reduction dimension %lld for input with %d dimension(s)",
                               static_cast<long long>(axis), rank));
    if (std::ranges::find(found, static_cast<int>(axis)) != found.end())
      return invalidArgument(
          format("Duplicate reduction dimension %lld", static_cast<long long>(axes.asInt(i))));
    found.push_back(static_cast<int>(axis));
  }
  return okStatus();
}

Status joinShape(ShapeCall &call) {
  const Shape &input = call.input(0);
  if (!input.hasRank() || !call.value(1))
    return reductionShapeRule(call);
  std::vector<int> axes;
  SLUICE_RETURN_IF_ERROR(readAxes(*call.value(1), input.rank(), axes));
  bool keepsDims = attributes::nd::ReduceJoin(call).keepDims();
  Shape result;
  for (int i = 0; i < input.rank(); ++i)
    if (std::ranges::find(axes, i) == axes.end())
      result.append(input.dim(i));
    else if (keepsDims)
      result.append(1);
  call.output(0) = result;
  return okStatus();
}

// Positions of elements along some axes of a shape, the first axis fastest.
class Walk {
public:
  Walk(const Shape &shape, std::vector<int> axes) : axes_(std::move(axes)) {
    for (int axis : axes_) {
      sizes_.push_back(shape.dim(axis));
      strides_.push_back(elementsBetween(shape, axis + 1, shape.rank()));
      (void)__builtin_mul_overflow(count_, shape.dim(axis), &count_);
    }
  }
  int64_t count() const { return count_; }
  int64_t position(int64_t step) const {
    int64_t at = 0;
    for (size_t i = 0; i < axes_.size(); ++i) {
      at += step % sizes_[i] * strides_[i];
      step /= sizes_[i];
    }
    return at;
  }

private:
  std::vector<int> axes_;
  std::vector<int64_t> sizes_, strides_;
  int64_t count_ = 1;
};

Status joinRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  std::string_view separator = attributes::nd::ReduceJoin(call).separator();
  std::vector<int> axes, others;
  SLUICE_RETURN_IF_ERROR(readAxes(call.input(1), input.rank(), axes));
  for (int i = input.rank() - 1; i >= 0; --i)
    if (std::ranges::find(axes, i) == axes.end())
      others.push_back(i);
  Walk inside(input.shape(), axes), outside(input.shape(), others);
  const auto *texts = input.data<std::string>();
  int64_t parts = input.elements() > 0 ? inside.count() : 0;
  TurnsOfCall turns(kCostOfText);
  for (int64_t i = 0, n = call.output(0).elements(); i < n; ++i) {
    std::string &text = call.output(0).data<std::string>()[i];
    text.clear();
    for (int64_t k = 0; k < parts; ++k) {
      if (turns.end())
        return cancelledWork();
      const std::string &part = texts[outside.position(i) + inside.position(k)];
      if (!textHasRoom(text.size() + separator.size() + part.size()))
        return noRoomForText(text.size() + separator.size() + part.size());
      text += k > 0 ? separator : std::string_view();
      text += part;
    }
  }
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_format_text,
                     {scalarShapeRule, formatRun, Kernel::kNone, nullptr, formatWork})
SLUICE_DEFINE_KERNEL(nd_reduce_join, {joinShape, joinRun, Kernel::kNone, nullptr, workOfTexts})

} // namespace sluice::rt
