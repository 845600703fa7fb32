// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From a codelet's region to the list of its members, or to its table of errors.
#include "compiler/emit/BuildCodelet.h"

#include "compiler/codegen/Boxes.h"
#include "compiler/codegen/CardWork.h"
#include "compiler/codegen/CompileCodelets.h"
#include "dialects/flow/CodeletSymbol.h"
#include "dialects/interfaces/KernelOps.h"
#include "dialects/interfaces/NodeName.h"
#include "dialects/interfaces/OpWork.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/IRMapping.h"

using namespace mlir;

namespace sluice::emit {

FailureOr<KernelReference> kernelReference(Operation *op) {
  const rt::KernelEntry *entry = kernelOf(op);
  if (!entry)
    return op->emitOpError("has no kernel for these element types");
  Builder b(op->getContext());
  SmallVector<Attribute> arguments;
  for (Attribute attribute : kernelAttributes(op))
    arguments.push_back(attribute ? attribute : b.getUnitAttr());
  return KernelReference{b.getStringAttr(StringRef(entry->symbol.data(), entry->symbol.size())),
                         b.getArrayAttr(arguments)};
}

static bool isFloatValued(Operation *op) {
  return llvm::any_of(op->getResultTypes(), [](Type type) {
    auto tensor = dyn_cast<TensorType>(type);
    return tensor && isa<FloatType>(tensor.getElementType());
  });
}

// Members replace the code only where every op runs once.
static bool isStraightLine(flow::CodeletOp codelet) {
  return llvm::all_of(codelet.getBody().front(),
                      [](Operation &op) { return op.getNumRegions() == 0; });
}

// Of a straight line whose shapes are all known.
static std::optional<uint64_t> workOf(flow::CodeletOp codelet) {
  uint64_t sum = 0;
  for (Operation &op : codelet.getBody().front()) {
    if (!isKernelOp(&op))
      continue;
    std::optional<uint64_t> work = sluice::workOf(&op);
    if (!work)
      return std::nullopt;
    sum += *work;
  }
  return sum;
}

static LogicalResult buildMembers(flow::CodeletOp codelet, exe::CodeletOp row, OpBuilder &b) {
  Block &from = codelet.getBody().front();
  Block *to = b.createBlock(&row.getBody());
  IRMapping values;
  for (BlockArgument argument : from.getArguments())
    values.map(argument, to->addArgument(argument.getType(), argument.getLoc()));
  auto operands = [&](Operation &op) {
    return llvm::map_to_vector(op.getOperands(), [&](Value v) { return values.lookup(v); });
  };
  for (Operation &op : from.without_terminator()) {
    if (auto constant = dyn_cast<nd::ConstantOp>(op)) {
      values.map(constant.getResult(),
                 exe::ConstantOp::create(b, op.getLoc(), constant.getType(), constant.getValue())
                     .getResult());
      continue;
    }
    FailureOr<KernelReference> kernel = kernelReference(&op);
    if (failed(kernel))
      return failure();
    auto member =
        exe::MemberOp::create(b, op.getLoc(), op.getResultTypes(), nodeNameOf(op.getLoc()),
                              operands(op), kernel->symbol, kernel->arguments);
    values.map(op.getResults(), member.getResults());
  }
  exe::YieldOp::create(b, codelet.getLoc(), operands(*from.getTerminator()));
  return success();
}

// ---- Kernels that the code calls ----------------------------------------------------------------

static unsigned boxesOf(flow::CodeletOp codelet) {
  int64_t highest = -1;
  auto add = [&](int64_t box) { highest = std::max(highest, box); };
  codelet.getBody().walk([&](Operation *op) {
    if (auto put = dyn_cast<flow::BoxPutOp>(op))
      add(put.getBox());
    else if (auto get = dyn_cast<flow::BoxGetOp>(op))
      add(get.getBox());
    else if (auto move = dyn_cast<flow::BoxMoveOp>(op))
      llvm::for_each(ArrayRef<int64_t>{static_cast<int64_t>(move.getFrom()),
                                       static_cast<int64_t>(move.getTo())},
                     add);
    else if (auto run = dyn_cast<flow::BoxRunOp>(op))
      llvm::for_each(run.getResults(), add);
  });
  return static_cast<unsigned>(highest + 1);
}

static LogicalResult buildCall(flow::BoxRunOp run, OpBuilder &b) {
  Operation *op = run.getOp();
  FailureOr<KernelReference> kernel = kernelReference(op);
  if (failed(kernel))
    return failure();
  SmallVector<int64_t> inputs;
  SmallVector<Value> constants;
  for (Value operand : op->getOperands()) {
    if (auto argument = dyn_cast<BlockArgument>(operand)) {
      inputs.push_back(run.getInputs()[argument.getArgNumber()]);
      continue;
    }
    auto constant = operand.getDefiningOp<nd::ConstantOp>();
    inputs.push_back(-1);
    constants.push_back(
        exe::ConstantOp::create(b, op->getLoc(), constant.getType(), constant.getValue()));
  }
  exe::CallOp::create(b, op->getLoc(), constants, inputs, kernel->symbol, kernel->arguments,
                      run.getResults(), b.getTypeArrayAttr(llvm::to_vector(op->getResultTypes())));
  return success();
}

static LogicalResult buildCalls(flow::CodeletOp codelet, exe::CodeletOp row, OpBuilder &b) {
  SmallVector<int64_t> outputs;
  for (Value value : codelet.getBody().front().getTerminator()->getOperands()) {
    auto get = value.getDefiningOp<flow::BoxGetOp>();
    outputs.push_back(get && get->getBlock() == &codelet.getBody().front() &&
                              codegen::isBoxedOutput(get)
                          ? static_cast<int64_t>(get.getBox())
                          : -1);
  }
  row.setBoxes(boxesOf(codelet));
  row.setOutputBoxes(outputs);
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&row.getBody());
  for (flow::BoxRunOp run : codegen::callsOf(codelet))
    if (failed(buildCall(run, b)))
      return failure();
  exe::YieldOp::create(b, codelet.getLoc(), ValueRange());
  return success();
}

