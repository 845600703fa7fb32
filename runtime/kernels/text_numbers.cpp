// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers as strings and back: as_text, parse_number.
#include "runtime/base/arithmetic.h"
#include "runtime/base/pieces.h"
#include "runtime/io/number_text.h"
#include "runtime/io/records/csv.h"
#include "runtime/io/white_space.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/text_work.h"

#include <algorithm>
#include <charconv>
#include <complex>
#include <cstdio>
#include <limits>

namespace sluice::rt {

namespace {

// Digits before the point of a large double are several hundred.
constexpr int64_t kCostOfText = 4096, kCostOfNumber = 512;

// ---- as_text

// One of printf's conversions, with what an op's attributes say of it.
class Conversion {
public:
  explicit Conversion(const attributes::nd::AsText &given)
      : fill_(given.fill()), width_(given.width()), precision_(given.precision()) {
    pattern_ = "%" + std::string(fill_);
    if (width_ >= 0)
      pattern_ += std::to_string(width_);
    if (precision_ >= 0)
      pattern_ += "." + std::to_string(precision_);
    letter_ = given.form() == "decimal" ? "f" : given.form() == "scientific" ? "e" : "g";
  }

  std::string text(double x) const {
    std::string text = print((pattern_ + letter_).c_str(), x);
    std::ranges::replace(text, ',', '.'); // what a locale may have
    return text;
  }
  template <typename T> std::string text(std::complex<T> x) const {
    return "(" + text(static_cast<double>(x.real())) + "," + text(static_cast<double>(x.imag())) +
           ")";
  }
  std::string text(int64_t x) const {
    return print((pattern_ + "lld").c_str(), static_cast<long long>(x));
  }
  std::string text(uint64_t x) const {
    return print((pattern_ + "llu").c_str(), static_cast<unsigned long long>(x));
  }
  static std::string text(bool x) { return x ? "true" : "false"; }
  std::string text(std::string_view x) const {
    if (precision_ >= 0)
      x = x.substr(0, static_cast<size_t>(precision_));
    auto width = static_cast<size_t>(std::max<int64_t>(width_, 0));
    std::string space(width > x.size() ? width - x.size() : 0, ' ');
    return fill_ == "-" ? std::string(x) + space : space + std::string(x);
  }

private:
  template <typename T> static std::string print(const char *pattern, T x) {
    std::string text(static_cast<size_t>(std::snprintf(nullptr, 0, pattern, x)), '\0');
    std::snprintf(text.data(), text.size() + 1, pattern, x);
    return text;
  }

  std::string_view fill_;
  int64_t width_, precision_;
  std::string pattern_, letter_;
};

std::string elementText(const Conversion &conversion, const Tensor &input, int64_t i) {
  switch (input.dtype()) {
  case DType::kF16:
    return conversion.text(static_cast<double>(input.data<Half>()[i]));
  case DType::kBF16:
    return conversion.text(static_cast<double>(input.data<BFloat16>()[i]));
  case DType::kF32:
    return conversion.text(static_cast<double>(input.data<float>()[i]));
  case DType::kF64:
    return conversion.text(input.data<double>()[i]);
  case DType::kC64:
    return conversion.text(input.data<std::complex<float>>()[i]);
  case DType::kC128:
    return conversion.text(input.data<std::complex<double>>()[i]);
  case DType::kBool:
    return Conversion::text(input.data<bool>()[i]);
  case DType::kString:
    return conversion.text(std::string_view(input.data<std::string>()[i]));
  case DType::kU8:
  case DType::kU16:
  case DType::kU32:
    return conversion.text(static_cast<uint64_t>(input.asInt(i)));
  case DType::kU64:
    return conversion.text(input.data<uint64_t>()[i]);
  default:
    return conversion.text(input.asInt(i));
  }
}

Status asTextRun(KernelCall &call) {
  const Tensor &input = call.input(0);
  attributes::nd::AsText given(call);
  Conversion conversion(given);
  auto *texts = call.output(0).data<std::string>();
  TurnsOfCall turns(kCostOfText);
  for (int64_t i = 0, n = input.elements(); i < n; ++i) {
    if (turns.end())
      return cancelledWork();
    if (input.dtype() == DType::kString && !textHasRoom(input.data<std::string>()[i].size()))
      return noRoomForText(input.data<std::string>()[i].size());
    texts[i] = elementText(conversion, input, i);
  }
  return okStatus();
}

uint64_t asTextWork(const KernelCall &call) {
  if (call.input(0).dtype() == DType::kString)
    return workOfTexts(call);
  constexpr uint64_t kWorkOfNumber = 512;
  return static_cast<uint64_t>(call.input(0).elements()) * kWorkOfNumber;
}

// ---- parse_number

// A number that is all of the text. Of one that is too large or too small for its type `end` says
// so, and the value is as it was.
template <typename T, typename... Form>
bool readsAll(std::string_view text, T &value, std::errc &error, Form... form) {
  auto result = std::from_chars(text.data(), text.data() + text.size(), value, form...);
  error = result.ec;
  return error != std::errc::invalid_argument && result.ptr == text.data() + text.size();
}

bool isHexadecimal(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && (text[1] | 0x20) == 'x';
}

template <typename T> bool parse(std::string_view text, T &value) {
  if (text.starts_with('+') && !text.starts_with("+-"))
    text.remove_prefix(1);
  std::errc error;
  if constexpr (kIsInt<T>) {
    return readsAll(text, value, error) && error == std::errc();
  } else {
    bool isNegative = text.starts_with('-');
    if (isNegative)
      text.remove_prefix(1);
    bool isHex = isHexadecimal(text);
    if (isHex)
      text.remove_prefix(2);
    if (text.starts_with('-') || !(isHex ? readsAll(text, value, error, std::chars_format::hex)
                                         : readsAll(text, value, error)))
      return false;
    // How far a hexadecimal one is beyond the range, its exponent says.
    if (error == std::errc::result_out_of_range) {
      bool isLarge = isHex ? text.find("p-") == text.npos && text.find("P-") == text.npos
                           : isLargeDecimal(text);
      value = isLarge ? std::numeric_limits<T>::infinity() : T(0);
    }
    if (isNegative)
      value = -value;
    return true;
  }
}

template <typename T> Status parseAll(const KernelCall &call, T *values) {
  TurnsOfCall turns(kCostOfNumber);
  for (const std::string &text : call.input(0).values<std::string>()) {
    if (turns.end())
      return cancelledWork();
    std::string_view number = trimmed(text);
    if (!parse(number, *values++))
      return invalidArgument("StringToNumberOp could not correctly convert string: " +
                             quoted(text, 60));
  }
  return okStatus();
}

Status parseRun(KernelCall &call) {
  switch (call.outputType(0)) {
  case DType::kF32:
    return parseAll(call, call.output(0).data<float>());
  case DType::kF64:
    return parseAll(call, call.output(0).data<double>());
  case DType::kI32:
    return parseAll(call, call.output(0).data<int32_t>());
  case DType::kI64:
    return parseAll(call, call.output(0).data<int64_t>());
  case DType::kU32:
    return parseAll(call, call.output(0).data<uint32_t>());
  case DType::kU64:
    return parseAll(call, call.output(0).data<uint64_t>());
  default:
    return unimplemented("expected to read 32-bit or 64-bit numbers");
  }
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_as_text, {sameShapeRule, asTextRun, Kernel::kNone, nullptr, asTextWork})
SLUICE_DEFINE_KERNEL(nd_parse_number,
                     {sameShapeRule, parseRun, Kernel::kNone, nullptr, workOfTexts})

} // namespace sluice::rt
