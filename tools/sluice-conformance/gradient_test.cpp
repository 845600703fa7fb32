// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Chooses the calls that can be asked for, and what is left of a run without TensorFlow's
// gradients.
#include "tools/sluice-conformance/gradient_test.h"

#include "tools/sluice-conformance/forward_graphs.h"

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
using Names = std::set<std::string>;

namespace {

using Graph = ForwardGraphs::Graph;

// A call that can be asked for, and the nodes without which it cannot.
struct Askable {
  const GradientCall *call;
  Names needs;

  // Whether among the nodes are some that TensorFlow added for this very call. What the call itself
  // needs does not count: a functional loop keeps the stacks that its gradient gave it, and
  // derivatives of derivatives need those of earlier calls.
  bool seesItself(const Names &nodes) const {
    return !call->scope.empty() && llvm::any_of(nodes, [&](const std::string &node) {
      return isInScope(node, call->scope) && !needs.count(node);
    });
  }
};

// Calls that one program can answer: none sees what TensorFlow added for another one of itself.
using Group = std::vector<Askable>;

class Maker {
public:
  Maker(const RecordedTest &recorded, const std::string &folder)
      : recorded_(recorded), folder_(folder), graphs_(recorded.folder, folder) {}

  Expected<RecordedTest> make() {
    if (Error error = readCalls())
      return std::move(error);
    RecordedTest test;
    test.name = recorded_.name;
    test.folder = folder_;
    for (size_t i = 0; i < recorded_.runs.size(); ++i) {
      const RecordedRun &run = recorded_.runs[i];
      if (calls_[i].empty() || !run.errorCode.empty())
        continue;
      Expected<const Graph *> graph = graphs_.read(run.graph);
      if (!graph)
        return graph.takeError();
      for (const Group &group : groupCalls(calls_[i], **graph)) {
        Expected<RecordedRun> asking = makeRun(run, group, **graph);
        if (!asking)
          return asking.takeError();
        asking->madeOf = i;
        test.runs.push_back(std::move(*asking));
      }
    }
    return test;
  }

private:
  Error readCalls() {
    for (const RecordedRun &run : recorded_.runs) {
      Expected<std::vector<GradientCall>> calls = readGradientCalls(run.gradientCalls);
      if (!calls)
        return calls.takeError();
      for (const GradientCall &call : *calls)
        if (!call.scope.empty())
          scopes_.insert(call.scope);
      calls_.push_back(std::move(*calls));
    }
    return Error::success();
  }

  // A call that was made inside a loop's body has a result for each iteration, which nobody can
  // fetch.
  static bool canBeAsked(const GradientCall &call, const Graph &graph) {
    bool comparable =
        llvm::any_of(call.values, [](const auto &value) { return value.has_value(); });
    return comparable && llvm::all_of(call.request.tensors(), [&](const std::string &tensor) {
             std::string node = nodeOf(tensor).str();
             return graph.skeleton.hasNode(node) && !graph.inLoops.count(node);
           });
  }

  static bool canJoin(const Group &group, const Askable &one) {
    return llvm::none_of(group, [&](const Askable &other) {
      return other.seesItself(one.needs) || one.seesItself(other.needs);
    });
  }

  static std::vector<Group> groupCalls(const std::vector<GradientCall> &calls, const Graph &graph) {
    std::vector<Group> groups;
    for (const GradientCall &call : calls) {
      if (!canBeAsked(call, graph))
        continue;
      Askable one{&call, graph.skeleton.ancestorsOf(call.request.tensors())};
      auto group = llvm::find_if(groups, [&](const Group &group) { return canJoin(group, one); });
      if (group == groups.end())
        group = groups.insert(groups.end(), Group());
      group->push_back(std::move(one));
    }
    return groups;
  }

  bool isGradient(StringRef node) const {
    return isInGradientScope(node) ||
           llvm::any_of(scopes_, [&](const std::string &scope) { return isInScope(node, scope); });
  }

