// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Matching and replacing.
#include "runtime/pattern/pattern.h"

#include "runtime/io/utf8.h"
#include "runtime/memory/text_room.h"
#include "runtime/pattern/pattern_run.h"

#include <algorithm>

namespace sluice::rt {

namespace {

// A rewrite as far as it is one: what comes before a backslash that stands before nothing it may
// stand before.
struct Rewrite {
  struct Part {
    std::string text;
    size_t group; // kNone: only text
  };
  static constexpr size_t kNone = SIZE_MAX;
  std::vector<Part> parts;
  size_t groups = 0;   // the highest number of one
  bool isWhole = true; // nothing was left out

  explicit Rewrite(std::string_view text) {
    parts.push_back({"", kNone});
    for (size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        parts.back().text += text[i];
        continue;
      }
      char c = ++i < text.size() ? text[i] : '\0';
      if (c == '\\') {
        parts.back().text += c;
      } else if (c >= '0' && c <= '9') {
        parts.back().group = static_cast<size_t>(c - '0');
        groups = std::max(groups, parts.back().group);
        parts.push_back({"", kNone});
      } else {
        isWhole = false;
        return;
      }
    }
  }

  // What `append` adds.
  size_t sizeFor(const std::vector<size_t> &marks) const {
    size_t size = 0;
    for (const Part &part : parts) {
      size += part.text.size();
      if (part.group != kNone && marks[2 * part.group] != std::string_view::npos)
        size += marks[2 * part.group + 1] - marks[2 * part.group];
    }
    return size;
  }

  void append(std::string_view text, const std::vector<size_t> &marks, std::string &out) const {
    for (const Part &part : parts) {
      out += part.text;
      if (part.group == kNone || marks[2 * part.group] == std::string_view::npos)
        continue;
      size_t begin = marks[2 * part.group];
      out += text.substr(begin, marks[2 * part.group + 1] - begin);
    }
  }
};

} // namespace

Result<Pattern> Pattern::parse(std::string_view text) {
  SLUICE_ASSIGN_OR_RETURN(SyntaxTree tree, parsePattern(text));
  Result<PatternProgram> program = compilePattern(std::move(tree));
  if (!program.ok())
    return invalidArgument("Invalid pattern: " + std::string(text) +
                           ", error: " + program.status().message());
  return Pattern(std::move(*program));
}

Result<bool> Pattern::matchesAll(std::string_view text) const {
  return PatternRun(program_, text, 0).run(0, /*anywhere=*/false, /*wholly=*/true);
}

Result<Pattern::Marks> Pattern::find(std::string_view text, size_t from, size_t marks) const {
  PatternRun run(program_, text, marks);
  SLUICE_ASSIGN_OR_RETURN(bool found, run.run(from, /*anywhere=*/true, /*wholly=*/false));
  return found ? run.marks() : Marks();
}

Result<std::string> Pattern::replace(std::string_view text, std::string_view rewriteText,
                                     bool every) const {
  Rewrite rewrite(rewriteText);
  // As RE2 has it: what is no rewrite replaces nothing, or all by its beginning.
  if (rewrite.groups > program_.groups || (!every && !rewrite.isWhole))
    return std::string(text);
  size_t done = 0, from = 0, lastEnd = kNowhere;
  std::string out;
  while (from <= text.size()) {
    SLUICE_ASSIGN_OR_RETURN(Marks marks, find(text, from, 2 * (rewrite.groups + 1)));
    if (marks.empty())
      break;
    if (marks[1] == marks[0] && marks[0] == lastEnd) { // nothing, directly behind a match
      from = lastEnd +
             std::max<size_t>(1, lastEnd < text.size() ? utf8Length(text.substr(lastEnd)) : 1);
      lastEnd = kNowhere;
      continue;
    }
    size_t size = out.size() + marks[0] - done + rewrite.sizeFor(marks);
    if (size > out.capacity()) {
      size_t room = std::max(size, 2 * out.capacity());
      if (!textHasRoom(room))
        return resourceExhausted("not enough memory for a string in which is replaced");
      out.reserve(room);
    }
    out += text.substr(done, marks[0] - done);
    rewrite.append(text, marks, out);
    done = from = lastEnd = marks[1];
    if (!every)
      break;
  }
  return out += text.substr(std::min(done, text.size()));
}

} // namespace sluice::rt
