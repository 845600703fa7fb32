// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// codegen-assign-streams: on which of a card's streams codelets are enqueued.
//
// The graph is taken as units: all that is in one outermost loop is one, every other op is one as
// well. Units are strung to chains, along the path on which most work is, then along that on which
// most of the rest is. The heaviest chain has stream 0. Of the others those have one of their own,
// as long as there are some, that take long enough for it: to hand a value from one stream to
// another costs about as much as a launch. The rest goes with the chain that needs it.
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/Passes.h"
#include "compiler/codegen/plan/Cards.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/flow/GraphOrder.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"

#include <algorithm>
#include <tuple>

using namespace mlir;

namespace sluice::codegen {

#define GEN_PASS_DEF_CODEGENASSIGNSTREAMS
#include "compiler/codegen/Passes.h.inc"

namespace {

constexpr unsigned kStreams = 4;
// What a chain has to have for a stream of its own: a loop, so many codelets, or so much work.
constexpr size_t kLeastCodelets = 4;
constexpr int64_t kLeastWork = 1 << 20;
// Of an op of unknown size, and of loops, of which nobody knows how long they run.
constexpr int64_t kUnknownWork = kLeastCardWork, kLoopWork = int64_t(1) << 40;
constexpr size_t kNone = ~size_t(0);

int64_t sum(int64_t a, int64_t b) {
  return static_cast<int64_t>(std::min<uint64_t>(
      llvm::SaturatingAdd(static_cast<uint64_t>(a), static_cast<uint64_t>(b)), INT64_MAX));
}

struct Unit {
  SmallVector<flow::CodeletOp, 1> codelets; // of the card
  int64_t work = 0;                         // of these
  bool hasLoop = false;                     // around one of them, or in one
  llvm::SmallSetVector<size_t, 4> followers;
  size_t numBefore = 0;
  int64_t until = 0, from = 0;           // the most work on a path that ends, or begins, with it
  size_t previous = kNone, next = kNone; // in its chain
  size_t chain = kNone;
};

struct Chain {
  int64_t work = 0;
  size_t numCodelets = 0;
  bool hasLoop = false;
  unsigned stream = kStreams; // none yet
  bool needsOwn() const { return hasLoop || numCodelets >= kLeastCodelets || work >= kLeastWork; }
};

class StreamAssigner {
public:
  StreamAssigner(flow::GraphOp graph, const flow::FrameAnalysis &frames)
      : graph_(graph), frames_(frames) {}

  // How many streams there are work for.
  unsigned run() {
    collect();
    if (!putInOrder())
      return 1; // loops that wait for each other, which only a graph that never ends has
    measurePaths();
    string();
    choose();
    unsigned used = 1;
    for (const Unit &unit : units_)
      for (flow::CodeletOp codelet : unit.codelets)
        used = std::max(used, assign(codelet, chains_[unit.chain].stream));
    return used;
  }

private:
  static unsigned assign(flow::CodeletOp codelet, unsigned stream) {
    codelet->removeAttr(kStreamAttr);
    if (stream)
      codelet->setAttr(kStreamAttr, Builder(codelet.getContext()).getI64IntegerAttr(stream));
    return stream + 1;
  }

  // ---- Units ------------------------------------------------------------------------------------

  size_t unitOf(Operation *op) {
    unsigned frame = frames_.frameOf(op);
    if (frame == flow::FrameAnalysis::kRoot)
      return add();
    while (unsigned parent = frames_.frames()[frame].parent)
      frame = parent;
    auto [known, isNew] = loops_.try_emplace(frame, units_.size());
    return isNew ? add() : known->second;
  }
  size_t add() {
    units_.emplace_back();
    return units_.size() - 1;
  }

  void collect() {
    std::vector<Operation *> ops = flow::operandsFirst(graph_);
    DenseMap<Operation *, size_t> places;
    for (Operation *op : ops) {
      size_t place = places[op] = unitOf(op);
      auto codelet = dyn_cast<flow::CodeletOp>(op);
      if (!codelet || !cardOf(codelet))
        continue;
      Unit &unit = units_[place];
      unit.codelets.push_back(codelet);
      unit.work = sum(unit.work, workOf(codelet));
      bool hasLoop = frames_.frameOf(op) != flow::FrameAnalysis::kRoot || holdsLoop(codelet);
      if (hasLoop && !unit.hasLoop)
        unit.work = sum(unit.work, kLoopWork);
      unit.hasLoop |= hasLoop;
    }
    for (Operation *op : ops)
      for (Value operand : op->getOperands())
        if (Operation *before = operand.getDefiningOp())
          follow(places.lookup(before), places.lookup(op));
  }
  void follow(size_t before, size_t after) {
    if (before != after && units_[before].followers.insert(after))
      ++units_[after].numBefore;
  }

  static int64_t workOf(flow::CodeletOp codelet) {
    int64_t work = 1;
    codelet.getBody().walk(
        [&](Operation *op) { work = sum(work, codegen::workOf(op).value_or(kUnknownWork)); });
    return work;
  }
  static bool holdsLoop(flow::CodeletOp codelet) {
    return codelet.getBody()
        .walk([](flow::WhileOp) { return WalkResult::interrupt(); })
        .wasInterrupted();
  }

