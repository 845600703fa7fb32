// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Puts style, script and data into the page's frame.
#include "compiler/report/WritePage.h"

#include "compiler/report/Assets.h"
#include "compiler/report/WriteJson.h"

#include "llvm/Support/JSON.h"

namespace sluice::report {

using namespace llvm;

// JSON in a script element: no '<' may stand there, since names may hold "</script>".
static std::string escapedForScript(StringRef json) {
  std::string text;
  for (char c : json)
    if (c == '<')
      text += "\\u003c";
    else
      text += c;
  return text;
}

// Of a name in the page's text; bytes that are no characters of HTML are left out.
static std::string escapedForHtml(StringRef name) {
  std::string text;
  for (char c : json::fixUTF8(name))
    switch (c) {
    case '<':
      text += "&lt;";
      break;
    case '>':
      text += "&gt;";
      break;
    case '&':
      text += "&amp;";
      break;
    case '"':
      text += "&quot;";
      break;
    default:
      if (static_cast<unsigned char>(c) >= ' ' && c != '\x7f')
        text += c;
    }
  return text;
}

std::string reportPage(const Report &report) {
  std::pair<StringRef, std::string> parts[] = {{"TITLE", escapedForHtml(report.name)},
                                               {"STYLE", kPageStyle},
                                               {"FACTS", escapedForScript(factsJson(report))},
                                               {"TIMES", escapedForScript(timesJson(report))},
                                               {"SCRIPT", kPageScript}};
  std::string page;
  StringRef rest = kPageFrame;
  // Each piece of the frame ends with a mark of the kind {{TITLE}}; what is put in is not looked
  // at.
  for (size_t start; (start = rest.find("{{")) != StringRef::npos;) {
    size_t end = rest.find("}}", start);
    StringRef mark = rest.slice(start + 2, end);
    page += rest.take_front(start);
    for (const auto &[name, text] : parts)
      if (name == mark)
        page += text;
    rest = rest.drop_front(end + 2);
  }
  return page + rest.str();
}

} // namespace sluice::report
