// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Little-endian byte streams in which images are written and read.
#pragma once

#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace sluice::rt {

class ImageWriter {
public:
  void u8(uint8_t v) { bytes_.push_back(static_cast<char>(v)); }
  void u32(uint32_t v) { raw(&v, sizeof v); }
  void i64(int64_t v) { raw(&v, sizeof v); }
  void f64(double v) { raw(&v, sizeof v); }
  void text(std::string_view s) {
    u32(static_cast<uint32_t>(s.size()));
    bytes_.append(s);
  }
  void raw(const void *data, size_t size) {
    bytes_.append(static_cast<const char *>(data), size);
  }
  // So that tensor data can be used in place.
  void align(size_t alignment) {
    while (bytes_.size() % alignment)
      bytes_.push_back('\0');
  }
  std::string take() { return std::move(bytes_); }

private:
  std::string bytes_;
};

// Reads past the end yield zeros and set `failed`.
class ImageReader {
public:
  explicit ImageReader(std::span<const char> bytes) : bytes_(bytes) {}
  bool failed() const { return failed_; }
  // What was read cannot have been written.
  void fail() { failed_ = true; }
  uint8_t u8() { return static_cast<uint8_t>(*raw(1)); }
  uint32_t u32() { return get<uint32_t>(); }
  int64_t i64() { return get<int64_t>(); }
  double f64() { return get<double>(); }
  std::string_view text() {
    uint32_t size = u32();
    const char *data = raw(size);
    return failed_ ? std::string_view() : std::string_view(data, size);
  }
  const char *raw(size_t size) {
    static constexpr char zeros[16] = {};
    if (size > bytes_.size() - at_) {
      failed_ = true;
      at_ = bytes_.size();
      return zeros;
    }
    const char *p = bytes_.data() + at_;
    at_ += size;
    return p;
  }
  void align(size_t alignment) {
    while (at_ % alignment && at_ < bytes_.size())
      ++at_;
  }

private:
  template <typename T> T get() {
    T v;
    std::memcpy(&v, raw(sizeof v), sizeof v);
    return v;
  }
  std::span<const char> bytes_;
  size_t at_ = 0;
  bool failed_ = false;
};

} // namespace sluice::rt