  // ---- Chains -----------------------------------------------------------------------------------

  bool putInOrder() {
    SmallVector<size_t> awaited;
    for (auto [i, unit] : llvm::enumerate(units_)) {
      awaited.push_back(unit.numBefore);
      if (!unit.numBefore)
        order_.push_back(i);
    }
    for (size_t done = 0; done < order_.size(); ++done)
      for (size_t follower : units_[order_[done]].followers)
        if (--awaited[follower] == 0)
          order_.push_back(follower);
    return order_.size() == units_.size();
  }

  void measurePaths() {
    for (size_t i : order_) {
      units_[i].until = sum(units_[i].until, units_[i].work);
      for (size_t follower : units_[i].followers)
        units_[follower].until = std::max(units_[follower].until, units_[i].until);
    }
    for (size_t i : llvm::reverse(order_)) {
      for (size_t follower : units_[i].followers)
        units_[i].from = std::max(units_[i].from, units_[follower].from);
      units_[i].from = sum(units_[i].from, units_[i].work);
    }
  }

  // Each unit is followed by one, and follows one, at most: those on the heaviest paths.
  void string() {
    struct Link {
      int64_t work;
      size_t before, after;
    };
    SmallVector<Link> links;
    for (size_t i : order_)
      for (size_t follower : units_[i].followers)
        if (units_[i].until && units_[follower].from) // work of the card on both sides
          links.push_back({sum(units_[i].until, units_[follower].from), i, follower});
    llvm::sort(links, [](const Link &a, const Link &b) {
      return std::tuple(-a.work, a.before, a.after) < std::tuple(-b.work, b.before, b.after);
    });
    for (const Link &link : links) {
      if (units_[link.before].next != kNone || units_[link.after].previous != kNone)
        continue;
      units_[link.before].next = link.after;
      units_[link.after].previous = link.before;
    }
    for (size_t i : order_)
      if (units_[i].previous == kNone)
        addChain(i);
  }
  void addChain(size_t first) {
    Chain &chain = chains_.emplace_back();
    for (size_t i = first; i != kNone; i = units_[i].next) {
      units_[i].chain = chains_.size() - 1;
      chain.work = sum(chain.work, units_[i].work);
      chain.numCodelets += units_[i].codelets.size();
      chain.hasLoop |= units_[i].hasLoop;
    }
  }

  // ---- Streams ----------------------------------------------------------------------------------

  void choose() {
    SmallVector<size_t> heaviest = llvm::to_vector(llvm::seq<size_t>(0, chains_.size()));
    llvm::sort(heaviest, [&](size_t a, size_t b) {
      return std::pair(-chains_[a].work, a) < std::pair(-chains_[b].work, b);
    });
    int64_t load[kStreams] = {};
    for (auto [place, i] : llvm::enumerate(heaviest)) {
      Chain &chain = chains_[i];
      if (place > 0 && !chain.needsOwn())
        continue;
      chain.stream = static_cast<unsigned>(std::min_element(load, load + kStreams) - load);
      load[chain.stream] = sum(load[chain.stream], chain.work);
    }
    // What is needed by others before what needs others.
    for (size_t i : llvm::reverse(order_))
      settle(chains_[units_[i].chain], units_[i]);
    for (size_t i : order_)
      for (size_t follower : units_[i].followers)
        adopt(chains_[units_[follower].chain], chains_[units_[i].chain]);
    for (Chain &chain : chains_)
      if (chain.stream == kStreams)
        chain.stream = 0;
  }
  // By the heaviest of those that follow a chain's last unit.
  void settle(Chain &chain, const Unit &unit) {
    const Unit *heaviest = nullptr;
    for (size_t follower : unit.followers)
      if (units_[follower].from > (heaviest ? heaviest->from : 0))
        heaviest = &units_[follower];
    if (heaviest)
      adopt(chain, chains_[heaviest->chain]);
  }
  static void adopt(Chain &chain, const Chain &other) {
    if (chain.stream == kStreams)
      chain.stream = other.stream;
  }

  flow::GraphOp graph_;
  const flow::FrameAnalysis &frames_;
  std::vector<Unit> units_;
  DenseMap<unsigned, size_t> loops_; // by outermost frame
  std::vector<size_t> order_;        // those before others first
  std::vector<Chain> chains_;
};

struct AssignStreams : impl::CodegenAssignStreamsBase<AssignStreams> {
  void runOnOperation() override {
    visitProgramsWithCard(getOperation(), [&](ModuleOp program) {
      for (auto graph : program.getOps<flow::GraphOp>()) {
        auto frames = flow::FrameAnalysis::run(graph);
        if (!frames)
          return signalPassFailure();
        unsigned used = StreamAssigner(graph, *frames).run();
        numStreams += used - 1;
      }
    });
  }
};

} // namespace
} // namespace sluice::codegen
