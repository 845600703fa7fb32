// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The functions of a codelet and the table that names them (runtime/codelet/abi.h).
#include "compiler/codegen/cpu/EmitCodelet.h"

#include "compiler/codegen/cpu/CallLayout.h"
#include "compiler/codegen/cpu/Emitter.h"
#include "compiler/codegen/plan/Cards.h"
#include "compiler/codegen/plan/InPlace.h"
#include "runtime/codelet/abi.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/ControlFlow/IR/ControlFlowOps.h"

using namespace mlir;

namespace sluice::codegen {

// A function from a SluiceCodeletCall to a status; the builder is in it afterwards.
static func::FuncOp beginFunction(ImplicitLocOpBuilder &b, ModuleOp module, const Twine &name) {
  b.setInsertionPointToEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto function =
      func::FuncOp::create(b, name.str(), b.getFunctionType({pointer}, {b.getI32Type()}));
  b.setInsertionPointToStart(function.addEntryBlock());
  return function;
}

static void returnStatus(ImplicitLocOpBuilder &b, int64_t status) {
  func::ReturnOp::create(b, ValueRange{arith::ConstantIntOp::create(b, status, 32)});
}

// ---- sizes --------------------------------------------------------------------------------------

static bool needsSizes(flow::CodeletOp codelet, const ShapeSymbols &shapes, const Arena &arena) {
  ValueRange outputs = codelet.getBody().front().getTerminator()->getOperands();
  bool staticOutputs = llvm::all_of(outputs, [](Value output) {
    return !isWritten(output) || cast<ShapedType>(output.getType()).hasStaticShape();
  });
  return !staticOutputs || arena.hasDynamicSlots() || !shapes.guards().empty();
}

static void emitSizes(ImplicitLocOpBuilder &b, func::FuncOp function, flow::CodeletOp codelet,
                      const ShapeSymbols &shapes, const Arena &arena) {
  Value call = function.getArgument(0);
  Value outputs = loadCallField(b, call, CallField::kOutputs);
  Value inputs = loadCallField(b, call, CallField::kInputs);
  EntryDims dims(b, shapes, inputs);
  if (Value ok = dims.guardsHold()) {
    Block *rest = b.getInsertionBlock()->splitBlock(b.getInsertionPoint());
    Block *bail = function.addBlock();
    cf::CondBranchOp::create(b, ok, rest, bail);
    b.setInsertionPointToEnd(bail);
    returnStatus(b, kSluiceBail);
    b.setInsertionPointToEnd(rest);
  }
  Operation *yield = codelet.getBody().front().getTerminator();
  for (OpOperand &output : yield->getOpOperands()) {
    if (!isWritten(output.get()))
      continue;
    for (auto [dim, size] : llvm::enumerate(dims.get(shapes.dims(output.get()))))
      storeDim(b, outputs, output.getOperandNumber(), static_cast<unsigned>(dim), size);
  }
  storeCallField(b, call, CallField::kArenaBytes, arena.bytes(b, dims));
  returnStatus(b, kSluiceOk);
}

// ---- The table ----------------------------------------------------------------------------------

// A constant array of the words of SluiceCodelet's inPlace; null without words.
static LLVM::GlobalOp addInPlace(ImplicitLocOpBuilder &b, StringRef symbol,
                                 DenseI32ArrayAttr words) {
  if (!words)
    return nullptr;
  auto type = LLVM::LLVMArrayType::get(b.getI32Type(), static_cast<unsigned>(words.size()));
  return LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                (symbol + "_in_place").str(),
                                b.getI32TensorAttr(words.asArrayRef()));
}

