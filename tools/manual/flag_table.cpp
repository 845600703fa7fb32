// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of flags in a reference page.
#include "tools/manual/manual.h"

namespace sluice::manual {

// A bar would end the cell of the table, even in code.
static std::string cell(std::string_view text) {
  std::string out;
  for (char c : text)
    out += c == '|' ? "\\|" : std::string(1, c);
  return out;
}

static std::string meaning(const Flag &flag) {
  std::string out = flag.help;
  for (const Term &choice : flag.choices)
    if (!choice.meaning.empty())
      out +=
          (&choice == &flag.choices.front() ? ": `" : ", `") + choice.name + "` " + choice.meaning;
  if (flag.repeats)
    out += "; may be repeated";
  return flag.detail.empty() ? out : out + ". " + flag.detail;
}

std::string flagTable(const Manual &manual) {
  std::string out = "| flag | |\n|---|---|\n";
  for (const FlagGroup &group : manual.groups) {
    out += "| **" + group.title + "** | |\n";
    for (const Flag &flag : group.flags)
      out += "| `" + cell(spelled(flag)) + "` | " + cell(meaning(flag)) + " |\n";
  }
  return out;
}

} // namespace sluice::manual
