// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over the bytes of a binary message.
#include "compiler/import/WireCheck.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/ConvertUTF.h"

#include <google/protobuf/descriptor.h>

namespace sluice::import {

namespace {

using google::protobuf::Descriptor;
using google::protobuf::FieldDescriptor;

enum WireType : unsigned {
  kVarint = 0,
  kFixed64 = 1,
  kBytes = 2,
  kGroup = 3,
  kEndGroup = 4,
  kFixed32 = 5
};
constexpr const char *kWireNames[] = {"varint",       "64-bit value", "bytes",       "group",
                                      "end of group", "32-bit value", "wire type 6", "wire type 7"};

WireType wireTypeOf(const FieldDescriptor *field) {
  switch (field->type()) {
  case FieldDescriptor::TYPE_DOUBLE:
  case FieldDescriptor::TYPE_FIXED64:
  case FieldDescriptor::TYPE_SFIXED64:
    return kFixed64;
  case FieldDescriptor::TYPE_FLOAT:
  case FieldDescriptor::TYPE_FIXED32:
  case FieldDescriptor::TYPE_SFIXED32:
    return kFixed32;
  case FieldDescriptor::TYPE_STRING:
  case FieldDescriptor::TYPE_BYTES:
  case FieldDescriptor::TYPE_MESSAGE:
  case FieldDescriptor::TYPE_GROUP:
    return kBytes;
  default:
    return kVarint;
  }
}

class Walk {
public:
  Walk(std::string_view bytes, const Limits &limits, uint64_t &unknownFields)
      : bytes_(bytes), limits_(limits), unknownFields_(unknownFields) {}

  std::optional<WireProblem> run(const Descriptor *message) {
    open_.push_back({message, bytes_.size(), 0});
    while (!open_.empty() && !problem_) {
      if (position_ == open_.back().end)
        open_.pop_back();
      else
        readField();
    }
    return std::move(problem_);
  }

private:
  // A message being walked. `seen` has a bit for each of its first 64 field positions.
  struct Open {
    const Descriptor *message;
    uint64_t end;
    uint64_t seen;
  };

  // Built only for messages: names of a million fields cost more than the walk.
  static std::string nameOf(const FieldDescriptor *field) {
    if (!field)
      return "an unknown field";
    return "field '" + field->containing_type()->name() + "." + field->name() + "'";
  }

  void fail(uint64_t offset, std::string message) {
    if (!problem_)
      problem_ = WireProblem{offset, std::move(message)};
  }

  uint64_t readVarint(uint64_t end) {
    uint64_t value = 0;
    uint64_t start = position_;
    for (unsigned shift = 0; shift < 70; shift += 7) {
      if (position_ == end) {
        fail(start, "expected a varint but the message ends inside it");
        return 0;
      }
      uint64_t byte = static_cast<unsigned char>(bytes_[position_++]);
      if (shift < 64)
        value |= (byte & 0x7f) << shift;
      if (byte < 0x80)
        return value;
    }
    fail(start, "expected a varint of at most 10 bytes but it goes on");
    return 0;
  }

  void skip(uint64_t count, uint64_t end, uint64_t start, const FieldDescriptor *field) {
    if (count > end - position_)
      return fail(start, nameOf(field) + " needs " + std::to_string(count) + " bytes but only " +
                             std::to_string(end - position_) + " are left");
    position_ += count;
  }

  void readField() {
    uint64_t start = position_;
    Open &open = open_.back();
    uint64_t tag = readVarint(open.end);
    if (problem_)
      return;
    auto wire = static_cast<WireType>(tag & 7);
    uint64_t number = tag >> 3;
    if (number == 0 || number > FieldDescriptor::kMaxNumber)
      return fail(start, "expected a field but got the field number " + std::to_string(number));
    if (wire == kGroup || wire == kEndGroup || wire > kFixed32)
      return fail(start, std::string("expected a field but got ") + kWireNames[tag & 7]);
    const FieldDescriptor *field = open.message->FindFieldByNumber(static_cast<int>(number));
    if (!field) {
      // Messages declared without fields are opaque on purpose.
      unknownFields_ += open.message->field_count() > 0 ? 1 : 0;
      return skipValue(wire, open.end, start, nullptr);
    }
    checkField(field, wire, start);
  }

