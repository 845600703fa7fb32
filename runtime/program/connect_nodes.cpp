// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbering of nodes, and edges from operand lists. Linear in the size of the signature.
#include "runtime/program/connect_nodes.h"

#include <algorithm>
#include <set>

namespace sluice::rt {

// Gives every node its position, slots and count of tokens to wait for.
void NodeConnector::numberNodes() {
  for (size_t i = 0; i < s_.nodes.size(); ++i) {
    Node &n = *s_.nodes[i];
    StaticFrame &frame = s_.frames[n.frame];
    n.index = static_cast<uint32_t>(frame.nodes.size());
    frame.nodes.push_back(&n);
    n.firstSlot = frame.numSlots;
    std::vector<Input> inputs;
    for (const OperandDesc &o : rows_[i].inputs) {
      if (o.node == OperandDesc::kConstant)
        inputs.push_back({&s_.constants[o.port], 0});
      else
        inputs.push_back({nullptr, n.firstSlot + n.numSlots++});
    }
    if (n.kind == NodeKind::kRecv && !n.outputTypes.empty())
      n.numSlots = 1; // for what the message brings
    frame.numSlots += n.numSlots;
    n.pending = static_cast<uint32_t>(rows_[i].controls.size() + rows_[i].orders.size()) +
                (n.kind == NodeKind::kMerge  ? 0
                 : n.kind == NodeKind::kRecv ? 1
                                             : n.numSlots);
    program_.inputs_.push_back(std::move(inputs));
    n.inputs = program_.inputs_.back();
    numberByKind(n, frame, rows_[i]);
  }
}

void NodeConnector::numberByKind(Node &n, StaticFrame &frame, const NodeRow &row) {
  if (n.kind == NodeKind::kEnter) {
    StaticFrame &child = s_.frames[row.child];
    n.child = row.child;
    ++child.numEnters;
    if (n.constant) {
      n.constantEnter = static_cast<uint32_t>(child.constantEnters.size());
      child.constantEnters.push_back(&n);
    }
  } else if (n.kind == NodeKind::kCall) {
    n.child = row.child;
  } else if (n.kind == NodeKind::kArgument) {
    frame.arguments.push_back(&n);
  } else if (n.kind == NodeKind::kExit) {
    frame.exits.push_back(&n);
  } else if (n.kind == NodeKind::kNextIteration) {
    ++frame.numNextIterations;
  } else if (n.kind == NodeKind::kRecv) {
    if (s_.wireInputs.size() <= n.edge)
      s_.wireInputs.resize(n.edge + 1);
    DType dtype = n.outputTypes.empty() ? DType::kInvalid : n.outputTypes[0];
    s_.wireInputs[n.edge] = {&n, dtype, row.wireShape};
    if (n.frame == 0)
      s_.rootRecvs.push_back(&n);
  } else if (n.kind == NodeKind::kMerge) {
    n.valuesInFirst = n.valuesInLater = n.numSlots;
    for (size_t k = 0; k < row.inputs.size() && n.fallback < 0; ++k)
      if (row.inputs[k].node == OperandDesc::kConstant)
        n.fallback = static_cast<int32_t>(k);
  }
  // A merge of constants alone has nothing to wait for; one of nothing waits for ever.
  bool waits = n.pending || (n.kind == NodeKind::kMerge && (n.numSlots || n.fallback < 0));
  if (!waits && n.frame == 0)
    s_.sources.push_back(&n);
  else if (!waits && frame.isFunction && n.kind != NodeKind::kArgument)
    frame.sources.push_back(&n);
}

// From a node: constants need no edge.
static void edgeTo(std::vector<std::vector<std::vector<Edge>>> &edges, OperandDesc from,
                   const Node &to, uint32_t slot) {
  if (from.node < edges.size() && from.port < edges[from.node].size())
    edges[from.node][from.port].push_back({&to, slot, to.index, to.kind == NodeKind::kMerge,
                                           to.kind == NodeKind::kRecv, to.kind == NodeKind::kSend});
}

// Turns operand lists around into edges at the ports.
void NodeConnector::makeEdges() {
  std::vector<std::vector<std::vector<Edge>>> edges(s_.nodes.size());
  for (size_t i = 0; i < edges.size(); ++i)
    edges[i].resize(rows_[i].ports);
  for (size_t i = 0; i < s_.nodes.size(); ++i) {
    const Node *n = s_.nodes[i].get();
    for (size_t k = 0; k < rows_[i].inputs.size(); ++k)
      edgeTo(edges, rows_[i].inputs[k], *n, n->inputs[k].slot);
    for (const OperandDesc &o : rows_[i].controls)
      edgeTo(edges, o, *n, Edge::kControl);
    for (const OperandDesc &o : rows_[i].orders)
      edgeTo(edges, o, *n, Edge::kOrder);
  }
  for (size_t i = 0; i < edges.size(); ++i) {
    std::vector<std::span<const Edge>> ports;
    for (std::vector<Edge> &list : edges[i]) {
      program_.edges_.push_back(std::move(list));
      ports.push_back(program_.edges_.back());
    }
    program_.ports_.push_back(std::move(ports));
    s_.nodes[i]->ports = program_.ports_.back();
  }
}

// An enter that is not constant brings its value to iteration 0 only. Whoever waits for that never
// fires again, and what else arrives there in later iterations is dropped. A merge waits for its
// tokens, and for a value only if none comes otherwise. A frame that is entered from such a node
// exists in iteration 0 only, and so its exits leave into that alone.
void NodeConnector::findFirstIterationNodes() {
  std::vector<Node *> open;
  std::vector<bool> isWhole(s_.frames.size());
  auto follow = [&](const Node &node) {
    for (const auto &port : node.ports)
      for (const Edge &edge : port) {
        auto *next = const_cast<Node *>(edge.node); // ours: the program is still being built
        bool mayCome = next->kind == NodeKind::kMerge && edge.carriesValue();
        if (next->onlyFirst || (mayCome && --next->valuesInLater > 0))
          continue;
        next->onlyFirst = true;
        open.push_back(next);
      }
  };
  for (const auto &node : s_.nodes)
    if (node->kind == NodeKind::kEnter && !node->constant)
      follow(*node);
  while (!open.empty()) {
    const Node &node = *open.back();
    open.pop_back();
    if (node.kind == NodeKind::kEnter && !isWhole[node.child]) {
      isWhole[node.child] = true;
      for (const Node *exit : s_.frames[node.child].exits)
        follow(*exit);
    }
    bool leaves = node.kind == NodeKind::kExit || node.kind == NodeKind::kNextIteration ||
                  node.kind == NodeKind::kEnter;
    if (!leaves)
      follow(node);
  }
}

// What a merge waits for before it is dead. Back edges bring nothing to iteration 0.
void NodeConnector::countValuesOfMerges() {
  for (const auto &node : s_.nodes)
    if (node->kind == NodeKind::kNextIteration)
      for (const auto &port : node->ports)
        for (const Edge &edge : port)
          if (edge.toMerge && edge.carriesValue())
            --const_cast<Node *>(edge.node)->valuesInFirst;
  for (const auto &node : s_.nodes)
    for (uint32_t *values : {&node->valuesInFirst, &node->valuesInLater})
      if (node->numSlots && *values == 0)
        *values = Node::kNever;
}

// A rank that gets tokens of a nested frame also holds up the frames around it.
void NodeConnector::findFramePeers() {
  auto add = [](std::vector<uint32_t> &ranks, uint32_t rank) {
    if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end())
      ranks.push_back(rank);
  };
  for (const auto &node : s_.nodes)
    for (uint32_t id : s_.frames[node->frame].path) {
      if (node->kind == NodeKind::kSend)
        add(s_.frames[id].downstream, node->peer);
      else if (node->kind == NodeKind::kRecv)
        add(s_.frames[id].upstream, node->peer);
    }
  for (const StaticFrame &frame : s_.frames) {
    if (s_.frameOfId.size() <= frame.globalId)
      s_.frameOfId.resize(frame.globalId + 1, Signature::kNoFrame);
    s_.frameOfId[frame.globalId] = frame.id;
  }
}

