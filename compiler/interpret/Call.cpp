// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens and frames of one call.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

rt::Result<std::vector<rt::Tensor>> Call::run(std::span<const rt::Tensor> feeds) {
  feeds_ = feeds;
  fetches_.resize(graph_.signature().fetches.size());
  counters_.leftoverTokens = 0;
  start();
  while (status_.ok() && !ready_.empty()) {
    fire(takeReady());
    endInTime();
  }
  SLUICE_RETURN_IF_ERROR(status_);
  SLUICE_RETURN_IF_ERROR(checkCompleteness());
  dropCells(Tag());
  return std::move(fetches_);
}

void Call::start() {
  const Tag root;
  iterations_[root] = {};
  for (unsigned i = 0; i < graph_.nodes().size(); ++i) {
    if (node(i).parent || !node(i).firesAtStart())
      continue;
    Cell cell;
    cell.operands.resize(node(i).constants.size());
    makeReady(i, cell, root);
  }
}

Call::Firing Call::takeReady() {
  size_t position = schedule_.random ? (*schedule_.random)() % ready_.size() : 0;
  Firing firing = std::move(ready_[position]);
  ready_.erase(ready_.begin() + static_cast<ptrdiff_t>(position));
  return firing;
}

//===-- Tokens --------------------------------------------------------------------------------===//

void Call::send(const std::vector<Use> &uses, const Token &token, const Tag &tag) {
  for (Use use : uses)
    arrive(use, token, tag);
}

void Call::send(const Node &from, unsigned result, const Token &token, const Tag &tag) {
  send(from.uses[result], token, tag);
}

void Call::sendAll(const Node &from, const Token &token, const Tag &tag) {
  for (unsigned result = 0; result < from.uses.size(); ++result)
    send(from, result, token, tag);
}

void Call::arrive(Use use, const Token &token, const Tag &tag) {
  const Node &to = node(use.node);
  if (to.isPiecewise())
    return makeReady({use.node, tag, {token}, std::nullopt, use.operand});
  Cell &cell = cells_[{tag, use.node}];
  cell.operands.resize(to.constants.size());
  if (cell.operands[use.operand])
    return fail(rt::internalError("two tokens for one operand under one tag").atNode(to.name));
  cell.operands[use.operand] = token;
  if (to.isMerge())
    return arriveAtMerge(use, cell, tag);
  for (unsigned i = 0; i < cell.operands.size(); ++i)
    if (!cell.operands[i] && !to.constants[i])
      return;
  makeReady(use.node, cell, tag);
  cells_.erase({tag, use.node});
}

void Call::arriveAtMerge(Use use, Cell &cell, const Tag &tag) {
  const Node &merge = node(use.node);
  unsigned numValues = cast<flow::MergeOp>(merge.op).getValues().size();
  if (use.operand < numValues && !cell.operands[use.operand]->dead) {
    if (cell.liveInput)
      return fail(rt::invalidArgument("expected one live value to merge but got two: inputs " +
                                      std::to_string(*cell.liveInput) + " and " +
                                      std::to_string(use.operand))
                      .atNode(merge.name));
    cell.liveInput = use.operand;
  }
  if (cell.fired)
    return;
  bool hasTokens = true, allDead = true, isDeadLoop = false;
  for (unsigned i = 0; i < cell.operands.size(); ++i) {
    const std::optional<Token> &operand = cell.operands[i];
    if (i >= numValues) {
      hasTokens &= operand.has_value();
      continue;
    }
    if (merge.constants[i]) // says nothing about the path that was taken
      continue;
    bool dead = operand && operand->dead;
    allDead &= dead;
    // The back edge of a loop that is never entered will not bring anything.
    isDeadLoop |= dead && merge.op->getOperand(i).getDefiningOp<flow::EnterOp>();
  }
  if (!hasTokens || !(cell.liveInput || allDead || isDeadLoop))
    return;
  cell.fired = true;
  makeReady(use.node, cell, tag);
}

void Call::makeReady(unsigned position, Cell &cell, const Tag &tag) {
  if (!cell.liveInput)
    cell.liveInput = node(position).fallback;
  Firing firing{position, tag, {}, cell.liveInput, std::nullopt};
  for (unsigned i = 0; i < cell.operands.size(); ++i) {
    std::optional<Token> &operand = cell.operands[i];
    const std::optional<rt::Tensor> &constant = node(position).constants[i];
    firing.operands.push_back(operand ? *operand : Token{constant ? *constant : rt::Tensor()});
  }
  makeReady(std::move(firing));
}

void Call::makeReady(Firing firing) {
  ++iterations_.at(iterationOf(firing.tag)).outstanding;
  ready_.push_back(std::move(firing));
}

//===-- Frames --------------------------------------------------------------------------------===//

