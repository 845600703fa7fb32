// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and verifiers of the exe dialect.
#include "dialects/exe/Exe.h"

#include "dialects/flow/Compatible.h"
#include "dialects/list/List.h"
#include "runtime/program/node_kind.h"

#include "mlir/IR/Builders.h"
#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/ADT/TypeSwitch.h"

#include "dialects/exe/ExeDialect.cpp.inc"
#include "dialects/exe/ExeEnums.cpp.inc"
#define GET_OP_CLASSES
#include "dialects/exe/ExeOps.cpp.inc"

using namespace mlir;
using namespace sluice::exe;

void ExeDialect::initialize() {
  addOperations<
#define GET_OP_LIST
#include "dialects/exe/ExeOps.cpp.inc"
      >();
}

LogicalResult ResourceOp::verify() {
  StringRef kind = getKind();
  if (!rt::resourceKindOf({kind.data(), kind.size()})) // C1
    return emitOpError(
               "expected kind \"variable\", \"generator\" or that of a shared object but got ")
           << getKindAttr();
  if (getKind() == "variable" && !isa<TensorType, sluice::list::OfType>(getType()))
    return emitOpError("expected a tensor type or a list but got ") << getType(); // C2
  std::optional<ElementsAttr> initial = getInitial();
  if (initial && !sluice::flow::mayBecome(initial->getType(), getType())) // C3
    return emitOpError("expected an initial value of type ")
           << getType() << " but got one of type " << initial->getType();
  return success();
}

static LogicalResult verifyCodelet(const llvm::StringMap<CodeletOp> &codelets, NodeOp node) {
  if (!node.getCodelet())
    return success();
  CodeletOp codelet = codelets.lookup(*node.getCodelet());
  if (!codelet)
    return node.emitOpError("expected a codelet of the signature but got ")
           << node.getCodeletAttr();
  FunctionType type = codelet.getFunctionType();
  if (TypeRange(type.getInputs()) != TypeRange(node.getInputs().getTypes()) ||
      TypeRange(type.getResults()) != TypeRange(node.getResultTypes())) {
    auto diagnostic = node.emitOpError("expected inputs and outputs as those of its codelet");
    diagnostic.attachNote(codelet.getLoc()) << "this one, of type " << type;
    return diagnostic;
  }
  return success();
}

// After the rows, on whose own constraints these checks rely.
LogicalResult SignatureOp::verifyRegions() {
  auto frames = getBody().getOps<FrameOp>();
  int64_t count = std::distance(frames.begin(), frames.end());
  if (count == 0 || (*frames.begin()).getParent() != 0 || (*frames.begin()).getWindow() != 1)
    return emitOpError("expected the root as the first frame"); // C1
  llvm::StringMap<CodeletOp> codelets; // to search the block for each node would be quadratic
  for (auto codelet : getBody().getOps<CodeletOp>())
    codelets[codelet.getSymName()] = codelet;
  for (auto node : getBody().getOps<NodeOp>()) {
    if (node.getFrame() >= static_cast<uint64_t>(count)) // C2
      return node.emitOpError("expected a frame below ") << count << " but got " << node.getFrame();
    if (failed(verifyCodelet(codelets, node))) // C3
      return failure();
  }
  return success();
}

// C4
static LogicalResult verifyCalls(CodeletOp op) {
  auto yield = op.getBody().hasOneBlock() && !op.getBody().front().empty()
                   ? dyn_cast<YieldOp>(op.getBody().front().back())
                   : YieldOp();
  if (!yield || !yield.getValues().empty() || op.getBody().getNumArguments() != 0)
    return op.emitOpError("expected a block of calls that yields nothing");
  for (Operation &inner : op.getBody().front().without_terminator())
    if (!isa<CallOp, ConstantOp>(inner))
      return inner.emitOpError("expected only calls and constants in a codelet with boxes");
  std::optional<ArrayRef<int64_t>> outputs = op.getOutputBoxes();
  if (!outputs || outputs->size() != op.getFunctionType().getNumResults())
    return op.emitOpError("expected a number of a box, or -1, for each result");
  return success();
}

LogicalResult CodeletOp::verifyRegions() {
  if (getBody().empty() && !getCode())
    return emitOpError("expected code or members"); // C3
  if (getBoxes())
    return verifyCalls(*this);
  if (getBody().empty())
    return success();
  FunctionType type = getFunctionType();
  Block &block = getBody().front();
  auto yield = block.empty() ? YieldOp() : dyn_cast<YieldOp>(block.back());
  bool fits = yield && getBody().hasOneBlock() &&
              TypeRange(block.getArgumentTypes()) == TypeRange(type.getInputs()) &&
              TypeRange(yield.getValues().getTypes()) == TypeRange(type.getResults());
  if (!fits) // C2
    return emitOpError("expected a block that takes the inputs and yields the results of ") << type;
  for (Operation &op : block.without_terminator())
    if (!isa<MemberOp, ConstantOp>(op)) // C2
      return op.emitOpError("expected only members and constants in a codelet");
  return success();
}

LogicalResult FrameOp::verify() {
  if (auto window = static_cast<int64_t>(getWindow()); window < 1) // C1
    return emitOpError("expected a window of at least 1 but got ") << window;
  return success();
}

LogicalResult NodeOp::verify() {
  if ((getKind() == NodeKind::Kernel) != getKernel().has_value())
    return emitOpError("expected a kernel exactly for nodes of kind kernel"); // C1
  bool enters = getKind() == NodeKind::Enter || getKind() == NodeKind::Call;
  if (enters != getChild().has_value()) // C2
    return emitOpError("expected a child frame exactly for nodes of kind enter or call");
  bool onWire = getKind() == NodeKind::Send || getKind() == NodeKind::Recv;
  if (onWire != getEdge().has_value() || onWire != getPeer().has_value())
    return emitOpError("expected an edge and a peer exactly for nodes of kind send or recv"); // C3
  if ((getKind() == NodeKind::Codelet) != getCodelet().has_value())
    return emitOpError("expected a codelet exactly for nodes of kind codelet"); // C4
  return success();
}
