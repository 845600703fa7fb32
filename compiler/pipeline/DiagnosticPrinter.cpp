// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Diagnostics as text or JSON.
#include "compiler/pipeline/DiagnosticPrinter.h"

#include "dialects/interfaces/NodeName.h"

using namespace mlir;

namespace sluice {

void DiagnosticPrinter::print(const import::Diagnostic &diagnostic) {
  out_ << (json_ ? formatJson(diagnostic) : formatText(diagnostic)) << '\n';
}

void DiagnosticPrinter::print(const import::DiagnosticList &diagnostics) {
  out_ << formatLines(diagnostics, json_);
}

void DiagnosticPrinter::error(StringRef message, int exitCode) {
  import::Diagnostic diagnostic;
  diagnostic.exitCode = static_cast<import::ExitCode>(exitCode);
  diagnostic.message = message.str();
  print(diagnostic);
}

static std::string textPosition(Location location) {
  std::string text;
  location->walk([&](Location inner) {
    auto position = dyn_cast<FileLineColLoc>(inner);
    if (!position)
      return WalkResult::advance();
    text = (position.getFilename().getValue() + ":" + Twine(position.getLine()) + ":" +
            Twine(position.getColumn()))
               .str();
    return WalkResult::interrupt();
  });
  return text;
}

static import::Diagnostic convert(Diagnostic &diagnostic) {
  import::Diagnostic result;
  switch (diagnostic.getSeverity()) {
  case DiagnosticSeverity::Error:
    result.severity = import::Severity::kError;
    break;
  case DiagnosticSeverity::Warning:
    result.severity = import::Severity::kWarning;
    break;
  default:
    result.severity = import::Severity::kNote;
  }
  result.place.location = textPosition(diagnostic.getLocation());
  result.place.node = nodeNameOf(diagnostic.getLocation()).str();
  result.message = diagnostic.str();
  return result;
}

void DiagnosticPrinter::print(Diagnostic &diagnostic) {
  print(convert(diagnostic));
  for (Diagnostic &note : diagnostic.getNotes())
    print(convert(note));
}

} // namespace sluice
