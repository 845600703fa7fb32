// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass emit-build-program: from graphs to tables.
//
// Graphs have cycles, so nodes are made first, without operands, and connected in a second walk.
#include "compiler/emit/BuildCodelet.h"
#include "compiler/emit/ControlEdges.h"
#include "compiler/emit/Passes.h"

#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"
#include "dialects/wire/Wire.h"

#include "mlir/IR/IRMapping.h"
#include "llvm/ADT/TypeSwitch.h"

#include <deque>

using namespace mlir;

namespace sluice::emit {
#define GEN_PASS_DEF_EMITBUILDPROGRAM
#include "compiler/emit/Passes.h.inc"
} // namespace sluice::emit

namespace {

using namespace sluice;
using exe::NodeKind;

NodeKind kindOf(Operation *op) {
  return llvm::TypeSwitch<Operation *, NodeKind>(op)
      .Case<flow::SwitchOp>([](auto) { return NodeKind::Switch; })
      .Case<flow::MergeOp>([](auto) { return NodeKind::Merge; })
      .Case<flow::EnterOp>([](auto) { return NodeKind::Enter; })
      .Case<flow::ExitOp>([](auto) { return NodeKind::Exit; })
      .Case<flow::NextIterationOp>([](auto) { return NodeKind::NextIteration; })
      .Case<flow::JoinOp, flow::TriggerOp>([](auto) { return NodeKind::Join; })
      .Case<flow::GateOp, flow::LoopCondOp>([](auto) { return NodeKind::Forward; })
      .Case<flow::FeedOp>([](auto) { return NodeKind::Feed; })
      .Case<flow::FetchOp>([](auto) { return NodeKind::Fetch; })
      .Case<flow::TargetOp>([](auto) { return NodeKind::Target; })
      .Case<wire::SendOp>([](auto) { return NodeKind::Send; })
      .Case<wire::RecvOp>([](auto) { return NodeKind::Recv; })
      .Case<flow::CodeletOp>([](auto) { return NodeKind::Codelet; })
      .Case<flow::CallOp>([](auto) { return NodeKind::Call; })
      .Case<flow::ArgumentOp>([](auto) { return NodeKind::Argument; })
      .Case<flow::ReturnOp>([](auto) { return NodeKind::Return; })
      .Case<wire::CopyOp>([](auto) { return NodeKind::Copy; })
      .Default([](auto) { return NodeKind::Kernel; });
}

StringRef nameOf(Operation *op) {
  // Feeds, fetches and targets are known by their tensors' names.
  if (isa<flow::FeedOp, flow::FetchOp, flow::TargetOp>(op))
    return op->getAttrOfType<StringAttr>("name").getValue();
  return nodeNameOf(op->getLoc());
}

using FunctionsByName = llvm::StringMap<flow::FuncOp>;

// A graph of tokens whose ops become nodes: that of the signature, or of a function.
struct Part {
  Part(flow::TokenGraph graph, flow::FrameAnalysis frames, unsigned firstFrame)
      : graph(graph), edges(graph), frames(std::move(frames)), firstFrame(firstFrame) {}

  flow::TokenGraph graph;
  emit::ControlEdges edges;
  flow::FrameAnalysis frames;
  unsigned firstFrame; // the number of its root
};

class SignatureBuilder {
public:
  SignatureBuilder(flow::GraphOp graph, const FunctionsByName &functions, OpBuilder &builder)
      : graph_(graph), functions_(functions), b_(builder) {}

  LogicalResult build() {
    if (failed(addPart(graph_)))
      return failure();
    auto signature =
        exe::SignatureOp::create(b_, graph_.getLoc(), graph_.getSymName(), graph_.getInitializes());
    OpBuilder::InsertionGuard guard(b_);
    b_.setInsertionPointToStart(&signature.getBody().emplaceBlock());
    for (size_t i = 0; i < parts_.size(); ++i) // parts call further ones
      if (failed(addCallees(parts_[i].graph)))
        return failure();
    for (Part &part : parts_)
      makeFrames(part);
    for (Part &part : parts_)
      for (Operation *op : inOrder(part.graph))
        if (failed(makeNode(op, part)))
          return failure();
    for (auto &[part, op, node] : nodes_)
      connect(part->edges, op, node);
    return success();
  }

