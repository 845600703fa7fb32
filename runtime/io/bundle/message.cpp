// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tags, varints and lengths.
#include "runtime/io/bundle/message.h"

namespace sluice::rt {

bool takeVarint(std::string_view &bytes, uint64_t &number, unsigned bits) {
  number = 0;
  for (unsigned shift = 0; shift < bits && !bytes.empty(); shift += 7) {
    auto byte = static_cast<unsigned char>(bytes.front());
    bytes.remove_prefix(1);
    number |= uint64_t{byte & 0x7fu} << shift;
    if (byte < 0x80)
      return bits == 64 || number >> bits == 0;
  }
  return false;
}

void appendVarint(std::string &bytes, uint64_t number) {
  for (; number > 0x7f; number >>= 7)
    bytes += static_cast<char>((number & 0x7f) | 0x80);
  bytes += static_cast<char>(number);
}

bool MessageReader::fail() {
  failed_ = true;
  rest_ = {};
  return false;
}

bool MessageReader::next() {
  if (rest_.empty())
    return false;
  uint64_t tag, length;
  if (!takeVarint(rest_, tag, 32) || tag >> 3 == 0)
    return fail();
  field_ = static_cast<uint32_t>(tag >> 3);
  kind_ = static_cast<Kind>(tag & 7);
  size_t size = 0;
  switch (kind_) {
  case Kind::kNumber:
    return takeVarint(rest_, number_) || fail();
  case Kind::kFixed64:
    size = 8;
    break;
  case Kind::kFixed32:
    size = 4;
    break;
  case Kind::kBytes:
    if (!takeVarint(rest_, length) || length > rest_.size())
      return fail();
    size = length;
    break;
  default: // groups, which nobody writes any more, and what there is not
    return fail();
  }
  if (size > rest_.size())
    return fail();
  bytes_ = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return true;
}

bool MessageReader::expect(Kind kind) { return kind_ == kind || fail(); }

uint64_t MessageReader::number() { return expect(Kind::kNumber) ? number_ : 0; }

uint32_t MessageReader::fixed32() {
  uint32_t value = 0;
  if (expect(Kind::kFixed32))
    std::memcpy(&value, bytes_.data(), sizeof value);
  return value;
}

uint64_t MessageReader::fixed64() {
  uint64_t value = 0;
  if (expect(Kind::kFixed64))
    std::memcpy(&value, bytes_.data(), sizeof value);
  return value;
}

std::string_view MessageReader::bytes() {
  return expect(Kind::kBytes) ? bytes_ : std::string_view();
}

void MessageWriter::tag(uint32_t field, MessageReader::Kind kind) {
  appendVarint(text_, uint64_t{field} << 3 | static_cast<uint64_t>(kind));
}

void MessageWriter::numberAlways(uint32_t field, uint64_t value) {
  tag(field, MessageReader::Kind::kNumber);
  appendVarint(text_, value);
}

void MessageWriter::fixed32(uint32_t field, uint32_t value) {
  tag(field, MessageReader::Kind::kFixed32);
  raw(&value, sizeof value);
}

void MessageWriter::beginBytes(uint32_t field, uint64_t size) {
  tag(field, MessageReader::Kind::kBytes);
  appendVarint(text_, size);
}

void MessageWriter::bytes(uint32_t field, std::string_view value) {
  beginBytes(field, value.size());
  text_ += value;
}

} // namespace sluice::rt
