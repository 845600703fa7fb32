// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's command line parser with its complaints in the form of our diagnostics.
#pragma once

#include "compiler/import/Diagnostic.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"

#include <optional>
#include <string>

namespace sluice {

inline bool isSingle(const llvm::cl::Option &option) {
  return option.getNumOccurrencesFlag() == llvm::cl::Optional ||
         option.getNumOccurrencesFlag() == llvm::cl::Required;
}

// What is wrong with an argument that no flag can be, or nothing. LLVM would look for the most similar
// flag, which takes seconds when the argument is long.
inline std::optional<std::string> problemOfLength(llvm::ArrayRef<const char *> arguments) {
  constexpr size_t kLongestName = 1000;
  for (llvm::StringRef argument : arguments.drop_front()) {
    llvm::StringRef name = argument.take_until([](char c) { return c == '='; });
    if (name.starts_with("-") && name.size() > kLongestName)
      return "expected a flag but got '" + import::escaped(name.take_front(20).str()) +
             "...', a name of " + std::to_string(name.size()) + " bytes";
  }
  return std::nullopt;
}

// False on a usage error, which has been printed.
inline bool parseCommandLine(llvm::ArrayRef<const char *> arguments, llvm::StringRef program,
                             llvm::StringRef overview) {
  std::string complaints;
  llvm::raw_string_ostream stream(complaints);
  if (auto problem = problemOfLength(arguments))
    stream << *problem << '\n';
  for (llvm::StringRef argument : arguments) {
    // The parser would read a device to its end, which may never come.
    llvm::sys::fs::file_status status;
    if (argument.consume_front("@") && !llvm::sys::fs::status(argument, status) &&
        !llvm::sys::fs::is_regular_file(status))
      stream << "expected a regular file of arguments but got '@" << argument << "'\n";
  }
  if (complaints.empty() &&
      llvm::cl::ParseCommandLineOptions(static_cast<int>(arguments.size()), arguments.data(),
                                        overview, &stream)) {
    // The parser lets the last one win.
    for (auto &[name, option] : llvm::cl::getRegisteredOptions())
      if (option->getNumOccurrences() > 1 && isSingle(*option))
        stream << (name.size() > 1 ? "--" : "-") << name << " is given twice\n";
    if (complaints.empty())
      return true;
  }
  if (complaints.empty())
    return false; // about a flag's value or its absence, which the parser has said itself
  // Arguments may hold line breaks, so lines begin only where the program's name does.
  std::string start = (program + ": ").str();
  llvm::SmallVector<llvm::StringRef> lines;
  llvm::StringRef(complaints).trim('\n').split(lines, "\n" + start);
  for (llvm::StringRef line : lines) {
    line.consume_front(start);
    llvm::errs() << start << "error: " << import::escaped(line.str()) << '\n';
  }
  return false;
}

} // namespace sluice