  unsigned numNodes() const { return nodes_.size(); }
  unsigned numFolded() const { return folded_; }
  unsigned numCodelets() const { return codelets_; }

private:
  LogicalResult addPart(flow::TokenGraph graph) {
    std::optional<flow::FrameAnalysis> frames = flow::FrameAnalysis::run(graph);
    if (!frames)
      return failure();
    auto count = static_cast<unsigned>(frames->frames().size());
    parts_.emplace_back(graph, std::move(*frames), numFrames_);
    firstFrames_[graph.getOperation()] = numFrames_;
    numFrames_ += count;
    return success();
  }

  LogicalResult addCallees(flow::TokenGraph graph) {
    for (auto call : graph.getBody().getOps<flow::CallOp>()) {
      flow::FuncOp callee = functions_.lookup(call.getCallee());
      if (!firstFrames_.contains(callee) && failed(addPart(callee)))
        return failure();
    }
    return success();
  }

  // The arguments of a function first, in the order in which calls give them.
  static std::vector<Operation *> inOrder(flow::TokenGraph graph) {
    std::vector<Operation *> ops;
    if (auto function = dyn_cast<flow::FuncOp>(graph.getOperation()))
      for (flow::ArgumentOp argument : function.getArguments())
        ops.push_back(argument);
    for (Operation &op : graph.getBody().front())
      if (!isa<flow::ArgumentOp>(op))
        ops.push_back(&op);
    return ops;
  }

  // A part of a graph has some of its frames; what they are called between ranks, `wire.frames`
  // says.
  SmallVector<int64_t> idsOfFrames(ArrayRef<flow::Frame> frames) {
    llvm::StringMap<int64_t> known;
    auto names = graph_->getAttrOfType<ArrayAttr>("wire.frames");
    if (names)
      for (auto [i, name] : llvm::enumerate(names.getAsValueRange<StringAttr>()))
        known[name] = static_cast<int64_t>(i) + 1;
    SmallVector<int64_t> ids;
    std::vector<std::string> paths; // parents come first
    for (auto [i, frame] : llvm::enumerate(frames)) {
      paths.push_back(i ? flow::framePath(paths[frame.parent], frame.name) : "");
      auto it = known.find(paths.back());
      ids.push_back(it != known.end() ? it->second : names ? 0 : static_cast<int64_t>(i));
    }
    return ids;
  }

  void makeFrames(Part &part) {
    ArrayRef<flow::Frame> frames = part.frames.frames();
    bool isFunction = part.firstFrame > 0;
    SmallVector<int64_t> ids =
        isFunction ? SmallVector<int64_t>(frames.size()) : idsOfFrames(frames);
    for (auto [frame, id] : llvm::zip(frames, ids)) {
      bool isRoot = &frame == &frames.front();
      StringRef name = isRoot && isFunction ? part.graph.getSymName() : StringRef(frame.name);
      exe::FrameOp::create(b_, graph_.getLoc(), frame.parent + (isRoot ? 0 : part.firstFrame),
                           b_.getStringAttr(name), frame.parallelIterations, id,
                           isRoot && isFunction);
    }
  }

  LogicalResult makeNode(Operation *op, const Part &part) {
    if (auto constant = dyn_cast<nd::ConstantOp>(op)) {
      auto made =
          exe::ConstantOp::create(b_, op->getLoc(), constant.getType(), constant.getValue());
      values_.map(constant.getResult(), made.getResult());
      return success();
    }
    if (part.edges.dissolves(op)) {
      ++folded_;
      return success();
    }
    NodeKind kind = kindOf(op);
    emit::KernelReference kernel;
    if (kind == NodeKind::Kernel) {
      FailureOr<emit::KernelReference> found = emit::kernelReference(op);
      if (failed(found))
        return failure();
      kernel = *found;
    }
    FlatSymbolRefAttr codelet;
    if (auto compiled = dyn_cast<flow::CodeletOp>(op)) {
      auto row = emit::buildCodelet(compiled, "codelet_" + std::to_string(codelets_++), b_);
      if (failed(row))
        return failure();
      codelet = FlatSymbolRefAttr::get(*row);
    }
    IntegerAttr child;
    bool constant = false;
    if (auto enter = dyn_cast<flow::EnterOp>(op)) {
      child = b_.getI64IntegerAttr(part.firstFrame + part.frames.resultFrameOf(op));
      constant = enter.getConstant();
    }
    IntegerAttr recursion;
    if (auto call = dyn_cast<flow::CallOp>(op)) {
      child = b_.getI64IntegerAttr(firstFrames_.lookup(functions_.lookup(call.getCallee())));
      recursion = call.getRecursionAttr();
    }
    auto node = exe::NodeOp::create(b_, op->getLoc(), op->getResultTypes(), kind, nameOf(op),
                                    part.firstFrame + part.frames.frameOf(op), ValueRange(),
                                    ValueRange(), ValueRange(), kernel.symbol, kernel.arguments,
                                    child, constant, wireAttribute(op, "edge", "edge"),
                                    wireAttribute(op, "to", "from"), codelet, recursion);
    values_.map(op->getResults(), node.getResults());
    nodes_.push_back({&part, op, node});
    return success();
  }

