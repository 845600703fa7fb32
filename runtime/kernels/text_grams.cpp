// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernel of strings made of neighbours: ngrams.
#include "runtime/base/pieces.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/text_work.h"

#include <algorithm>
#include <vector>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfText = 128;
// No row has so many neighbours that sums of two such numbers overflow.
constexpr int64_t kMost = INT64_MAX / 8;

Status checkShapes(const Shape &texts, const Shape &splits) {
  if (texts.hasRank() && texts.rank() != 1)
    return invalidArgument("expected a vector of strings but got the shape " + texts.toString());
  if (splits.hasRank() && splits.rank() != 1)
    return invalidArgument("expected a vector of splits but got the shape " + splits.toString());
  return okStatus();
}

Status ngramsShape(ShapeCall &call) {
  SLUICE_RETURN_IF_ERROR(checkShapes(call.input(0), call.input(1)));
  call.output(0) = Shape{Shape::kUnknown};
  call.output(1) = call.input(1);
  return okStatus();
}

Status checkSplits(const Tensor &splits, int64_t texts) {
  int64_t rows = splits.elements() - 1, before = 0;
  if (rows >= 0 && splits.asInt(0) != 0)
    return invalidArgument("First split value must be 0, got " + std::to_string(splits.asInt(0)));
  for (int64_t i = 1; i <= rows; ++i) {
    int64_t next = splits.asInt(i);
    if (next < before || next > texts)
      return invalidArgument("Invalid split value " + std::to_string(next) + ", must be in [" +
                             std::to_string(before) + ", " + std::to_string(texts) + "]");
    before = next;
  }
  if (rows >= 0 && before != texts)
    return invalidArgument("Last split value must be data size. Expected " + std::to_string(texts) +
                           ", got " + std::to_string(before));
  return okStatus();
}

// How many strings of one width a row has, and what each of them is made of.
class Row {
public:
  Row(const std::string *texts, int64_t count, int64_t width, int64_t padding)
      : texts_(texts), width_(width),
        padding_(std::min(padding < 0 ? width - 1 : padding, width - 1)),
        grams_(std::max<int64_t>(0, count + 2 * padding_ - width + 1)) {}

  int64_t grams() const { return grams_; }
  // Calls `use` for the pieces of a string, from left to right.
  template <typename Use>
  void pieces(int64_t gram, const attributes::nd::Ngrams &given, Use use) const {
    int64_t left = std::max<int64_t>(0, padding_ - gram);
    int64_t right = std::max<int64_t>(0, padding_ - (grams_ - 1 - gram));
    int64_t texts = width_ - left - right;
    const std::string *first = texts_ + (left > 0 ? 0 : gram - padding_);
    for (int64_t i = 0; i < width_; ++i) {
      if (i > 0)
        use(given.separator());
      if (i < left)
        use(given.leftPad());
      else if (i - left < texts)
        use(std::string_view(first[i - left]));
      else
        use(given.rightPad());
    }
  }

private:
  const std::string *texts_;
  int64_t width_, padding_, grams_;
};

class Maker {
public:
  explicit Maker(KernelCall &call) : given_(call) {}

  // Appends the strings of a row.
  Status add(const std::string *texts, int64_t count) {
    size_t before = made_.size();
    for (int64_t width : given_.widths())
      SLUICE_RETURN_IF_ERROR(add(Row(texts, count, width, given_.padding())));
    if (!given_.keepShort() || count == 0 || made_.size() > before)
      return okStatus();
    if (given_.padding() < 0)
      return invalidArgument("expected a padding that is not negative where there are no widths, "
                             "but got " +
                             std::to_string(given_.padding()));
    return add(Row(texts, count, count + 2 * given_.padding(), given_.padding()), /*most=*/1);
  }
  std::vector<std::string> &made() { return made_; }

private:
  Status add(const Row &row, int64_t most = kMost) {
    for (int64_t i = 0, n = std::min(row.grams(), most); i < n; ++i) {
      if (turns_.end())
        return cancelledWork();
      size_t size = 0;
      row.pieces(i, given_, [&](std::string_view piece) { size += piece.size(); });
      room_ += size + sizeof(std::string);
      if (!textHasRoom(room_) && !textHasRoom(size + sizeof(std::string) * 2 * made_.size()))
        return noRoomForText(size);
      std::string &text = made_.emplace_back();
      text.reserve(size);
      row.pieces(i, given_, [&](std::string_view piece) { text += piece; });
    }
    return okStatus();
  }

  attributes::nd::Ngrams given_;
  TurnsOfCall turns_{kCostOfText};
  std::vector<std::string> made_;
  size_t room_ = 0;
};

void putSplit(Tensor &splits, int64_t i, size_t value) {
  if (splits.dtype() == DType::kI32)
    splits.data<int32_t>()[i] = static_cast<int32_t>(value);
  else
    splits.data<int64_t>()[i] = static_cast<int64_t>(value);
}

Status ngramsRun(KernelCall &call) {
  const Tensor &texts = call.input(0), &splits = call.input(1);
  SLUICE_RETURN_IF_ERROR(checkShapes(texts.shape(), splits.shape()));
  SLUICE_RETURN_IF_ERROR(checkSplits(splits, texts.elements()));
  SLUICE_ASSIGN_OR_RETURN(call.output(1), Tensor::allocate(splits.dtype(), splits.shape()));
  Maker maker(call);
  for (int64_t row = 0; row < splits.elements(); ++row) {
    int64_t begin = row > 0 ? splits.asInt(row - 1) : 0;
    // Rows of padding alone are made only beside others.
    if (row > 0 && texts.elements() > 0)
      SLUICE_RETURN_IF_ERROR(
          maker.add(texts.data<std::string>() + begin, splits.asInt(row) - begin));
    putSplit(call.output(1), row, maker.made().size());
  }
  auto count = static_cast<int64_t>(maker.made().size());
  SLUICE_ASSIGN_OR_RETURN(call.output(0), Tensor::allocate(DType::kString, Shape{count}));
  std::ranges::move(maker.made(), call.output(0).data<std::string>());
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_ngrams, {ngramsShape, ngramsRun, Kernel::kAllocates, nullptr, workOfTexts})

} // namespace sluice::rt
