// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Splitting lines, and numbers as TensorFlow writes them in files.
#include "runtime/io/records/csv.h"

#include "runtime/io/white_space.h"

#include <algorithm>
#include <charconv>
#include <limits>

namespace sluice::rt {

namespace {

// ---- Fields

class LineSplitter {
public:
  LineSplitter(std::string_view line, const CsvForm &form) : line_(line), form_(form) {}

  Result<std::vector<std::string>> split() {
    while (at_ < line_.size()) {
      if (line_[at_] == '\n' || line_[at_] == '\r') {
        ++at_; // before a field they do not count
        continue;
      }
      std::string field;
      bool isQuoted = form_.quotes && line_[at_] == '"';
      SLUICE_RETURN_IF_ERROR(isQuoted ? takeQuoted(field) : takePlain(field));
      if (isWanted())
        fields_.push_back(std::move(field));
      ++position_;
      if (!form_.columns.empty() && fields_.size() == form_.columns.size())
        return std::move(fields_);
    }
    if (!line_.empty() && line_.back() == form_.delimiter && isWanted())
      fields_.emplace_back(); // behind the last delimiter
    return std::move(fields_);
  }

private:
  bool isWanted() const {
    return form_.columns.empty() ||
           form_.columns[fields_.size()] == static_cast<int64_t>(position_);
  }
  bool endsAt(size_t at) const { return at == line_.size() || line_[at] == form_.delimiter; }

  Status takePlain(std::string &field) {
    size_t begin = at_;
    for (; !endsAt(at_); ++at_) {
      char c = line_[at_];
      if ((form_.quotes && c == '"') || c == '\n' || c == '\r')
        return invalidArgument("Unquoted fields cannot have quotes/CRLFs inside");
    }
    field = line_.substr(begin, at_ - begin);
    ++at_; // the delimiter
    return okStatus();
  }

  Status takeQuoted(std::string &field) {
    for (++at_; at_ < line_.size(); ++at_) {
      if (line_[at_] != '"') {
        field += line_[at_];
        continue;
      }
      if (endsAt(at_ + 1)) {
        at_ += 2;
        return okStatus();
      }
      if (line_[++at_] != '"')
        return invalidArgument("Quote inside a string has to be escaped by another quote");
      field += '"';
    }
    return invalidArgument("Quoted field has to end with quote followed by delim or end");
  }

  std::string_view line_;
  const CsvForm &form_;
  size_t at_ = 0, position_ = 0;
  std::vector<std::string> fields_;
};

// ---- Numbers

template <typename T> bool storeInteger(std::string_view text, T &value) {
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

bool isWord(std::string_view text, std::string_view word) {
  return std::ranges::equal(text, word, {}, [](char c) { return static_cast<char>(c | 0x20); });
}

template <typename T> bool storeDigits(std::string_view text, T &value) {
  if (text.empty() || text[0] == '-' || isWord(text.substr(0, 3), "inf") ||
      isWord(text.substr(0, 3), "nan"))
    return false;
  if (text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x') {
    uint64_t number;
    auto [end, error] = std::from_chars(text.data() + 2, text.data() + text.size(), number, 16);
    value = static_cast<T>(number);
    return error == std::errc() && end == text.data() + text.size();
  }
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (end != text.data() + text.size())
    return false;
  if (error == std::errc::result_out_of_range)
    value = isLargeDecimal(text) ? std::numeric_limits<T>::infinity() : T(0);
  else if (error != std::errc())
    return false;
  return true;
}

// Blanks are zero, as in TensorFlow, for floats alone.
template <typename T> bool storeFloat(std::string_view text, T &value) {
  if (text.empty()) {
    value = 0;
    return true;
  }
  bool isNegative = text.starts_with('-');
  if (isNegative || text.starts_with('+'))
    text.remove_prefix(1);
  if (isWord(text, "inf"))
    value = std::numeric_limits<T>::infinity();
  else if (isWord(text, "nan"))
    value = std::numeric_limits<T>::quiet_NaN();
  else if (!storeDigits(text, value))
    return false;
  if (isNegative)
    value = -value;
  return true;
}

} // namespace

bool isLargeDecimal(std::string_view digits) {
  size_t mark = digits.find_first_of("eE");
  std::string_view mantissa = digits.substr(0, mark);
  long long exponent = 0;
  if (mark != digits.npos) {
    std::string_view text = digits.substr(mark + 1);
    if (text.starts_with('+'))
      text.remove_prefix(1);
    if (std::from_chars(text.data(), text.data() + text.size(), exponent).ec != std::errc())
      return !text.starts_with('-');
  }
  size_t point = std::min(mantissa.find('.'), mantissa.size());
  size_t first = mantissa.find_first_of("123456789");
  long long place = first < point ? static_cast<long long>(point - first)
                                  : static_cast<long long>(point) - static_cast<long long>(first);
  return place + std::clamp<long long>(exponent, -1'000'000'000, 1'000'000'000) > 0;
}

Result<std::vector<std::string>> splitCsv(std::string_view line, const CsvForm &form) {
  return LineSplitter(line, form).split();
}

bool storeField(std::string_view text, Tensor &tensor, int64_t index) {
  switch (tensor.dtype()) {
  case DType::kI32:
    return storeInteger(trimmed(text), tensor.data<int32_t>()[index]);
  case DType::kI64:
    return storeInteger(trimmed(text), tensor.data<int64_t>()[index]);
  case DType::kF32:
    return storeFloat(trimmed(text), tensor.data<float>()[index]);
  case DType::kF64:
    return storeFloat(trimmed(text), tensor.data<double>()[index]);
  case DType::kString:
    tensor.data<std::string>()[index] = text;
    return true;
  default:
    return false;
  }
}

} // namespace sluice::rt
