// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames of one call: how they come, go round and go.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

// After an error calls may lie thousands deep within each other, so nothing recurses.
Call::~Call() {
  withdrawParked();
  std::vector<std::unique_ptr<Place>> open;
  auto empty = [&](Place &place) {
    for (auto &[key, frame] : place.frames)
      for (auto &[number, iteration] : frame.iterations)
        open.push_back(std::move(iteration));
    for (auto &[key, branch] : place.branches)
      open.push_back(std::move(branch));
    place.frames.clear();
    place.branches.clear();
  };
  empty(root_);
  while (!open.empty()) {
    std::unique_ptr<Place> place = std::move(open.back());
    open.pop_back();
    if (place)
      empty(*place);
  }
}

void Call::endInTime() {
  if (!schedule_.timer || !schedule_.timer->passed())
    return;
  std::string loops;
  root_.visit([&](const Place &place) {
    for (const auto &[key, frame] : place.frames)
      loops += (loops.empty() ? "frame '" : "; frame '") + std::string(key.first) +
               "' is in iteration " + std::to_string(frame.next - 1);
  });
  fail(schedule_.timer->status(loops.empty() ? "no loop is under way" : loops));
}

Place &Call::openIteration(Frame &frame) {
  uint64_t number = frame.next++;
  Place &place = *(frame.iterations[number] = std::make_unique<Place>(frame, number));
  frame.deadExits.clear(); // they were not those of the last iteration
  auto deadBacks = std::move(frame.deadBacks);
  frame.deadBacks.clear();
  ++counters_.iterations;
  counters_.maxLiveIterations = std::max(counters_.maxLiveIterations, frame.next - frame.oldest);
  if (frame.call) {
    startBody(frame.call->port, place);
  } else if (frame.loop) {
    beginIteration(frame, place);
  } else {
    for (const auto &[enter, token] : frame.constants)
      send(node(enter), 0, token, place);
  }
  for (const std::vector<Use> *uses : deadBacks)
    send(*uses, {rt::Tensor(), true}, place);
  return place;
}

Frame &Call::makeFrame(Frame::Key key, Place &around, uint64_t window, unsigned numEnters) {
  Frame &frame = around.frames[key];
  frame.key = key;
  frame.around = &around;
  // Graphs leave out order edges in loops that run one iteration at a time: never widen those.
  frame.window = window == 1 ? 1 : schedule_.parallelIterations.value_or(window);
  frame.numEnters = numEnters;
  ++around.iteration->liveChildren;
  ++counters_.framesEntered;
  return frame;
}

Frame &Call::childFrame(const Node &enterNode, Place &place) {
  auto enter = cast<flow::EnterOp>(enterNode.op);
  Frame::Key key{{enter.getFrame().data(), enter.getFrame().size()}, 0};
  auto it = place.frames.find(key);
  if (it != place.frames.end())
    return it->second;
  Frame &frame = makeFrame(key, place, enter.getParallelIterations(), enterNode.numEnters);
  openIteration(frame);
  return frame;
}

void Call::fireCall(const Node &, Firing &firing) {
  ++firing.place->iteration->outstanding; // until it is entered
  calls_.push_back(std::move(firing));
}

// The frame of a call has one iteration. It knows the way back.
void Call::enterLatestCall() {
  Firing firing = std::move(calls_.back());
  calls_.pop_back();
  const Node &call = node(firing.node);
  Place &place = *firing.place;
  if (place.callDepth >= schedule_.mostCalls)
    return fail(rt::resourceExhausted("expected at most " + std::to_string(schedule_.mostCalls) +
                                      " calls within each other; if that ends, use a larger "
                                      "--limit call-depth")
                    .atNode(call.name));
  StringRef callee = cast<flow::CallOp>(call.op).getCallee();
  const Frame::Key key{{callee.data(), callee.size()}, positionOf(call) + 1};
  Frame &frame = makeFrame(key, place, 1, 0);
  frame.call = &call;
  frame.arguments = std::move(firing.operands);
  openIteration(frame);
  settle(&frame);
  finish(firing);
}

void Call::fireReturn(const Node &op, const Firing &firing) {
  const Frame &frame = *firing.place->frame;
  auto call = cast<flow::CallOp>(frame.call->op);
  for (unsigned i = 0; i < call.getValues().size(); ++i)
    send(*frame.call, i, firing.operands[i], *frame.around);
  send(*frame.call, call->getNumResults() - 1, {}, *frame.around);
}

// To the next iteration, which is opened if there is room.
void Call::goRound(const std::vector<Use> &uses, const Token &token, Place &place) {
  Frame &frame = *place.frame;
  uint64_t target = place.number + 1;
  if (target == frame.next && target >= schedule_.mostIterations)
    return fail(rt::outOfRange("the loop of frame '" + std::string(frame.key.first) +
                               "' wants more than " + std::to_string(target) +
                               " iterations, the limit; if it is to end "
                               "later than that, use a larger --limit iterations"));
  if (target == frame.next && !frame.hasRoom()) {
    frame.deadExits.clear(); // this iteration is not the last, though the next must wait
    frame.deferred.push_back({&uses, token});
    return;
  }
  send(uses, token, target == frame.next ? openIteration(frame) : *frame.iterations.at(target));
}

// A dead value starts no iteration, but is there in one that something else starts.
void Call::stayDead(const std::vector<Use> &uses, Place &place) {
  Frame &frame = *place.frame;
  uint64_t target = place.number + 1;
  if (target == frame.next)
    frame.deadBacks.push_back(&uses);
  else
    send(uses, {rt::Tensor(), true}, *frame.iterations.at(target));
}

// The tokens of ops that will never fire any more.
void Call::countLeftovers(const Place &iteration) {
  iteration.visit([&](const Place &place) {
    for (const auto &[position, cell] : place.cells)
      if (!cell.fired && (iteration.number == 0 || !node(position).onlyFirst))
        counters_.leftoverTokens += cell.numArrived;
  });
}

bool Call::retireOldest(Frame &frame) {
  Place &place = frame.first();
  bool isEntering = frame.oldest == 0 && frame.entersArrived < frame.numEnters;
  if (place.outstanding || place.liveChildren || isEntering)
    return false;
  countLeftovers(place);
  frame.iterations.erase(frame.oldest++);
  if (frame.deferred.empty())
    return true;
  auto deferred = std::move(frame.deferred);
  frame.deferred.clear();
  Place &next = openIteration(frame);
  for (const auto &[uses, token] : deferred)
    send(*uses, token, next);
  return true;
}

// Retires what can retire, from the frame outwards.
void Call::settle(Frame *frame) {
  while (frame) {
    while (frame->oldest < frame->next && retireOldest(*frame)) {
    }
    if (frame->oldest < frame->next)
      return;
    Place &around = *frame->around;
    for (unsigned exit : frame->deadExits)
      if (!frame->liveExits.contains(exit))
        send(node(exit), 0, {rt::Tensor(), /*dead=*/true}, around);
    around.frames.erase(Frame::Key(frame->key));
    --around.iteration->liveChildren;
    frame = around.iteration->frame;
  }
}

} // namespace sluice::interpret
