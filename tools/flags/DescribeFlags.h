// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What LLVM's command line library knows about a program's flags, as a manual. In a description the
// first line is the help text; what follows it is for the man page and the reference.
#pragma once

#include "tools/manual/manual.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice {

inline manual::Flag describeFlag(const llvm::cl::Option &option) {
  manual::Flag flag;
  flag.name = (option.ArgStr.size() > 2 ? "--" : "-") + option.ArgStr.str();
  auto [help, detail] = option.HelpStr.split('\n');
  flag.help = help.str();
  flag.detail = detail.str();
  flag.value = option.ValueStr.str();
  flag.valueIsOptional = option.getValueExpectedFlag() == llvm::cl::ValueOptional;
  flag.repeats = option.getNumOccurrencesFlag() == llvm::cl::ZeroOrMore ||
                 option.getNumOccurrencesFlag() == llvm::cl::OneOrMore;
  if (option.getValueExpectedFlag() == llvm::cl::ValueDisallowed || flag.value.empty())
    flag.valueIsOptional = false;
  llvm::SmallVector<llvm::StringRef> words;
  option.ValueStr.split(words, '|');
  if (words.size() > 1)
    for (llvm::StringRef word : words)
      flag.choices.push_back({word.str(), ""});
  return flag;
}

// The flags of a category in the order of their declaration, which is that of their addresses: they
// are members of one object.
inline manual::FlagGroup describeGroup(const llvm::cl::OptionCategory &category) {
  llvm::SmallVector<const llvm::cl::Option *> options;
  for (auto &[name, option] : llvm::cl::getRegisteredOptions())
    if (llvm::is_contained(option->Categories, &category))
      options.push_back(option);
  llvm::sort(options, std::less<>());
  manual::FlagGroup group{category.getName().str(), {}};
  for (const llvm::cl::Option *option : options)
    group.flags.push_back(describeFlag(*option));
  return group;
}

inline manual::Flag *findFlag(manual::Manual &manual, llvm::StringRef name) {
  for (manual::FlagGroup &group : manual.groups)
    for (manual::Flag &flag : group.flags)
      if (flag.name == name)
        return &flag;
  return nullptr;
}

// The values that an enumeration of LLVM's library takes.
inline std::vector<manual::Term> describeChoices(const llvm::cl::generic_parser_base &parser) {
  std::vector<manual::Term> choices;
  for (unsigned i = 0; i < parser.getNumOptions(); ++i)
    choices.push_back({parser.getOption(i).str(), parser.getDescription(i).str()});
  return choices;
}

// The flags that every tool has.
inline manual::FlagGroup commonFlags() {
  return {"About", {{"--help", "", "print this text"}, {"--version", "", "print the version"}}};
}

inline bool asksForHelp(llvm::ArrayRef<const char *> arguments) {
  return llvm::any_of(arguments.drop_front(), [](llvm::StringRef argument) {
    return argument == "--help" || argument == "-help" || argument == "-h";
  });
}

// False if it cannot be printed, which has been said.
inline bool printHelp(const manual::Manual &manual) {
  llvm::outs() << manual::helpText(manual);
  llvm::outs().flush();
  if (!llvm::outs().has_error())
    return true;
  llvm::errs() << manual.program
               << ": error: cannot write to standard output: " << llvm::outs().error().message()
               << '\n';
  llvm::outs().clear_error();
  return false;
}

} // namespace sluice