  static IntegerAttr wireAttribute(Operation *op, StringRef ofSend, StringRef ofRecv) {
    if (isa<wire::SendOp>(op))
      return op->getAttrOfType<IntegerAttr>(ofSend);
    return isa<wire::RecvOp>(op) ? op->getAttrOfType<IntegerAttr>(ofRecv) : IntegerAttr();
  }

  void connect(const emit::ControlEdges &known, Operation *op, exe::NodeOp node) {
    emit::Edges edges;
    SmallVector<Value> inputs;
    // Those do not care whether the tokens that they wait for are dead.
    bool trigger = isa<flow::TriggerOp, wire::RecvOp>(op);
    bool merge = isa<flow::MergeOp>(op);
    for (auto [i, operand] : llvm::enumerate(op->getOperands())) {
      // A read waits for its triggers but has no use for their values.
      if (isToken(operand) || (isa<state::ReadOp>(op) && i > 0))
        known.collectToken(operand, trigger, edges);
      else if (merge) // does not wait for what it does not take
        inputs.push_back(values_.lookup(operand));
      else
        inputs.push_back(values_.lookup(known.collectValue(operand, edges)));
    }
    node.getInputsMutable().assign(inputs);
    node.getControlsMutable().assign(lookUp(edges.controls.getArrayRef()));
    node.getOrdersMutable().assign(lookUp(edges.orders.getArrayRef()));
  }

  SmallVector<Value> lookUp(ArrayRef<Value> values) {
    SmallVector<Value> result;
    for (Value value : values)
      result.push_back(values_.lookup(value));
    return result;
  }

  struct Row {
    const Part *part;
    Operation *op;
    exe::NodeOp node;
  };

  flow::GraphOp graph_;
  const FunctionsByName &functions_;
  OpBuilder &b_;
  std::deque<Part> parts_; // that of the signature first
  DenseMap<Operation *, unsigned> firstFrames_;
  unsigned numFrames_ = 0;
  IRMapping values_;
  SmallVector<Row> nodes_;
  unsigned folded_ = 0, codelets_ = 0;
};

void buildResource(Operation *op, OpBuilder &b) {
  if (auto variable = dyn_cast<state::VariableOp>(op))
    exe::ResourceOp::create(b, op->getLoc(), variable.getSymNameAttr(), b.getStringAttr("variable"),
                            variable.getKeyAttr(), variable.getTypeAttr(),
                            variable.getInitialAttr());
  else if (auto generator = dyn_cast<state::GeneratorOp>(op))
    exe::ResourceOp::create(b, op->getLoc(), generator.getSymNameAttr(),
                            b.getStringAttr("generator"), generator.getKeyAttr(),
                            TypeAttr::get(b.getNoneType()), ElementsAttr());
  else if (auto object = dyn_cast<state::ObjectOp>(op))
    exe::ResourceOp::create(b, op->getLoc(), object.getSymNameAttr(), object.getKindAttr(),
                            object.getKeyAttr(), TypeAttr::get(b.getNoneType()), ElementsAttr());
}

struct EmitBuildProgram : emit::impl::EmitBuildProgramBase<EmitBuildProgram> {
  void runOnOperation() override {
    SmallVector<Operation *> old;
    FunctionsByName functions;
    for (auto function : getOperation().getOps<flow::FuncOp>())
      functions[function.getSymName()] = function;
    for (Operation &op : *getOperation().getBody())
      old.push_back(&op);
    OpBuilder b(getOperation().getBody(), getOperation().getBody()->end());
    for (Operation *op : old) {
      buildResource(op, b);
      auto graph = dyn_cast<flow::GraphOp>(op);
      if (!graph)
        continue;
      SignatureBuilder builder(graph, functions, b);
      if (failed(builder.build()))
        return signalPassFailure();
      numNodes += builder.numNodes();
      numFolded += builder.numFolded();
      numCodelets += builder.numCodelets();
    }
    for (Operation *op : llvm::reverse(old))
      op->erase();
  }
};

} // namespace
