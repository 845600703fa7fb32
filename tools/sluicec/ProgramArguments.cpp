// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting of arguments, before LLVM's parser sees them.
#include "tools/sluicec/ProgramArguments.h"

#include "compiler/import/Limits.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice {

using namespace llvm;

static bool isFlag(StringRef argument) { return argument.starts_with("-") && argument.size() > 1; }

static StringRef flagName(StringRef argument) { return argument.ltrim('-').split('=').first; }

static bool runsProgram(ArrayRef<char *> arguments) {
  return any_of(arguments.drop_front(), [](StringRef argument) {
    StringRef name = flagName(argument);
    return isFlag(argument) && (name == "interpret" || name == "execute");
  });
}

// The compiler's option that the argument names, or null.
static const cl::Option *findOption(StringRef argument,
                                    ArrayRef<const cl::OptionCategory *> categories) {
  const cl::Option *option = cl::getRegisteredOptions().lookup(flagName(argument));
  bool isOurs = option && (option->ArgStr == "help" || option->ArgStr == "version" ||
                           any_of(option->Categories, [&](const cl::OptionCategory *category) {
                             return is_contained(categories, category);
                           }));
  return isOurs ? option : nullptr;
}

// Programs have a flag `--limit`, too. The name of the limit says whose it is.
static bool isLimitOfProgram(ArrayRef<char *> arguments, size_t i) {
  auto [flag, text] = StringRef(arguments[i]).ltrim('-').split('=');
  if (flag != "limit")
    return false;
  if (text.empty() && i + 1 < arguments.size())
    text = arguments[i + 1];
  StringRef name = text.split('=').first;
  return none_of(import::limitRows(),
                 [&](const import::LimitRow &row) { return StringRef(row.name) == name; });
}

// Programs have a flag `--signature`, too. It is the compiler's where there are signatures to
// choose from: with those of a file, or of IR, the program has them all. `--describe` is always
// theirs.
static bool isFlagOfProgram(ArrayRef<char *> arguments, size_t i) {
  StringRef name = flagName(arguments[i]);
  if (name == "describe" || isLimitOfProgram(arguments, i))
    return true;
  return name == "signature" && any_of(arguments.drop_front(), [](StringRef argument) {
           return (isFlag(argument) && flagName(argument) == "signatures") ||
                  argument.ends_with(".mlir") || argument.ends_with(".mlirbc");
         });
}

std::vector<const char *> takeProgramArguments(ArrayRef<char *> arguments,
                                               ArrayRef<const cl::OptionCategory *> categories,
                                               std::vector<const char *> &program) {
  std::vector<const char *> compiler(arguments.begin(), arguments.end());
  if (arguments.empty() || !runsProgram(arguments))
    return compiler;
  compiler.resize(1);
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef argument(arguments[i]);
    const cl::Option *option = isFlag(argument) ? findOption(argument, categories) : nullptr;
    bool isOurs = (option && !isFlagOfProgram(arguments, i)) || !isFlag(argument);
    auto &list = isOurs ? compiler : program;
    list.push_back(arguments[i]);
    bool hasNext = i + 1 < arguments.size() && isFlag(argument) && !argument.contains('=');
    bool takesNext = option ? option->getValueExpectedFlag() == cl::ValueRequired
                            : hasNext && !isFlag(arguments[i + 1]);
    if (hasNext && takesNext)
      list.push_back(arguments[++i]);
  }
  return compiler;
}

} // namespace sluice