// The table of cells: input, output, dtype, states, zeros, rank, and the dims of a row.
static LLVM::GlobalOp addCells(ImplicitLocOpBuilder &b, StringRef symbol, ArrayAttr rows) {
  if (!rows)
    return nullptr;
  Type i32 = b.getI32Type(), pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                               {i32, i32, i32, i32, i32, i32, i32, pointer});
  auto array = LLVM::LLVMArrayType::get(type, static_cast<unsigned>(rows.size()));
  SmallVector<LLVM::GlobalOp> dims;
  for (auto [i, row] : llvm::enumerate(rows)) {
    auto sizes = cast<DenseI64ArrayAttr>(cast<ArrayAttr>(row)[1]).asArrayRef();
    SmallVector<int64_t> values(sizes);
    values.push_back(0); // also for scalars there is something
    auto sizesType = LLVM::LLVMArrayType::get(b.getI64Type(), static_cast<unsigned>(values.size()));
    dims.push_back(LLVM::GlobalOp::create(b, sizesType, true, LLVM::Linkage::Internal,
                                          (symbol + "_row_" + Twine(i)).str(),
                                          b.getI64TensorAttr(values)));
  }
  auto table = LLVM::GlobalOp::create(b, array, true, LLVM::Linkage::Internal,
                                      (symbol + "_cells").str(), Attribute());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&table.getInitializerRegion());
  Value value = LLVM::PoisonOp::create(b, array);
  for (auto [i, row] : llvm::enumerate(rows)) {
    auto numbers = cast<DenseI32ArrayAttr>(cast<ArrayAttr>(row)[0]).asArrayRef();
    for (auto [k, number] : llvm::enumerate(numbers))
      value = LLVM::InsertValueOp::create(
          b, value, LLVM::ConstantOp::create(b, b.getI32IntegerAttr(number)),
          ArrayRef<int64_t>{static_cast<int64_t>(i), static_cast<int64_t>(k)});
    value = LLVM::InsertValueOp::create(
        b, value, LLVM::AddressOfOp::create(b, dims[i]),
        ArrayRef<int64_t>{static_cast<int64_t>(i), static_cast<int64_t>(numbers.size())});
  }
  LLVM::ReturnOp::create(b, value);
  return table;
}

// As an attribute of the body, for the table.
static ArrayAttr cellsAttr(Builder &b, flow::CodeletOp codelet, const ShapeSymbols &shapes) {
  SmallVector<Attribute> rows;
  for (const CellRow &row : cellRows(codelet, shapes)) {
    int32_t numbers[] = {row.input,
                         row.output,
                         row.dtype,
                         row.withStates,
                         row.changes,
                         row.emptyIsZeros,
                         static_cast<int32_t>(row.dims.size())};
    rows.push_back(
        b.getArrayAttr({b.getDenseI32ArrayAttr(numbers), b.getDenseI64ArrayAttr(row.dims)}));
  }
  return rows.empty() ? ArrayAttr() : b.getArrayAttr(rows);
}

// The names and sizes of a card codelet's kernels; null without kernels.
static LLVM::GlobalOp addKernels(ImplicitLocOpBuilder &b, StringRef symbol, ArrayAttr kernels) {
  if (!kernels)
    return nullptr;
  Type i32 = b.getI32Type(), pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(), {pointer, i32});
  auto array = LLVM::LLVMArrayType::get(type, static_cast<unsigned>(kernels.size()));
  SmallVector<LLVM::GlobalOp> names;
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    std::string name = cast<DictionaryAttr>(kernel).getAs<StringAttr>("name").str();
    name.push_back('\0');
    auto text = LLVM::LLVMArrayType::get(b.getI8Type(), static_cast<unsigned>(name.size()));
    names.push_back(LLVM::GlobalOp::create(b, text, true, LLVM::Linkage::Internal,
                                           (symbol + "_kernel_" + Twine(i)).str(),
                                           b.getStringAttr(name)));
  }
  auto table = LLVM::GlobalOp::create(b, array, true, LLVM::Linkage::Internal,
                                      (symbol + "_kernels").str(), Attribute());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&table.getInitializerRegion());
  Value value = LLVM::PoisonOp::create(b, array);
  for (auto [i, kernel] : llvm::enumerate(kernels)) {
    auto at = static_cast<int64_t>(i);
    auto threads = cast<DictionaryAttr>(kernel).getAs<IntegerAttr>("threads").getInt();
    value = LLVM::InsertValueOp::create(b, value, LLVM::AddressOfOp::create(b, names[i]),
                                        ArrayRef<int64_t>{at, 0});
    value = LLVM::InsertValueOp::create(
        b, value, LLVM::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(threads))),
        ArrayRef<int64_t>{at, 1});
  }
  LLVM::ReturnOp::create(b, value);
  return table;
}

