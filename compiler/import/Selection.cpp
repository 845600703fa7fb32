// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Resolution of feeds and fetches, and pruning.
#include "compiler/import/Selection.h"

#include "compiler/import/NearestNames.h"

#include "llvm/ADT/StringSet.h"

namespace sluice::import {

namespace {

class Selector {
public:
  Selector(const Graph &graph, const CheckedGraph &checked, DiagnosticList &diagnostics)
      : graph_(graph), checked_(checked), diagnostics_(diagnostics) {}

  std::optional<Selection> run(const SignatureRequest &request) {
    selection_.name = request.name;
    selection_.initializes = request.initializes;
    begin();
    if (request.fetches.empty() && request.targets.empty() && request.gradients.empty())
      failRequest("signature " + quoted(request.name) +
                  ": expected a fetch or a target; what shall be computed?");
    for (const TensorRequest &feed : request.feeds)
      addFeed(feed);
    for (const TensorRequest &fetch : request.fetches)
      addFetch(fetch);
    for (const std::string &name : request.targets)
      addTarget(name);
    for (const GradientRequest &gradients : request.gradients)
      addGradients(gradients);
    if (failed_)
      return std::nullopt;
    prune();
    return std::move(selection_);
  }

  Selection run(const std::vector<uint32_t> &roots) {
    begin();
    selection_.targets = roots;
    prune();
    selection_.targets.clear(); // the function returns when they have run
    return std::move(selection_);
  }

private:
  void begin() {
    selection_.numNodes = static_cast<uint32_t>(graph_.nodes().size());
    selection_.isFedNode.assign(graph_.nodes().size(), false);
    selection_.isPivot.assign(graph_.nodes().size(), false);
    for (const StaticFrame &frame : checked_.frames)
      if (frame.pivot != StaticFrame::kNone)
        selection_.isPivot[frame.pivot] = true;
  }

  void failRequest(std::string message) {
    failed_ = true;
    diagnostics_.error(ExitCode::kUsage, {graph_.file().path(), "", ""}, std::move(message));
  }
  void failNode(uint32_t node, std::string message) {
    failed_ = true;
    diagnostics_.error(ExitCode::kUsage, graph_.place(node), std::move(message));
  }

  std::optional<Endpoint> resolve(const std::string &name, const char *role) {
    std::string which = std::string(role) + " " + quoted(name) + ": ";
    auto reference = parseReference(name);
    if (!reference || reference->isControl) {
      failRequest(which + "expected 'node' or 'node:output'");
      return std::nullopt;
    }
    auto node = graph_.find(reference->node);
    if (!node) {
      failRequest(which + "the graph has no node of this name" + nearest(reference->node));
      return std::nullopt;
    }
    const Node &found = graph_.node(*node);
    if (found.isSupported && reference->slot >= found.outputTypes.size()) {
      if (found.outputTypes.empty())
        failNode(*node, which + "the node has no outputs; use --run " + found.name().str());
      else
        failNode(*node,
                 which + "expected an output below " + std::to_string(found.outputTypes.size()));
      return std::nullopt;
    }
    return Endpoint{*node, reference->slot};
  }

  // Frames other than the root have many iterations, so no one value.
  bool inRootFrame(Endpoint endpoint) const {
    uint32_t frame = checked_.frameOf[endpoint.node];
    if (isExit(graph_.node(endpoint.node).opName()))
      frame = checked_.frames[frame].parent;
    return frame == 0;
  }

  std::string nearest(llvm::StringRef wrong) const {
    std::vector<llvm::StringRef> names;
    for (const Node &node : graph_.nodes())
      names.push_back(node.name());
    return didYouMean(wrong, names);
  }

  // Callers find a port by its name, and take `x` and `x:0` for the same.
  void addName(const TensorRequest &request, Endpoint endpoint, llvm::StringSet<> &taken,
               std::vector<std::string> &names, const char *role) {
    std::string name = request.name;
    if (name.empty())
      name = graph_.node(endpoint.node).name().str() + ":" + std::to_string(endpoint.slot);
    llvm::StringRef canonical(name);
    canonical.consume_back(":0");
    if (!taken.insert(canonical).second && !request.name.empty())
      failRequest("signature " + quoted(selection_.name) + ": two " + role + " have the name " +
                  quoted(name));
    names.push_back(std::move(name));
  }

  // The element type that was promised must be the graph's.
  bool agrees(const TensorRequest &request, EdgeType type, const std::string &which) {
    if (!request.declared || request.declared->type == graphdef::DT_INVALID ||
        request.declared->type == type.type)
      return true;
    failRequest(which + "expected " + typeName(request.declared->type) +
                " as the signature says but the graph has " + typeName(type));
    return false;
  }

