// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a graph is given and gives: feeds, fetches and targets.
#include "compiler/import/GraphBuilder.h"
#include "compiler/import/tensorflow/SharedObjects.h"

#include "dialects/list/List.h"

using namespace mlir;

namespace sluice::import {

// What a placeholder says of its shape, if it is one.
TensorType GraphBuilder::typeOfPlaceholder(Endpoint feed, Type element) const {
  const Node &node = graph_.node(feed.node);
  const graphdef::AttrValue *shape = graph_.attribute(node, "shape");
  // Old producers wrote an unknown shape as that of a scalar.
  constexpr int kScalarMeansUnknown = 21;
  bool unknown =
      graph_.producer() <= kScalarMeansUnknown && shape && shape->shape().dim_size() == 0;
  if (!node.opName().starts_with("Placeholder") || !shape || unknown)
    return unrankedOf(element);
  return tensorTypeOf(element, shape->shape());
}

void GraphBuilder::addFeeds() {
  for (auto [i, feed] : llvm::enumerate(selection_.feeds)) {
    const Node &node = graph_.node(feed.node);
    Type element = elementTypeOf(builder_.getContext(), node.outputTypes[feed.slot].type);
    TensorType type = typeOfPlaceholder(feed, element);
    const std::string &name = selection_.feedNames[i];
    if (selection_.feedShapes[i]) {
      TensorType promised = tensorTypeOf(element, *selection_.feedShapes[i]);
      TensorType both = intersectionOf(type, promised);
      if (!both)
        diagnostics_.error(ExitCode::kBadGraph, graph_.place(feed.node),
                           "feed " + quoted(name) + ": the signature says " + textOf(promised) +
                               " but the graph " + textOf(type));
      type = both ? both : promised;
    }
    Value fed = flow::FeedOp::create(builder_, locationOf(feed.node), type, name);
    feeds_.push_back(independent(feed, fed));
  }
}

void GraphBuilder::addFetches() {
  for (auto [i, fetch] : llvm::enumerate(selection_.fetches)) {
    Value value = valueOf(fetch);
    if (!value)
      continue; // its node failed
    // References are read last: the caller sees what the variable holds in the end.
    Location loc = locationOf(fetch.node);
    value = readReference(value, loc, {});
    if (graph_.node(fetch.node).outputTypes[fetch.slot].type == graphdef::DT_STRING)
      value = nameOfObject(*this, fetch, value);
    const std::string &name = selection_.fetchNames[i];
    if (!isa<TensorType>(value.getType())) {
      diagnostics_.error(ExitCode::kUnsupported, graph_.place(fetch.node),
                         "fetch " + quoted(name) + ": expected a tensor but got " +
                             (isa<list::OfType, list::UnknownType>(value.getType())
                                  ? "a list; fetch what TensorListStack makes of it"
                                  : "a handle"));
      continue;
    }
    flow::FetchOp::create(builder_, loc, value, name);
  }
}

void GraphBuilder::addTargets() {
  for (uint32_t target : selection_.targets)
    if (Value token = controlToken(target))
      flow::TargetOp::create(builder_, locationOf(target), token, graph_.node(target).name());
}

} // namespace sluice::import
