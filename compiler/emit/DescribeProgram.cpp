// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// exe ops to ProgramDesc: one row for each op.
#include "compiler/emit/DescribeProgram.h"

#include "dialects/interfaces/KernelOps.h"
#include "dialects/wire/Memory.h"

#include "llvm/ADT/StringMap.h"

using namespace mlir;

namespace sluice::emit {

namespace {

class Describer {
public:
  FailureOr<DescribedProgram> describe(ModuleOp module, ModuleOp withoutCards) {
    describeCluster(module);
    for (auto resource : module.getOps<exe::ResourceOp>()) {
      resources_[resource.getSymName()] = out_.program.resources.size();
      if (failed(describe(resource)))
        return failure();
    }
    if (failed(describeSignatures(module, out_.program.signatures)) ||
        (withoutCards && failed(describeSignatures(withoutCards, out_.program.hostSignatures))))
      return failure();
    for (const std::string &symbol : out_.kernels)
      out_.program.kernelOps.push_back(opOf(symbol));
    return std::move(out_);
  }

private:
  static std::string opOf(StringRef kernel) {
    for (const rt::KernelEntry &entry : rt::allKernels())
      if (kernel == StringRef(entry.symbol.data(), entry.symbol.size()))
        return std::string(entry.op);
    return {};
  }

  // The program of one rank is a module within that of the cluster.
  void describeCluster(ModuleOp module) {
    auto rank = module->getAttrOfType<IntegerAttr>("wire.rank");
    auto cluster = module->getParentOfType<ModuleOp>();
    auto devices = cluster ? cluster->getAttrOfType<ArrayAttr>("wire.devices") : ArrayAttr();
    if (!rank || !devices)
      return;
    out_.program.rank = static_cast<uint32_t>(rank.getInt());
    for (auto device : devices.getAsRange<DictionaryAttr>())
      out_.program.devices.push_back(
          {device.getAs<StringAttr>("name").str(), device.getAs<StringAttr>("address").str()});
  }

  LogicalResult describe(exe::ResourceOp resource) {
    StringRef kind = resource.getKind();
    rt::ResourceDesc row{*rt::resourceKindOf({kind.data(), kind.size()}),
                         resource.getKey().str(),
                         dtypeOf(resource.getType()).value_or(rt::DType::kInvalid),
                         shapeOf(resource.getType()),
                         rt::Tensor(),
                         memoryOf(resource.getType())};
    if (std::optional<ElementsAttr> initial = resource.getInitial()) {
      rt::Result<rt::Tensor> value = viewOf(*initial);
      if (!value.ok())
        return resource.emitOpError(value.status().message());
      row.initial = std::move(*value);
    }
    out_.program.resources.push_back(std::move(row));
    return success();
  }

  LogicalResult describeSignatures(ModuleOp module, std::vector<rt::SignatureDesc> &rows) {
    for (auto signature : module.getOps<exe::SignatureOp>())
      if (failed(describe(signature, rows.emplace_back())))
        return failure();
    return success();
  }

  LogicalResult describe(exe::SignatureOp signature, rt::SignatureDesc &row) {
    signature_ = &row;
    signature_->name = signature.getSymName().str();
    signature_->initializes = signature.getInitializes();
    operands_.clear();
    signatureCodelets_.clear();
    uint32_t nodes = 0;
    for (Operation &op : signature.getBody().front()) {
      if (auto node = dyn_cast<exe::NodeOp>(op)) {
        for (auto [port, result] : llvm::enumerate(node.getOutputs()))
          operands_[result] = {nodes, static_cast<uint32_t>(port)};
        ++nodes;
      } else if (auto constant = dyn_cast<exe::ConstantOp>(op)) {
        if (failed(describeOperand(constant)))
          return failure();
      } else if (auto frame = dyn_cast<exe::FrameOp>(op)) {
        signature_->frames.push_back({static_cast<uint32_t>(frame.getParent()),
                                      frame.getName().str(), windowOf(frame),
                                      static_cast<uint32_t>(frame.getId()), frame.getFunction()});
      }
    }
    for (auto codelet : signature.getBody().getOps<exe::CodeletOp>())
      if (failed(describe(codelet)))
        return failure();
    for (auto node : signature.getBody().getOps<exe::NodeOp>())
      describe(node);
    return success();
  }