  Names chooseDropped(const Group &group, const Graph &graph) const {
    Names added = graph.skeleton.nodesWhere([&](StringRef node) {
      return isGradient(node) &&
             llvm::none_of(group, [&](const Askable &one) { return one.needs.count(node.str()); });
    });
    return graph.skeleton.dependentsOf(added);
  }

  Expected<RecordedRun> makeRun(const RecordedRun &run, const Group &group, const Graph &graph) {
    Names dropped = chooseDropped(group, graph);
    Expected<std::string> file = graphs_.writeWithout(run.graph, dropped);
    if (!file)
      return file.takeError();
    RecordedRun asking;
    asking.graph = *file;
    asking.nondeterministic = run.nondeterministic;
    asking.stateBefore = run.stateBefore;
    for (const auto &[name, value] : run.feeds)
      if (!dropped.count(nodeOf(name).str()))
        asking.feeds[name] = value;
    bool onlyGradientsLost = true;
    auto keep = [&](const std::vector<std::string> &from, std::vector<std::string> &to) {
      for (const std::string &name : from)
        if (!dropped.count(nodeOf(name).str()))
          to.push_back(name);
        else
          onlyGradientsLost &= isGradient(nodeOf(name));
    };
    keep(run.fetches, asking.fetches);
    keep(run.targets, asking.targets);
    // What else was dropped may have changed variables before others read them.
    if (onlyGradientsLost)
      expectOwnResults(run, asking);
    ask(group, graph, dropped, asking);
    return asking;
  }

  static void expectOwnResults(const RecordedRun &run, RecordedRun &asking) {
    asking.stateAfter = run.stateAfter;
    for (const Expectation &expectation : run.expectations) {
      const auto *dense = std::get_if<Expectation::Dense>(&expectation.source);
      if (dense && llvm::is_contained(asking.fetches, dense->fetch))
        asking.expectations.push_back(expectation);
    }
  }

  // A program can tell TensorFlow not to differentiate a loop (`back_prop`), which the loop does
  // not say. Each one has got a loop that runs backwards, whose frame is called like its own in the
  // scope of the call. But if it is not differentiated nothing enters there except a counter and
  // its end.
  static void stopAtOtherLoops(const GradientCall &call, const Graph &graph, const Names &dropped,
                               GradientRequest &request) {
    if (call.scope.empty())
      return;
    constexpr size_t kOfCounter = 2;
    std::map<std::string, size_t> frames = graph.skeleton.frames();
    Names others;
    for (const auto &[frame, enters] : frames) {
      std::string backward = call.scope + "/" + frame;
      auto next = frames.lower_bound(backward);
      if (next == frames.end() || !StringRef(next->first).starts_with(backward) ||
          next->second <= kOfCounter)
        others.insert(frame);
    }
    for (const std::string &exit : graph.skeleton.exitsOf(others))
      if (!dropped.count(exit))
        request.stops.push_back(endpoint(exit));
  }

  static void ask(const Group &group, const Graph &graph, const Names &dropped,
                  RecordedRun &asking) {
    for (size_t i = 0; i < group.size(); ++i) {
      const GradientCall &call = *group[i].call;
      asking.gradients.push_back(call.request);
      stopAtOtherLoops(call, graph, dropped, asking.gradients.back());
      for (size_t x = 0; x < call.values.size(); ++x)
        if (call.values[x])
          asking.expectations.push_back(
              {Expectation::Dense{gradientFetch(i, call.request.xs[x])}, *call.values[x]});
    }
  }

  const RecordedTest &recorded_;
  const std::string &folder_;
  std::vector<std::vector<GradientCall>> calls_; // of each recorded run
  Names scopes_;                                 // of all calls
  ForwardGraphs graphs_;
};

} // namespace

Expected<RecordedTest> makeGradientTest(const RecordedTest &recorded, const std::string &folder) {
  return Maker(recorded, folder).make();
}

} // namespace sluice::conformance
