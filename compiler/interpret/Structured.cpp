// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops with regions, and the ends of these regions.
//
// They do not wait for all of their operands, so each operand makes them fire by itself: a *piece*.
// A branch holds what it captures until its predicate is there; then the ops of the region that is
// taken run under a tag of their own, and the other region's never come into being. A loop is a
// frame; its condition says for each iteration whether values go to the body or out.
#include "compiler/interpret/Call.h"

using namespace mlir;

namespace sluice::interpret {

// Its value if it has come or is a constant.
std::optional<Token> Call::operandOf(const Node &node, const Cell &cell, unsigned operand) {
  if (node.constants[operand])
    return Token{*node.constants[operand]};
  return operand < cell.operands.size() ? cell.operands[operand] : std::nullopt;
}

void Call::firePiece(const Firing &firing) {
  const Node &op = node(firing.node);
  if (isa<flow::YieldOp>(op.op))
    return fireYield(op, *firing.piece, firing.operands[0], firing.tag);
  Cell &cell = cells_[{firing.tag, firing.node}];
  cell.operands.resize(op.constants.size());
  if (firing.piece)
    cell.operands[*firing.piece] = firing.operands[0];
  if (isa<flow::CondOp>(op.op))
    fireCond(op, cell, firing.piece, firing.tag);
  else if (isa<flow::WhileOp>(op.op))
    fireWhile(op, cell, firing.piece, firing.tag);
  else
    fireCondition(op, cell, firing.piece, firing.tag);
}

// Starts what waits for nothing. What is constant at the end of a region is there when it begins.
void Call::begin(const Region &region, const Tag &tag) {
  for (unsigned position : region.nodes) {
    const Node &op = node(position);
    bool isEnd = isa<flow::YieldOp, flow::ConditionOp>(op.op);
    if (!isEnd && op.firesAtStart()) {
      Cell cell;
      cell.operands.resize(op.constants.size());
      makeReady(position, cell, tag);
    }
    // Values that a condition forwards are looked up when it decides.
    unsigned numPieces = !isEnd ? 0 : isa<flow::YieldOp>(op.op) ? op.constants.size() : 1;
    for (unsigned i = 0; i < numPieces; ++i)
      if (op.constants[i])
        makeReady({position, tag, {Token{*op.constants[i]}}, std::nullopt, i});
  }
}

// Whether the predicate, operand 0, has just been found out.
bool Call::decide(const Node &op, Cell &cell) {
  std::optional<Token> predicate = operandOf(op, cell, 0);
  if (cell.fired || !predicate)
    return false;
  cell.fired = true;
  if (predicate->dead)
    return true;
  rt::Result<bool> truth = truthOf(predicate->value);
  if (!truth.ok())
    fail(truth.status().atNode(op.name));
  else
    cell.decision = *truth;
  return truth.ok();
}

//===-- Branches ------------------------------------------------------------------------------===//

void Call::fireCond(const Node &cond, Cell &cell, std::optional<unsigned> piece, const Tag &tag) {
  bool isDecided = decide(cond, cell);
  if (isDecided && !cell.decision)
    return sendAll(cond, {rt::Tensor(), true}, tag);
  if (!cell.decision)
    return;
  const Region &region = cond.regions[*cell.decision ? 0 : 1];
  Tag inside = tag;
  inside.push_back({{}, positionOf(cond) + 1, *cell.decision});
  if (isDecided)
    begin(region, inside);
  for (unsigned i = 1; i < cond.constants.size(); ++i)
    if (auto capture = operandOf(cond, cell, i); capture && (isDecided || piece == i))
      send(region.arguments[i - 1], *capture, inside);
}

void Call::fireYield(const Node &yield, unsigned piece, const Token &token, const Tag &tag) {
  const Node &parent = node(*yield.parent);
  if (isa<flow::CondOp>(parent.op))
    send(parent, piece, token, parentOf(tag));
  else if (!token.dead) // a dead value starts no iteration
    goRound(parent.regions[0].arguments[piece], token, tag);
}

//===-- Loops ---------------------------------------------------------------------------------===//

void Call::fireCondition(const Node &condition, Cell &cell, std::optional<unsigned> piece,
                         const Tag &tag) {
  const Node &loop = node(*condition.parent);
  const FrameId id = frameOf(tag);
  bool isDecided = decide(condition, cell);
  if (isDecided && !cell.decision)
    return sendAll(loop, {rt::Tensor(), true}, id.parent);
  if (!cell.decision)
    return;
  const Region &body = loop.regions[1];
  unsigned numForwarded = condition.constants.size() - 1;
  for (unsigned i = 0; i < numForwarded; ++i) {
    std::optional<Token> value = operandOf(condition, cell, i + 1);
    if (!value || !(isDecided || piece == i + 1))
      continue;
    if (*cell.decision)
      send(body.arguments[i], *value, tag);
    else
      send(loop, i, *value, id.parent);
  }
  if (!isDecided || !*cell.decision)
    return;
  iterations_.at(tag).runsBody = true;
  begin(body, tag);
  unsigned numInits = cast<flow::WhileOp>(loop.op).getInits().size();
  for (const auto &[operand, capture] : frames_.at(id).constants)
    send(body.arguments[numForwarded + operand - numInits], capture, tag);
  static const std::vector<Use> kNobody;
  if (numInits == 0) // nothing else would start the next iteration
    goRound(kNobody, {}, tag);
}

// The first initial value that comes says whether the loop is dead; where all are constants, the
// first capture.
void Call::fireWhile(const Node &loop, Cell &cell, std::optional<unsigned> piece, const Tag &tag) {
  auto op = cast<flow::WhileOp>(loop.op);
  const FrameId id{tag, {op.getFrame().data(), op.getFrame().size()}, positionOf(loop) + 1};
  if (!cell.fired) {
    unsigned numInits = op.getInits().size();
    bool waitsForInit = false;
    for (unsigned i = 0; i < numInits; ++i)
      waitsForInit |= !loop.constants[i];
    if (waitsForInit && piece >= numInits)
      return;
    cell.fired = true;
    Frame &frame = makeFrame(id, op.getParallelIterations(), loop.numTokens()).second;
    frame.loop = &loop;
    frame.dead = piece && cell.operands[*piece]->dead;
    openIteration(id, frame);
    if (frame.dead)
      sendAll(loop, {rt::Tensor(), true}, tag);
    for (unsigned i = 0; i < loop.constants.size(); ++i)
      if (auto operand = operandOf(loop, cell, i))
        bringIn(loop, i, *operand, id, frame);
  } else {
    bringIn(loop, *piece, *cell.operands[*piece], id, frames_.at(id));
  }
  settle(id.iteration(0));
}

void Call::bringIn(const Node &loop, unsigned operand, const Token &token, const FrameId &id,
                   Frame &frame) {
  frame.entersArrived += !loop.constants[operand];
  unsigned numInits = cast<flow::WhileOp>(loop.op).getInits().size();
  bool isInit = operand < numInits;
  if (isInit && !loop.constants[operand] && token.dead != frame.dead)
    return fail(
        rt::invalidArgument("expected initial values that are dead all or none, but value " +
                            std::to_string(operand) + " differs")
            .atNode(loop.name));
  if (frame.dead)
    return;
  if (isInit)
    return send(loop.regions[0].arguments[operand], token, id.iteration(0));
  frame.constants[operand] = token;
  unsigned numForwarded = loop.uses.size();
  for (uint64_t n = frame.oldest; n < frame.next; ++n) {
    Tag tag = id.iteration(n);
    send(loop.regions[0].arguments[operand], token, tag);
    if (iterations_.at(tag).runsBody)
      send(loop.regions[1].arguments[numForwarded + operand - numInits], token, tag);
  }
}

void Call::beginIteration(const Frame &frame, const Tag &tag) {
  if (frame.dead)
    return;
  begin(frame.loop->regions[0], tag);
  for (const auto &[operand, capture] : frame.constants)
    send(frame.loop->regions[0].arguments[operand], capture, tag);
}

} // namespace sluice::interpret
