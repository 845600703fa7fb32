// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A completion script for bash, which needs nothing but bash.
#include "tools/manual/shell_words.h"

namespace sluice::manual {

// A branch of the script's case: what completes the value of one flag.
static std::string valueBranch(const Flag &flag) {
  std::string out = "    " + flag.name + ") ";
  if (flag.valueIsOptional)
    out += "[[ $joined ]] && ";
  if (!flag.choices.empty()) {
    std::string names;
    for (const Term &choice : flag.choices)
      names += (names.empty() ? "" : " ") + choice.name;
    return out + "choices=" + singleQuoted(names) + " ;;\n";
  }
  static constexpr std::string_view kKinds[] = {"none", "file", "directory"};
  return out + "kind=" + std::string(kKinds[static_cast<int>(valueKind(flag))]) + " ;;\n";
}

// Bash breaks `--flag=value` at the `=`, so that the flag is one or two words back.
static constexpr std::string_view kStart = R"sh(() {
  local word="${COMP_WORDS[COMP_CWORD]}" flag="${COMP_WORDS[COMP_CWORD-1]}" joined='' IFS=' '
  if [[ $word == = ]]; then
    word='' joined=1
  elif [[ $flag == = && COMP_CWORD -ge 2 ]]; then
    flag="${COMP_WORDS[COMP_CWORD-2]}" joined=1
  fi
  local kind=operand choices=''
  case "$flag" in
)sh";

static constexpr std::string_view kEnd = R"sh(  if [[ $choices ]]; then
    COMPREPLY=($(compgen -W "$choices" -- "$word"))
  elif [[ $kind == operand && $word == -* ]]; then
    COMPREPLY=($(compgen -W "$flags" -- "$word"))
    [[ ${COMPREPLY[0]-} == *= ]] && compopt -o nospace 2> /dev/null
  elif [[ $kind == none ]]; then
    COMPREPLY=()
  else
    [[ $kind == operand ]] && kind=file
    IFS=$'\n'
    COMPREPLY=($(compgen -A "$kind" -- "$word"))
    compopt -o filenames 2> /dev/null
  fi
  return 0
}
complete -F )sh";

std::string bashCompletion(const Manual &manual) {
  std::string branches, names;
  for (const Flag *flag : allFlags(manual)) {
    bool joins = !flag->value.empty() && !flag->valueIsOptional && flag->name.starts_with("--");
    names += (names.empty() ? "" : " ") + flag->name + (joins ? "=" : "");
    if (!flag->value.empty())
      branches += valueBranch(*flag);
  }
  std::string function = "_" + manual.program;
  for (char &c : function)
    c = c == '-' ? '_' : c;
  return "# bash completion for " + manual.program + "\n" + function + std::string(kStart) +
         branches + "  esac\n  local flags=" + singleQuoted(names) + '\n' + std::string(kEnd) +
         function + ' ' + manual.program + '\n';
}

} // namespace sluice::manual
