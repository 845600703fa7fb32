// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A completion function for zsh.
#include "tools/manual/shell_words.h"

namespace sluice::manual {

// What completes a value: files, folders, or the choices with their meanings.
static std::string action(const Flag &flag) {
  if (flag.choices.empty()) {
    ValueKind kind = valueKind(flag);
    return kind == ValueKind::kFile ? "_files" : kind == ValueKind::kFolder ? "_files -/" : "";
  }
  std::string out;
  for (const Term &choice : flag.choices) {
    out += (out.empty() ? "" : " ") + escapedFor("\\:() ", choice.name);
    if (!choice.meaning.empty())
      out += "\\:\"" + escapedFor("\\:\"", choice.meaning) + "\"";
  }
  return "((" + out + "))";
}

static std::string specification(const Flag &flag) {
  std::string out = (flag.repeats ? "*" : "") + flag.name;
  if (!flag.value.empty())
    out += flag.valueIsOptional ? "=-" : flag.name.starts_with("--") ? "=" : "+";
  out += "[" + escapedFor("\\[]:", flag.help) + "]";
  if (flag.value.empty())
    return out;
  return out + (flag.valueIsOptional ? "::" : ":") + escapedFor("\\:", flag.value) + ":" +
         action(flag);
}

std::string zshCompletion(const Manual &manual) {
  std::string out = "#compdef " + manual.program + "\n_arguments \\\n";
  for (const Flag *flag : allFlags(manual))
    out += "  " + singleQuoted(specification(*flag)) + " \\\n";
  std::string suffixes = manual.operandFiles;
  for (char &c : suffixes)
    c = c == ' ' ? '|' : c;
  return out + "  " + singleQuoted("*:file:_files -g \"*.(" + suffixes + ")\"") + "\n";
}

} // namespace sluice::manual
