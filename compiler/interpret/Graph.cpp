// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Preparation of a graph.
#include "compiler/interpret/Graph.h"

#include "dialects/nd/Nd.h"

using namespace mlir;

namespace sluice::interpret {

// Feeds, fetches and targets are known by the names that the caller uses.
static std::string nameOf(Operation *op) {
  if (isa<flow::FeedOp, flow::FetchOp, flow::TargetOp>(op))
    return op->getAttrOfType<StringAttr>("name").str();
  return nodeName(op);
}

rt::Result<std::unique_ptr<Graph>> Graph::make(flow::GraphOp op, const ResolveSymbol &resolve) {
  auto graph = std::make_unique<Graph>();
  graph->signature_.name = op.getSymName().str();
  graph->signature_.initializes = op.getInitializes();
  SLUICE_RETURN_IF_ERROR(graph->addNodes(op, resolve));
  SLUICE_RETURN_IF_ERROR(graph->connect());
  SLUICE_RETURN_IF_ERROR(graph->countEnters());
  graph->findFirstIterationNodes();
  return graph;
}

rt::Status Graph::addNode(Operation *op, const ResolveSymbol &resolve) {
  positions_[op] = nodes_.size();
  Node &node = nodes_.emplace_back();
  node.op = op;
  node.name = nameOf(op);
  if (auto call = dyn_cast<flow::CallOp>(op))
    node.port = bodyOf(call);
  node.constants.resize(op->getNumOperands());
  node.uses.resize(op->getNumResults());
  if (isKernelOp(op)) {
    SLUICE_ASSIGN_OR_RETURN(node.kernel, KernelCall::make(op, resolve));
  } else if (StrictOp::fits(op)) {
    SLUICE_ASSIGN_OR_RETURN(node.strict, StrictOp::make(op, resolve));
  } else {
    for (mlir::Region &region : op->getRegions())
      node.regions.emplace_back().arguments.resize(region.getNumArguments());
  }
  addPort(node);
  asksForDerivatives_ |= isa<flow::GradientOp>(op);
  return rt::okStatus();
}

// Those of the graph first, then region by region, then function by function.
rt::Status Graph::addNodes(flow::GraphOp graph, const ResolveSymbol &resolve) {
  bodies_.push_back(graph);
  for (unsigned i = 0, body = 0; body < bodies_.size() || i < nodes_.size();) {
    if (i == nodes_.size()) { // a function that has been called meanwhile
      SLUICE_RETURN_IF_ERROR(addBody(bodies_[body++], resolve));
      continue;
    }
    nodes_[i].body = nodes_[i].parent ? nodes_[*nodes_[i].parent].body : body - 1;
    for (unsigned k = 0; k < nodes_[i].regions.size(); ++k)
      for (Operation &op : nodes_[i].op->getRegion(k).front()) {
        if (isa<nd::ConstantOp>(op))
          continue;
        nodes_[i].regions[k].nodes.push_back(nodes_.size());
        SLUICE_RETURN_IF_ERROR(addNode(&op, resolve));
        nodes_.back().parent = i;
      }
    ++i;
  }
  return rt::okStatus();
}

rt::Status Graph::addBody(flow::TokenGraph graph, const ResolveSymbol &resolve) {
  for (Operation &op : graph.getBody().front())
    if (!isa<nd::ConstantOp>(op))
      SLUICE_RETURN_IF_ERROR(addNode(&op, resolve));
  return rt::okStatus();
}

unsigned Graph::bodyOf(flow::CallOp call) {
  auto [it, isNew] = bodiesByName_.try_emplace(call.getCallee(), bodies_.size());
  if (isNew)
    bodies_.push_back(symbols_.lookupNearestSymbolFrom<flow::FuncOp>(call, call.getCalleeAttr()));
  return it->second;
}

void Graph::addPort(Node &node) {
  auto portOf = [](StringRef name, Value value) {
    return rt::Port{name.str(), dtypeOf(value.getType()).value_or(rt::DType::kInvalid),
                    shapeOf(value.getType())};
  };
  if (auto feed = dyn_cast<flow::FeedOp>(node.op)) {
    node.port = signature_.feeds.size();
    signature_.feeds.push_back(portOf(feed.getName(), feed.getResult()));
  } else if (auto fetch = dyn_cast<flow::FetchOp>(node.op)) {
    node.port = signature_.fetches.size();
    signature_.fetches.push_back(portOf(fetch.getName(), fetch.getValue()));
  } else if (auto target = dyn_cast<flow::TargetOp>(node.op)) {
    node.port = signature_.targets.size();
    signature_.targets.push_back(target.getName().str());
  }
}

unsigned Graph::producerOf(Value value) const {
  Operation *op = value.getDefiningOp();
  return positions_.lookup(op ? op : value.getParentBlock()->getParentOp());
}

std::vector<Use> &Graph::usesOf(Value value) {
  Node &owner = nodes_[producerOf(value)];
  if (auto result = dyn_cast<OpResult>(value))
    return owner.uses[result.getResultNumber()];
  auto argument = cast<BlockArgument>(value);
  unsigned region = argument.getOwner()->getParent()->getRegionNumber();
  return owner.regions[region].arguments[argument.getArgNumber()];
}

rt::Status Graph::connect() {
  DenseMap<Operation *, rt::Tensor> constants;
  for (unsigned i = 0; i < nodes_.size(); ++i)
    for (OpOperand &operand : nodes_[i].op->getOpOperands()) {
      auto constant = operand.get().getDefiningOp<nd::ConstantOp>();
      if (!constant) {
        usesOf(operand.get()).push_back({i, operand.getOperandNumber()});
        ++nodes_[i].numTokens;
        continue;
      }
      rt::Tensor &value = constants[constant];
      if (!value.valid()) {
        rt::Result<rt::Tensor> made = tensorOf(constant.getValue());
        if (!made.ok())
          return made.status().atNode(nameOf(constant));
        value = *made;
      }
      nodes_[i].constants[operand.getOperandNumber()] = value;
      if (nodes_[i].isMerge() && !nodes_[i].fallback)
        nodes_[i].fallback = operand.getOperandNumber();
    }
  return rt::okStatus();
}

namespace {

// Static frames: a name under a parent.
class StaticFrames {
public:
  // Each body has a root of its own, with its number.
  explicit StaticFrames(unsigned numBodies) : parents_(numBodies) {}