  void checkField(const FieldDescriptor *field, WireType wire, uint64_t start) {
    Open &open = open_.back();
    WireType expected = wireTypeOf(field);
    bool packed = wire == kBytes && expected != kBytes && field->is_repeated();
    if (wire != expected && !packed)
      return fail(start, nameOf(field) + ": expected " + kWireNames[expected] + " but got " +
                             kWireNames[wire]);
    if (!field->is_repeated() && field->index() < 64) {
      if (open.seen >> field->index() & 1)
        return fail(start, nameOf(field) + " is given twice");
      open.seen |= uint64_t(1) << field->index();
    }
    if (packed)
      return readPacked(expected, field, start);
    if (field->type() == FieldDescriptor::TYPE_MESSAGE)
      return enter(field, start);
    uint64_t before = position_;
    if (wire == kBytes)
      countField(start);
    skipValue(wire, open.end, start, field);
    if (!problem_ && field->type() == FieldDescriptor::TYPE_STRING)
      checkText(before, field);
  }

  void skipValue(WireType wire, uint64_t end, uint64_t start, const FieldDescriptor *field) {
    if (wire == kVarint) {
      readVarint(end);
      return;
    }
    uint64_t count = wire == kFixed64 ? 8 : wire == kFixed32 ? 4 : readVarint(end);
    if (!problem_)
      skip(count, end, start, field);
  }

  void readPacked(WireType element, const FieldDescriptor *field, uint64_t start) {
    uint64_t end = open_.back().end;
    uint64_t count = readVarint(end);
    if (problem_)
      return;
    uint64_t stop = position_ + count;
    if (count > end - position_)
      return skip(count, end, start, field);
    if (element != kVarint && count % (element == kFixed64 ? 8 : 4) != 0)
      return fail(start, nameOf(field) + ": expected whole values but got " +
                             std::to_string(count) + " bytes");
    if (element != kVarint)
      position_ = stop;
    while (position_ < stop && !problem_)
      readVarint(stop);
  }

  void enter(const FieldDescriptor *field, uint64_t start) {
    uint64_t end = open_.back().end;
    uint64_t count = readVarint(end);
    if (problem_)
      return;
    if (count > end - position_)
      return skip(count, end, start, field);
    if (!limits_.allows(LimitId::kMessageNesting, open_.size()))
      return fail(start, limits_.excess(LimitId::kMessageNesting, "messages inside each other",
                                        open_.size()));
    countField(start);
    open_.push_back({field->message_type(), position_ + count, 0});
  }

  // An empty message of two bytes in the file is a hundred in memory.
  void countField(uint64_t start) {
    if (!limits_.allows(LimitId::kFields, ++fields_))
      fail(start, limits_.excess(LimitId::kFields, "messages and texts", fields_));
  }

  // The text is what lies between the length at `before` and the position after it.
  void checkText(uint64_t before, const FieldDescriptor *field) {
    uint64_t after = position_;
    position_ = before;
    uint64_t count = readVarint(after);
    position_ = after;
    const auto *first = reinterpret_cast<const llvm::UTF8 *>(bytes_.data() + (after - count));
    const llvm::UTF8 *cursor = first;
    if (!llvm::isLegalUTF8String(&cursor, first + count))
      fail(after - count + static_cast<uint64_t>(cursor - first),
           nameOf(field) + ": expected UTF-8 text");
  }

  std::string_view bytes_;
  const Limits &limits_;
  uint64_t &unknownFields_;
  uint64_t position_ = 0;
  uint64_t fields_ = 0;
  llvm::SmallVector<Open> open_;
  std::optional<WireProblem> problem_;
};

} // namespace

std::optional<WireProblem> checkWire(std::string_view bytes, const Descriptor *message,
                                     const Limits &limits, uint64_t &unknownFields) {
  return Walk(bytes, limits, unknownFields).run(message);
}

} // namespace sluice::import
