// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Frames of one call: how they come, go round and go.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

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
  if (frame.loop) {
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
