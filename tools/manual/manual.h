// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a program's users are told about its command line: said once, printed as help text, man page,
// table of a reference page, and completion script of a shell. Knows nothing of LLVM.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace sluice::manual {

// A name with what it means: a value of a flag, an exit code, a phase.
struct Term {
  std::string name;
  std::string meaning;
};

struct Flag {
  std::string name;  // "--feed"
  std::string value; // stands for the value, as "tensor"; empty: it has none
  std::string help;
  std::string detail = {};         // further sentences, not part of the help text
  std::vector<Term> choices = {};  // the values that there are
  bool valueIsOptional = false;
  bool repeats = false;
};

struct FlagGroup {
  std::string title;
  std::vector<Flag> flags;
};

struct TermList {
  std::string title;
  std::vector<Term> terms;
};

struct Manual {
  std::string program;
  std::string summary;  // one line, lower-case, no period
  std::string synopsis; // without the program's name
  std::string description;
  std::vector<FlagGroup> groups;
  std::vector<TermList> lists = {};      // of other things that flags name
  std::vector<Term> exitCodes = {};
  std::vector<std::string> examples = {}; // commands
  std::vector<std::string> seeAlso = {};  // "sluicec(1)"
  std::string operandFiles = {};          // suffixes of its operands for completion: "pb pbtxt"
};

// What --help prints: no line longer than 100 columns, save for examples.
std::string helpText(const Manual &manual);
// A man page of the section, in the man macros.
std::string manPage(const Manual &manual, int section, std::string_view version);
// The rows of a table in Markdown: flags of all groups.
std::string flagTable(const Manual &manual);

std::string bashCompletion(const Manual &manual);
std::string zshCompletion(const Manual &manual);
std::string fishCompletion(const Manual &manual);

// "--feed=<tensor>", "--interpret[=<phase>]", "-o <file>"
std::string spelled(const Flag &flag);

// The words of a text in lines of at most `width` columns.
std::vector<std::string> wrapped(std::string_view text, size_t width);

} // namespace sluice::manual