// Hands its value on as it is.
static bool handsOn(NodeKind kind) {
  return kind == NodeKind::kForward || kind == NodeKind::kSwitch || kind == NodeKind::kMerge ||
         kind == NodeKind::kEnter || kind == NodeKind::kExit || kind == NodeKind::kNextIteration;
}

// Whom the value of a node comes to.
template <typename Visit> static void visitUsers(const Node &node, Visit visit) {
  std::vector<const Node *> open{&node};
  std::set<const Node *> known;
  while (!open.empty()) {
    const Node &from = *open.back();
    open.pop_back();
    for (const auto &port : from.ports)
      for (const Edge &edge : port) {
        if (!edge.carriesValue() || !known.insert(edge.node).second)
          continue;
        visit(*edge.node);
        if (handsOn(edge.node->kind))
          open.push_back(edge.node);
      }
  }
}

// What comes for a card, and what leaves one for another rank.
void NodeConnector::findCopiesOfTokens() {
  for (const auto &node : s_.nodes) {
    if (node->kind == NodeKind::kRecv)
      visitUsers(*node, [&](const Node &user) {
        if (user.kind == NodeKind::kCopy && user.memory != kHostMemory)
          node->memory = user.memory;
      });
    else if (node->kind == NodeKind::kCopy && node->memory == kHostMemory)
      visitUsers(*node, [&](const Node &user) { node->isSent |= user.kind == NodeKind::kSend; });
  }
}

} // namespace sluice::rt
