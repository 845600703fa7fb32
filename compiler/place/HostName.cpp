// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of hosts.
#include "compiler/place/HostName.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

#include <arpa/inet.h>

namespace sluice::place {

using llvm::StringRef;

namespace {

std::optional<std::string> canonicalAddress6(StringRef text) {
  in6_addr address;
  char shortest[INET6_ADDRSTRLEN];
  if (inet_pton(AF_INET6, text.str().c_str(), &address) != 1 ||
      !inet_ntop(AF_INET6, &address, shortest, sizeof shortest))
    return std::nullopt;
  return shortest;
}

// Underscores are in no standard, but in many networks.
bool isLabel(StringRef label) {
  constexpr size_t kLongest = 63;
  return !label.empty() && label.size() <= kLongest && label.front() != '-' &&
         label.back() != '-' &&
         llvm::all_of(label, [](char c) { return llvm::isAlnum(c) || c == '-' || c == '_'; });
}

bool isHostName(StringRef text) {
  constexpr size_t kLongest = 253;
  llvm::SmallVector<StringRef> labels;
  text.split(labels, '.');
  return text.size() <= kLongest && llvm::all_of(labels, isLabel);
}

} // namespace

std::optional<std::string> canonicalHost(StringRef text) {
  if (text.contains('\0'))
    return std::nullopt;
  bool opens = text.consume_front("["), closes = text.consume_back("]");
  if (opens != closes)
    return std::nullopt;
  if (opens || text.contains(':'))
    return canonicalAddress6(text);
  // What has only digits and dots is meant as an address.
  if (llvm::all_of(text, [](char c) { return llvm::isDigit(c) || c == '.'; })) {
    in_addr address;
    if (inet_pton(AF_INET, text.str().c_str(), &address) != 1)
      return std::nullopt;
    return text.str();
  }
  if (!isHostName(text))
    return std::nullopt;
  return text.lower();
}

} // namespace sluice::place
