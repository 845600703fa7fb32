// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes and boxes first, then edges: a graph may use values before they are defined.
#include "compiler/report/DrawnGraph.h"

#include "compiler/codegen/CompileCodelets.h"
#include "compiler/report/ValueSources.h"
#include "dialects/flow/CodeletSymbol.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"

#include <map>
#include <set>
#include <tuple>

using namespace mlir;

namespace sluice::report {

static constexpr size_t kLongestText = 160;

static std::string shortened(std::string text) {
  if (text.size() > kLongestText)
    text = text.substr(0, kLongestText) + "…";
  return text;
}

template <typename T> static std::string printed(T thing) {
  std::string text;
  llvm::raw_string_ostream out(text);
  thing.print(out);
  return text;
}

std::string typeText(Type type) {
  if (isa<flow::TokenType>(type))
    return "control";
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return printed(type);
  std::string text = printed(tensor.getElementType());
  if (!tensor.hasRank())
    return text + "[…]";
  auto dims = llvm::map_range(tensor.getShape(), [](int64_t dim) {
    return ShapedType::isDynamic(dim) ? std::string("?") : std::to_string(dim);
  });
  return text + "[" + llvm::join(dims, ",") + "]";
}

std::string placeOf(Location location) {
  std::string place;
  location->walk([&](Location part) {
    auto file = dyn_cast<FileLineColLoc>(part);
    if (!file || file.getLine() == 0)
      return WalkResult::advance();
    place = (file.getFilename().getValue() + ":" + Twine(file.getLine()) + ":" +
             Twine(file.getColumn()))
                .str();
    return WalkResult::interrupt();
  });
  return place;
}

namespace {

class Drawer {
public:
  explicit Drawer(StringRef name) {
    drawn_.name = name.str();
    drawn_.boxes.push_back({BoxKind::kGraph, name.str(), "", "", 0});
  }

  void addRank(flow::GraphOp graph, unsigned rank) {
    rank_ = rank;
    std::optional<flow::FrameAnalysis> frames = flow::FrameAnalysis::run(graph);
    SmallVector<unsigned> boxes = addFrames(frames);
    for (Operation &op : graph.getBody().getOps()) {
      bool entersChild = isa<flow::EnterOp>(op);
      unsigned frame = !frames       ? 0
                       : entersChild ? frames->resultFrameOf(&op)
                                     : frames->frameOf(&op);
      addOp(&op, boxes[frame]);
    }
  }

  DrawnGraph finish() {
    for (auto [op, index] : ops_)
      addEdges(op, index);
    for (auto [edge, ends] : wires_)
      if (ends.first && ends.second)
        drawn_.edges.push_back(
            {*ends.first, *ends.second, EdgeKind::kWire, drawn_.nodes[*ends.second].types.front()});
    drawn_.constants = static_cast<unsigned>(constants_.size());
    return std::move(drawn_);
  }

private:
  unsigned addBox(BoxKind kind, std::string title, std::string name, std::string note,
                  unsigned parent) {
    drawn_.boxes.push_back({kind, std::move(title), std::move(name), std::move(note), parent});
    return static_cast<unsigned>(drawn_.boxes.size() - 1);
  }
  static std::string windowText(int64_t window) { return "window " + std::to_string(window); }

  // The box of each frame, which may be there from another rank.
  SmallVector<unsigned> addFrames(const std::optional<flow::FrameAnalysis> &analysis) {
    SmallVector<unsigned> boxes{0};
    if (!analysis)
      return boxes;
    SmallVector<std::string> paths{""};
    for (const flow::Frame &frame : analysis->frames().drop_front()) {
      paths.push_back(flow::framePath(paths[frame.parent], frame.name));
      auto [place, isNew] = frameBoxes_.try_emplace(paths.back(), 0);
      if (isNew)
        place->second = addBox(BoxKind::kLoop, frame.name, frame.name,
                               windowText(frame.parallelIterations), boxes[frame.parent]);
      boxes.push_back(place->second);
    }
    return boxes;
  }

  void addRegions(Operation *op, unsigned box) {
    for (Region &region : op->getRegions())
      for (Operation &inner : region.getOps())
        addOp(&inner, box);
  }

  void addOp(Operation *op, unsigned box) {
    std::string name = nodeNameOf(op->getLoc()).str();
    if (op->getNumResults() == 1 && flow::isConstantLike(op->getResult(0))) {
      constants_.insert({rank_, name});
    } else if (auto codelet = dyn_cast<flow::CodeletOp>(op)) {
      auto symbol = op->getAttrOfType<StringAttr>(flow::kSymbolAttr);
      addRegions(op, addBox(BoxKind::kCodelet, name, name, symbol ? symbol.str() : "", box));
    } else if (auto loop = dyn_cast<flow::WhileOp>(op)) {
      addRegions(op, addBox(BoxKind::kLoop, loop.getFrame().str(), loop.getFrame().str(),
                            windowText(static_cast<int64_t>(loop.getParallelIterations())), box));
    } else if (isa<flow::CondOp>(op)) {
      unsigned branch = addBox(BoxKind::kBranch, name, name, "", box);
      addNode(op, branch);
      addRegions(op, branch);
    } else if (!isa<flow::YieldOp>(op)) {
      addNode(op, box);
    }
  }

