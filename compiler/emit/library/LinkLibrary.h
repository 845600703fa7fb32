// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shared and the static library of a program. Both bring a runtime of their own, of which
// nobody sees anything: they have one name each.
#pragma once

#include "compiler/emit/LinkExecutable.h"

namespace sluice::emit {

// `entry` is the symbol to be seen, `file` what others will call the library.
std::optional<LinkFailure> linkSharedLibrary(const LinkRequest &request,
                                             const PendingOutput &output, llvm::StringRef entry,
                                             llvm::StringRef file);
// The bytes of an archive. `member` is what its object is called.
std::optional<LinkFailure> makeStaticLibrary(const LinkRequest &request, llvm::StringRef entry,
                                             llvm::StringRef member, std::string &archive);

} // namespace sluice::emit
