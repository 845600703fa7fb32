// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of graphs may hold anything.
#include "compiler/emit/library/HeaderText.h"

#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sluice::emit {

std::string commentText(StringRef text) {
  std::string result;
  for (char c : text) {
    bool endsComment = (c == '/' && StringRef(result).ends_with("*")) ||
                       (c == '*' && StringRef(result).ends_with("/"));
    if (endsComment)
      result += ' ';
    result +=
        isPrint(c) && c != '\\' ? c : '?'; // a backslash at the end would go on in the next line
  }
  return result;
}

std::string stringLiteral(StringRef text) {
  std::string result = "\"";
  for (char c : text) {
    if (isPrint(c) && c != '"' && c != '\\' && c != '?') // "??" begins a trigraph
      result += c;
    else
      for (unsigned shift : {6u, 3u, 0u})
        (result += shift == 6 ? "\\" : "") +=
            static_cast<char>('0' + (static_cast<unsigned char>(c) >> shift & 7));
  }
  return result + '"';
}

std::string portListText(ArrayRef<InterfacePort> ports) {
  std::string result;
  for (const InterfacePort &port : ports)
    result += (result.empty() ? "" : ", ") + commentText(portText(port));
  return result.empty() ? "nothing" : result;
}

std::string guardName(const Interface &interface, StringRef suffix) {
  return "SLUICE_MODEL_" + StringRef(interface.name).upper() + suffix.str();
}

} // namespace sluice::emit
