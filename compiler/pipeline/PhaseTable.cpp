// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The phases of the compiler.
#include "compiler/pipeline/PhaseTable.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sluice {

static constexpr Phase phases[] = {
    {PhaseId::kImport, "import",
     "read a graph file and translate it into flow, nd, array and state",
     "every signature is one flow.graph of what its fetches and targets need, every function a "
     "flow.func; node names are "
     "locations, interface names attributes; ops whose derivatives are not those of what computes "
     "them are composites",
     true},
    {PhaseId::kOptimize, "optimize",
     "put functions in the place of calls, expand composites, prune, infer shapes, fold constants, "
     "merge duplicates",
     "results keep their bits, no composite is left, no op is without a path to a fetch or target, "
     "and types say what is known of shapes",
     true},
    {PhaseId::kRaise, "raise",
     "recognise branches and loops among the primitives, and optimize within them",
     "well-formed branches and loops are flow.cond and flow.while; what did not match is primitive "
     "as before",
     true},
    {PhaseId::kDifferentiate, "differentiate",
     "build the derivatives that are asked for, optimize them, and join products that loops sum up",
     "no request for a derivative is left; without one, results keep their bits but for sums of "
     "products",
     true},
    {PhaseId::kLower, "lower", "make branches and loops primitives again, to run as tokens",
     "no op has a region", true},
    {PhaseId::kPlace, "place", "with a cluster: choose a device for every op",
     "every op that fires has a device; what must be together is", false},
    {PhaseId::kPartition, "partition",
     "with a cluster: cut each graph into one for every device, joined by sends and receives",
     "one module for each rank; for every message that is sent, one is awaited, also in loops",
     false},
    {PhaseId::kCodegen, "codegen", "form codelets, collapse loops, compile both to machine code",
     "what fires together is one flow.codelet with a symbol; loops that stayed whole on one device "
     "are inside",
     true},
    {PhaseId::kEmit, "emit", "number nodes and frames, write object files, link executables",
     "every node names a kernel of the runtime or a role; nothing is left but tables", false},
};

llvm::ArrayRef<Phase> phaseTable() { return phases; }

const Phase &phase(PhaseId id) { return phases[static_cast<size_t>(id)]; }

std::optional<PhaseId> phaseFromName(llvm::StringRef name) {
  for (const Phase &p : phases)
    if (p.name == name)
      return p.id;
  return std::nullopt;
}

std::string dumpName(PhaseId id) {
  return (llvm::Twine(static_cast<int>(id) + 1) + "-" + phase(id).name + ".mlir").str();
}

std::string phaseNames() {
  return llvm::join(llvm::map_range(phases, [](const Phase &p) { return p.name; }), ", ");
}

} // namespace sluice
