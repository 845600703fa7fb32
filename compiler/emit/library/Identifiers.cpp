// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Identifiers.
#include "compiler/emit/library/Identifiers.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

using namespace llvm;

namespace sluice::emit {

// Of C11 and C++20. Names of models stand alone only in namespaces and as prefixes, but a class may
// have the name that was asked for.
static bool isKeyword(StringRef name) {
  static constexpr StringRef kKeywords[] = {"alignas",
                                            "alignof",
                                            "and",
                                            "and_eq",
                                            "asm",
                                            "auto",
                                            "bitand",
                                            "bitor",
                                            "bool",
                                            "break",
                                            "case",
                                            "catch",
                                            "char",
                                            "char16_t",
                                            "char32_t",
                                            "char8_t",
                                            "class",
                                            "co_await",
                                            "co_return",
                                            "co_yield",
                                            "compl",
                                            "concept",
                                            "const",
                                            "const_cast",
                                            "consteval",
                                            "constexpr",
                                            "constinit",
                                            "continue",
                                            "decltype",
                                            "default",
                                            "delete",
                                            "do",
                                            "double",
                                            "dynamic_cast",
                                            "else",
                                            "enum",
                                            "explicit",
                                            "export",
                                            "extern",
                                            "false",
                                            "float",
                                            "for",
                                            "friend",
                                            "goto",
                                            "if",
                                            "inline",
                                            "int",
                                            "long",
                                            "mutable",
                                            "namespace",
                                            "new",
                                            "noexcept",
                                            "not",
                                            "not_eq",
                                            "nullptr",
                                            "operator",
                                            "or",
                                            "or_eq",
                                            "private",
                                            "protected",
                                            "public",
                                            "register",
                                            "reinterpret_cast",
                                            "requires",
                                            "restrict",
                                            "return",
                                            "short",
                                            "signed",
                                            "sizeof",
                                            "static",
                                            "static_assert",
                                            "static_cast",
                                            "struct",
                                            "switch",
                                            "template",
                                            "this",
                                            "thread_local",
                                            "throw",
                                            "true",
                                            "try",
                                            "typedef",
                                            "typeid",
                                            "typename",
                                            "union",
                                            "unsigned",
                                            "using",
                                            "virtual",
                                            "void",
                                            "volatile",
                                            "wchar_t",
                                            "while",
                                            "xor",
                                            "xor_eq"};
  return is_contained(kKeywords, name);
}

std::string identifierPart(StringRef name) {
  name.consume_back(":0");
  std::string part = name.str();
  for (char &c : part)
    if (!isAlnum(c))
      c = '_';
  return part;
}

std::string identifier(StringRef name) {
  std::string part = identifierPart(name);
  if (part.empty() || part.front() == '_' || isDigit(part.front()))
    part = "m" + part;
  return isKeyword(part) ? part + "_" : part;
}

std::string className(StringRef name) {
  std::string result;
  bool begins = true;
  for (char c : identifier(name)) {
    if (c != '_')
      result += begins ? toUpper(c) : c;
    begins = c == '_';
  }
  return result;
}

bool isQualifiedName(StringRef name) {
  SmallVector<StringRef> parts;
  name.split(parts, "::");
  return all_of(parts, [](StringRef part) { return !part.empty() && identifier(part) == part; });
}

std::string TakenIdentifiers::take(const std::string &part, ArrayRef<StringRef> patterns) {
  for (unsigned number = 1;; ++number) {
    std::string candidate = number == 1 ? part : part + "_" + std::to_string(number);
    SmallVector<std::string> names;
    for (StringRef pattern : patterns) {
      auto [before, after] = pattern.split('$');
      names.push_back((before + candidate + after).str());
    }
    if (any_of(names, [&](const std::string &name) { return taken_.contains(name); }))
      continue;
    for (const std::string &name : names)
      taken_.insert(name);
    return candidate;
  }
}

} // namespace sluice::emit
