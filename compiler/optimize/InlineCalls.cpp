// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-inline-calls: functions take the place of their calls.
//
// Callees come before callers, so that what is inlined calls nothing that could be. The last call
// of a function gets its ops, others get copies, as long as the program does not grow too much.
//
// In a graph, an op of a function that has nothing but constants to wait for would fire at the
// start of the program's call, in the root frame. Where the call is not there, or waits for tokens,
// such an op is gated by what the call waits for.
#include "compiler/optimize/Forwarding.h"
#include "compiler/optimize/Passes.h"

#include "dialects/flow/CallGraph.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/state/State.h"

#include "llvm/ADT/StringSet.h"

using namespace mlir;

namespace sluice::optimize {

#define GEN_PASS_DEF_OPTIMIZEINLINECALLS
#include "compiler/optimize/Passes.h.inc"

namespace {

// A program may become this many times as large, and by so many ops larger in any case. A function
// of a few ops is not worth a call.
constexpr uint64_t kMostTimes = 4, kAnyGrowth = 100'000, kFewOps = 16;

uint64_t countOps(Operation *op) {
  uint64_t count = 0;
  op->walk([&](Operation *) { ++count; });
  return count;
}

bool isPrimitive(Operation &op) {
  return isa<flow::SwitchOp, flow::MergeOp, flow::EnterOp, flow::ExitOp, flow::NextIterationOp,
             flow::LoopCondOp>(op);
}

// Regions within each other, of the deepest op.
unsigned depthOf(flow::TokenGraph graph) {
  unsigned deepest = 0;
  SmallVector<std::pair<Region *, unsigned>> open{{&graph.getBody(), 0}};
  while (!open.empty()) {
    auto [region, depth] = open.pop_back_val();
    deepest = std::max(deepest, depth);
    for (Operation &op : region->front())
      for (Region &inner : op.getRegions())
        open.push_back({&inner, depth + 1});
  }
  return deepest;
}

unsigned depthOf(Operation *op) {
  unsigned depth = 0;
  for (op = op->getParentOp(); !isa<flow::TokenGraph>(op); op = op->getParentOp())
    ++depth;
  return depth;
}

// The ops of one call, on their way into the place of the call.
class Splice {
public:
  // `isLate`: ops that wait for constants only must not fire before the call.
  Splice(flow::CallOp call, bool isLate) : call_(call), isLate_(isLate), builder_(call) {}

  // Takes the function's ops; what is left of it is of no use.
  void take(flow::FuncOp function) {
    Block &from = function.getBody().front();
    for (Operation &op : llvm::make_early_inc_range(from)) {
      if (auto argument = dyn_cast<flow::ArgumentOp>(op))
        replace(argument.getResult(), argumentAt(argument.getIndex()));
      else if (isa<flow::StartOp>(op) && isLate_ && token())
        op.getResult(0).replaceAllUsesWith(token());
    }
    SmallVector<Value> returned(function.getReturn().getValues());
    function.getReturn().erase();
    SmallVector<Operation *> moved;
    for (Operation &op : llvm::make_early_inc_range(from)) {
      if (isa<flow::ArgumentOp>(op))
        continue;
      op.walk([&](Operation *inner) { inner->setLoc(locationOf(inner->getLoc())); });
      op.moveBefore(call_);
      moved.push_back(&op);
    }
    if (isLate_)
      for (Operation *op : moved)
        tie(op);
    finish(returned);
  }

private:
  // A value of the function, which may be known better where it is called.
  static void replace(Value value, Value by) {
    refineType(value, by.getType());
    value.replaceAllUsesWith(by);
  }

  // "caller/node", where the node is in the file.
  Location locationOf(Location inner) {
    StringRef caller = nodeNameOf(call_.getLoc()), node = nodeNameOf(inner);
    if (caller.empty() || node.empty())
      return inner;
    auto named = dyn_cast<NameLoc>(inner);
    auto name = StringAttr::get(inner.getContext(), caller + "/" + node);
    return named ? NameLoc::get(name, named.getChildLoc()) : NameLoc::get(name);
  }

  Value argumentAt(uint64_t index) {
    Value value = call_.getArguments()[index];
    if (call_.getTokens().empty())
      return value;
    Value &gated = gated_[value];
    if (!gated)
      gated = flow::GateOp::create(builder_, call_.getLoc(), value.getType(), value,
                                   call_.getTokens());
    return gated;
  }