  LogicalResult describe(exe::CodeletOp op) {
    rt::CodeletDesc codelet;
    if (op.getCode())
      codelet.code = indexIn(out_.codelets, codelets_, *op.getCode());
    codelet.numInputs = op.getFunctionType().getNumInputs();
    codelet.floatOps = static_cast<uint32_t>(op.getFloatOps());
    codelet.work = op.getWork().value_or(0);
    codelet.stream = static_cast<uint32_t>(op.getStream().value_or(0));
    for (Type type : op.getFunctionType().getResults())
      codelet.outputs.push_back({dtypeOf(type).value_or(rt::DType::kInvalid), shapeOf(type),
                                 rt::OperandDesc(), rt::CodeletOutputDesc::kNoBox, memoryOf(type)});
    codelet.memory = memoryOf(op.getFunctionType().getResults());
    // What other cards have is not looked at.
    if (codelet.memory == rt::kHostMemory)
      codelet.memory = memoryOf(op.getFunctionType().getInputs());
    auto texts = [](std::optional<ArrayAttr> list) {
      std::vector<std::string> result;
      if (list)
        for (StringRef text : list->getAsValueRange<StringAttr>())
          result.push_back(text.str());
      return result;
    };
    codelet.errorMembers = texts(op.getErrorMembers());
    codelet.errorReasons = texts(op.getErrorReasons());
    if (failed(op.getBoxes() ? describeCalls(op, codelet) : describeMembers(op, codelet)))
      return failure();
    signatureCodelets_[op.getSymName()] = static_cast<uint32_t>(signature_->codelets.size());
    signature_->codelets.push_back(std::move(codelet));
    return success();
  }

  LogicalResult describeCalls(exe::CodeletOp op, rt::CodeletDesc &codelet) {
    codelet.numBoxes = static_cast<uint32_t>(*op.getBoxes());
    for (auto [output, box] : llvm::zip_equal(codelet.outputs, *op.getOutputBoxes()))
      if (box >= 0)
        output.box = static_cast<uint32_t>(box);
    for (auto constant : op.getBody().getOps<exe::ConstantOp>())
      if (failed(describe(constant)))
        return failure();
    for (auto call : op.getBody().getOps<exe::CallOp>()) {
      rt::CodeletCallDesc row;
      row.kernel = indexIn(out_.kernels, kernels_, call.getKernel());
      auto constant = call.getConstants().begin();
      for (int64_t box : call.getInputs())
        row.inputs.push_back(box < 0 ? operands_.lookup(*constant++)
                                     : rt::OperandDesc{0, static_cast<uint32_t>(box)});
      row.attrs = attrsOf(call.getKernelArguments());
      for (auto type : call.getTypes().getAsValueRange<TypeAttr>())
        row.outputTypes.push_back(dtypeOf(type).value_or(rt::DType::kInvalid));
      for (int64_t box : call.getResults())
        row.results.push_back(static_cast<uint32_t>(box));
      codelet.calls.push_back(std::move(row));
    }
    return success();
  }

  // Operands are numbered as CodeletMemberDesc says.
  LogicalResult describeMembers(exe::CodeletOp op, rt::CodeletDesc &codelet) {
    if (op.getBody().empty())
      return success();
    for (BlockArgument input : op.getBody().getArguments())
      operands_[input] = {0, input.getArgNumber()};
    for (auto constant : op.getBody().getOps<exe::ConstantOp>())
      if (failed(describe(constant)))
        return failure();
    for (auto member : op.getBody().getOps<exe::MemberOp>()) {
      rt::CodeletMemberDesc row;
      row.name = member.getName().str();
      row.kernel = indexIn(out_.kernels, kernels_, member.getKernel());
      for (Value input : member.getInputs())
        row.inputs.push_back(operands_.lookup(input));
      row.attrs = attrsOf(member.getKernelArguments());
      for (Type type : member.getResultTypes())
        row.outputTypes.push_back(dtypeOf(type).value_or(rt::DType::kInvalid));
      codelet.members.push_back(std::move(row));
      auto number = static_cast<uint32_t>(codelet.members.size());
      for (OpResult result : member->getResults())
        operands_[result] = {number, result.getResultNumber()};
    }
    Operation *yield = op.getBody().front().getTerminator();
    for (auto [output, value] : llvm::zip_equal(codelet.outputs, yield->getOperands()))
      output.value = operands_.lookup(value);
    return success();
  }

  // Rings are addressed by 32-bit numbers; nobody runs that many iterations at once.
  static uint32_t windowOf(exe::FrameOp frame) {
    constexpr uint64_t kLargest = 1u << 30;
    return static_cast<uint32_t>(std::min<uint64_t>(frame.getWindow(), kLargest));
  }

  // An operand of a node, which lies where its type says.
  LogicalResult describeOperand(exe::ConstantOp op) {
    if (failed(describe(op)))
      return failure();
    if (rt::MemoryNumber memory = memoryOf(op.getResult().getType())) {
      signature_->memories.resize(signature_->constants.size(), rt::kHostMemory);
      signature_->memories.back() = memory;
    }
    return success();
  }

  LogicalResult describe(exe::ConstantOp op) {
    rt::Result<rt::Tensor> tensor = viewOf(op.getValue());
    if (!tensor.ok())
      return op.emitOpError(tensor.status().message());
    operands_[op.getResult()] = {rt::OperandDesc::kConstant,
                                 static_cast<uint32_t>(signature_->constants.size())};
    signature_->constants.push_back(std::move(*tensor));
    return success();
  }

