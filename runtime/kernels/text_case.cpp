// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Lower and upper case of UTF-8.
#include "runtime/kernels/text_case.h"

#include "runtime/kernels/text_work.h"

#include <algorithm>
#include <span>

namespace sluice::rt {

namespace {

using namespace unicode;

constexpr uint32_t kReplacement = 0xfffd, kSigma = 0x3a3, kFinalSigma = 0x3c2, kSmallSigma = 0x3c3,
                   kDottedI = 0x130, kDot = 0x307;

// ---- UTF-8

// Takes the first character. Of what is none, as many bytes as could begin one.
uint32_t takeCharacter(std::string_view &text) {
  auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<unsigned char>(text[i])); };
  uint32_t lead = byte(0);
  size_t size = lead < 0x80 ? 1 : lead < 0xc2 ? 0 : lead < 0xe0 ? 2 : lead < 0xf0 ? 3 : 4;
  if (lead > 0xf4)
    size = 0;
  // No character has two forms, none is a surrogate, and none is beyond U+10FFFF.
  uint32_t low = lead == 0xe0 ? 0xa0 : lead == 0xf0 ? 0x90 : 0x80;
  uint32_t high = lead == 0xed ? 0x9f : lead == 0xf4 ? 0x8f : 0xbf;
  uint32_t character = size <= 1 ? lead : lead & (0x7f >> size);
  size_t taken = 1;
  for (; taken < size; ++taken, low = 0x80, high = 0xbf) {
    if (taken >= text.size() || byte(taken) < low || byte(taken) > high)
      break;
    character = character << 6 | (byte(taken) & 0x3f);
  }
  text.remove_prefix(taken);
  return taken == size ? character : kReplacement;
}

void append(uint32_t character, std::string &to) {
  auto put = [&](uint32_t byte) { to += static_cast<char>(byte); };
  if (character < 0x80)
    return put(character);
  if (character < 0x800) {
    put(0xc0 | character >> 6);
  } else if (character < 0x10000) {
    put(0xe0 | character >> 12);
    put(0x80 | (character >> 6 & 0x3f));
  } else {
    put(0xf0 | character >> 18);
    put(0x80 | (character >> 12 & 0x3f));
    put(0x80 | (character >> 6 & 0x3f));
  }
  put(0x80 | (character & 0x3f));
}

// ---- Tables

// The entry that may have the character; null if there is none.
template <typename Entry, typename First>
const Entry *find(std::span<const Entry> table, uint32_t character, First first) {
  auto after = std::ranges::upper_bound(table, character, {}, first);
  return after == table.begin() ? nullptr : &*(after - 1);
}

bool isIn(std::span<const Range> ranges, uint32_t character) {
  const Range *range = find(ranges, character, &Range::first);
  return range && character <= range->last;
}

uint32_t moved(std::span<const Run> runs, uint32_t character) {
  const Run *run = find(runs, character, &Run::first);
  bool isInside = run && character <= run->last && (character - run->first) % run->step == 0;
  return isInside ? static_cast<uint32_t>(static_cast<int32_t>(character) + run->distance)
                  : character;
}

bool isIgnored(uint32_t character) { return isIn({kIgnored, kIgnoredCount}, character); }
bool isCased(uint32_t character) { return isIn({kCased, kCasedCount}, character); }

// Whether a letter follows, behind what does not count.
bool isFollowed(std::string_view rest) {
  while (!rest.empty()) {
    uint32_t character = takeCharacter(rest);
    if (!isIgnored(character))
      return isCased(character);
  }
  return false;
}

void appendLower(uint32_t character, std::string &to) {
  append(character == kDottedI ? 'i' : moved({kLowerRuns, kLowerRunCount}, character), to);
  if (character == kDottedI)
    append(kDot, to);
}

void appendUpper(uint32_t character, std::string &to) {
  const Expansion *several =
      find(std::span(kUpperExpansions, kUpperExpansionCount), character, &Expansion::from);
  if (!several || several->from != character)
    return append(moved({kUpperRuns, kUpperRunCount}, character), to);
  for (uint32_t each : several->to)
    if (each)
      append(each, to);
}

} // namespace

// Most texts do not grow, and none to more than three times its size.
Status lowerUtf8(std::string_view text, std::string &to) {
  if (!textHasRoom(3 * text.size()))
    return noRoomForText(3 * text.size());
  to.clear();
  bool follows = false; // a letter, perhaps with what does not count behind it
  while (!text.empty()) {
    uint32_t character = takeCharacter(text);
    if (character == kSigma)
      append(follows && !isFollowed(text) ? kFinalSigma : kSmallSigma, to);
    else
      appendLower(character, to);
    if (!isIgnored(character))
      follows = isCased(character);
  }
  return okStatus();
}

Status upperUtf8(std::string_view text, std::string &to) {
  if (!textHasRoom(3 * text.size()))
    return noRoomForText(3 * text.size());
  to.clear();
  while (!text.empty())
    appendUpper(takeCharacter(text), to);
  return okStatus();
}

} // namespace sluice::rt