  void addFeed(const TensorRequest &request) {
    const std::string &name = request.tensor;
    auto endpoint = resolve(name, "feed");
    if (!endpoint)
      return;
    const Node &node = graph_.node(endpoint->node);
    std::string which = "feed " + quoted(name) + ": ";
    if (selection_.isFed(*endpoint))
      return failRequest(which + "is given twice");
    if (!inRootFrame(*endpoint))
      return failNode(endpoint->node, which + "a tensor inside a loop cannot be fed");
    if (endpoint->slot >= node.outputTypes.size())
      return failNode(endpoint->node, which + "the type of this output is not known");
    EdgeType type = node.outputTypes[endpoint->slot];
    if (type.isRef || !isTensorType(type.type))
      return failNode(endpoint->node, which + "expected a tensor but got " + typeName(type));
    if (!agrees(request, type, which))
      return;
    selection_.addFeed(*endpoint);
    selection_.isFedNode[endpoint->node] = true;
    addName(request, *endpoint, takenFeeds_, selection_.feedNames, "feeds");
    selection_.feedShapes.emplace_back();
    if (request.declared)
      selection_.feedShapes.back() = request.declared->shape;
  }

  void addFetch(const TensorRequest &request) {
    const std::string &name = request.tensor;
    auto endpoint = resolve(name, "fetch");
    if (!endpoint)
      return;
    std::string which = "fetch " + quoted(name) + ": ";
    const Node &node = graph_.node(endpoint->node);
    // A name of its own makes an output of an input: somebody has designed it so.
    if (selection_.isFed(*endpoint) && request.name.empty())
      return failNode(endpoint->node, which + "the same tensor is fed");
    if (!inRootFrame(*endpoint))
      return failNode(endpoint->node, which + "a tensor inside a loop cannot be fetched; "
                                              "fetch what an Exit node gives");
    if (endpoint->slot < node.outputTypes.size() &&
        !agrees(request, node.outputTypes[endpoint->slot], which))
      return;
    selection_.fetches.push_back(*endpoint);
    addName(request, *endpoint, takenFetches_, selection_.fetchNames, "fetches");
  }

  void addTarget(const std::string &name) {
    auto reference = parseReference(name);
    auto node = reference ? graph_.find(reference->node) : std::nullopt;
    if (!reference || reference->isControl || !node)
      return failRequest("target " + quoted(name) + ": the graph has no node of this name" +
                         (reference ? nearest(reference->node) : ""));
    if (!inRootFrame({*node, 0}))
      return failNode(*node,
                      "target " + quoted(name) + ": a node inside a loop cannot be a target");
    selection_.targets.push_back(*node);
  }

  // A tensor of the graph, or what an earlier request has found.
  std::optional<Endpoint> resolveOrDerivative(const std::string &name, const char *role) {
    auto reference = parseReference(name);
    if (reference && !reference->isControl && !graph_.find(reference->node))
      for (auto [number, gradients] : llvm::enumerate(selection_.gradients)) {
        auto found = llvm::find(gradients.fetchNames,
                                reference->node.str() + ":" + std::to_string(reference->slot));
        if (found != gradients.fetchNames.end())
          return Endpoint{selection_.numNodes + static_cast<uint32_t>(number),
                          static_cast<uint32_t>(found - gradients.fetchNames.begin())};
      }
    return resolveOutsideLoops(name, role);
  }

  std::optional<Endpoint> resolveOutsideLoops(const std::string &name, const char *role) {
    auto endpoint = resolve(name, role);
    if (endpoint && !inRootFrame(*endpoint))
      failNode(endpoint->node,
               std::string(role) + " " + quoted(name) + ": expected a tensor outside of loops");
    return endpoint;
  }

  std::vector<Endpoint> resolveAll(const std::vector<std::string> &names, const char *role) {
    std::vector<Endpoint> endpoints;
    for (const std::string &name : names)
      if (auto endpoint = resolveOrDerivative(name, role))
        endpoints.push_back(*endpoint);
    return endpoints;
  }

  std::string textOf(Endpoint endpoint) const {
    if (selection_.isDerivative(endpoint))
      return selection_.gradients[endpoint.node - selection_.numNodes].fetchNames[endpoint.slot];
    return graph_.node(endpoint.node).name().str() + ":" + std::to_string(endpoint.slot);
  }