void Call::endInTime() {
  if (!schedule_.timer || !schedule_.timer->passed())
    return;
  std::string loops;
  for (const auto &[id, frame] : frames_)
    loops += (loops.empty() ? "frame '" : "; frame '") + std::string(id.name) +
             "' is in iteration " + std::to_string(frame.next - 1);
  fail(schedule_.timer->status(loops.empty() ? "no loop is under way" : loops));
}

void Call::openIteration(const FrameId &id, Frame &frame) {
  Tag tag = id.iteration(frame.next++);
  iterations_[tag] = {};
  frame.deadExits.clear(); // they were not those of the last iteration
  ++counters_.iterations;
  counters_.maxLiveIterations = std::max(counters_.maxLiveIterations, frame.next - frame.oldest);
  if (frame.loop)
    return beginIteration(frame, tag);
  for (const auto &[enter, token] : frame.constants)
    send(node(enter), 0, token, tag);
}

std::pair<const FrameId, Call::Frame> &Call::makeFrame(const FrameId &id, uint64_t window,
                                                       unsigned numEnters) {
  auto made = frames_.try_emplace(id).first;
  // Graphs leave out order edges in loops that run one iteration at a time: never widen those.
  made->second.window = window == 1 ? 1 : schedule_.parallelIterations.value_or(window);
  made->second.numEnters = numEnters;
  ++iterations_.at(iterationOf(id.parent)).liveChildren;
  ++counters_.framesEntered;
  return *made;
}

std::pair<const FrameId, Call::Frame> &Call::childFrame(const Node &enterNode, const Tag &tag) {
  auto enter = cast<flow::EnterOp>(enterNode.op);
  FrameId id{tag, {enter.getFrame().data(), enter.getFrame().size()}};
  auto it = frames_.find(id);
  if (it != frames_.end())
    return *it;
  std::vector<std::string_view> path;
  for (const Level &level : id.iteration(0))
    path.push_back(level.frame);
  auto &made = makeFrame(id, enter.getParallelIterations(), graph_.numEnters(path));
  openIteration(id, made.second);
  return made;
}

// To the next iteration, which is opened if there is room.
void Call::goRound(const std::vector<Use> &uses, const Token &token, const Tag &tag) {
  const FrameId id = frameOf(tag);
  Frame &frame = frames_.at(id);
  uint64_t target = tag.back().iteration + 1;
  if (target == frame.next && target >= schedule_.mostIterations)
    return fail(rt::outOfRange("the loop of frame '" + std::string(id.name) + "' wants more than " +
                               std::to_string(target) +
                               " iterations, the limit; if it is to end "
                               "later than that, use a larger --limit iterations"));
  if (target == frame.next && !frame.hasRoom()) {
    frame.deadExits.clear(); // this iteration is not the last, though the next must wait
    frame.deferred.push_back({&uses, token});
    return;
  }
  if (target == frame.next)
    openIteration(id, frame);
  send(uses, token, id.iteration(target));
}

// The tokens of ops that will never fire any more.
void Call::dropCells(const Tag &tag) {
  auto first = cells_.lower_bound({tag, 0}), last = first;
  bool isFirst = tag.empty() || tag.back().iteration == 0;
  for (; last != cells_.end() && isWithin(last->first.first, tag); ++last)
    if (!last->second.fired && (isFirst || !node(last->first.second).onlyFirst))
      for (const std::optional<Token> &operand : last->second.operands)
        counters_.leftoverTokens += operand.has_value();
  cells_.erase(first, last);
}

bool Call::retireOldest(const FrameId &id, Frame &frame) {
  Tag tag = id.iteration(frame.oldest);
  const Iteration &iteration = iterations_.at(tag);
  bool isEntering = frame.oldest == 0 && frame.entersArrived < frame.numEnters;
  if (iteration.outstanding || iteration.liveChildren || isEntering)
    return false;
  dropCells(tag);
  iterations_.erase(tag);
  ++frame.oldest;
  if (frame.deferred.empty())
    return true;
  auto deferred = std::move(frame.deferred);
  frame.deferred.clear();
  Tag next = id.iteration(frame.next);
  openIteration(id, frame);
  for (const auto &[uses, token] : deferred)
    send(*uses, token, next);
  return true;
}

// Retires what can retire, from the tag outwards.
void Call::settle(Tag tag) {
  for (tag = iterationOf(tag); !tag.empty(); tag = iterationOf(tag)) {
    const FrameId id = frameOf(tag);
    auto it = frames_.find(id);
    if (it == frames_.end())
      return;
    Frame &frame = it->second;
    while (frame.oldest < frame.next && retireOldest(id, frame)) {
    }
    if (frame.oldest < frame.next)
      return;
    for (unsigned exit : frame.deadExits)
      if (!frame.liveExits.contains(exit))
        send(node(exit), 0, {rt::Tensor(), /*dead=*/true}, id.parent);
    frames_.erase(it);
    --iterations_.at(iterationOf(id.parent)).liveChildren;
    tag = id.parent;
  }
}

} // namespace sluice::interpret
