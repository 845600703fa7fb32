// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Exit codes as terms of a manual, from the table that all programs share.
#pragma once

#include "runtime/base/exit_codes.h"
#include "tools/manual/manual.h"

#include <initializer_list>

namespace sluice::manual {

// Those that a kind of program ends with, given by the table's column for it, save `never`.
std::vector<Term> exitTerms(std::string_view rt::ExitMeaning::*ofProgram,
                            std::initializer_list<rt::ExitCode> never = {});

} // namespace sluice::manual
