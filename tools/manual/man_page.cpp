// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A man page in the man macros.
#include "tools/manual/manual.h"

namespace sluice::manual {

namespace {

// Text that troff takes as it is. Hyphens are those that users can paste into a shell.
std::string escaped(std::string_view text) {
  std::string out;
  for (char c : text) {
    if (c == '\\')
      out += "\\e";
    else if (c == '-')
      out += "\\-";
    else
      out += c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

std::string heading(std::string_view title) {
  std::string out = ".SH ";
  for (char c : title)
    out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
  return out + '\n';
}

std::string entry(std::string_view term, std::string_view meaning) {
  return ".TP\n.B " + escaped(term) + '\n' + escaped(meaning) + '\n';
}

std::string describe(const Flag &flag) {
  std::string out = entry(spelled(flag), flag.help + '.');
  if (flag.repeats)
    out += "May be repeated.\n";
  if (!flag.detail.empty())
    out += escaped(flag.detail) + '\n';
  bool explained = false;
  for (const Term &choice : flag.choices)
    explained |= !choice.meaning.empty();
  if (!explained)
    return out;
  out += ".RS\n";
  for (const Term &choice : flag.choices)
    out += entry(choice.name, choice.meaning);
  return out + ".RE\n";
}

std::string termEntries(std::string_view title, const std::vector<Term> &terms) {
  if (terms.empty())
    return {};
  std::string out = heading(title);
  for (const Term &term : terms)
    out += entry(term.name, term.meaning);
  return out;
}

std::string seeAlso(const std::vector<std::string> &pages) {
  if (pages.empty())
    return {};
  std::string out = heading("See also");
  for (const std::string &page : pages) {
    size_t section = page.find('(');
    out += ".BR " + escaped(page.substr(0, section)) + ' ' + page.substr(section) +
           (&page == &pages.back() ? "\n" : " ,\n");
  }
  return out;
}

} // namespace

std::string manPage(const Manual &manual, int section, std::string_view version) {
  std::string title = heading(manual.program).substr(4);
  title.pop_back();
  std::string out = ".TH \"" + escaped(title) + "\" " + std::to_string(section) +
                    " \"\" \"Sluice " + std::string(version) + "\" \"Sluice\"\n";
  out += heading("Name") + escaped(manual.program) + " \\- " + escaped(manual.summary) + '\n';
  out += heading("Synopsis") + ".B " + escaped(manual.program) + '\n' + escaped(manual.synopsis) +
         '\n';
  out += heading("Description") + escaped(manual.description) + '\n';
  if (!manual.groups.empty())
    out += heading("Options");
  for (const FlagGroup &group : manual.groups) {
    out += ".SS " + escaped(group.title) + '\n';
    for (const Flag &flag : group.flags)
      out += describe(flag);
  }
  for (const TermList &list : manual.lists)
    out += termEntries(list.title, list.terms);
  out += termEntries("Exit status", manual.exitCodes);
  if (!manual.examples.empty())
    out += heading("Examples") + ".nf\n";
  for (const std::string &example : manual.examples)
    out += escaped(example) + '\n';
  if (!manual.examples.empty())
    out += ".fi\n";
  return out + seeAlso(manual.seeAlso);
}

} // namespace sluice::manual
