// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A report as one page of HTML that needs no other file and no network.
#pragma once

#include "compiler/report/Report.h"

namespace sluice::report {

std::string reportPage(const Report &report);

} // namespace sluice::report
