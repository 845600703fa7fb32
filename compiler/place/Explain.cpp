// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each reason is about an op or another one: what it asks for, what ties it, whom it follows, what
// is near it.
#include "compiler/place/Explain.h"

#include "compiler/import/Diagnostic.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/NodeName.h"

using namespace mlir;

namespace sluice::place {

using import::quoted;

namespace {

std::string describe(Operation *op) {
  StringRef node = nodeNameOf(op->getLoc());
  std::string name = op->getName().getStringRef().str();
  return node.empty() ? name : name + " " + quoted(node.str());
}

class Explainer {
public:
  explicit Explainer(const PlacedModule &placed) : placed_(placed), groups_(placed.groups()) {
    for (unsigned member = 0; member < groups_.members().size(); ++member)
      if (StringAttr request = requestOf(groups_.members()[member]))
        askers_.try_emplace(groups_.groupOf(member), member);
  }

  std::string explain() {
    for (auto [rank, device] : llvm::enumerate(placed_.devices()))
      out_ << "device " << rank << ": " << quoted(device.text()) << "\n";
    flow::GraphOp graph;
    for (Operation *op : groups_.members())
      if (auto around = dyn_cast<flow::GraphOp>(op->getParentOp()); around && around != graph)
        explain(graph = around);
    return std::move(text_);
  }

private:
  void explain(flow::GraphOp graph) {
    out_ << "\nsignature '" << graph.getSymName() << "'\n";
    auto frames = flow::FrameAnalysis::run(graph);
    std::vector<std::vector<unsigned>> members(frames->frames().size());
    for (Operation &op : graph.getBody().front())
      if (auto member = groups_.memberOf(&op); member && !onlyOrders(&op))
        members[frames->frameOf(&op)].push_back(*member);
    for (auto [number, frame] : llvm::enumerate(frames->frames())) {
      if (members[number].empty())
        continue;
      out_ << "  in each " << (number ? "iteration of " + quoted(frame.name) : std::string("call"))
           << "\n";
      for (unsigned member : members[number])
        out_ << "    " << placed_.placeOf(member).rank << "  "
             << describe(groups_.members()[member]) << ": " << reasonOf(member) << "\n";
    }
  }

  std::string reasonOf(unsigned member) const {
    Operation *op = groups_.members()[member];
    if (isa<flow::FeedOp, flow::FetchOp>(op))
      return "feeds and fetches are on the first device";
    if (StringAttr request = requestOf(op); request && isDecidedBy(member))
      return "asks for " + quoted(request.getValue().str());
    auto asker = askers_.find(groups_.groupOf(member));
    if (asker != askers_.end() && asker->second != member && isDecidedBy(asker->second))
      return "is tied to " + describe(groups_.members()[asker->second]) + ", which asks for " +
             quoted(requestOf(groups_.members()[asker->second]).getValue().str());
    if (auto followed = placed_.sets().followedBy(member))
      return "goes with " + describe(groups_.members()[*followed]);
    return reasonOf(placed_.placeOf(member));
  }

  // Whether what the member asks for leaves no choice.
  bool isDecidedBy(unsigned member) const {
    return placed_.requests().isFixed(groups_.groupOf(member));
  }

  std::string reasonOf(const SetPlace &place) const {
    if (place.sendsLess)
      return "less is sent so";
    if (place.neighbour)
      return "is near " + describe(groups_.members()[*place.neighbour]);
    return "is the first that fits";
  }

  const PlacedModule &placed_;
  const Groups &groups_;
  llvm::DenseMap<unsigned, unsigned> askers_; // by group: the first that asks
  std::string text_;
  llvm::raw_string_ostream out_{text_};
};

} // namespace

std::string explainPlacement(const PlacedModule &placed) { return Explainer(placed).explain(); }

} // namespace sluice::place
