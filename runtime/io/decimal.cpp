// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Most numbers have few digits and small exponents: their digits are an integer that a double
// holds, and one exact multiplication or division by a power of ten gives the nearest double. The
// library reads the others.
#include "runtime/io/decimal.h"

#include "runtime/io/json_events.h"

#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <limits>

namespace sluice::rt {

namespace {

constexpr double kPowersOfTen[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8,  1e9,  1e10, 1e11, 1e12, 1e13, 1e14, 1e15,
                                   1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};
constexpr int kMostPower = 22;
constexpr int kMostDigits = 19; // of an integer of 64 bits, whatever they are

bool isDigit(char c) { return static_cast<unsigned char>(c - '0') < 10; }

// Whether the eight bytes are digits, and what they say.
bool areDigits(uint64_t bytes) {
  constexpr uint64_t kHigh = 0xf0f0f0f0f0f0f0f0, kZeros = 0x3030303030303030;
  return ((bytes & kHigh) | ((bytes + 0x0606060606060606) & kHigh) >> 4) == (kZeros | kZeros >> 4);
}
uint64_t valueOf(uint64_t bytes) {
  bytes -= 0x3030303030303030;
  bytes = bytes * 10 + (bytes >> 8);
  constexpr uint64_t kMask = 0x000000ff000000ff;
  return ((bytes & kMask) * 0x000f424000000064 + (bytes >> 16 & kMask) * 0x0000271000000001) >> 32;
}

const char *readDigits(const char *at, const char *end, uint64_t &value) {
  if constexpr (std::endian::native == std::endian::little) {
    while (end - at >= 8) {
      uint64_t bytes;
      std::memcpy(&bytes, at, 8);
      if (!areDigits(bytes))
        break;
      value = value * 100'000'000 + valueOf(bytes);
      at += 8;
    }
  }
  for (; at < end && isDigit(*at); ++at)
    value = value * 10 + static_cast<uint64_t>(*at - '0');
  return at;
}

// A number taken apart: its digits as an integer, unless there are too many, times a power of ten.
struct Parts {
  bool negative = false;
  bool tooManyDigits = false;
  uint64_t digits = 0;
  int64_t exponent = 0;
  const char *end = nullptr;
};

Parts takeApart(const char *at, const char *end) {
  Parts parts;
  parts.negative = *at == '-';
  at += parts.negative;
  const char *first = at, *point = nullptr;
  at = readDigits(at, end, parts.digits);
  if (at < end && *at == '.') {
    point = ++at;
    at = readDigits(at, end, parts.digits);
    parts.exponent = point - at;
  }
  parts.tooManyDigits = at - first > kMostDigits + (point != nullptr);
  if (at < end && (*at | 0x20) == 'e') {
    ++at;
    bool down = *at == '-';
    at += down || *at == '+';
    int64_t power = 0;
    for (; at < end && isDigit(*at); ++at)
      power = std::min<int64_t>(power * 10 + (*at - '0'), INT64_C(1) << 40);
    parts.exponent += down ? -power : power;
  }
  parts.end = at;
  return parts;
}

double scaled(double value, int64_t exponent) {
  return exponent < 0 ? value / kPowersOfTen[-exponent] : value * kPowersOfTen[exponent];
}

bool isSmallPower(int64_t exponent) { return exponent >= -kMostPower && exponent <= kMostPower; }

// A number that the library finds beyond the range is too small if its first digit lies behind the
// point, and too large else.
bool isTooSmall(std::string_view text) {
  size_t first = text.find_first_of("123456789"), mark = text.find_first_of("eE");
  size_t point = std::min(text.find('.'), std::min(mark, text.size()));
  if (first >= std::min(mark, text.size()))
    return true;
  int64_t power = static_cast<int64_t>(point) - static_cast<int64_t>(first);
  if (mark == text.npos)
    return power <= 0;
  int64_t exponent = 0;
  const char *from = text.data() + mark + 1, *end = text.data() + text.size();
  if (std::from_chars(from + (*from == '+'), end, exponent).ec != std::errc())
    return *from == '-';
  return power + std::min(std::max(exponent, INT64_MIN / 2), INT64_MAX / 2) <= 0;
}

template <typename T>
[[gnu::noinline]] const char *readByLibrary(const char *at, const char *end, T &value) {
  end = endOfJsonNumber(at, end);
  std::errc error = std::from_chars(at, end, value).ec;
  if (error == std::errc())
    return std::isinf(value) ? nullptr : end;
  if (!isTooSmall({at, static_cast<size_t>(end - at)}))
    return nullptr;
  value = *at == '-' ? -T(0) : T(0);
  return end;
}

// The float nearest to the value, or one of its neighbours with an odd last bit if it is none
// itself: what is then rounded to fewer bits is as if it had been rounded once.
float roundedToOdd(double value) {
  auto rounded = static_cast<float>(value);
  if (static_cast<double>(rounded) == value || std::isinf(rounded))
    return rounded;
  auto bits = std::bit_cast<uint32_t>(rounded);
  bool away = std::abs(static_cast<double>(rounded)) > std::abs(value);
  return std::bit_cast<float>((away ? bits - 1 : bits) | 1);
}

template <typename T> const char *readNarrow(const char *at, const char *end, T &value) {
  double wide;
  end = readDecimal(at, end, wide);
  if (!end)
    return nullptr;
  value = T(roundedToOdd(wide));
  return std::isinf(static_cast<float>(value)) ? nullptr : end;
}

} // namespace

const char *readDecimal(const char *at, const char *end, double &value) {
  constexpr uint64_t kMostExact = uint64_t{1} << 53;
  Parts parts = takeApart(at, end);
  if (parts.tooManyDigits || parts.digits > kMostExact || !isSmallPower(parts.exponent))
    return readByLibrary(at, end, value);
  double size = scaled(static_cast<double>(parts.digits), parts.exponent);
  value = parts.negative ? -size : size;
  return parts.end;
}

// The double that comes out is at most two units in its last place from what the digits say. It
// becomes the right float unless a point halfway between two floats is that near.
const char *readDecimal(const char *at, const char *end, float &value) {
  constexpr uint64_t kLowBits = (1u << 29) - 1, kHalfway = 1u << 28, kNear = 4;
  Parts parts = takeApart(at, end);
  if (parts.tooManyDigits || !isSmallPower(parts.exponent))
    return readByLibrary(at, end, value);
  double size = scaled(static_cast<double>(parts.digits), parts.exponent);
  uint64_t low = std::bit_cast<uint64_t>(size) & kLowBits;
  bool safe = low + kNear - kHalfway > 2 * kNear;
  bool normal = size >= 0x1p-126 && size <= 0x1p127;
  if (!(safe && normal) && parts.digits != 0)
    return readByLibrary(at, end, value);
  auto rounded = static_cast<float>(size);
  value = parts.negative ? -rounded : rounded;
  return parts.end;
}

const char *readDecimal(const char *at, const char *end, Half &value) {
  return readNarrow(at, end, value);
}
const char *readDecimal(const char *at, const char *end, BFloat16 &value) {
  return readNarrow(at, end, value);
}

template <typename T> const char *readWhole(const char *at, const char *end, T &value) {
  bool negative = *at == '-';
  const char *first = at + negative;
  uint64_t size = 0;
  const char *last = readDigits(first, end, size);
  if (last < end && (*last == '.' || (*last | 0x20) == 'e'))
    return nullptr;
  if (last - first > kMostDigits)
    return std::from_chars(at, last, value).ec == std::errc() ? last : nullptr;
  uint64_t most = static_cast<uint64_t>(std::numeric_limits<T>::max());
  if (negative)
    most = std::is_signed_v<T> ? most + 1 : 0;
  if (size > most)
    return nullptr;
  value = static_cast<T>(negative ? 0 - size : size);
  return last;
}

#define SLUICE_DEFINE(E, T, N) template const char *readWhole<T>(const char *, const char *, T &);
SLUICE_INT_DTYPES(SLUICE_DEFINE)
#undef SLUICE_DEFINE

} // namespace sluice::rt
