// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Who waits for what in a call that cannot go on.
#include "runtime/executor/token_machine.h"

namespace sluice::rt {

namespace {
// The nodes whose token for `node` has not come. Values that are missing can be seen in the cells;
// control tokens cannot be told apart, so all of them are named.
std::string missingProducers(const Signature &signature, const Node &node, Iteration &iteration) {
  std::string names;
  int count = 0;
  for (const auto &producer : signature.nodes)
    for (const auto &port : producer->ports)
      for (const Edge &edge : port) {
        if (edge.node != &node || (edge.carriesValue() && iteration.slots[edge.slot].valid()))
          continue;
        if (++count <= 3)
          names += (names.empty() ? "'" : ", '") + std::string(producer->name) + "'";
      }
  return count > 3 ? names + format(" and %d more", count - 3) : names;
}

std::string place(const Iteration &iteration) {
  if (iteration.frame->info.name.empty())
    return "";
  return format(" in iteration %llu of frame '%s'",
                static_cast<unsigned long long>(iteration.number),
                std::string(iteration.frame->info.name).c_str());
}
bool isWaiting(const Node &node, const NodeState &state) {
  if (state.fired)
    return false;
  if (node.kind == NodeKind::kRecv) // all gates have come, the message has not
    return state.pending == 1 && !state.live;
  return state.pending != node.pending || state.live || state.deadInputs;
}

// The first few who wait, and how many more there are.
class WaitingList {
public:
  explicit WaitingList(const Signature &signature) : signature_(signature) {}

  void add(const ParkedFirings::Parked &parked) {
    add([&] {
      return "node '" + std::string(parked.node->name) + "'" + place(parked.firing->iteration()) +
             " is " + rt::describe(parked);
    });
  }
  void add(FrameInstance &instance) {
    for (Iteration *i = instance.oldestIteration(); i; i = i->following)
      for (const Node *node : instance.info.nodes)
        if (isWaiting(*node, i->states[node->index]))
          add([&] { return describe(*node, *i); });
    if (!instance.deferred.empty())
      add([&] {
        return format("iteration %llu of frame '%s' waits for room in the window",
                      static_cast<unsigned long long>(instance.next),
                      std::string(instance.info.name).c_str());
      });
  }
  std::string text() const {
    return count_ > kShown ? text_ + format("; and %d more nodes", count_ - kShown) : text_;
  }

private:
  static constexpr int kShown = 4;

  template <typename Describe> void add(Describe describe) {
    if (++count_ <= kShown)
      text_ += (text_.empty() ? "" : "; ") + describe();
  }
  std::string describe(const Node &node, Iteration &iteration) const {
    return "node '" + std::string(node.name) + "'" + place(iteration) + " waits for " +
           (node.kind == NodeKind::kRecv ? format("a message from rank %u", node.peer)
                                         : missingProducers(signature_, node, iteration));
  }

  const Signature &signature_;
  std::string text_;
  int count_ = 0;
};
} // namespace

std::string describeStall(const Signature &signature, const FramePool &pool,
                          const ParkedFirings &parked) {
  WaitingList list(signature);
  for (const ParkedFirings::Parked &firing : parked.all())
    list.add(firing); // it is what others wait for
  for (const auto &instance : pool.all())
    if (instance->live)
      list.add(*instance);
  std::string text = list.text();
  return text.empty() ? "a fetch or target is never reached" : text;
}

static std::string describeFrame(const FrameInstance &instance) {
  std::string live = "no iteration is live";
  if (instance.oldest < instance.next)
    live =
        format("iterations %llu to %llu are live", static_cast<unsigned long long>(instance.oldest),
               static_cast<unsigned long long>(instance.next) - 1);
  return "; frame '" + std::string(instance.info.name) + "'" + place(*instance.parentIteration) +
         ": " + live + format(", the window is %u", instance.window);
}

// Frames that are entered many times at once are counted.
static std::string describeFrames(const FramePool &pool) {
  constexpr int kShown = 8;
  std::string text;
  int count = 0;
  for (const auto &instance : pool.all())
    if (instance->live && instance->parentIteration && ++count <= kShown)
      text += describeFrame(*instance);
  return count > kShown ? text + format("; and %d more frames", count - kShown) : text;
}

std::string TokenMachine::describeProgress() const {
  if (idle())
    return "waiting" + describeFrames(pool_) + "; " + describeWaiting();
  std::string text = "computing";
  if (!underWay_.empty()) // on a worker
    text += " node '" + std::string(underWay_.front()->name) + "'";
  if (underWay_.size() > 1)
    text += format(" and %zu more", underWay_.size() - 1);
  return text + describeFrames(pool_);
}

std::string TokenMachine::describeWaiting() const {
  return describeStall(signature_, pool_, parked_);
}

} // namespace sluice::rt
