// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Pass optimize-inline-calls: functions take the place of their calls.
//
// From the callers to the callees: each call gets a copy of its function as it is written, whose
// calls come next. So every op is copied once, however long the chain of calls is. How large the
// program will be is known beforehand, and so which functions have to stay.
//
// In a graph, an op of a function that has nothing but constants to wait for would fire at the
// start of the program's call, in the root frame. Where the call is not there, or waits for tokens,
// such an op is gated by what the call waits for.
#include "compiler/optimize/Passes.h"
#include "compiler/optimize/SpliceCall.h"

#include "dialects/flow/CallGraph.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/state/State.h"

#include <deque>
#include <map>
#include <string>
#include <tuple>

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

// What is asked of a function before its ops are copied.
struct Facts {
  uint64_t ops = 0; // as written
  unsigned depth = 0;
  bool hasPrimitives = false;
  std::vector<bool> isInFrame; // of each call, in the order of a walk: whether a loop is around it
};

class Inliner {
public:
  Inliner(ModuleOp module, unsigned mostDepth, uint64_t &numInlined)
      : module_(module), symbols_(module), mostDepth_(mostDepth), calls_(module),
        numInlined_(numInlined) {}

  LogicalResult run() {
    for (flow::TokenGraph graph : calls_.calleesFirst())
      if (failed(look(graph)))
        return failure();
    chooseKept();
    keepGradients();
    for (auto graph : module_.getOps<flow::GraphOp>())
      open_.push_back({graph, facts_[graph].isInFrame, /*path=*/0});
    // Functions that stay join them.
    for (size_t i = 0; i < open_.size(); ++i)
      if (failed(inlineInto(open_[i])))
        return failure();
    finish();
    return success();
  }

private:
  struct Root {
    flow::TokenGraph graph;
    std::vector<bool> isInFrame;
    unsigned path; // all signatures begin with the same one
  };
  // The calls around it, the function, and the node.
  using NamedCall = std::tuple<unsigned, Operation *, std::string>;
  struct Copy {
    unsigned number = 0, path = 0;
  };

  LogicalResult look(flow::TokenGraph graph) {
    Facts &facts = facts_[graph];
    facts.ops = countOps(graph);
    facts.depth = depthOf(graph);
    facts.hasPrimitives = llvm::any_of(graph.getBody().front(), isPrimitive);
    std::optional<flow::FrameAnalysis> frames;
    if (facts.hasPrimitives && !(frames = flow::FrameAnalysis::run(graph)))
      return failure();
    graph->walk([&](flow::CallOp call) {
      bool isInGraph = call->getParentOp() == graph;
      facts.isInFrame.push_back(frames && isInGraph &&
                                frames->frameOf(call) != flow::FrameAnalysis::kRoot);
    });
    return success();
  }

  // Functions that call themselves stay. If the rest is too much, the largest do, too.
  void chooseKept() {
    uint64_t size = 0;
    for (flow::TokenGraph graph : calls_.calleesFirst()) {
      size += facts_[graph].ops;
      if (auto function = dyn_cast<flow::FuncOp>(graph.getOperation()))
        if (calls_.isRecursive(function))
          kept_.insert(function);
    }
    uint64_t most = std::max(size * kMostTimes, size + kAnyGrowth);
    for (uint64_t largest = kEndless; sizeWith(largest) > most && largest > kFewOps;)
      largest /= 2;
  }

  // The program's size if functions of more than so many ops stay; which these are is remembered.
  uint64_t sizeWith(uint64_t largest) {
    DenseMap<Operation *, uint64_t> sizes;
    uint64_t total = 0;
    for (flow::TokenGraph graph : calls_.calleesFirst()) {
      uint64_t size = facts_[graph].ops;
      for (flow::FuncOp callee : calls_.calleesOf(graph))
        if (!kept_.contains(callee))
          size = std::min(size + sizes.lookup(callee) * calls_.numCalls(graph, callee), kEndless);
      sizes[graph] = size;
      auto function = dyn_cast<flow::FuncOp>(graph.getOperation());
      if (function && size > largest)
        kept_.insert(function);
      if (!function || kept_.contains(function))
        total = std::min(total + size, kEndless);
    }
    return total;
  }

