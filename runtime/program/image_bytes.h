// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The numbers and texts of images. Lengths have 32 bits.
#pragma once

#include "runtime/base/byte_stream.h"

namespace sluice::rt {

// How the elements of a constant that holds no strings are written: one that stands for all, all of
// them, or where the same bytes are that were written before.
enum class ElementsForm : uint8_t { kHere, kRepeated, kShared, kLast = kShared };

class ImageWriter : public ByteWriter {
public:
  void u8(uint8_t v) { number(v); }
  void u32(uint32_t v) { number(v); }
  void i64(int64_t v) { number(v); }
  void f64(double v) { number(v); }
  void text(std::string_view s) { ByteWriter::text<uint32_t>(s); }
};

class ImageReader : public ByteReader {
public:
  using ByteReader::ByteReader;

  uint8_t u8() { return number<uint8_t>(); }
  uint32_t u32() { return number<uint32_t>(); }
  int64_t i64() { return number<int64_t>(); }
  double f64() { return number<double>(); }
  std::string_view text() { return ByteReader::text<uint32_t>(); }
};

} // namespace sluice::rt
