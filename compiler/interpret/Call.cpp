// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tokens of one call.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

rt::Result<std::vector<rt::Tensor>> Call::run(std::span<const rt::Tensor> feeds) {
  feeds_ = feeds;
  fetches_.resize(graph_.signature().fetches.size());
  counters_.leftoverTokens = 0;
  environment_.parking = this;
  start();
  while (status_.ok() && (!ready_.empty() || !calls_.empty() || !resumed_.empty())) {
    if (!resumed_.empty())
      finishResumed();
    else if (ready_.empty())
      enterLatestCall();
    else
      fire(takeReady());
    endInTime();
  }
  SLUICE_RETURN_IF_ERROR(status_);
  SLUICE_RETURN_IF_ERROR(checkCompleteness());
  countLeftovers(root_);
  return std::move(fetches_);
}

void Call::start() { startBody(0, root_); }

void Call::startBody(unsigned body, Place &place) {
  for (unsigned i : graph_.startsOf(body)) {
    Cell cell;
    cell.operands.resize(node(i).constants.size());
    makeReady(i, cell, place);
  }
}

// In any order if it is drawn, so the first one may take the place of the one that is.
Call::Firing Call::takeReady() {
  if (schedule_.random)
    std::swap(ready_.front(), ready_[(*schedule_.random)() % ready_.size()]);
  Firing firing = std::move(ready_.front());
  ready_.pop_front();
  return firing;
}

void Call::send(const std::vector<Use> &uses, const Token &token, Place &place) {
  for (Use use : uses)
    arrive(use, token, place);
}

void Call::send(const Node &from, unsigned result, const Token &token, Place &place) {
  send(from.uses[result], token, place);
}

void Call::sendAll(const Node &from, const Token &token, Place &place) {
  for (unsigned result = 0; result < from.uses.size(); ++result)
    send(from, result, token, place);
}

void Call::arrive(Use use, const Token &token, Place &place) {
  const Node &to = node(use.node);
  if (to.isPiecewise())
    return makeReady({use.node, &place, {token}, std::nullopt, use.operand});
  Cell &cell = place.cells[use.node];
  cell.operands.resize(to.constants.size());
  if (cell.operands[use.operand])
    return fail(rt::internalError("two tokens for one operand in one place").atNode(to.name));
  cell.operands[use.operand] = token;
  ++cell.numArrived;
  if (to.isMerge())
    return arriveAtMerge(use, cell, place);
  if (cell.numArrived < to.numTokens)
    return;
  makeReady(use.node, cell, place);
  place.cells.erase(use.node);
}

void Call::arriveAtMerge(Use use, Cell &cell, Place &place) {
  const Node &merge = node(use.node);
  auto op = cast<flow::MergeOp>(merge.op);
  unsigned numValues = op.getValues().size(), numControls = op.getTokens().size();
  if (use.operand >= numValues) {
    ++cell.numControls;
  } else if (cell.operands[use.operand]->dead) {
    ++cell.numDead;
  } else {
    if (cell.liveInput)
      return fail(rt::invalidArgument("expected one live value to merge but got two: inputs " +
                                      std::to_string(*cell.liveInput) + " and " +
                                      std::to_string(use.operand))
                      .atNode(merge.name));
    cell.liveInput = use.operand;
  }
  // A constant says nothing about the path that was taken.
  unsigned numComing = merge.numComing[place.number > 0];
  bool allDead = numComing ? cell.numDead == numComing : merge.numTokens == numControls;
  if (cell.fired || cell.numControls < numControls || !(cell.liveInput || allDead))
    return;
  cell.fired = true;
  makeReady(use.node, cell, place);
}

void Call::makeReady(unsigned position, Cell &cell, Place &place) {
  if (!cell.liveInput)
    cell.liveInput = node(position).fallback;
  Firing firing{position, &place, {}, cell.liveInput, std::nullopt};
  for (unsigned i = 0; i < cell.operands.size(); ++i) {
    std::optional<Token> &operand = cell.operands[i];
    const std::optional<rt::Tensor> &constant = node(position).constants[i];
    firing.operands.push_back(operand ? *operand : Token{constant ? *constant : rt::Tensor()});
  }
  makeReady(std::move(firing));
}

void Call::makeReady(Firing firing) {
  ++firing.place->iteration->outstanding;
  ready_.push_back(std::move(firing));
}

} // namespace sluice::interpret
