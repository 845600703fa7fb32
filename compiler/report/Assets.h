// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The files of page/ as strings.
#pragma once

namespace sluice::report {

extern const char *const kPageFrame;
extern const char *const kPageStyle;
extern const char *const kPageScript;

} // namespace sluice::report
