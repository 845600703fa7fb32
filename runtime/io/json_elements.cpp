// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of tensors as plain JSON.
#include "runtime/io/json_elements.h"

#include "runtime/io/decimal.h"
#include "runtime/io/json.h"
#include "runtime/io/number_text.h"

#include <charconv>
#include <cmath>

namespace sluice::rt {

namespace {

template <typename T>
constexpr bool kIsComplex = DTypeOf<T>::value == DType::kC64 || DTypeOf<T>::value == DType::kC128;
template <typename T> constexpr bool kIsFloat = DTypeOf<T>::value <= DType::kF64;

template <typename T> const char *readNumber(const char *at, const char *end, T &value) {
  if constexpr (std::is_same_v<T, bool> || std::is_same_v<T, std::string>) {
    return nullptr;
  } else if constexpr (std::is_integral_v<T>) {
    return readWhole(at, end, value);
  } else if constexpr (kIsComplex<T>) {
    typename T::value_type real;
    at = readDecimal(at, end, real);
    value = {real, 0};
    return at;
  } else {
    return readDecimal(at, end, value);
  }
}

// Reads text that is known to be JSON: what is between elements needs no second look.
class Reader {
public:
  Reader(std::string_view text, Tensor &tensor)
      : at_(text.data()), end_(at_ + text.size()), tensor_(tensor) {}

  template <typename T> Status read() {
    T *to = tensor_.data<T>(), *last = to + tensor_.elements();
    while (at_ < end_) {
      char c = *at_;
      if (c == '-' || (c >= '0' && c <= '9')) {
        if (to == last)
          return tooMany();
        const char *end = readNumber(at_, end_, *to);
        if (!end)
          return refused(to - tensor_.data<T>(), wordAt(endOfJsonNumber(at_, end_)));
        at_ = end;
        ++to;
      } else if (c == '"' || (c >= 'a' && c <= 'z')) {
        if (to == last)
          return tooMany();
        SLUICE_RETURN_IF_ERROR(readOther(to - tensor_.data<T>()));
        ++to;
      } else {
        ++at_; // brackets, commas and spaces
      }
    }
    return to == last ? Status() : tooMany();
  }

private:
  std::string_view wordAt(const char *end) const { return {at_, static_cast<size_t>(end - at_)}; }

  // A string, true, false or null.
  Status readOther(int64_t index) {
    bool isString = *at_ == '"';
    at_ += isString;
    const char *end = at_;
    if (isString)
      end = endOfJsonString(at_, end_);
    while (!isString && end < end_ && *end >= 'a' && *end <= 'z')
      ++end;
    std::string_view word = wordAt(end);
    bool isBool = tensor_.dtype() == DType::kBool;
    if (isString == isBool || (!isString && word == "null"))
      return refused(index, word);
    std::string text = isString ? withoutJsonEscapes(word) : std::string(word);
    if (!parseElement(text, tensor_, index).ok())
      return refused(index, word);
    at_ = end + isString;
    return {};
  }

  Status refused(int64_t index, std::string_view word) const {
    return invalidArgument("expected a value of " + std::string(dtypeName(tensor_.dtype())) +
                           " within its range as element " + std::to_string(index) + " but got " +
                           quoted(word, 60));
  }
  static Status tooMany() { return internalError("elements were counted wrongly"); }

  const char *at_, *const end_;
  Tensor &tensor_;
};

template <typename T> void appendOne(const Tensor &tensor, int64_t index, std::string &out) {
  const T &value = tensor.data<T>()[index];
  if constexpr (std::is_same_v<T, bool>) {
    out += value ? "true" : "false";
    return;
  } else if constexpr (std::is_integral_v<T>) {
    char digits[32];
    out.append(digits, std::to_chars(digits, digits + sizeof(digits), value).ptr);
    return;
  } else if constexpr (kIsFloat<T>) {
    std::conditional_t<std::is_same_v<T, double>, double, float> number = value;
    if (std::isfinite(number)) {
      appendJsonNumber(number, out);
      return;
    }
  }
  out += '"';
  appendElement(tensor, index, out);
  out += '"';
}

template <typename T> void appendAll(const Tensor &tensor, std::string &out) {
  for (int64_t i = 0, n = tensor.elements(); i < n; ++i) {
    if (i)
      out += ',';
    appendOne<T>(tensor, i, out);
  }
}

} // namespace

Status readJsonElements(const JsonPart &part, Tensor &tensor) {
  // A string alone stands in its quotes.
  bool isString = part.is(JsonPart::Kind::kString);
  Reader reader({part.text.data() - isString, part.text.size() + 2 * isString}, tensor);
  switch (tensor.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    return reader.read<T>();
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
    SLUICE_CASE(kBool, bool, bool)
    SLUICE_CASE(kString, std::string, string)
#undef SLUICE_CASE
  default:
    return invalidArgument("expected a dtype that can be fed but got " +
                           std::string(dtypeName(tensor.dtype())));
  }
}

void appendJsonElements(const Tensor &tensor, std::string &out) {
  out += '[';
  switch (tensor.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    appendAll<T>(tensor, out);                                                                     \
    break;
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
    SLUICE_CASE(kBool, bool, bool)
#undef SLUICE_CASE
  default:
    break;
  }
  out += ']';
}

} // namespace sluice::rt
