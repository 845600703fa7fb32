// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One function for each source of facts.
#include "compiler/report/Collect.h"

#include "compiler/emit/CodeletReport.h"
#include "compiler/report/BoxTree.h"
#include "compiler/report/SplitBoxes.h"
#include "dialects/interfaces/KernelOps.h"
#include "runtime/program/write_image.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"

using namespace mlir;

namespace sluice::report {

static constexpr size_t kHashBytes = 16;

// Feeds and fetches belong to one rank; targets may lie on all.
static void collectSignatures(ArrayRef<ModuleOp> ranks, Report &report) {
  for (ModuleOp module : ranks)
    for (auto graph : module.getOps<flow::GraphOp>()) {
      StringRef name = graph.getSymName();
      auto known = llvm::find_if(
          report.signatures, [&](const Signature &signature) { return signature.name == name; });
      if (known == report.signatures.end())
        known = report.signatures.insert(known, Signature{name.str(), {}, {}, {}});
      for (auto feed : graph.getBody().getOps<flow::FeedOp>())
        known->feeds.push_back({feed.getName().str(), typeText(feed.getResult().getType())});
      for (auto fetch : graph.getBody().getOps<flow::FetchOp>())
        known->fetches.push_back({fetch.getName().str(), typeText(fetch.getValue().getType())});
      for (auto target : graph.getBody().getOps<flow::TargetOp>())
        known->targets.push_back({target.getName().str(), ""});
    }
}

void collectGraphs(ArrayRef<ModuleOp> ranks, StringRef phase, Report &report) {
  collectSignatures(ranks, report);
  report.graphPhase = phase.str();
  report.graphs = drawGraphs(ranks);
  for (DrawnGraph &graph : report.graphs) {
    splitBoxes(graph);
    arrangeBoxes(graph);
  }
}

void collectCodelets(ArrayRef<codegen::CompiledCodelet> codelets, unsigned rank, Report &report) {
  for (const codegen::CompiledCodelet &codelet : codelets) {
    emit::CodeletContents contents = emit::contentsOf(codelet);
    CodeletRow row;
    row.symbol = codelet.symbol;
    row.rank = rank;
    row.codeBytes = codelet.codeBytes;
    row.ops = contents.ops;
    row.loops = contents.loops;
    row.branches = contents.branches;
    row.nodes = codelet.ops.size();
    for (StringRef name : contents.names)
      row.members.push_back(name.str());
    row.milliseconds = codelet.milliseconds;
    report.codelets.push_back(std::move(row));
  }
}

static Variable variableOf(const rt::ResourceDesc &resource) {
  Variable variable{resource.key,
                    std::string(rt::dtypeName(resource.dtype)) + resource.shape.toString(),
                    std::nullopt};
  if (resource.shape.isComplete() && rt::isPlain(resource.dtype))
    variable.bytes = resource.shape.elements() * static_cast<int64_t>(rt::sizeOf(resource.dtype));
  return variable;
}

static void addFrames(const rt::SignatureDesc &signature, ProgramRow &row) {
  size_t first = row.frames.size();
  for (const rt::FrameDesc &frame : signature.frames)
    row.frames.push_back({signature.name, frame.name, frame.window, 0});
  for (const rt::NodeDesc &node : signature.nodes)
    ++row.frames[first + node.frame].nodes;
  row.frames.erase(row.frames.begin() + static_cast<ptrdiff_t>(first)); // the root is no loop
}

static ProgramRow rowOf(const rt::ProgramDesc &program, const Report &report) {
  ProgramRow row;
  row.rank = program.rank;
  std::string image = rt::writeImage(program);
  row.imageBytes = image.size();
  row.imageHash = llvm::toHex(llvm::BLAKE3::hash<kHashBytes>(llvm::arrayRefFromStringRef(image)),
                              /*LowerCase=*/true);
  for (const CodeletRow &codelet : report.codelets)
    if (codelet.rank == program.rank)
      row.codeBytes += codelet.codeBytes;
  for (const rt::ResourceDesc &resource : program.resources)
    if (resource.kind == rt::ResourceKind::kVariable)
      row.variables.push_back(variableOf(resource));
  for (const rt::SignatureDesc &signature : program.signatures) {
    row.nodes += signature.nodes.size();
    for (const rt::Tensor &constant : signature.constants)
      row.constantBytes += constant.bytes();
    if (!signature.frames.empty())
      addFrames(signature, row);
  }
  return row;
}

void collectPrograms(ArrayRef<emit::DescribedProgram> programs, Report &report) {
  const rt::ProgramDesc &first = programs.front().program;
  if (!first.devices.empty()) {
    report.programHash = first.programHash;
    report.clusterHash = first.clusterHash;
  }
  for (const rt::DeviceDesc &device : first.devices)
    report.devices.push_back({device.name, device.address});
  for (const emit::DescribedProgram &program : programs)
    report.programs.push_back(rowOf(program.program, report));
}

} // namespace sluice::report