  // What the call waits for: its tokens, or a value.
  Value token() {
    if (token_)
      return token_;
    Location loc = call_.getLoc();
    if (ValueRange tokens = call_.getTokens(); !tokens.empty())
      return token_ = tokens.size() == 1
                          ? tokens.front()
                          : flow::JoinOp::create(builder_, loc, tokenType(), tokens).getToken();
    for (Value value : call_.getArguments())
      if (!flow::isConstantLike(value))
        return token_ = flow::AfterOp::create(builder_, loc, tokenType(), value).getToken();
    return {};
  }

  // Lets an op wait for the call if it waits for constants only.
  void tie(Operation *op) {
    auto isConstant = [](Value value) { return flow::isConstantLike(value); };
    if (op->hasTrait<IsConstant>() || !llvm::all_of(op->getOperands(), isConstant) || !token())
      return;
    unsigned first = 0, count = op->getNumOperands();
    if (isa<flow::CondOp>(op))
      count = 1;
    else if (auto loop = dyn_cast<flow::WhileOp>(op))
      count = static_cast<unsigned>(loop.getInits().size());
    else if (op->hasTrait<HasEffect>())
      return op->insertOperands(op->getNumOperands(), token());
    else if (count > 0)
      first = count - 1; // one operand is enough
    for (unsigned i = first; i < count; ++i)
      op->setOperand(i, gate(op->getOperand(i)));
  }

  Value gate(Value value) {
    return flow::GateOp::create(builder_, call_.getLoc(), value.getType(), value, token());
  }

  void finish(ArrayRef<Value> returned) {
    size_t count = call_.getValues().size();
    bool hasToken = returned.size() > count;
    SmallVector<Value> tokens;
    for (auto [result, value] : llvm::zip(call_.getValues(), returned)) {
      if (isLate_ && flow::isConstantLike(value) && token())
        replace(result, gate(value));
      else
        replace(result, value);
    }
    if (!call_.getDone().use_empty()) {
      for (Value value : returned.take_front(count))
        if (!flow::isConstantLike(value))
          tokens.push_back(flow::AfterOp::create(builder_, call_.getLoc(), tokenType(), value));
      if (hasToken)
        tokens.push_back(returned.back());
      if (tokens.empty())
        tokens.push_back(token() ? token()
                                 : flow::StartOp::create(builder_, call_.getLoc(), tokenType()));
      call_.getDone().replaceAllUsesWith(
          flow::JoinOp::create(builder_, call_.getLoc(), tokenType(), tokens).getToken());
    }
    call_.erase();
  }

  Type tokenType() { return builder_.getType<flow::TokenType>(); }

  flow::CallOp call_;
  bool isLate_;
  OpBuilder builder_;
  Value token_;
  DenseMap<Value, Value> gated_;
};

class Inliner {
public:
  Inliner(ModuleOp module, unsigned mostDepth, uint64_t &numInlined, uint64_t &numCopied)
      : module_(module), symbols_(module), mostDepth_(mostDepth), calls_(module),
        numInlined_(numInlined), numCopied_(numCopied) {
    for (flow::TokenGraph graph : calls_.calleesFirst())
      size_ += facts_.try_emplace(graph, factsOf(graph)).first->second.ops;
    most_ = std::max(size_ * kMostTimes, size_ + kAnyGrowth);
  }

  LogicalResult run() {
    for (flow::TokenGraph graph : calls_.calleesFirst()) {
      if (failed(inlineInto(graph)))
        return failure();
      facts_[graph] = factsOf(graph);
    }
    eraseUnused();
    return success();
  }

private:
  struct Facts {
    uint64_t ops = 0;
    unsigned depth = 0;
    bool hasPrimitives = false;
  };

  static Facts factsOf(flow::TokenGraph graph) {
    return {countOps(graph), depthOf(graph), llvm::any_of(graph.getBody().front(), isPrimitive)};
  }