// The steps of the loop that a card runs by itself; null without.
static LLVM::GlobalOp addLoop(ImplicitLocOpBuilder &b, StringRef symbol, DictionaryAttr loop,
                              StringRef conditions) {
  if (!loop)
    return nullptr;
  Type i32 = b.getI32Type(), pointer = LLVM::LLVMPointerType::get(b.getContext());
  SmallVector<int32_t> rows;
  SmallVector<Value> fields;
  auto number = [&](int64_t value) {
    return LLVM::ConstantOp::create(b, b.getI32IntegerAttr(static_cast<int32_t>(value)));
  };
  constexpr StringLiteral kParts[] = {"enter", "body", "exit", "resume"};
  for (StringRef part : kParts)
    llvm::append_range(rows, loop.getAs<DenseI32ArrayAttr>(part).asArrayRef());
  rows.resize(rows.size() + 4); // also without steps there is something
  auto stepsType = LLVM::LLVMArrayType::get(i32, rows.size());
  auto steps = LLVM::GlobalOp::create(b, stepsType, true, LLVM::Linkage::Internal,
                                      (symbol + "_steps").str(), b.getI32TensorAttr(rows));
  auto type = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                               {i32, i32, i32, i32, i32, i32, pointer, pointer});
  auto table = LLVM::GlobalOp::create(b, type, true, LLVM::Linkage::Internal,
                                      (symbol + "_loop").str(), Attribute());
  OpBuilder::InsertionGuard guard(b);
  b.createBlock(&table.getInitializerRegion());
  fields = {number(loop.getAs<IntegerAttr>("words").getInt()),
            number(loop.getAs<BoolAttr>("block").getValue())};
  for (StringRef part : kParts)
    fields.push_back(number(loop.getAs<DenseI32ArrayAttr>(part).size() / 4));
  fields.push_back(LLVM::AddressOfOp::create(b, steps));
  fields.push_back(LLVM::AddressOfOp::create(b, pointer, conditions));
  Value value = LLVM::PoisonOp::create(b, type);
  for (auto [position, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(b, value, field, static_cast<int64_t>(position));
  LLVM::ReturnOp::create(b, value);
  return table;
}

void addTable(StringRef symbol, StringRef images, StringRef conditions, ModuleOp module) {
  auto body = module.lookupSymbol<LLVM::LLVMFuncOp>((symbol + "_body").str());
  auto sizes = module.lookupSymbol<LLVM::LLVMFuncOp>((symbol + "_sizes").str());
  ImplicitLocOpBuilder b(body.getLoc(), module.getContext());
  b.setInsertionPointToEnd(module.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto type = LLVM::LLVMStructType::getLiteral(
      b.getContext(), {pointer, pointer, b.getI64Type(), pointer, b.getI64Type(), pointer,
                       b.getI64Type(), pointer, pointer, pointer});
  LLVM::GlobalOp inPlace =
      addInPlace(b, symbol, body->getAttrOfType<DenseI32ArrayAttr>(kInPlaceAttr));
  auto cellsOf = body->getAttrOfType<ArrayAttr>(kCellsAttr);
  LLVM::GlobalOp cells = addCells(b, symbol, cellsOf);
  auto kernelsOf = body->getAttrOfType<ArrayAttr>(kKernelsAttr);
  LLVM::GlobalOp kernels = addKernels(b, symbol, kernelsOf);
  LLVM::GlobalOp loop =
      addLoop(b, symbol, body->getAttrOfType<DictionaryAttr>(kLoopAttr), conditions);
  auto table = LLVM::GlobalOp::create(b, type, /*isConstant=*/true, LLVM::Linkage::External, symbol,
                                      Attribute());
  b.createBlock(&table.getInitializerRegion());
  auto arenaBytes = body->getAttrOfType<IntegerAttr>(kArenaBytesAttr);
  Value null = LLVM::ZeroOp::create(b, pointer);
  Value fields[] = {
      sizes ? Value(LLVM::AddressOfOp::create(b, sizes)) : null,
      LLVM::AddressOfOp::create(b, body),
      LLVM::ConstantOp::create(b, arenaBytes),
      inPlace ? Value(LLVM::AddressOfOp::create(b, inPlace)) : null,
      LLVM::ConstantOp::create(
          b, b.getI64IntegerAttr(cells ? static_cast<int64_t>(cellsOf.size()) : 0)),
      cells ? Value(LLVM::AddressOfOp::create(b, cells)) : null,
      LLVM::ConstantOp::create(
          b, b.getI64IntegerAttr(kernels ? static_cast<int64_t>(kernelsOf.size()) : 0)),
      kernels ? Value(LLVM::AddressOfOp::create(b, kernels)) : null,
      kernels ? Value(LLVM::AddressOfOp::create(b, pointer, images)) : null,
      loop ? Value(LLVM::AddressOfOp::create(b, loop)) : null};
  Value value = LLVM::PoisonOp::create(b, type);
  for (auto [position, field] : llvm::enumerate(fields))
    value = LLVM::InsertValueOp::create(b, value, field, static_cast<int64_t>(position));
  LLVM::ReturnOp::create(b, value);
}

// ---- Both ---------------------------------------------------------------------------------------

// Lets LLVM join products and sums.
static void allowContraction(func::FuncOp function) {
  auto flags = arith::FastMathFlagsAttr::get(function.getContext(), arith::FastMathFlags::contract);
  function.walk(
      [&](arith::ArithFastMathInterface op) { op->setAttr(op.getFastMathAttrName(), flags); });
}

LogicalResult emitCodelet(flow::CodeletOp codelet, StringRef symbol, const TargetOptions &options,
                          FindLowering findLowering, ModuleOp module) {
  FailureOr<ShapeSymbols> shapes = ShapeSymbols::of(codelet);
  if (failed(shapes))
    return failure();
  ImplicitLocOpBuilder b(codelet.getLoc(), codelet.getContext());
  func::FuncOp body = beginFunction(b, module, symbol + "_body");
  Emitter emitter(b, codelet, *shapes, body.getArgument(0), options, findLowering);
  if (failed(emitter.emitBody())) {
    body.erase();
    return failure();
  }
  if (options.contract)
    allowContraction(body);
  b.setLoc(codelet.getLoc());
  if (cardOf(codelet))
    body->setAttr(kCardAttr, b.getUnitAttr());
  body->setAttr(kArenaBytesAttr, b.getI64IntegerAttr(emitter.arena().staticBytes()));
  SmallVector<uint32_t> inPlace = findInPlace(codelet, *shapes, emitter.fusion());
  if (llvm::any_of(inPlace, [](uint32_t inputs) { return inputs != 0; }))
    body->setAttr(kInPlaceAttr, b.getDenseI32ArrayAttr(llvm::to_vector_of<int32_t>(inPlace)));
  if (ArrayAttr cells = cellsAttr(b, codelet, *shapes))
    body->setAttr(kCellsAttr, cells);
  if (needsSizes(codelet, *shapes, emitter.arena())) {
    func::FuncOp sizes = beginFunction(b, module, symbol + "_sizes");
    emitSizes(b, sizes, codelet, *shapes, emitter.arena());
  }
  return success();
}

} // namespace sluice::codegen
