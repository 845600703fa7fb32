// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Threads that follow the text in step.
#include "runtime/pattern/pattern_run.h"

#include "runtime/io/utf8.h"

#include <algorithm>

namespace sluice::rt {

constexpr int64_t kCostOfStep = 64;

PatternRun::PatternRun(const PatternProgram &program, std::string_view text, size_t marks)
    : program_(program), text_(text), numMarks_(marks) {
  now_.turns.assign(program.steps.size(), 0);
  then_.turns.assign(program.steps.size(), 0);
}

Rune PatternRun::runeAt(size_t position, size_t &next) const {
  std::string_view rest = text_.substr(position);
  size_t length = utf8Length(rest);
  next = position + std::max<size_t>(length, 1);
  if (length == 0)
    return kNoRune;
  auto byte = [&](size_t i) { return static_cast<unsigned char>(rest[i]); };
  Rune rune = length == 1 ? byte(0) : byte(0) & (0xffu >> (length + 1));
  for (size_t i = 1; i < length; ++i)
    rune = rune << 6 | (byte(i) & 0x3fu);
  return rune;
}

bool PatternRun::isWordAt(size_t position) const {
  char c = text_[position];
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

bool PatternRun::holds(Place place, size_t position) const {
  bool atBegin = position == 0, atEnd = position == text_.size();
  bool isEdge = (!atBegin && isWordAt(position - 1)) != (!atEnd && isWordAt(position));
  switch (place) {
  case Place::kTextBegin:
    return atBegin;
  case Place::kTextEnd:
    return atEnd;
  case Place::kLineBegin:
    return atBegin || text_[position - 1] == '\n';
  case Place::kLineEnd:
    return atEnd || text_[position] == '\n';
  case Place::kWordEdge:
    return isEdge;
  case Place::kNoWordEdge:
    return !isEdge;
  }
  return false;
}

// All steps that can be reached without a character, in the order of preference.
void PatternRun::enter(Threads &threads, uint32_t first, size_t position) {
  constexpr size_t kNoMark = SIZE_MAX;
  stack_.assign(1, {first, kNoMark, 0});
  while (!stack_.empty()) {
    Entry entry = stack_.back();
    stack_.pop_back();
    if (entry.mark != kNoMark) {
      marks_[entry.mark] = entry.old;
      continue;
    }
    if (std::exchange(threads.turns[entry.step], turn_) == turn_)
      continue;
    const PatternStep &step = program_.steps[entry.step];
    switch (step.kind) {
    case PatternStep::Kind::kSplit:
      stack_.push_back({step.other, kNoMark, 0});
      stack_.push_back({step.next, kNoMark, 0});
      break;
    case PatternStep::Kind::kPlace:
      if (holds(static_cast<Place>(step.other), position))
        stack_.push_back({step.next, kNoMark, 0});
      break;
    case PatternStep::Kind::kMark:
      if (step.other < numMarks_) {
        stack_.push_back({0, step.other, marks_[step.other]});
        marks_[step.other] = position;
      }
      stack_.push_back({step.next, kNoMark, 0});
      break;
    case PatternStep::Kind::kRune:
    case PatternStep::Kind::kMatch:
      threads.steps.push_back(entry.step);
      threads.marks.insert(threads.marks.end(), marks_.begin(), marks_.end());
    }
  }
}

void PatternRun::advance(const Threads &from, Threads &to, Rune rune, size_t position,
                         size_t next) {
  TurnsOfCall turns(kCostOfStep);
  for (size_t i = 0; i < from.steps.size(); ++i) {
    if (turns.end())
      return;
    const PatternStep &step = program_.steps[from.steps[i]];
    const size_t *marks = from.marks.data() + i * numMarks_;
    if (step.kind == PatternStep::Kind::kMatch) {
      if (wholly_ && position != text_.size())
        continue;
      hasFound_ = true;
      found_.assign(marks, marks + numMarks_);
      return; // all that follow count less
    }
    if (rune == kNoRune || !program_.sets[step.other].has(rune))
      continue;
    marks_.assign(marks, marks + numMarks_);
    enter(to, step.next, next);
  }
}

Result<bool> PatternRun::run(size_t position, bool anywhere, bool wholly) {
  hasFound_ = false;
  wholly_ = wholly;
  now_.steps.clear();
  now_.marks.clear();
  ++turn_;
  for (bool isFirst = true;; isFirst = false) {
    if (isFirst || (anywhere && !hasFound_)) { // what begins later counts less
      marks_.assign(numMarks_, std::string_view::npos);
      enter(now_, program_.start, position);
    }
    if (now_.steps.empty() && (hasFound_ || !anywhere))
      return hasFound_;
    bool atEnd = position == text_.size();
    size_t next = position;
    Rune rune = atEnd ? kNoRune : runeAt(position, next);
    then_.steps.clear();
    then_.marks.clear();
    ++turn_;
    advance(now_, then_, rune, position, next);
    if (Cancellation::requestedHere())
      return cancelledWork();
    if (atEnd)
      return hasFound_;
    std::swap(now_, then_);
    position = next;
  }
}

} // namespace sluice::rt
