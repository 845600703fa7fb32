// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// nd.edit_texts: each string changed.
#include "runtime/base/pieces.h"
#include "runtime/io/white_space.h"
#include "runtime/kernels/attributes/nd.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/kernels/text_case.h"
#include "runtime/kernels/text_work.h"

#include <array>

namespace sluice::rt {

namespace {

constexpr int64_t kCostOfText = 128;

void changeCase(std::string &text, char first, char last) {
  for (char &c : text)
    if (c >= first && c <= last)
      c = static_cast<char>(c ^ 0x20);
}

// ---- base64, in the alphabet for addresses

constexpr std::string_view kDigits =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

constexpr std::array<int8_t, 256> makeValues() {
  std::array<int8_t, 256> values{};
  values.fill(-1);
  for (size_t i = 0; i < kDigits.size(); ++i)
    values[static_cast<unsigned char>(kDigits[i])] = static_cast<int8_t>(i);
  return values;
}
constexpr std::array<int8_t, 256> kValues = makeValues();

// Three bytes are four digits.
Status encode(std::string_view bytes, bool pads, std::string &text) {
  size_t digits = bytes.size() / 3 * 4 + (bytes.size() % 3 ? bytes.size() % 3 + 1 : 0);
  size_t size = pads ? (bytes.size() + 2) / 3 * 4 : digits;
  if (!textHasRoom(size))
    return noRoomForText(size);
  text.clear();
  text.reserve(size);
  uint32_t bits = 0;
  int count = 0;
  for (char byte : bytes) {
    bits = bits << 8 | static_cast<unsigned char>(byte);
    for (count += 8; count >= 6; count -= 6)
      text += kDigits[bits >> (count - 6) & 63];
  }
  if (count > 0)
    text += kDigits[bits << (6 - count) & 63];
  text.resize(size, '=');
  return okStatus();
}

Status decode(std::string_view text, std::string &bytes) {
  if (text.size() % 4 == 0)
    for (int i = 0; i < 2 && text.ends_with('='); ++i)
      text.remove_suffix(1);
  if (text.size() % 4 == 1)
    return invalidArgument("Base64 string length cannot be 1 modulo 4.");
  if (!textHasRoom(text.size()))
    return noRoomForText(text.size());
  bytes.clear();
  bytes.reserve(text.size() / 4 * 3 + 2);
  uint32_t bits = 0;
  int count = 0;
  for (char digit : text) {
    int8_t value = kValues[static_cast<unsigned char>(digit)];
    if (value < 0)
      return invalidArgument("Invalid character found in base64.");
    bits = bits << 6 | static_cast<uint32_t>(value);
    count += 6;
    if (count < 8)
      continue;
    count -= 8;
    bytes += static_cast<char>(bits >> count & 0xff);
  }
  return okStatus();
}

// ---- All of them

Status edit(std::string_view how, std::string_view text, std::string &to) {
  if (how == "strip")
    return storeText(trimmed(text), to);
  if (how == "encode_base64" || how == "pad_base64")
    return encode(text, how == "pad_base64", to);
  if (how == "decode_base64")
    return decode(text, to);
  if (how == "lower_utf8")
    return lowerUtf8(text, to);
  if (how == "upper_utf8")
    return upperUtf8(text, to);
  SLUICE_RETURN_IF_ERROR(storeText(text, to));
  changeCase(to, how == "lower" ? 'A' : 'a', how == "lower" ? 'Z' : 'z');
  return okStatus();
}

Status editRun(KernelCall &call) {
  std::string_view how = attributes::nd::EditTexts(call).how();
  std::span<const std::string> texts = call.input(0).values<std::string>();
  TurnsOfCall turns(kCostOfText);
  for (size_t i = 0; i < texts.size(); ++i) {
    if (turns.end())
      return cancelledWork();
    SLUICE_RETURN_IF_ERROR(edit(how, texts[i], call.output(0).data<std::string>()[i]));
  }
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(nd_edit_texts, {sameShapeRule, editRun, Kernel::kNone, nullptr, workOfTexts})

} // namespace sluice::rt
