// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Base64 by vectors: of any machine, where characters are told apart by comparison, and by AVX-512,
// which looks up 64 of them at once.
#include "runtime/io/base64_vectors.h"

#include "runtime/base/cpu_features.h"

#include <array>
#include <atomic>
#include <bit>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace sluice::rt {

namespace {

constexpr char kAlphabet[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

// ---- Vectors of any machine
// ----------------------------------------------------------------------

typedef uint8_t Bytes __attribute__((ext_vector_type(32)));
typedef uint32_t Groups __attribute__((ext_vector_type(8)));

// 0xff in each place that holds.
template <typename Comparison> Bytes mask(Comparison comparison) {
  return std::bit_cast<Bytes>(comparison);
}

// Of f32: twice the bits less one, of which the least is kept. Zeros of both signs are the
// greatest, so a denormal, whose exponent is zero, is what is below the least normal number.
constexpr uint32_t kLeastNormal = 0x00ffffff;

// False if one of the characters is not of the alphabet.
bool decodeOne(const char *text, unsigned char *out, Groups &least) {
  Bytes c;
  std::memcpy(&c, text, sizeof c);
  Bytes upper = mask((c >= 'A') & (c <= 'Z')), lower = mask((c >= 'a') & (c <= 'z'));
  Bytes digit = mask((c >= '0') & (c <= '9')), plus = mask(c == '+'), slash = mask(c == '/');
  if (__builtin_reduce_and(upper | lower | digit | plus | slash) == 0)
    return false;
  Bytes values = (upper & (c - 'A')) | (lower & (c - ('a' - 26))) | (digit & (c + (52 - '0'))) |
                 (plus & 62) | (slash & 63);
  auto x = std::bit_cast<Groups>(values);
  Groups groups = (x & 0x3f) << 18 | (x & 0x3f00) << 4 | (x >> 10 & 0xfc0) | x >> 24;
  auto bytes = std::bit_cast<Bytes>(groups);
  // Behind them come the first ones again.
  bytes = __builtin_shufflevector(bytes, bytes, 2, 1, 0, 6, 5, 4, 10, 9, 8, 14, 13, 12, 18, 17, 16,
                                  22, 21, 20, 26, 25, 24, 30, 29, 28, 2, 1, 0, 6, 5, 4, 10, 9);
  auto words = std::bit_cast<Groups>(bytes);
  least = __builtin_elementwise_min(least, words + words - 1);
  std::memcpy(out, &bytes, sizeof bytes);
  return true;
}

void encodeOne(const unsigned char *from, char *out) {
  Bytes bytes;
  std::memcpy(&bytes, from, sizeof bytes);
  bytes =
      __builtin_shufflevector(bytes, bytes, 2, 1, 0, -1, 5, 4, 3, -1, 8, 7, 6, -1, 11, 10, 9, -1,
                              14, 13, 12, -1, 17, 16, 15, -1, 20, 19, 18, -1, 23, 22, 21, -1);
  auto x = std::bit_cast<Groups>(bytes);
  Groups groups = (x >> 18 & 0x3f) | (x >> 4 & 0x3f00) | (x << 10 & 0x3f0000) | (x & 0x3f) << 24;
  auto v = std::bit_cast<Bytes>(groups);
  Bytes upper = mask(v < 26), digit = mask(v > 51), plus = mask(v == 62), slash = mask(v == 63);
  Bytes lower = ~(upper | digit);
  digit &= ~(plus | slash);
  Bytes text =
      v + ((upper & 'A') | (lower & ('a' - 26)) | (digit & static_cast<uint8_t>('0' - 52)) |
           (plus & static_cast<uint8_t>('+' - 62)) | (slash & static_cast<uint8_t>('/' - 63)));
  std::memcpy(out, &text, sizeof text);
}

// A vector is stored whole, and the end of it belongs to what comes next.
DecodedVectors decodeShort(const char *text, size_t size, unsigned char *out) {
  size_t done = 0;
  Groups least = ~Groups{};
  for (; size - done >= 48; done += 32, out += 24)
    if (!decodeOne(text + done, out, least))
      break;
  return {done, __builtin_reduce_min(least) < kLeastNormal};
}

size_t encodeShort(const unsigned char *bytes, size_t size, char *out) {
  size_t done = 0;
  for (; size - done >= 32; done += 24, out += 32)
    encodeOne(bytes + done, out);
  return done;
}

// ---- AVX-512
// --------------------------------------------------------------------------------------

#if defined(__x86_64__)
#define SLUICE_LONG_VECTORS [[gnu::target("avx512f,avx512bw,avx512vbmi")]]

using Table = std::array<uint8_t, 64>;
constexpr uint8_t kBad = 0x80;

// The values of the characters below 64, or of the next 64.
constexpr Table valuesFrom(int first) {
  Table table{};
  for (auto &value : table)
    value = kBad;
  for (uint8_t i = 0; i < 64; ++i)
    if (kAlphabet[i] >= first && kAlphabet[i] < first + 64)
      table[static_cast<size_t>(kAlphabet[i] - first)] = i;
  return table;
}
alignas(64) constexpr Table kLowValues = valuesFrom(0), kHighValues = valuesFrom(64);
// Bytes 2, 1, 0 of each group of four, which four vectors have, in three of them: each is made of
// two that follow each other.
alignas(64) constexpr std::array<Table, 3> kDecodedPlaces = [] {
  std::array<Table, 3> tables{};
  for (unsigned i = 0; i < 192; ++i) {
    unsigned vector = i / 48, byte = i % 48, first = i / 64;
    tables[first][i % 64] =
        static_cast<uint8_t>(byte / 3 * 4 + 2 - byte % 3 + 64 * (vector - first));
  }
  return tables;
}();
// Bytes 1, 0, 2, 1 of each group of three, from which shifts by these numbers take 6 bits each.
alignas(64) constexpr Table kEncodedPlaces = [] {
  Table table{};
  constexpr uint8_t kOrder[] = {1, 0, 2, 1};
  for (uint8_t i = 0; i < 64; ++i)
    table[i] = static_cast<uint8_t>(i / 4 * 3 + kOrder[i % 4]);
  return table;
}();
constexpr uint64_t kShifts = 0x3036242a1016040a;

// The groups of 64 characters. One of those is bad if a byte of `seen` is negative afterwards.
SLUICE_LONG_VECTORS inline __m512i groupsOf(const char *text, __m512i &seen) {
  __m512i c = _mm512_loadu_si512(text);
  __m512i values = _mm512_permutex2var_epi8(_mm512_load_si512(kLowValues.data()), c,
                                            _mm512_load_si512(kHighValues.data()));
  seen = _mm512_or_si512(seen, _mm512_or_si512(values, c));
  __m512i pairs = _mm512_maddubs_epi16(values, _mm512_set1_epi32(0x01400140));
  return _mm512_madd_epi16(pairs, _mm512_set1_epi32(0x00011000));
}

// Of the first groups, then of the second ones.
SLUICE_LONG_VECTORS inline void storeBytes(__m512i first, __m512i second, const Table &places,
                                           unsigned char *out, __m512i &least) {
  __m512i bytes = _mm512_permutex2var_epi8(first, _mm512_load_si512(places.data()), second);
  __m512i twice = _mm512_add_epi32(bytes, bytes);
  least = _mm512_min_epu32(least, _mm512_sub_epi32(twice, _mm512_set1_epi32(1)));
  _mm512_storeu_si512(out, bytes);
}

// Four at once take the fewest steps. Behind the bytes of a single one come the first ones again.
SLUICE_LONG_VECTORS DecodedVectors decodeLong(const char *text, size_t size, unsigned char *out) {
  __m512i seen = _mm512_setzero_si512(), least = _mm512_set1_epi32(-1);
  size_t done = 0;
  for (; size - done >= 256; done += 256, out += 192) {
    __m512i groups[4];
    for (size_t i = 0; i < 4; ++i)
      groups[i] = groupsOf(text + done + 64 * i, seen);
    if (_mm512_movepi8_mask(seen))
      break;
    for (size_t i = 0; i < 3; ++i)
      storeBytes(groups[i], groups[i + 1], kDecodedPlaces[i], out + 64 * i, least);
  }
  seen = _mm512_setzero_si512();
  for (; size - done >= kMostLeft; done += 64, out += 48) {
    __m512i groups = groupsOf(text + done, seen);
    if (_mm512_movepi8_mask(seen))
      break;
    storeBytes(groups, groups, kDecodedPlaces[0], out, least);
  }
  return {done, _mm512_reduce_min_epu32(least) < kLeastNormal};
}

SLUICE_LONG_VECTORS size_t encodeLong(const unsigned char *bytes, size_t size, char *out) {
  const __m512i alphabet = _mm512_loadu_si512(kAlphabet);
  const __m512i places = _mm512_load_si512(kEncodedPlaces.data());
  const __m512i shifts = _mm512_set1_epi64(static_cast<int64_t>(kShifts));
  size_t done = 0;
  for (; size - done >= 64; done += 48, out += 64) {
    __m512i groups = _mm512_permutexvar_epi8(places, _mm512_loadu_si512(bytes + done));
    __m512i values = _mm512_multishift_epi64_epi8(shifts, groups);
    _mm512_storeu_si512(out, _mm512_permutexvar_epi8(values, alphabet));
  }
  return done;
}
#else
DecodedVectors decodeLong(const char *text, size_t size, unsigned char *out) {
  return decodeShort(text, size, out);
}
size_t encodeLong(const unsigned char *bytes, size_t size, char *out) {
  return encodeShort(bytes, size, out);
}
#endif

constexpr uint8_t kUnknown = 255;
std::atomic<uint8_t> chosen{kUnknown};

Base64Level chosenLevel() {
  uint8_t level = chosen.load(std::memory_order_relaxed);
  if (level == kUnknown) {
    Base64Level best = canEncodeBy(Base64Level::kLongVectors) ? Base64Level::kLongVectors
                       : canEncodeBy(Base64Level::kVectors)   ? Base64Level::kVectors
                                                              : Base64Level::kTables;
    level = static_cast<uint8_t>(best);
    chosen.store(level, std::memory_order_relaxed);
  }
  return static_cast<Base64Level>(level);
}

} // namespace

bool canEncodeBy(Base64Level level) {
  constexpr CpuFeatureSet needed = cpuFeaturesNamed({"avx512f", "avx512bw", "avx512vbmi"});
  switch (level) {
  case Base64Level::kTables:
    return true;
  case Base64Level::kVectors:
    return std::endian::native == std::endian::little;
  case Base64Level::kLongVectors:
    return (needed & ~machineCpuFeatures()) == 0;
  }
  return false;
}

void forceBase64Level(Base64Level level) {
  chosen.store(static_cast<uint8_t>(level), std::memory_order_relaxed);
}

// Shorter texts are not worth asking the machine.
DecodedVectors decodeVectors(const char *text, size_t size, unsigned char *out) {
  if (size < kLeastVectors || chosenLevel() == Base64Level::kTables)
    return {};
  return chosenLevel() == Base64Level::kLongVectors ? decodeLong(text, size, out)
                                                    : decodeShort(text, size, out);
}

size_t encodeVectors(const unsigned char *bytes, size_t size, char *out) {
  if (size < kLeastVectors || chosenLevel() == Base64Level::kTables)
    return 0;
  return chosenLevel() == Base64Level::kLongVectors ? encodeLong(bytes, size, out)
                                                    : encodeShort(bytes, size, out);
}

} // namespace sluice::rt
