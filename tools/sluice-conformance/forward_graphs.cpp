// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads graphs once, and writes what is left of them once.
#include "tools/sluice-conformance/forward_graphs.h"

#include "tools/sluice-conformance/files.h"
#include "tools/sluice-conformance/prune.h"

#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Expected;

Expected<const ForwardGraphs::Graph *> ForwardGraphs::read(const std::string &name) {
  auto [entry, isNew] = graphs_.try_emplace(name);
  Graph &graph = entry->second;
  if (!isNew)
    return &graph;
  auto buffer = llvm::MemoryBuffer::getFile(pathIn(recorded_, name));
  if (!buffer)
    return createStringError("cannot read " + name + ": " + buffer.getError().message());
  graph.bytes = (*buffer)->getBuffer().str();
  graph.skeleton = GraphSkeleton::parse(graph.bytes);
  graph.inLoops = graph.skeleton.nodesInLoops();
  return &graph;
}

Expected<std::string> ForwardGraphs::writeWithout(const std::string &name,
                                                  const std::set<std::string> &dropped) {
  Expected<const Graph *> graph = read(name);
  if (!graph)
    return graph.takeError();
  auto [entry, isNew] = files_.try_emplace({name, dropped});
  if (!isNew)
    return entry->second;
  entry->second =
      (llvm::sys::path::stem(name) + ".pruned" + llvm::Twine(files_.size()) + ".pb").str();
  std::string pruned = pruneGraph((*graph)->bytes, dropped);
  if (!writeFile(pathIn(written_, entry->second), [&](auto &stream) { stream << pruned; }))
    return createStringError("cannot write to " + written_);
  return entry->second;
}

} // namespace sluice::conformance
