// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --help prints.
#include "tools/manual/manual.h"

namespace sluice::manual {

namespace {

constexpr size_t kColumns = 100;
constexpr size_t kHelpColumn = 32;

// A term and what it means, which begins in the help column.
std::string row(const std::string &term, std::string_view meaning, size_t column) {
  std::string out = "  " + term;
  if (out.size() + 2 > column)
    out += '\n' + std::string(column, ' ');
  else
    out.resize(column, ' ');
  bool first = true;
  for (const std::string &line : wrapped(meaning, kColumns - column)) {
    out += (first ? "" : std::string(column, ' ')) + line + '\n';
    first = false;
  }
  return out;
}

std::string flagRows(const FlagGroup &group) {
  std::string out = '\n' + group.title + ":\n";
  for (const Flag &flag : group.flags) {
    out += row(spelled(flag), flag.help, kHelpColumn);
    for (const Term &choice : flag.choices)
      if (!choice.meaning.empty())
        out += row("    " + choice.name, choice.meaning, kHelpColumn);
  }
  return out;
}

std::string termRows(const std::string &title, const std::vector<Term> &terms) {
  size_t longest = 0;
  for (const Term &term : terms)
    longest = std::max(longest, term.name.size());
  std::string out = '\n' + title + ":\n";
  for (const Term &term : terms)
    out += row(term.name, term.meaning, longest + 4);
  return out;
}

} // namespace

std::vector<std::string> wrapped(std::string_view text, size_t width) {
  std::vector<std::string> lines;
  while (!text.empty()) {
    size_t end = text.find(' ');
    std::string_view word = text.substr(0, end);
    text.remove_prefix(end == text.npos ? text.size() : end + 1);
    if (lines.empty() || lines.back().size() + 1 + word.size() > width)
      lines.emplace_back(word);
    else
      lines.back().append(" ").append(word);
  }
  return lines;
}

std::string spelled(const Flag &flag) {
  if (flag.value.empty())
    return flag.name;
  std::string value = "<" + flag.value + ">";
  if (flag.valueIsOptional)
    return flag.name + "[=" + value + "]";
  return flag.name + (flag.name.starts_with("--") ? "=" : " ") + value;
}

std::string helpText(const Manual &manual) {
  std::string out = "usage: " + manual.program + ' ' + manual.synopsis + "\n\n";
  for (const std::string &line : wrapped(manual.description, kColumns))
    out += line + '\n';
  for (const FlagGroup &group : manual.groups)
    out += flagRows(group);
  for (const TermList &list : manual.lists)
    out += termRows(list.title, list.terms);
  if (!manual.exitCodes.empty())
    out += termRows("Exit codes", manual.exitCodes);
  if (!manual.examples.empty())
    out += "\nExamples:\n";
  for (const std::string &example : manual.examples)
    out += "  " + example + '\n';
  return out;
}

} // namespace sluice::manual