  rt::Result<unsigned> frameOfResults(const Node &node, unsigned frame) {
    if (isa<flow::ExitOp, flow::NextIterationOp>(node.op) && frame < numRoots_)
      return rt::invalidArgument("expected " + node.op->getName().getStringRef().str() +
                                 " to belong to the frame of a flow.enter but got the root frame")
          .atNode(node.name);
    if (isa<flow::ExitOp>(node.op))
      return parents_[frame];
    if (auto enter = dyn_cast<flow::EnterOp>(node.op)) {
      auto [it, isNew] = children_.try_emplace({frame, enter.getFrameAttr()}, parents_.size());
      if (isNew)
        parents_.push_back(frame);
      return it->second;
    }
    return frame;
  }
  size_t count() const { return parents_.size(); }

private:
  std::vector<unsigned> parents_;
  size_t numRoots_ = parents_.size();
  DenseMap<std::pair<unsigned, StringAttr>, unsigned> children_;
};

} // namespace

// Follows the tokens from the start of a call, without running anything.
rt::Status Graph::countEnters() {
  StaticFrames frames(static_cast<unsigned>(bodies_.size()));
  starts_.resize(bodies_.size());
  std::vector<std::optional<unsigned>> frameOf(nodes_.size());
  std::vector<unsigned> open;
  for (unsigned i = 0; i < nodes_.size(); ++i)
    if (!nodes_[i].parent && nodes_[i].firesAtStart()) {
      frameOf[i] = nodes_[i].body;
      starts_[nodes_[i].body].push_back(i);
      open.push_back(i);
    }
  while (!open.empty()) {
    unsigned position = open.back();
    open.pop_back();
    const Node &node = nodes_[position];
    SLUICE_ASSIGN_OR_RETURN(unsigned frame, frames.frameOfResults(node, *frameOf[position]));
    if (isa<flow::EnterOp>(node.op))
      enteredFrames_[position] = frame;
    else if (isa<flow::ExitOp>(node.op))
      exits_[*frameOf[position]].push_back(position);
    for (const auto &uses : node.uses)
      for (Use use : uses) {
        if (!frameOf[use.node])
          open.push_back(use.node);
        else if (*frameOf[use.node] != frame)
          return rt::invalidArgument("has inputs from different frames")
              .atNode(nodes_[use.node].name);
        frameOf[use.node] = frame;
      }
  }
  std::vector<unsigned> counts(frames.count());
  for (auto [position, frame] : enteredFrames_)
    ++counts[frame];
  for (auto [position, frame] : enteredFrames_)
    nodes_[position].numEnters = counts[frame];
  return rt::okStatus();
}

// What a flow.enter that is not constant brings comes once, and so does all that waits for it: what
// cannot come again once it has. A merge fires again as long as one value does. A frame that is
// entered from there is there once, too, with its exits.
void Graph::findFirstIterationNodes() {
  for (Node &node : nodes_)
    if (auto merge = dyn_cast<flow::MergeOp>(node.op))
      for (auto [value, constant] : llvm::zip(merge.getValues(), node.constants))
        if (!constant) { // a constant says nothing about the path that was taken
          node.numComing[0] += !value.getDefiningOp<flow::NextIterationOp>();
          ++node.numComing[1];
        }
  std::vector<unsigned> open; // nodes whose results come once
  for (unsigned i = 0; i < nodes_.size(); ++i)
    if (auto enter = dyn_cast<flow::EnterOp>(nodes_[i].op); enter && !enter.getConstant())
      open.push_back(i);
  while (!open.empty()) {
    unsigned position = open.back();
    open.pop_back();
    for (const auto &uses : nodes_[position].uses)
      for (Use use : uses)
        if (Node &user = nodes_[use.node]; losesArrival(user, use.operand)) {
          user.onlyFirst = true;
          addComingOnce(use.node, open);
        }
  }
}

// Whether the node fires in iteration 0 only, now that an operand comes in no other one. Asked once
// for each operand.
bool Graph::losesArrival(Node &node, unsigned operand) {
  if (node.onlyFirst || node.isPiecewise())
    return false;
  auto merge = dyn_cast<flow::MergeOp>(node.op);
  return !merge || operand >= merge.getValues().size() || --node.numComing[1] == 0;
}

// Those whose results come once because the node fires once.
void Graph::addComingOnce(unsigned position, std::vector<unsigned> &open) {
  const Node &node = nodes_[position];
  if (isa<flow::EnterOp>(node.op)) {
    auto exits = std::exchange(exits_[enteredFrames_.at(position)], {}); // another enter adds none
    open.insert(open.end(), exits.begin(), exits.end());
  } else if (!isa<flow::ExitOp, flow::NextIterationOp>(node.op)) {
    open.push_back(position);
  }
}

} // namespace sluice::interpret
