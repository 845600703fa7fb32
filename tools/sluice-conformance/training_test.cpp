// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Drops a graph's own training, and asks the compiler for the same.
#include "tools/sluice-conformance/training_test.h"

#include "tools/sluice-conformance/forward_graphs.h"
#include "tools/sluice-conformance/training_step.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice::conformance {

using llvm::Expected;
using llvm::StringRef;
using Names = std::set<std::string>;
namespace json = llvm::json;

// A loss may depend on derivatives, which are then those of an earlier call.
static Names derivativesIn(const GraphSkeleton &graph, const std::string &loss) {
  Names needed = graph.ancestorsOf({loss});
  return graph.nodesWhere(
      [&](StringRef node) { return isInGradientScope(node) && !needed.count(node.str()); });
}

static RecordedRun makeStep(const RecordedRun &run, const std::string &graph,
                            const TrainingStep &step, const Names &dropped) {
  RecordedRun made;
  made.graph = graph;
  made.nondeterministic = run.nondeterministic;
  made.stateBefore = run.stateBefore;
  made.training = step.request;
  made.fetches = {step.request.loss};
  for (const auto &[name, value] : run.feeds)
    if (!dropped.count(nodeOf(name).str()))
      made.feeds[name] = value;
  for (const Expectation &expectation : run.expectations)
    made.expectations.push_back(expectation);
  if (run.stateAfter) {
    made.stateAfter.emplace();
    for (const auto &[name, value] : *run.stateAfter)
      if (step.variables.count(name.str()))
        (*made.stateAfter)[name] = value;
  }
  return made;
}

static TrainingRecord recordOf(const RecordedTest &recorded, const Names &derivatives) {
  llvm::ArrayRef<RecordedRun> steps =
      llvm::ArrayRef(recorded.runs).drop_front(recorded.training->firstStep);
  TrainingRecord record{recorded.training->loss, recorded.training->target, derivatives, {}, {}};
  if (steps.front().stateBefore)
    record.before = *steps.front().stateBefore;
  if (steps.back().stateAfter)
    record.after = *steps.back().stateAfter;
  record.sameFeeds = llvm::all_of(
      steps, [&](const RecordedRun &step) { return step.feeds == steps.front().feeds; });
  return record;
}

Expected<RecordedTest> makeTrainingTest(const RecordedTest &recorded, const std::string &folder) {
  RecordedTest test;
  test.name = recorded.name;
  test.folder = folder;
  if (!recorded.training || recorded.training->firstStep >= recorded.runs.size())
    return test;
  ForwardGraphs graphs(recorded.folder, folder);
  const std::string &name = recorded.runs.back().graph;
  Expected<const ForwardGraphs::Graph *> graph = graphs.read(name);
  if (!graph)
    return graph.takeError();
  const GraphSkeleton &skeleton = (*graph)->skeleton;
  Names derivatives = derivativesIn(skeleton, recorded.training->loss);
  Expected<TrainingStep> step = readTrainingStep(skeleton, recordOf(recorded, derivatives));
  if (!step) {
    test.inexpressible = llvm::toString(step.takeError());
    return test;
  }
  Names dropped = skeleton.dependentsOf(derivatives);
  Expected<std::string> file = graphs.writeWithout(name, dropped);
  if (!file)
    return file.takeError();
  for (size_t i = recorded.training->firstStep; i < recorded.runs.size(); ++i) {
    test.runs.push_back(makeStep(recorded.runs[i], *file, *step, dropped));
    test.runs.back().madeOf = i;
  }
  return test;
}

} // namespace sluice::conformance
