// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The report of a compilation: collected phase by phase, written last.
#include "compiler/pipeline/Compile.h"

#include "compiler/pipeline/WritePrograms.h"
#include "compiler/report/Collect.h"
#include "compiler/report/WriteJson.h"
#include "compiler/report/WritePage.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace mlir;

namespace sluice {

void Compilation::collectPhase(PhaseId id, double milliseconds) {
  report::PhaseSnapshot snapshot = report::snapshotOf(*module_);
  snapshot.name = phase(id).name.str();
  snapshot.summary = phase(id).summary.str();
  snapshot.milliseconds = milliseconds;
  report_.phases.push_back(std::move(snapshot));
  // After emit there are only tables.
  if (id == std::min(options_.lastPhase, PhaseId::kCodegen))
    report::collectGraphs(programModules(), phase(id).name, report_);
}

static report::File fileAt(StringRef path) {
  uint64_t bytes = 0;
  if (llvm::sys::fs::file_size(path, bytes))
    bytes = 0;
  return {llvm::sys::path::filename(path).str(), bytes};
}

void Compilation::completeReport(ArrayRef<emit::DescribedProgram> programs) {
  report_.name = programName(options_.input);
  report_.compiler = options_.version;
  report_.target = options_.target.triple;
  SmallVector<std::string> cpus;
  for (ModuleOp program : programModules())
    if (std::string cpu = targetOf(program).march; !llvm::is_contained(cpus, cpu))
      cpus.push_back(std::move(cpu));
  report_.march = llvm::join(cpus, ", ");
  report_.input = fileAt(options_.input);
  for (const std::string &path : written_)
    report_.outputs.push_back(fileAt(path));
  if (!programs.empty())
    report::collectPrograms(programs, report_);
  else if (options_.cluster)
    for (const place::ClusterDevice &device : options_.cluster->devices())
      report_.devices.push_back({device.name.text(), device.address()});
}

int Compilation::writeReport() {
  if (!collectsReport())
    return kExitOk;
  std::vector<emit::DescribedProgram> programs;
  if (options_.lastPhase == PhaseId::kEmit) {
    auto described = describePrograms();
    if (failed(described))
      return kExitCompileError;
    programs = std::move(*described);
  }
  completeReport(programs);
  bool isPage = options_.emit == EmitKind::kHtml;
  if (isPage)
    if (int code = writeFile(report::reportPage(report_), options_.output, printer_))
      return code;
  if (options_.report.empty())
    return kExitOk;
  bool isJson = llvm::sys::path::extension(options_.report) == ".json";
  return writeFile(isJson ? report::reportJson(report_) : report::reportPage(report_),
                   options_.report, printer_);
}

} // namespace sluice
