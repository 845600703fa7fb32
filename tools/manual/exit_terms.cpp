// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Picks rows of the table of exit codes.
#include "tools/manual/exit_terms.h"

#include <algorithm>

namespace sluice::manual {

std::vector<Term> exitTerms(std::string_view rt::ExitMeaning::*ofProgram,
                            std::initializer_list<rt::ExitCode> never) {
  std::vector<Term> terms;
  for (const rt::ExitMeaning &exit : rt::kExitMeanings)
    if (std::string_view meaning = exit.*ofProgram;
        !meaning.empty() && std::ranges::find(never, exit.code) == never.end())
      terms.push_back({std::to_string(static_cast<int>(exit.code)), std::string(meaning)});
  return terms;
}

} // namespace sluice::manual
