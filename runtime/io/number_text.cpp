// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements as text. printf does the digits: std::to_chars for floats would add 130 kB of tables.
#include "runtime/io/number_text.h"

#include "runtime/io/utf8.h"

#include <charconv>
#include <cmath>
#include <cstdio>

namespace sluice::rt {

namespace {

template <typename T>
constexpr bool kIsComplex = DTypeOf<T>::value == DType::kC64 || DTypeOf<T>::value == DType::kC128;
template <typename T> constexpr bool kIsFloat = !std::is_integral_v<T> && !kIsComplex<T>;

// Decimals of up to this many digits survive the type, and three more always identify a value.
template <typename T> constexpr int kSafeDigits = 6;
template <> constexpr int kSafeDigits<double> = 15;
template <> constexpr int kSafeDigits<Half> = 3;
template <> constexpr int kSafeDigits<BFloat16> = 2;

template <typename T> constexpr double kSmallestNormal = 0x1p-126; // also of bfloat16
template <> constexpr double kSmallestNormal<double> = 0x1p-1022;
template <> constexpr double kSmallestNormal<Half> = 0x1p-14;

// A locale may have set another decimal point, even one of several bytes.
void appendPlain(const char *text, std::string &out) {
  bool inPoint = false;
  for (; *text; ++text) {
    char c = *text;
    bool plain = (c >= '0' && c <= '9') || c == '-' || c == '+' || c == 'e';
    if (plain)
      out += c;
    else if (!inPoint)
      out += '.';
    inPoint = !plain;
  }
}

template <typename T> bool readFloat(std::string_view text, T &value) {
  using Wide = std::conditional_t<std::is_same_v<T, double>, double, float>;
  Wide wide;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), wide);
  if (error != std::errc() || end != text.data() + text.size())
    return false;
  value = T(wide);
  // Half is narrower than the type that was read.
  return !std::isinf(static_cast<Wide>(value)) || std::isinf(wide);
}

template <typename T> void appendFloat(T value, std::string &out) {
  auto wide = static_cast<double>(value);
  if (std::isnan(wide)) {
    out += "nan";
    return;
  }
  if (std::isinf(wide)) {
    out += wide < 0 ? "-inf" : "inf";
    return;
  }
  if (wide == std::trunc(wide) && std::abs(wide) < (kSafeDigits<T> > 6 ? 1e15 : 1e7)) {
    char whole[32];
    std::snprintf(whole, sizeof(whole), "%.0f", wide);
    out += whole;
    return;
  }
  // Subnormal numbers have fewer digits.
  bool few = std::abs(wide) < kSmallestNormal<T>;
  for (int digits = few ? 1 : kSafeDigits<T>;; ++digits) {
    char buffer[64];
    std::snprintf(buffer, sizeof(buffer), "%.*g", digits, wide);
    std::string text;
    appendPlain(buffer, text);
    T back;
    if (digits >= kSafeDigits<T> + 3 ||
        (readFloat(text, back) && static_cast<double>(back) == wide)) {
      out += text;
      return;
    }
  }
}

template <typename T> void appendInt(T value, std::string &out) {
  char buffer[32];
  auto [end, error] = std::to_chars(buffer, buffer + sizeof(buffer), value);
  out.append(buffer, end);
}

template <typename T> void appendComplex(std::complex<T> value, std::string &out) {
  appendFloat(value.real(), out);
  if (!std::signbit(value.imag()) || std::isnan(value.imag()))
    out += '+';
  appendFloat(value.imag(), out);
  out += 'i';
}

std::string_view withoutPlus(std::string_view text) {
  if (text.size() > 1 && text[0] == '+' && text[1] != '-' && text[1] != '+')
    text.remove_prefix(1);
  return text;
}

// Where the imaginary part starts: the last sign that belongs to no exponent. 0: no real part.
size_t imaginaryStart(std::string_view text) {
  for (size_t i = text.size(); i-- > 1;)
    if ((text[i] == '+' || text[i] == '-') && text[i - 1] != 'e' && text[i - 1] != 'E')
      return i;
  return 0;
}

template <typename T> bool readComplex(std::string_view text, std::complex<T> &value) {
  T real = 0, imaginary = 0;
  if (!text.empty() && (text.back() == 'i' || text.back() == 'j')) {
    size_t split = imaginaryStart(text);
    std::string_view tail = text.substr(split, text.size() - split - 1);
    if (!readFloat(withoutPlus(tail), imaginary))
      return false;
    text = text.substr(0, split);
    if (!text.empty() && !readFloat(withoutPlus(text), real))
      return false;
  } else if (!readFloat(withoutPlus(text), real)) {
    return false;
  }
  value = {real, imaginary};
  return true;
}

bool readBool(std::string_view text, bool &value) {
  value = text == "true" || text == "1";
  return value || text == "false" || text == "0";
}

template <typename T> bool readNumber(std::string_view text, T &value) {
  if constexpr (kIsComplex<T>) {
    return readComplex(text, value);
  } else if constexpr (kIsFloat<T>) {
    return readFloat(withoutPlus(text), value);
  } else {
    text = withoutPlus(text);
    auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
    return error == std::errc() && end == text.data() + text.size() && !text.empty();
  }
}

template <typename T> void appendOne(T value, std::string &out) {
  if constexpr (kIsComplex<T>)
    appendComplex(value, out);
  else if constexpr (kIsFloat<T>)
    appendFloat(value, out);
  else
    appendInt(value, out);
}

} // namespace

void appendNumber(double value, std::string &out) { appendFloat(value, out); }

void appendElement(const Tensor &tensor, int64_t index, std::string &out) {
  switch (tensor.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    return appendOne(tensor.data<T>()[index], out);
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  case DType::kBool:
    out += tensor.data<bool>()[index] ? "true" : "false";
    return;
  case DType::kString:
    out += quoted(tensor.data<std::string>()[index], std::string::npos);
    return;
  default:
    out += '?';
  }
}

Status parseElement(std::string_view text, Tensor &tensor, int64_t index) {
  bool good = false;
  switch (tensor.dtype()) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    good = readNumber(text, tensor.data<T>()[index]);                                              \
    break;
    SLUICE_NUMBER_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  case DType::kBool:
    good = readBool(text, tensor.data<bool>()[index]);
    break;
  case DType::kString:
    tensor.data<std::string>()[index] = text;
    good = true;
    break;
  default:
    break;
  }
  if (good)
    return {};
  return invalidArgument("expected a value of " + std::string(dtypeName(tensor.dtype())) +
                         " within its range but got " + quoted(text, 60));
}

std::string quoted(std::string_view text, size_t limit, char quote) {
  bool cut = text.size() > limit;
  text = text.substr(0, limit);
  std::string out(1, quote);
  while (!text.empty()) {
    auto byte = static_cast<unsigned char>(text[0]);
    size_t length = utf8Length(text);
    // U+0080 to U+009F are control characters for terminals.
    bool control = byte < 0x20 || byte == 0x7f ||
                   (byte == 0xc2 && length == 2 && static_cast<unsigned char>(text[1]) < 0xa0);
    if (text[0] == quote || text[0] == '\\')
      (out += '\\') += text[0];
    else if (text[0] == '\n')
      out += "\\n";
    else if (text[0] == '\t')
      out += "\\t";
    else if (control || length == 0)
      out += format("\\x%02x", byte);
    else
      out += text.substr(0, length);
    text.remove_prefix(control || length == 0 ? 1 : length);
  }
  out += quote;
  return cut ? out + "..." : out;
}

} // namespace sluice::rt
