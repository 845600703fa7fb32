// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads protocol buffers from their wire format, without knowing the messages.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <cstdint>

namespace sluice::conformance {

// One field after the other of a message.
class FieldReader {
public:
  explicit FieldReader(llvm::StringRef bytes) : rest_(bytes) {}

  // False at the end or where the bytes are malformed.
  bool next() {
    llvm::StringRef before = rest_;
    text = {};
    varint = 0;
    if (!readField())
      return false;
    whole = before.drop_back(rest_.size());
    return true;
  }

  uint64_t number = 0;
  llvm::StringRef text;  // empty unless the field has bytes
  uint64_t varint = 0;   // 0 unless the field is one
  llvm::StringRef whole; // with what stands before its bytes

private:
  bool readField() {
    uint64_t key = 0, length = 0;
    if (rest_.empty() || !readVarint(key))
      return false;
    number = key >> 3;
    switch (key & 7) {
    case 0:
      return readVarint(varint);
    case 1:
      return take(8);
    case 2:
      return readVarint(length) && take(length);
    case 5:
      return take(4);
    default:
      return false;
    }
  }

  bool readVarint(uint64_t &value) {
    value = 0;
    for (unsigned shift = 0; shift < 64 && !rest_.empty(); shift += 7) {
      uint8_t byte = rest_.front();
      rest_ = rest_.drop_front();
      value |= uint64_t(byte & 127) << shift;
      if (byte < 128)
        return true;
    }
    return false;
  }

  bool take(uint64_t length) {
    if (length > rest_.size())
      return false;
    text = rest_.take_front(length);
    rest_ = rest_.drop_front(length);
    return true;
  }

  llvm::StringRef rest_;
};

} // namespace sluice::conformance
