// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sorting of arguments, before LLVM's parser sees them.
#include "tools/sluicec/ProgramArguments.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/CommandLine.h"

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

std::vector<const char *> takeProgramArguments(ArrayRef<char *> arguments,
                                               std::vector<const char *> &program) {
  std::vector<const char *> compiler(arguments.begin(), arguments.end());
  if (arguments.empty() || !runsProgram(arguments))
    return compiler;
  compiler.resize(1);
  auto &known = cl::getRegisteredOptions();
  for (size_t i = 1; i < arguments.size(); ++i) {
    StringRef argument(arguments[i]);
    auto it = known.find(flagName(argument));
    if (!isFlag(argument) || it != known.end()) {
      compiler.push_back(arguments[i]);
      bool takesValue = it != known.end() && isFlag(argument) && !argument.contains('=') &&
                        it->second->getValueExpectedFlag() == cl::ValueRequired;
      if (takesValue && i + 1 < arguments.size())
        compiler.push_back(arguments[++i]);
      continue;
    }
    program.push_back(arguments[i]);
    bool hasValue = i + 1 < arguments.size() && !isFlag(arguments[i + 1]);
    if (!argument.contains('=') && hasValue)
      program.push_back(arguments[++i]);
  }
  return compiler;
}

} // namespace sluice
