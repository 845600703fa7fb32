// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes are n0, n1, …, boxes b0, b1, …, and bends of one box ~0, ~1, ….
#include "compiler/report/WriteGraphJson.h"

namespace sluice::report {

using namespace llvm;

static StringRef nameOf(EdgeKind kind) {
  switch (kind) {
  case EdgeKind::kValue:
    return "value";
  case EdgeKind::kControl:
    return "control";
  case EdgeKind::kBack:
    return "back";
  case EdgeKind::kWire:
    return "wire";
  }
  llvm_unreachable("no such kind");
}

static StringRef nameOf(BoxKind kind) {
  switch (kind) {
  case BoxKind::kGraph:
    return "graph";
  case BoxKind::kLoop:
    return "loop";
  case BoxKind::kBranch:
    return "branch";
  case BoxKind::kCodelet:
    return "codelet";
  case BoxKind::kScope:
    return "scope";
  case BoxKind::kPart:
    return "part";
  }
  llvm_unreachable("no such kind");
}

static std::string idOf(Item item) { return (item.isBox ? "b" : "n") + std::to_string(item.index); }
static std::string bendId(unsigned bend) { return "~" + std::to_string(bend); }

static void writeNode(const Node &node, JsonObject &out) {
  out.text("name", node.name);
  out.text("op", node.op);
  out.number("rank", node.rank);
  out.number("box", node.box);
  out.texts("types", node.types);
  if (!node.attributes.empty())
    out.object("attributes", [&] {
      for (const auto &[key, value] : node.attributes)
        out.text(key, value);
    });
  if (!node.constants.empty())
    out.list("constants", node.constants, [&](const ConstantOperand &constant) {
      out.number("operand", constant.operand);
      out.text("name", constant.name);
      out.text("value", constant.value);
    });
  if (!node.place.empty())
    out.text("place", node.place);
}

static void writeArrangement(const Arrangement &arrangement, JsonObject &out) {
  out.list("layers", arrangement.layers, [&](const std::vector<Arrangement::Place> &layer) {
    std::vector<std::string> ids;
    for (const Arrangement::Place &place : layer)
      ids.push_back(place.isBend ? bendId(place.item.index) : idOf(place.item));
    out.texts("items", ids);
  });
  out.list("routes", arrangement.routes, [&](const Arrangement::Route &route) {
    out.text("from", route.fromAbove ? "above" : idOf(route.from));
    out.text("to", route.toBelow ? "below" : idOf(route.to));
    std::vector<std::string> bends;
    for (unsigned bend : route.bends)
      bends.push_back(bendId(bend));
    out.texts("bends", bends);
  });
}

void writeGraph(const DrawnGraph &graph, JsonObject &out) {
  out.text("name", graph.name);
  out.number("constants", graph.constants);
  out.list("nodes", graph.nodes, [&](const Node &node) { writeNode(node, out); });
  out.list("edges", graph.edges, [&](const Edge &edge) {
    out.number("from", edge.from);
    out.number("to", edge.to);
    out.text("kind", nameOf(edge.kind));
    out.text("type", edge.type);
  });
  size_t number = 0;
  out.list("boxes", graph.boxes, [&](const Box &box) {
    out.text("kind", nameOf(box.kind));
    out.text("title", box.title);
    out.text("name", box.name);
    out.text("note", box.note);
    out.number("parent", box.parent);
    writeArrangement(graph.arrangements[number++], out);
  });
}

} // namespace sluice::report