  void addNode(Operation *op, unsigned box) {
    Node node;
    node.name = nodeNameOf(op->getLoc()).str();
    node.op = op->getName().getStringRef().str();
    auto device = op->getAttrOfType<IntegerAttr>(wire::kDevice);
    node.rank = device ? static_cast<unsigned>(device.getInt()) : rank_;
    node.box = box;
    for (Type type : op->getResultTypes())
      node.types.push_back(typeText(type));
    for (NamedAttribute attribute : op->getAttrs())
      if (attribute.getName() != wire::kDevice)
        node.attributes.push_back(
            {attribute.getName().str(), shortened(attributeText(attribute.getValue()))});
    node.place = placeOf(op->getLoc());
    auto index = static_cast<unsigned>(drawn_.nodes.size());
    if (auto send = dyn_cast<wire::SendOp>(op))
      wires_[static_cast<int64_t>(send.getEdge())].first = index;
    if (auto recv = dyn_cast<wire::RecvOp>(op))
      wires_[static_cast<int64_t>(recv.getEdge())].second = index;
    drawn_.nodes.push_back(std::move(node));
    indexOf_[op] = index;
    ops_.push_back({op, index});
  }

  // Large tensors are not worth their text, nor the time to make it.
  static std::string attributeText(Attribute attribute) {
    constexpr int64_t kMostElements = 16;
    if (auto elements = dyn_cast<ElementsAttr>(attribute))
      if (elements.getNumElements() > kMostElements)
        return typeText(elements.getShapedType()) + " of " +
               std::to_string(elements.getNumElements()) + " elements";
    if (auto text = dyn_cast<StringAttr>(attribute))
      return text.str();
    return printed(attribute);
  }

  void addEdges(Operation *op, unsigned index) {
    // A branch waits for its predicate alone; captures go to the ops in it.
    unsigned count = isa<flow::CondOp>(op) ? 1 : op->getNumOperands();
    for (unsigned i = 0; i < count; ++i)
      for (const Source &source : sourcesOf(op->getOpOperand(i)))
        addEdge(source, op->getOperand(i), index, i);
  }

  void addEdge(const Source &source, Value operand, unsigned to, unsigned number) {
    auto from = indexOf_.find(source.op);
    if (from == indexOf_.end()) {
      Attribute value = source.op->getAttr("value");
      drawn_.nodes[to].constants.push_back({number, nodeNameOf(source.op->getLoc()).str(),
                                            value ? shortened(attributeText(value)) : ""});
      return;
    }
    bool isToken = isa<flow::TokenType>(operand.getType());
    bool isBack = source.isBack || isa<flow::NextIterationOp>(source.op);
    EdgeKind kind = isBack ? EdgeKind::kBack : isToken ? EdgeKind::kControl : EdgeKind::kValue;
    if (edges_.insert({from->second, to, kind}).second)
      drawn_.edges.push_back({from->second, to, kind, typeText(operand.getType())});
  }

  DrawnGraph drawn_;
  unsigned rank_ = 0;
  std::map<std::string, unsigned> frameBoxes_; // by path
  std::set<std::pair<unsigned, std::string>> constants_;
  std::map<int64_t, std::pair<std::optional<unsigned>, std::optional<unsigned>>> wires_;
  std::set<std::tuple<unsigned, unsigned, EdgeKind>> edges_;
  llvm::DenseMap<Operation *, unsigned> indexOf_;
  std::vector<std::pair<Operation *, unsigned>> ops_;
};

} // namespace

std::vector<DrawnGraph> drawGraphs(ArrayRef<ModuleOp> ranks) {
  std::vector<std::pair<std::string, Drawer>> drawers;
  for (unsigned rank = 0; rank < ranks.size(); ++rank)
    for (ModuleOp module = ranks[rank]; auto graph : module.getOps<flow::GraphOp>()) {
      StringRef name = graph.getSymName();
      auto known = llvm::find_if(drawers, [&](const auto &entry) { return entry.first == name; });
      if (known == drawers.end())
        known = drawers.insert(known, {name.str(), Drawer(name)});
      known->second.addRank(graph, rank);
    }
  std::vector<DrawnGraph> graphs;
  for (auto &[name, drawer] : drawers)
    graphs.push_back(drawer.finish());
  return graphs;
}

} // namespace sluice::report
