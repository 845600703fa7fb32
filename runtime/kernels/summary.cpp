// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Texts of elements and tensors, as TensorFlow writes them.
#include "runtime/kernels/summary.h"

#include "runtime/base/pieces.h"
#include "runtime/memory/text_room.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace sluice::rt {

namespace {

// Of an element.
constexpr int64_t kCostOfText = 1024;

// The shorter of two precisions that reads back as the same number.
std::string floatText(float value) {
  if (std::isnan(value))
    return "nan";
  std::string text = format("%.6g", static_cast<double>(value));
  return std::strtof(text.c_str(), nullptr) == value ? text
                                                     : format("%.9g", static_cast<double>(value));
}
std::string doubleText(double value) {
  if (std::isnan(value))
    return "nan";
  std::string text = format("%.15g", value);
  return std::strtod(text.c_str(), nullptr) == value ? text : format("%.17g", value);
}

// Bytes beyond ASCII are kept where the text is one of UTF-8.
std::string escaped(const std::string &bytes, bool keepsOthers = false) {
  std::string text;
  for (char c : bytes) {
    switch (c) {
    case '\n':
      text += "\\n";
      break;
    case '\r':
      text += "\\r";
      break;
    case '\t':
      text += "\\t";
      break;
    case '"':
    case '\'':
    case '\\':
      text += '\\';
      text += c;
      break;
    default:
      if ((c >= ' ' && c < 127) || (keepsOthers && c < 0))
        text += c;
      else
        text += format("\\%03o", static_cast<unsigned>(static_cast<unsigned char>(c)));
    }
  }
  return text;
}

std::string elementText(const Tensor &tensor, int64_t i) {
  switch (tensor.dtype()) {
  case DType::kF16:
    return floatText(tensor.data<Half>()[i]);
  case DType::kBF16:
    return floatText(tensor.data<BFloat16>()[i]);
  case DType::kF32:
    return floatText(tensor.data<float>()[i]);
  case DType::kF64:
    return doubleText(tensor.data<double>()[i]);
  case DType::kU64:
    return std::to_string(tensor.data<uint64_t>()[i]);
  case DType::kBool:
    return tensor.data<bool>()[i] ? "1" : "0";
  case DType::kC64:
    return "(" + floatText(tensor.data<std::complex<float>>()[i].real()) + "," +
           floatText(tensor.data<std::complex<float>>()[i].imag()) + ")";
  case DType::kC128:
    return "(" + doubleText(tensor.data<std::complex<double>>()[i].real()) + "," +
           doubleText(tensor.data<std::complex<double>>()[i].imag()) + ")";
  case DType::kString:
    return escaped(tensor.data<std::string>()[i]);
  case DType::kHandle:
  case DType::kInvalid:
    return "?";
  default:
    return std::to_string(tensor.asInt(i));
  }
}

} // namespace

namespace {

// What is shown of a tensor, dim by dim.
class Ends {
public:
  Ends(const Tensor &tensor, int64_t limit, std::string &text)
      : tensor_(tensor), text_(text), turns_(kCostOfText) {
    int64_t count = tensor.elements();
    most_ = limit < 0 ? count : std::min(limit, count);
  }

  // From the element at `first` on. False once there is no memory, or the call is to end.
  bool append(int dim, int64_t first) {
    if (dim == tensor_.rank())
      return appendOne(first);
    text_ += '[';
    int64_t size = tensor_.dim(dim), step = 1;
    for (int i = dim + 1; i < tensor_.rank(); ++i)
      (void)__builtin_mul_overflow(step, tensor_.dim(i), &step);
    int64_t begin = std::min(most_, size), end = std::max(most_, size - most_);
    for (int64_t i = 0; i < begin; ++i) {
      if (i > 0)
        appendSpace(dim);
      if (!append(dim + 1, first + i * step))
        return false;
    }
    if (size - begin > most_) {
      appendSpace(dim);
      text_ += "...";
    }
    for (int64_t i = end; i < size; ++i) {
      appendSpace(dim);
      if (!append(dim + 1, first + i * step))
        return false;
    }
    text_ += ']';
    return true;
  }

private:
  bool appendOne(int64_t i) {
    if (turns_.end())
      return false;
    DType type = tensor_.dtype();
    if (type == DType::kString)
      text_ += '"' + escaped(tensor_.data<std::string>()[i], true) + '"';
    else
      text_ += elementText(tensor_, i);
    return textHasRoom(text_.size());
  }
  void appendSpace(int dim) {
    int below = tensor_.rank() - 1 - dim;
    text_.append(static_cast<size_t>(below), '\n');
    text_.append(below > 0 ? static_cast<size_t>(dim) + 1 : 1, ' ');
  }

  const Tensor &tensor_;
  std::string &text_;
  TurnsOfCall turns_;
  int64_t most_;
};

} // namespace

namespace {

// Of complex numbers TensorFlow shows how many there are, and neither dims nor the last ones.
std::string complexEnds(const Tensor &tensor, int64_t limit) {
  int64_t count = tensor.elements();
  limit = limit < 0 ? count : std::min(limit, count);
  std::string text = "[";
  TurnsOfCall turns(kCostOfText);
  for (int64_t i = 0; i < limit && textHasRoom(text.size()) && !turns.end(); ++i)
    text += i > 0 ? " ?" : "?";
  return text + (count > limit ? "...]" : "]");
}

} // namespace

Status appendEnds(const Tensor &tensor, int64_t limit, std::string &text) {
  if (tensor.dtype() == DType::kC64 || tensor.dtype() == DType::kC128) {
    text += complexEnds(tensor, limit);
    return okStatus();
  }
  if (Ends(tensor, limit, text).append(0, 0))
    return okStatus();
  if (Cancellation::requestedHere())
    return cancelledWork();
  return resourceExhausted("not enough memory for a text of tensors");
}

std::string summarize(const Tensor &tensor, int64_t limit) {
  int64_t count = tensor.elements();
  limit = limit < 0 ? count : std::min(limit, count);
  int rank = tensor.rank();
  int64_t row = rank > 0 ? tensor.dim(rank - 1) : 1, i = 0;
  std::string text;
  // A bracket for every dim but the last opens where a block of the dims below it begins.
  TurnsOfCall turns(kCostOfText);
  for (; i < limit && !turns.end(); ++i) {
    int64_t block = row;
    for (int d = rank - 2; d >= 0 && i % block == 0; block *= tensor.dim(d--))
      text += '[';
    if (i % row != 0)
      text += ' ';
    text += elementText(tensor, i);
    block = row;
    for (int d = rank - 2; d >= 0 && (i + 1) % block == 0; block *= tensor.dim(d--))
      text += ']';
  }
  // Cut off in the middle: the blocks that are open end here.
  int64_t block = row;
  for (int d = rank - 2; i > 0 && d >= 0; block *= tensor.dim(d--)) {
    if (d == rank - 2 && i % block != 0)
      text += "...";
    if (i % block != 0)
      text += ']';
  }
  return count > limit ? text + "..." : text;
}

} // namespace sluice::rt