  void addGradients(const GradientRequest &request) {
    SelectedGradients gradients;
    bool moves = !request.tangents.empty();
    auto isAlike = [&](const SelectedGradients &other) { return other.tangents.empty() != moves; };
    auto number = llvm::count_if(selection_.gradients, isAlike);
    gradients.name = (moves ? "jvp" : "gradients") + (number ? "_" + std::to_string(number) : "");
    gradients.ys = resolveAll(request.ys, "gradients of");
    gradients.seeds = resolveAll(request.seeds, "seed");
    for (const std::string &x : request.xs)
      if (auto endpoint = resolveOutsideLoops(x, "gradients with respect to"))
        gradients.xs.push_back(*endpoint);
    gradients.stops = resolveAll(request.stops, "stop");
    gradients.tangents = resolveAll(request.tangents, "tangent");
    for (Endpoint x : gradients.xs)
      selection_.addIndependent(x);
    for (Endpoint found : moves ? gradients.ys : gradients.xs) {
      TensorRequest fetch(gradients.name + "/" + textOf(found));
      fetch.name = fetch.tensor;
      addName(fetch, found, takenFetches_, gradients.fetchNames, "fetches");
    }
    for (Endpoint stop : gradients.stops)
      selection_.addIndependent(stop);
    selection_.gradients.push_back(std::move(gradients));
  }

  // Fed tensors that would depend on an x, and are none themselves: derivatives go through them.
  std::vector<Endpoint> feedsBehindXs() const {
    std::vector<Endpoint> found;
    if (selection_.gradients.empty() || selection_.feeds.empty())
      return found;
    std::vector<std::vector<uint32_t>> users(graph_.nodes().size());
    for (uint32_t i = 0; i < users.size(); ++i)
      for (Endpoint from : graph_.node(i).inputs)
        users[from.node].push_back(i);
    std::vector<bool> depends(users.size());
    std::vector<uint32_t> open;
    for (const SelectedGradients &gradients : selection_.gradients)
      for (Endpoint x : gradients.xs)
        llvm::append_range(open, users[x.node]);
    while (!open.empty()) {
      uint32_t node = open.back();
      open.pop_back();
      if (depends[node])
        continue;
      depends[node] = true;
      llvm::append_range(open, users[node]);
    }
    for (Endpoint feed : selection_.feeds)
      if (depends[feed.node] && !selection_.isIndependent(feed))
        found.push_back(feed);
    return found;
  }

  // Marks what is needed, backwards from fetches and targets. Fed tensors stop the walk, and a
  // control edge out of a fed node is satisfied by the feeding itself.
  void prune() {
    std::vector<bool> needed(graph_.nodes().size());
    std::vector<uint32_t> pending;
    auto need = [&](uint32_t node) {
      if (!needed[node]) {
        needed[node] = true;
        pending.push_back(node);
      }
    };
    for (Endpoint fetch : selection_.fetches)
      if (!selection_.isFed(fetch))
        need(fetch.node);
    for (uint32_t target : selection_.targets)
      if (!selection_.isFedNode[target])
        need(target);
    for (const SelectedGradients &gradients : selection_.gradients)
      for (const auto &endpoints :
           {gradients.ys, gradients.seeds, gradients.xs, gradients.stops, gradients.tangents})
        for (Endpoint endpoint : endpoints)
          if (!selection_.isFed(endpoint) && !selection_.isDerivative(endpoint))
            need(endpoint.node);
    for (Endpoint feed : feedsBehindXs()) {
      selection_.addThrough(feed);
      need(feed.node);
    }
    while (!pending.empty()) {
      const Node &node = graph_.node(pending.back());
      pending.pop_back();
      for (Endpoint from : node.inputs)
        if (!selection_.isFed(from))
          need(from.node);
      for (uint32_t from : node.controls)
        if (!selection_.isFedNode[from])
          need(from);
    }
    for (uint32_t node : checked_.order)
      if (needed[node])
        selection_.nodes.push_back(node);
  }

  const Graph &graph_;
  const CheckedGraph &checked_;
  DiagnosticList &diagnostics_;
  Selection selection_;
  llvm::StringSet<> takenFeeds_, takenFetches_;
  bool failed_ = false;
};

} // namespace

uint32_t Selection::nodeToName(Endpoint endpoint) const {
  while (isDerivative(endpoint))
    endpoint = gradients[endpoint.node - numNodes].ys.front();
  return endpoint.node;
}

std::optional<size_t> Selection::feedIndex(Endpoint endpoint) const {
  auto found = feedIndex_.find(key(endpoint));
  if (found == feedIndex_.end())
    return std::nullopt;
  return found->second;
}

void Selection::addFeed(Endpoint endpoint) {
  feedIndex_[key(endpoint)] = feeds.size();
  feeds.push_back(endpoint);
}

std::optional<Selection> select(const Graph &graph, const CheckedGraph &checked,
                                const SignatureRequest &request, DiagnosticList &diagnostics) {
  return Selector(graph, checked, diagnostics).run(request);
}

Selection selectBody(const Graph &graph, const CheckedGraph &checked,
                     const std::vector<uint32_t> &roots) {
  DiagnosticList nothing; // nothing is looked up by a name that could be wrong
  return Selector(graph, checked, nothing).run(roots);
}

} // namespace sluice::import
