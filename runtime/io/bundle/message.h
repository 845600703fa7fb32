// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Messages as checkpoints store them: fields with a number each, one behind the other, in the wire
// format of protocol buffers.
#pragma once

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace sluice::rt {

// Takes a number of variable size off the front. False at the end of the bytes, and where the
// number has more bits than it may.
bool takeVarint(std::string_view &bytes, uint64_t &number, unsigned bits = 64);
void appendVarint(std::string &bytes, uint64_t number);

// The fields of a message, in the order of the bytes:
//   while (reader.next())
//     if (reader.field() == 1) …
//   if (reader.failed()) …
class MessageReader {
public:
  explicit MessageReader(std::string_view bytes) : rest_(bytes) {}

  bool next();
  // Where next() has returned false: whether that was no end of a message.
  bool failed() const { return failed_; }
  uint32_t field() const { return field_; }

  // What the field holds; of a field of another kind, which makes the message a failed one,
  // nothing.
  uint64_t number();
  uint32_t fixed32();
  uint64_t fixed64();
  std::string_view bytes();

  enum class Kind : uint8_t { kNumber = 0, kFixed64 = 1, kBytes = 2, kFixed32 = 5 };
  Kind kind() const { return kind_; }

private:
  bool fail();
  bool expect(Kind kind);

  std::string_view rest_, bytes_;
  uint64_t number_ = 0;
  uint32_t field_ = 0;
  Kind kind_ = Kind::kNumber;
  bool failed_ = false;
};

// Appends fields to a message.
class MessageWriter {
public:
  // Zeros are left out, as the format has it for numbers.
  void number(uint32_t field, uint64_t value) {
    if (value != 0)
      numberAlways(field, value);
  }
  void numberAlways(uint32_t field, uint64_t value);
  void fixed32(uint32_t field, uint32_t value);
  void bytes(uint32_t field, std::string_view value);
  // The beginning of such a field, whose bytes follow.
  void beginBytes(uint32_t field, uint64_t size);
  void raw(const void *data, size_t size) { text_.append(static_cast<const char *>(data), size); }

  const std::string &text() const { return text_; }
  std::string take() { return std::move(text_); }

private:
  void tag(uint32_t field, MessageReader::Kind kind);

  std::string text_;
};

} // namespace sluice::rt