static void addErrorTable(flow::CodeletOp codelet, exe::CodeletOp row, OpBuilder &b) {
  SmallVector<StringRef> names;
  for (Operation *member : codegen::codeletMembers(codelet))
    names.push_back(nodeNameOf(member->getLoc()));
  row.setErrorMembersAttr(b.getStrArrayAttr(names));
  row.setErrorReasonsAttr(b.getStrArrayAttr(codegen::failureReasons()));
}

FailureOr<exe::CodeletOp> buildCodelet(flow::CodeletOp codelet, StringRef symbol, OpBuilder &b) {
  auto code = codelet->getAttrOfType<StringAttr>(flow::kSymbolAttr);
  bool straightLine = isStraightLine(codelet);
  if (!code && !straightLine)
    return codelet.emitOpError("expected '")
           << flow::kSymbolAttr << "', since loops and branches run only as machine code";
  int64_t floatOps = llvm::count_if(codelet.getBody().front(), [](Operation &op) {
    return isKernelOp(&op) && isFloatValued(&op);
  });
  auto type = b.getFunctionType(codelet.getOperandTypes(), codelet.getResultTypes());
  auto row = exe::CodeletOp::create(b, codelet.getLoc(), symbol, type, code, floatOps,
                                    /*work=*/IntegerAttr(), /*error_members=*/ArrayAttr(),
                                    /*error_reasons=*/ArrayAttr(), /*boxes=*/IntegerAttr(),
                                    /*output_boxes=*/DenseI64ArrayAttr(),
                                    codelet->getAttrOfType<IntegerAttr>(codegen::kStreamAttr));
  if (!straightLine) {
    addErrorTable(codelet, row, b);
    if (boxesOf(codelet) > 0 && failed(buildCalls(codelet, row, b)))
      return failure();
    return row;
  }
  if (std::optional<uint64_t> work = workOf(codelet))
    row.setWork(*work);
  OpBuilder::InsertionGuard guard(b);
  if (failed(buildMembers(codelet, row, b)))
    return failure();
  return row;
}

} // namespace sluice::emit
