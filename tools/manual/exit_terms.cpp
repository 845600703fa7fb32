// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Picks rows of the table of exit codes.
#include "tools/manual/exit_terms.h"

namespace sluice::manual {

std::vector<Term> exitTerms(std::string_view rt::ExitMeaning::*ofProgram, rt::ExitCode last) {
  std::vector<Term> terms;
  for (const rt::ExitMeaning &exit : rt::kExitMeanings)
    if (std::string_view meaning = exit.*ofProgram; !meaning.empty() && exit.code <= last)
      terms.push_back({std::to_string(static_cast<int>(exit.code)), std::string(meaning)});
  return terms;
}

} // namespace sluice::manual
