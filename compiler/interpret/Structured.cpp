// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Branches and loops with regions, and the ends of these regions.
//
// They do not wait for all of their operands, so each operand makes them fire by itself: a *piece*.
// A branch holds what it captures until its predicate is there; then the ops of the region that is
// taken run in a place of their own, and the other region's never come into being. A loop is a
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
    return fireYield(op, *firing.piece, firing.operands[0], *firing.place);
  Cell &cell = firing.place->cells[firing.node];
  cell.operands.resize(op.constants.size());
  if (firing.piece) {
    cell.operands[*firing.piece] = firing.operands[0];
    ++cell.numArrived;
  }
  if (isa<flow::CondOp>(op.op))
    fireCond(op, cell, firing.piece, *firing.place);
  else if (isa<flow::WhileOp>(op.op))
    fireWhile(op, cell, firing.piece, *firing.place);
  else
    fireCondition(op, cell, firing.piece, *firing.place);
}

// Starts what waits for nothing. What is constant at the end of a region is there when it begins.
void Call::begin(const Region &region, Place &place) {
  for (unsigned position : region.nodes) {
    const Node &op = node(position);
    bool isEnd = isa<flow::YieldOp, flow::ConditionOp>(op.op);
    if (!isEnd && op.firesAtStart()) {
      Cell cell;
      cell.operands.resize(op.constants.size());
      makeReady(position, cell, place);
    }
    // Values that a condition forwards are looked up when it decides.
    unsigned numPieces = !isEnd ? 0 : isa<flow::YieldOp>(op.op) ? op.constants.size() : 1;
    for (unsigned i = 0; i < numPieces; ++i)
      if (op.constants[i])
        makeReady({position, &place, {Token{*op.constants[i]}}, std::nullopt, i});
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

void Call::fireCond(const Node &cond, Cell &cell, std::optional<unsigned> piece, Place &place) {
  bool isDecided = decide(cond, cell);
  if (isDecided && !cell.decision)
    return sendAll(cond, {rt::Tensor(), true}, place);
  if (!cell.decision)
    return;
  const Region &region = cond.regions[*cell.decision ? 0 : 1];
  std::unique_ptr<Place> &branch = place.branches[{positionOf(cond), *cell.decision}];
  if (isDecided) {
    branch = std::make_unique<Place>(place);
    begin(region, *branch);
  }
  for (unsigned i = 1; i < cond.constants.size(); ++i)
    if (auto capture = operandOf(cond, cell, i); capture && (isDecided || piece == i))
      send(region.arguments[i - 1], *capture, *branch);
}

void Call::fireYield(const Node &yield, unsigned piece, const Token &token, Place &place) {
  const Node &parent = node(*yield.parent);
  if (isa<flow::CondOp>(parent.op))
    send(parent, piece, token, *place.around);
  else if (token.dead)
    stayDead(parent.regions[0].arguments[piece], place);
  else
    goRound(parent.regions[0].arguments[piece], token, place);
}

//===-- Loops ---------------------------------------------------------------------------------===//

void Call::fireCondition(const Node &condition, Cell &cell, std::optional<unsigned> piece,
                         Place &place) {
  const Node &loop = node(*condition.parent);
  Frame &frame = *place.frame;
  bool isDecided = decide(condition, cell);
  if (isDecided && !cell.decision)
    return sendAll(loop, {rt::Tensor(), true}, *frame.around);
  if (!cell.decision)
    return;
  const Region &body = loop.regions[1];
  unsigned numForwarded = condition.constants.size() - 1;
  for (unsigned i = 0; i < numForwarded; ++i) {
    std::optional<Token> value = operandOf(condition, cell, i + 1);
    if (!value || !(isDecided || piece == i + 1))
      continue;
    if (*cell.decision)
      send(body.arguments[i], *value, place);
    else
      send(loop, i, *value, *frame.around);
  }
  if (!isDecided || !*cell.decision)
    return;
  place.runsBody = true;
  begin(body, place);
  unsigned numInits = cast<flow::WhileOp>(loop.op).getInits().size();
  for (const auto &[operand, capture] : frame.constants)
    send(body.arguments[numForwarded + operand - numInits], capture, place);
  static const std::vector<Use> kNobody;
  if (numInits == 0) // nothing else would start the next iteration
    goRound(kNobody, {}, place);
}

// The first initial value that comes says whether the loop is dead; where all are constants, the
// first capture.
void Call::fireWhile(const Node &loop, Cell &cell, std::optional<unsigned> piece, Place &place) {
  auto op = cast<flow::WhileOp>(loop.op);
  const Frame::Key key{{op.getFrame().data(), op.getFrame().size()}, positionOf(loop) + 1};
  if (cell.fired) {
    Frame &frame = place.frames.at(key);
    bringIn(loop, *piece, *cell.operands[*piece], frame);
    return settle(&frame);
  }
  unsigned numInits = op.getInits().size();
  bool waitsForInit = false;
  for (unsigned i = 0; i < numInits; ++i)
    waitsForInit |= !loop.constants[i];
  if (waitsForInit && piece >= numInits)
    return;
  cell.fired = true;
  Frame &frame = makeFrame(key, place, op.getParallelIterations(), loop.numTokens);
  frame.loop = &loop;
  frame.dead = piece && cell.operands[*piece]->dead;
  openIteration(frame);
  if (frame.dead)
    sendAll(loop, {rt::Tensor(), true}, place);
  for (unsigned i = 0; i < loop.constants.size(); ++i)
    if (auto operand = operandOf(loop, cell, i))
      bringIn(loop, i, *operand, frame);
  settle(&frame);
}

void Call::bringIn(const Node &loop, unsigned operand, const Token &token, Frame &frame) {
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
    return send(loop.regions[0].arguments[operand], token, frame.first());
  frame.constants[operand] = token;
  unsigned numForwarded = loop.uses.size();
  for (auto &[number, iteration] : frame.iterations) {
    send(loop.regions[0].arguments[operand], token, *iteration);
    if (iteration->runsBody)
      send(loop.regions[1].arguments[numForwarded + operand - numInits], token, *iteration);
  }
}

void Call::beginIteration(const Frame &frame, Place &place) {
  if (frame.dead)
    return;
  begin(frame.loop->regions[0], place);
  for (const auto &[operand, capture] : frame.constants)
    send(frame.loop->regions[0].arguments[operand], capture, place);
}

} // namespace sluice::interpret
