// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hashes of strings, as their authors have published them.
#include "runtime/kernels/text_hashes.h"

#include <bit>
#include <cstring>
#include <utility>

namespace sluice::rt {

namespace {

static_assert(std::endian::native == std::endian::little);

template <typename Word> uint64_t wordAt(const char *at) {
  Word word;
  std::memcpy(&word, at, sizeof(word));
  return word;
}
uint64_t fetch(const char *at) { return wordAt<uint64_t>(at); }

// Up to eight bytes, the first one lowest.
uint64_t fetchSome(const char *at, size_t count) {
  uint64_t word = 0;
  std::memcpy(&word, at, count);
  return word;
}

// ---- FarmHash: three multipliers, and steps for strings of several lengths

constexpr uint64_t kFirst = 0xc3a5c85c97cb3127, kSecond = 0xb492b66fbe98f273,
                   kThird = 0x9ae16a3b2f90404f;

uint64_t mixed(uint64_t x) { return x ^ x >> 47; }

uint64_t joined(uint64_t low, uint64_t high, uint64_t multiplier) {
  uint64_t a = mixed((low ^ high) * multiplier);
  return mixed((high ^ a) * multiplier) * multiplier;
}

uint64_t farmOfFew(const char *at, size_t size) {
  uint64_t multiplier = kThird + size * 2;
  if (size >= 8) {
    uint64_t a = fetch(at) + kThird, b = fetch(at + size - 8);
    return joined(std::rotr(b, 37) * multiplier + a, (std::rotr(a, 25) + b) * multiplier,
                  multiplier);
  }
  if (size >= 4)
    return joined(size + (wordAt<uint32_t>(at) << 3), wordAt<uint32_t>(at + size - 4), multiplier);
  if (size == 0)
    return kThird;
  auto byte = [&](size_t i) { return static_cast<uint64_t>(static_cast<unsigned char>(at[i])); };
  uint64_t low = byte(0) + (byte(size >> 1) << 8), high = size + (byte(size - 1) << 2);
  return mixed(low * kThird ^ high * kFirst) * kThird;
}

// Two halves of 16 bytes, of up to 32 together.
uint64_t farmOfHalves(const char *at, size_t size) {
  uint64_t multiplier = kThird + size * 2;
  uint64_t a = fetch(at) * kSecond, b = fetch(at + 8), c = fetch(at + size - 8) * multiplier,
           d = fetch(at + size - 16) * kThird;
  return joined(std::rotr(a + b, 43) + std::rotr(c, 30) + d, a + std::rotr(b + kThird, 18) + c,
                multiplier);
}

uint64_t farmOfQuarters(const char *at, size_t size) {
  uint64_t multiplier = kThird + size * 2;
  uint64_t a = fetch(at) * kThird, b = fetch(at + 8), c = fetch(at + size - 8) * multiplier,
           d = fetch(at + size - 16) * kThird;
  uint64_t y = std::rotr(a + b, 43) + std::rotr(c, 30) + d;
  uint64_t z = joined(y, a + std::rotr(b + kThird, 18) + c, multiplier);
  uint64_t e = fetch(at + 16) * multiplier, f = fetch(at + 24),
           g = (y + fetch(at + size - 32)) * multiplier,
           h = (z + fetch(at + size - 24)) * multiplier;
  return joined(std::rotr(e + f, 43) + std::rotr(g, 30) + h, e + std::rotr(f + a, 18) + g,
                multiplier);
}

struct Pair {
  uint64_t first = 0, second = 0;
};

// 32 bytes onto two sums.
Pair weakHash(const char *at, uint64_t a, uint64_t b) {
  a += fetch(at);
  b = std::rotr(b + a + fetch(at + 24), 21);
  uint64_t before = a;
  a += fetch(at + 8) + fetch(at + 16);
  b += std::rotr(a, 44);
  return {a + fetch(at + 24), b + before};
}

// What is known of the blocks of 64 bytes so far.
struct FarmState {
  uint64_t x, y, z;
  Pair v, w;

