// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Completions for fish.
#include "tools/manual/shell_words.h"

namespace sluice::manual {

// fish tells apart -l (--flag), -o (-flag) and -s (-f).
static std::string flagName(const std::string &name) {
  if (name.starts_with("--"))
    return " -l " + name.substr(2);
  return (name.size() == 2 ? " -s " : " -o ") + name.substr(1);
}

static std::string values(const Flag &flag) {
  if (flag.value.empty())
    return {};
  if (flag.choices.empty())
    return valueKind(flag) == ValueKind::kFree ? " -x" : " -r -F";
  std::string choices;
  for (const Term &choice : flag.choices) {
    choices += (choices.empty() ? "" : " ") + choice.name;
    if (!choice.meaning.empty())
      choices += "\\t" + singleQuoted(choice.meaning);
  }
  return (flag.valueIsOptional ? " -f -a \"" : " -x -a \"") + escapedFor("\"$", choices) + "\"";
}

std::string fishCompletion(const Manual &manual) {
  std::string out = "# fish completion for " + manual.program + "\n";
  for (const Flag *flag : allFlags(manual))
    out += "complete -c " + manual.program + flagName(flag->name) + values(*flag) + " -d " +
           singleQuoted(flag->help) + '\n';
  return out;
}

} // namespace sluice::manual