  void describe(exe::NodeOp op) {
    rt::NodeDesc node;
    node.kind = static_cast<rt::NodeKind>(op.getKind());
    node.name = op.getName().str();
    node.frame = static_cast<uint32_t>(op.getFrame());
    for (Value v : op.getInputs())
      node.inputs.push_back(operands_.lookup(v));
    for (Value v : op.getControls())
      node.controls.push_back(operands_.lookup(v));
    for (Value v : op.getOrders())
      node.orders.push_back(operands_.lookup(v));
    node.ports = op.getNumResults();
    node.child = static_cast<uint32_t>(op.getChild().value_or(0));
    node.constant = op.getConstant();
    node.edge = static_cast<uint32_t>(op.getEdge().value_or(0));
    node.peer = static_cast<uint32_t>(op.getPeer().value_or(0));
    node.recursion = static_cast<uint32_t>(op.getRecursion().value_or(0));
    if (op.getKind() == exe::NodeKind::Recv && !isToken(op.getResult(0)))
      node.wireShape = shapeOf(op.getResult(0).getType());
    node.inputsAreScalars = llvm::all_of(op.getInputs().getTypes(), isScalarTensor);
    for (Value result : op.getOutputs()) {
      if (isToken(result))
        continue;
      node.outputTypes.push_back(dtypeOf(result.getType()).value_or(rt::DType::kInvalid));
      node.outputIsScalar.push_back(isScalarTensor(result.getType()));
    }
    if (op.getKernel()) {
      node.kernel = indexIn(out_.kernels, kernels_, *op.getKernel());
      node.attrs = attrsOf(*op.getKernelArguments());
    }
    if (op.getKind() == exe::NodeKind::Copy)
      node.memory = memoryOf(op.getResult(0).getType());
    if (op.getCodelet())
      node.codelet = signatureCodelets_.lookup(*op.getCodelet());
    describePort(op, static_cast<uint32_t>(signature_->nodes.size()));
    signature_->nodes.push_back(std::move(node));
  }

  static rt::MemoryNumber memoryOf(Type type) {
    std::optional<unsigned> card = wire::cardOf(type);
    return card ? *card + 1 : rt::kHostMemory;
  }

  static rt::MemoryNumber memoryOf(TypeRange types) {
    rt::MemoryNumber memory = rt::kHostMemory;
    for (Type type : types)
      memory = std::max(memory, memoryOf(type));
    return memory;
  }

  // Of the host: such values travel within tokens.
  static bool isScalarTensor(Type type) {
    auto tensor = dyn_cast<RankedTensorType>(type);
    return tensor && tensor.getRank() == 0 && !wire::cardOf(type);
  }

  void describePort(exe::NodeOp op, uint32_t index) {
    auto add = [&](std::vector<rt::PortDesc> &ports, Type type) {
      ports.push_back(
          {op.getName().str(), dtypeOf(type).value_or(rt::DType::kInvalid), shapeOf(type), index});
    };
    if (op.getKind() == exe::NodeKind::Feed)
      add(signature_->feeds, op.getResult(0).getType());
    else if (op.getKind() == exe::NodeKind::Fetch)
      add(signature_->fetches, op.getInputs()[0].getType());
    else if (op.getKind() == exe::NodeKind::Target)
      add(signature_->targets, Type(NoneType::get(op.getContext())));
  }

  static uint32_t indexIn(std::vector<std::string> &list, llvm::StringMap<uint32_t> &known,
                          StringRef symbol) {
    auto [it, isNew] = known.try_emplace(symbol, list.size());
    if (isNew)
      list.push_back(symbol.str());
    return it->second;
  }

  std::vector<rt::AttrDesc> attrsOf(ArrayAttr arguments) {
    SmallVector<Attribute> attributes(arguments.begin(), arguments.end());
    KernelAttrs attrs(attributes, [&](StringRef symbol) { return resources_.lookup(symbol); });
    std::vector<rt::AttrDesc> rows;
    for (const rt::Attr &a : attrs.view())
      rows.push_back({static_cast<uint8_t>(a.kind), a.i, a.f,
                      std::vector<int64_t>(a.ints.begin(), a.ints.end()), a.unknownRank,
                      std::string(a.s)});
    return rows;
  }

  DescribedProgram out_;
  rt::SignatureDesc *signature_ = nullptr;
  llvm::StringMap<int64_t> resources_;
  llvm::StringMap<uint32_t> kernels_, codelets_;
  llvm::StringMap<uint32_t> signatureCodelets_; // positions among the signature's
  DenseMap<Value, rt::OperandDesc> operands_;
};

} // namespace

FailureOr<DescribedProgram> describeProgram(ModuleOp module, ModuleOp withoutCards) {
  return Describer().describe(module, withoutCards);
}

} // namespace sluice::emit