  // The last block has multipliers of its own.
  void add(const char *at, uint64_t multiplier, uint64_t forW, uint64_t forV) {
    x = std::rotr(x + y + v.first + fetch(at + 8), 37) * multiplier;
    y = std::rotr(y + v.second + fetch(at + 48), 42) * multiplier;
    x ^= w.second * forW;
    y += v.first * forV + fetch(at + 40);
    z = std::rotr(z + w.first, 33) * multiplier;
    v = weakHash(at, v.second * multiplier, x + w.first);
    w = weakHash(at + 32, z + w.second, y + fetch(at + 16));
    std::swap(z, x);
  }
};

uint64_t farmOfMany(const char *at, size_t size) {
  constexpr uint64_t kSeed = 81, kBlock = 64;
  FarmState state{kSeed, kSeed * kSecond + 113, 0, {}, {}};
  state.z = mixed(state.y * kThird + 113) * kThird;
  state.x = state.x * kThird + fetch(at);
  const size_t rest = (size - 1) % kBlock;
  const char *last = at + size - kBlock;
  for (const char *end = at + (size - 1 - rest); at != end; at += kBlock)
    state.add(at, kSecond, 1, 1);
  uint64_t multiplier = kSecond + ((state.z & 0xff) << 1);
  state.w.first += rest;
  state.v.first += state.w.first;
  state.w.first += state.v.first;
  state.add(last, multiplier, 9, 9);
  return joined(joined(state.v.first, state.w.first, multiplier) + mixed(state.y) * kFirst +
                    state.z,
                joined(state.v.second, state.w.second, multiplier) + state.x, multiplier);
}

// ---- SipHash

struct SipState {
  uint64_t a, b, c, d;

  void round() {
    a += b;
    c += d;
    b = std::rotl(b, 13) ^ a;
    d = std::rotl(d, 16) ^ c;
    a = std::rotl(a, 32);
    c += b;
    a += d;
    b = std::rotl(b, 17) ^ c;
    d = std::rotl(d, 21) ^ a;
    c = std::rotl(c, 32);
  }
  void add(uint64_t word) {
    d ^= word;
    round();
    round();
    a ^= word;
  }
};

} // namespace

uint64_t fingerprint64(std::string_view text) {
  size_t size = text.size();
  if (size <= 16)
    return farmOfFew(text.data(), size);
  if (size <= 32)
    return farmOfHalves(text.data(), size);
  return size <= 64 ? farmOfQuarters(text.data(), size) : farmOfMany(text.data(), size);
}

uint64_t murmur64(std::string_view text, uint64_t seed) {
  constexpr uint64_t kMultiplier = 0xc6a4a7935bd1e995;
  auto fold = [](uint64_t x) { return x ^ x >> 47; };
  uint64_t hash = seed ^ text.size() * kMultiplier;
  for (; text.size() >= 8; text.remove_prefix(8))
    hash = (hash ^ fold(fetch(text.data()) * kMultiplier) * kMultiplier) * kMultiplier;
  if (!text.empty())
    hash = (hash ^ fetchSome(text.data(), text.size())) * kMultiplier;
  return fold(fold(hash) * kMultiplier);
}

uint64_t sipHash24(std::string_view text, uint64_t firstKey, uint64_t secondKey) {
  SipState state{firstKey ^ 0x736f6d6570736575, secondKey ^ 0x646f72616e646f6d,
                 firstKey ^ 0x6c7967656e657261, secondKey ^ 0x7465646279746573};
  const uint64_t size = text.size();
  for (; text.size() >= 8; text.remove_prefix(8))
    state.add(fetch(text.data()));
  state.add(fetchSome(text.data(), text.size()) | size << 56);
  state.c ^= 0xff;
  for (int i = 0; i < 4; ++i)
    state.round();
  return state.a ^ state.b ^ state.c ^ state.d;
}

} // namespace sluice::rt
