// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The flow dialect: registration and verifiers.
#include "dialects/flow/Flow.h"
#include "dialects/flow/Compatible.h"
#include "dialects/flow/FrameAnalysis.h"
#include "dialects/interfaces/ResultShapes.h"

#include "mlir/IR/DialectImplementation.h"
#include "mlir/IR/TypeUtilities.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/flow/FlowDialect.cpp.inc"
#define GET_TYPEDEF_CLASSES
#include "dialects/flow/FlowTypes.cpp.inc"
#include "dialects/flow/TokenGraph.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/flow/FlowOps.cpp.inc"

using namespace mlir;
using namespace sluice::flow;

void FlowDialect::initialize() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/flow/FlowTypes.cpp.inc"
      >();
  addOperations<
#define GET_OP_LIST
#include "dialects/flow/FlowOps.cpp.inc"
      >();
}

// Looks for a cycle of ops that does not pass through next_iteration. Iterative depth-first search:
// chains of 100,000 ops are normal.
static Operation *findIllegalCycle(Block &block) {
  enum class Mark : uint8_t { kOpen, kDone };
  DenseMap<Operation *, Mark> marks;
  SmallVector<std::pair<Operation *, unsigned>> path;
  for (Operation &root : block) {
    if (marks.count(&root))
      continue;
    marks[&root] = Mark::kOpen;
    path.push_back({&root, 0});
    while (!path.empty()) {
      auto &[op, next] = path.back();
      if (next == op->getNumOperands()) {
        marks[op] = Mark::kDone;
        path.pop_back();
        continue;
      }
      Operation *producer = op->getOperand(next++).getDefiningOp();
      if (!producer || isa<NextIterationOp>(producer))
        continue;
      auto [it, isNew] = marks.try_emplace(producer, Mark::kOpen);
      if (isNew)
        path.push_back({producer, 0});
      else if (it->second == Mark::kOpen)
        return producer;
    }
  }
  return nullptr;
}

LogicalResult sluice::flow::verifyTokenGraph(TokenGraph graph) {
  if (Operation *op = findIllegalCycle(graph.getBody().front())) // C2
    return op->emitOpError("expected every cycle to pass through flow.next_iteration");
  if (!FrameAnalysis::run(graph)) // C3
    return failure();
  WalkResult shapes = graph.getBody().walk([](Operation *op) { // C4
    return failed(verifyResultShapes(op)) ? WalkResult::interrupt() : WalkResult::advance();
  });
  return failure(shapes.wasInterrupted());
}

LogicalResult GraphOp::verifyRegions() {
  llvm::StringSet<> feeds;
  for (auto feed : getBody().getOps<FeedOp>()) // C1
    if (!feeds.insert(feed.getName()).second)
      return feed.emitOpError("expected feeds of different names but got '")
             << feed.getName() << "' twice";
  for (Operation &op : getBody().front())
    if (getInitializes() && isa<FeedOp, FetchOp>(op)) // C5
      return op.emitOpError("expected no feeds and fetches in a graph that initializes");
  return verifyTokenGraph(*this);
}

static LogicalResult verifyName(Operation *op, StringRef name) {
  if (name.empty())
    return op->emitOpError("expected a name but got an empty one"); // C1
  return success();
}

LogicalResult FeedOp::verify() { return verifyName(*this, getName()); }
LogicalResult FetchOp::verify() { return verifyName(*this, getName()); }
LogicalResult TargetOp::verify() { return verifyName(*this, getName()); }

static LogicalResult verifySomeTokens(Operation *op, OperandRange tokens) {
  if (tokens.empty())
    return op->emitOpError("expected at least one token");
  return success();
}

LogicalResult JoinOp::verify() { return verifySomeTokens(*this, getTokens()); }    // C1
LogicalResult TriggerOp::verify() { return verifySomeTokens(*this, getTokens()); } // C1
LogicalResult GateOp::verify() { return verifySomeTokens(*this, getTokens()); }    // C2

// One that is no scalar fails where it is asked, as in TensorFlow: a part of a graph that is dead
// may have such.
LogicalResult sluice::flow::verifyPredicate(Operation *op, Value predicate) {
  auto tensor = dyn_cast<TensorType>(predicate.getType());
  if (!tensor || !tensor.getElementType().isInteger(1))
    return op->emitOpError("expected a predicate of i1 but got ") << predicate.getType();
  return success();
}

LogicalResult SwitchOp::verify() { return verifyPredicate(*this, getPredicate()); } // C2

static unsigned countValues(OperandRange operands) {
  unsigned n = 0;
  while (n < operands.size() && !isa<TokenType>(operands[n].getType()))
    ++n;
  return n;
}

OperandRange MergeOp::getValues() { return getOperands_().take_front(countValues(getOperands_())); }
OperandRange MergeOp::getTokens() { return getOperands_().drop_front(countValues(getOperands_())); }

bool sluice::flow::mayBecome(Type a, Type b) {
  if (a == b)
    return true;
  auto x = dyn_cast<TensorType>(a), y = dyn_cast<TensorType>(b);
  return x && y && x.getElementType() == y.getElementType() &&
         succeeded(verifyCompatibleShape(x, y));
}

LogicalResult MergeOp::verify() {
  if (getValues().empty()) // C1
    return emitOpError("expected at least one value");
  for (Value token : getTokens())
    if (!isa<TokenType>(token.getType()))
      return emitOpError("expected control tokens after the values but got ") << token.getType();
  for (Value value : getValues()) // C2
    if (!mayBecome(value.getType(), getValue().getType()))
      return emitOpError("expected values that can be ")
             << getValue().getType() << " but got " << value.getType();
  auto index = dyn_cast<TensorType>(getIndex().getType());
  if (!index || !index.getElementType().isInteger(32) || (index.hasRank() && index.getRank() != 0))
    return emitOpError("expected an index of tensor<i32> but got ") << getIndex().getType(); // C3
  return success();
}

LogicalResult EnterOp::verify() {
  if (getFrame().empty())
    return emitOpError("expected a frame name but got an empty one");          // C2
  if (auto window = static_cast<int64_t>(getParallelIterations()); window < 1) // C3
    return emitOpError("expected parallel_iterations of at least 1 but got ") << window;
  return success();
}

LogicalResult NextIterationOp::verify() {
  for (Operation *user : getResult().getUsers())
    if (!isa<MergeOp>(user)) // C2
      return emitOpError("expected only flow.merge to use the result but got ") << user->getName();
  return success();
}