  LogicalResult inlineInto(flow::TokenGraph graph) {
    std::optional<flow::FrameAnalysis> frames;
    if (facts_[graph].hasPrimitives && !(frames = flow::FrameAnalysis::run(graph)))
      return failure();
    SmallVector<flow::CallOp> calls;
    graph->walk([&](flow::CallOp call) { calls.push_back(call); });
    for (flow::CallOp call : calls)
      if (failed(inlineOrKeep(call, graph, frames)))
        return failure();
    return success();
  }

  LogicalResult inlineOrKeep(flow::CallOp call, flow::TokenGraph graph,
                             const std::optional<flow::FrameAnalysis> &frames) {
    flow::FuncOp callee = calls_.calleeOf(call);
    bool isInGraph = call->getParentOp() == graph;
    const Facts &facts = facts_[callee];
    bool isLast = --uses_.try_emplace(callee, calls_.numCalls(callee)).first->second == 0 &&
                  !kept_.contains(callee);
    bool isTooMuch = !isLast && size_ + facts.ops > most_ && facts.ops > kFewOps;
    if (calls_.isRecursive(callee) || (facts.hasPrimitives && !isInGraph) || isTooMuch) {
      kept_.insert(callee);
      return success();
    }
    if (depthOf(call) + facts.depth > mostDepth_)
      return call.emitOpError("expected at most ")
             << mostDepth_ << " branches and loops inside each other";
    bool isLate = isInGraph && (!call.getTokens().empty() ||
                                (frames && frames->frameOf(call) != flow::FrameAnalysis::kRoot));
    inlineCall(call, callee, isLate, isLast);
    return success();
  }

  void inlineCall(flow::CallOp call, flow::FuncOp callee, bool isLate, bool isLast) {
    ++numInlined_;
    if (isLast)
      return Splice(call, isLate).take(callee);
    ++numCopied_;
    size_ += facts_[callee].ops;
    OwningOpRef<flow::FuncOp> copy(callee.clone());
    rename(*copy, "#" + std::to_string(++numCopiesOf_[callee]));
    Splice(call, isLate).take(*copy);
  }

  // Frames of copies are different loops, and each copy of a random op has numbers of its own.
  void rename(flow::FuncOp copy, const std::string &suffix) {
    DenseMap<Attribute, FlatSymbolRefAttr> streams;
    copy.walk([&](Operation *op) {
      if (auto enter = dyn_cast<flow::EnterOp>(op))
        enter.setFrame((enter.getFrame() + suffix).str());
      if (auto stream = op->getAttrOfType<FlatSymbolRefAttr>("generator")) {
        FlatSymbolRefAttr &own = streams[stream];
        if (!own)
          own = copyStream(stream, suffix);
        op->setAttr("generator", own);
      }
    });
  }

  FlatSymbolRefAttr copyStream(FlatSymbolRefAttr stream, const std::string &suffix) {
    auto original = symbols_.lookup<state::GeneratorOp>(stream.getValue());
    auto copy = cast<state::GeneratorOp>(original->clone());
    copy.setKey((original.getKey() + suffix).str());
    symbols_.insert(copy, std::next(original->getIterator()));
    return FlatSymbolRefAttr::get(copy);
  }

  // What has given its ops away, and what nobody calls.
  void eraseUnused() {
    llvm::StringSet<> called;
    module_.walk([&](flow::CallOp call) { called.insert(call.getCallee()); });
    for (auto function : llvm::make_early_inc_range(module_.getOps<flow::FuncOp>()))
      if (!called.contains(function.getSymName()))
        function.erase();
  }

  ModuleOp module_;
  SymbolTable symbols_;
  unsigned mostDepth_;
  flow::CallGraph calls_;
  DenseMap<Operation *, Facts> facts_;
  DenseMap<Operation *, uint64_t> uses_;
  DenseMap<Operation *, unsigned> numCopiesOf_;
  DenseSet<Operation *> kept_;
  uint64_t size_ = 0, most_ = 0;
  uint64_t &numInlined_, &numCopied_;
};

struct InlineCalls : impl::OptimizeInlineCallsBase<InlineCalls> {
  using OptimizeInlineCallsBase::OptimizeInlineCallsBase;
  void runOnOperation() override {
    uint64_t inlined = 0, copied = 0;
    if (failed(Inliner(getOperation(), mostDepth, inlined, copied).run()))
      return signalPassFailure();
    numInlined += inlined;
    numCopied += copied;
  }
};

} // namespace

} // namespace sluice::optimize
