// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Hosts as users write them: names, IPv4 addresses, IPv6 addresses with or without brackets.
#pragma once

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>

namespace sluice::place {

// The one form of all texts for the same host: no brackets, lower-case, IPv6 addresses as short as
// they can be. Nothing when the text is no host. Names are not looked up.
std::optional<std::string> canonicalHost(llvm::StringRef text);

} // namespace sluice::place
