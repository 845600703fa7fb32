// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers and texts as little-endian bytes, one behind the other: images of programs, what ranks
// say to each other, and archives.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

namespace sluice::rt {

static_assert(std::endian::native == std::endian::little, "bytes go out as they are in memory");

class ByteWriter {
public:
  template <typename T> void number(T value) {
    static_assert(std::is_arithmetic_v<T>);
    raw(&value, sizeof value);
  }
  // Behind its length, which is a `Length`.
  template <typename Length> void text(std::string_view text) {
    number(static_cast<Length>(text.size()));
    bytes_.append(text);
  }
  void raw(const void *data, size_t size) { bytes_.append(static_cast<const char *>(data), size); }
  void raw(std::string_view bytes) { bytes_.append(bytes); }
  // Zeros up to the next multiple.
  void align(size_t alignment) {
    bytes_.resize((bytes_.size() + alignment - 1) / alignment * alignment);
  }
  size_t size() const { return bytes_.size(); }
  const std::string &bytes() const { return bytes_; }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

// Reads past the end, and lengths beyond it, yield zeros and nothing, and set `failed`.
class ByteReader {
public:
  explicit ByteReader(std::span<const char> bytes) : bytes_(bytes) {}

  bool failed() const { return failed_; }
  bool atEnd() const { return at_ == bytes_.size(); }
  // What was read cannot have been written. Nothing is left.
  void fail() {
    failed_ = true;
    at_ = bytes_.size();
  }
  template <typename T> T number() {
    static_assert(std::is_arithmetic_v<T>);
    T value{};
    if (std::string_view part = raw(sizeof value); !part.empty())
      std::memcpy(&value, part.data(), sizeof value);
    return value;
  }
  template <typename Length> std::string_view text() { return raw(number<Length>()); }
  std::string_view raw(size_t size) {
    if (size > bytes_.size() - at_) {
      fail();
      return {};
    }
    return {bytes_.data() + std::exchange(at_, at_ + size), size};
  }
  // Up to the next multiple.
  void align(size_t alignment) { (void)raw((alignment - at_ % alignment) % alignment); }

private:
  std::span<const char> bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

} // namespace sluice::rt