  // The calls of a graph, and those in what takes their place.
  LogicalResult inlineInto(const Root &root) {
    struct Site {
      flow::CallOp call;
      bool isInFrame;
      unsigned path; // of the calls around it
    };
    std::vector<Site> sites;
    auto add = [&](Operation *op, size_t &next, const std::vector<bool> &known, bool around,
                   unsigned path) {
      op->walk([&](flow::CallOp call) { sites.push_back({call, around || known[next++], path}); });
    };
    flow::TokenGraph graph = root.graph;
    size_t first = 0;
    add(graph, first, root.isInFrame, false, root.path);
    bool hasPrimitives = facts_[graph].hasPrimitives;
    std::map<NamedCall, unsigned> numAlike;
    for (size_t i = 0; i < sites.size(); ++i) {
      auto [call, isInLoop, path] = sites[i];
      flow::FuncOp callee = calls_.calleeOf(call);
      const Facts &facts = facts_[callee];
      bool isInGraph = call->getParentOp() == graph;
      if (kept_.contains(callee) || (facts.hasPrimitives && !isInGraph)) {
        keep(callee);
        continue;
      }
      if (depthOf(call) + facts.depth > mostDepth_)
        return call.emitOpError("expected at most ")
               << mostDepth_ << " branches and loops inside each other";
      bool mayBeDead = isInGraph && hasPrimitives;
      bool isLate = isInGraph && (!call.getTokens().empty() || isInLoop || mayBeDead);
      hasPrimitives |= facts.hasPrimitives;
      ++numInlined_;
      OwningOpRef<flow::FuncOp> copy(originalOf(callee).clone());
      NamedCall named{path, callee, nodeNameOf(call.getLoc()).str()};
      auto [known, isNew] = copies_.try_emplace({named, numAlike[named]++});
      if (isNew)
        known->second = {numCopies_[callee]++, ++numPaths_};
      rename(*copy, known->second.number);
      size_t next = 0;
      for (Operation *op : splice(call, *copy, {isLate, mayBeDead}))
        add(op, next, facts.isInFrame, isInLoop, known->second.path);
    }
    return success();
  }

  // Functions that are called when somebody differentiates.
  void keepGradients() {
    module_.walk([&](flow::KnownAsOp known) {
      if (DictionaryAttr parameters = known.getParameters().value_or(DictionaryAttr()))
        if (auto function = parameters.getAs<FlatSymbolRefAttr>("function"))
          keep(symbols_.lookup<flow::FuncOp>(function.getValue()));
    });
  }

  // A function that is called has calls inlined into it, but what is copied is as it was.
  void keep(flow::FuncOp function) {
    flow::FuncOp &original = originals_[function];
    if (original)
      return;
    original = function.clone();
    open_.push_back({function, facts_[function].isInFrame, ++numPaths_});
  }
  flow::FuncOp originalOf(flow::FuncOp function) {
    flow::FuncOp original = originals_.lookup(function);
    return original ? original : function;
  }

  // Frames of copies are different loops, and each copy of a random op has numbers of its own. But
  // a call that is in several signatures is the same one in all.
  void rename(flow::FuncOp copy, unsigned number) {
    if (number == 0)
      return;
    std::string suffix = "#" + std::to_string(number);
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

  // Functions stay whose calls do.
  void finish() {
    for (auto &[function, original] : originals_)
      original.erase();
    for (auto function : llvm::make_early_inc_range(module_.getOps<flow::FuncOp>()))
      if (!originals_.contains(function))
        function.erase();
  }

  static constexpr uint64_t kEndless = uint64_t{1} << 40;
  ModuleOp module_;
  SymbolTable symbols_;
  unsigned mostDepth_;
  flow::CallGraph calls_;
  DenseMap<Operation *, Facts> facts_;
  DenseSet<Operation *> kept_;
  std::deque<Root> open_;
  DenseMap<Operation *, flow::FuncOp> originals_; // of functions that stay
  DenseMap<Operation *, unsigned> numCopies_;
  std::map<std::pair<NamedCall, unsigned>, Copy> copies_; // by call, and how many are like it
  unsigned numPaths_ = 0;
  uint64_t &numInlined_;
};

struct InlineCalls : impl::OptimizeInlineCallsBase<InlineCalls> {
  using OptimizeInlineCallsBase::OptimizeInlineCallsBase;
  void runOnOperation() override {
    uint64_t inlined = 0;
    if (failed(Inliner(getOperation(), mostDepth, inlined).run()))
      return signalPassFailure();
    numInlined += inlined;
  }
};

} // namespace

} // namespace sluice::optimize
