// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flags of sluice-translate, and its manual.
#pragma once

#include "tools/flags/LimitFlag.h"
#include "tools/manual/manual.h"

#include "llvm/Support/CommandLine.h"

#include <string>

namespace sluice {

namespace cl = llvm::cl;

enum class DiagnosticsForm { kText, kJson };

struct TranslatorFlags {
  cl::OptionCategory category{"Translation"};
  cl::opt<std::string> graphFile{"import-graphdef", cl::value_desc("file"), cl::Required,
                                 cl::cat(category),
                                 cl::desc("GraphDef file to import (.pb or .pbtxt)")};
  cl::list<std::string> signatures{
      "signature", cl::cat(category), cl::value_desc("name"),
      cl::desc("begin a signature: the feeds, fetches and nodes to run after it belong to it "
               "(default: main)")};
  cl::list<std::string> feeds{"feed", cl::value_desc("tensor"), cl::cat(category),
                              cl::desc("a tensor that the caller gives")};
  cl::list<std::string> fetches{"fetch", cl::value_desc("tensor"), cl::cat(category),
                                cl::desc("a tensor that the caller receives")};
  cl::list<std::string> targets{"run", cl::value_desc("node"), cl::cat(category),
                                cl::desc("a node that is run for its effect")};
  cl::opt<std::string> output{"o", cl::value_desc("file"), cl::init("-"), cl::cat(category),
                              cl::desc("output file (default: -, which is standard output)")};
  cl::opt<DiagnosticsForm> diagnostics{
      "diagnostics-format",
      cl::value_desc("form"),
      cl::init(DiagnosticsForm::kText),
      cl::cat(category),
      cl::desc("how problems are printed"),
      cl::values(clEnumValN(DiagnosticsForm::kText, "text", "lines for people"),
                 clEnumValN(DiagnosticsForm::kJson, "json", "one JSON object a line"))};
  cl::opt<bool> keepPlacement{"keep-placement", cl::cat(category),
                              cl::desc("keep where nodes ask to be: devices and colocation")};
  LimitFlag limit{category};
};

manual::Manual translatorManual(TranslatorFlags &flags);

} // namespace sluice
