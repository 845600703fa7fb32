// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading: rows of the image become nodes with pointers. Linear in the size of the program.
#include "runtime/program/program.h"

#include "runtime/program/connect_nodes.h"
#include "runtime/program/load_codelet.h"
#include "runtime/program/write_image.h"

#include <algorithm>

namespace sluice::rt {

class ProgramLoader {
public:
  ProgramLoader(std::span<const char> image, const Program::Tables &tables)
      : image_(image), r_(image), tables_(tables), program_(std::make_unique<Program>()) {}

  Result<std::unique_ptr<Program>> load() {
    if (r_.raw(kImageMagic.size()) != kImageMagic)
      return internalError("the executable's program image has the wrong format");
    program_->name_ = r_.text();
    program_->version_ = r_.text();
    program_->programHash_ = r_.text();
    program_->clusterHash_ = r_.text();
    program_->rank_ = r_.u32();
    program_->cards_ = r_.u32();
    program_->openCards_ = tables_.openCards;
    r_.list([&] {
      std::string_view name = r_.text();
      program_->devices_.push_back({name, r_.text()});
    });
    r_.list([&] { kernelOp(r_.text()); });
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n)
      SLUICE_RETURN_IF_ERROR(resource());
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n)
      SLUICE_RETURN_IF_ERROR(signature(program_->signatures_));
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n)
      SLUICE_RETURN_IF_ERROR(signature(program_->hostSignatures_));
    if (r_.failed())
      return damagedImage();
    return std::move(program_);
  }

private:
  // Of nodes whose results have no types, a switch's two and what tells which, say.
  static constexpr size_t kMostOtherPorts = 3;

  // Of something that all ranks number alike: tables go up to the largest one.
  uint32_t number() {
    constexpr uint32_t kMost = 1 << 24;
    uint32_t number = r_.u32();
    if (number < kMost)
      return number;
    r_.fail();
    return 0;
  }

  void kernelOp(std::string_view op) {
    auto &ops = program_->kernelOps_;
    if (ops.size() < tables_.kernels.size())
      ops.emplace_back(tables_.kernels[ops.size()], op);
  }

  Status signature(std::vector<std::unique_ptr<Signature>> &signatures) {
    auto owned = std::make_unique<Signature>();
    s_ = owned.get();
    s_->info.name = r_.text();
    s_->info.initializes = r_.u8() != 0;
    frames();
    SLUICE_RETURN_IF_ERROR(constants());
    SLUICE_RETURN_IF_ERROR(codelets());
    rows_.clear();
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n)
      SLUICE_RETURN_IF_ERROR(node(rows_.emplace_back()));
    portsOf(s_->info.feeds);
    portsOf(s_->info.fetches);
    std::vector<Port> targets;
    portsOf(targets);
    for (Port &t : targets)
      s_->info.targets.push_back(std::move(t.name));
    if (r_.failed())
      return damagedImage();
    NodeConnector(*program_, *s_, rows_).connect();
    if (!callsFit())
      return damagedImage();
    signatures.push_back(std::move(owned));
    return okStatus();
  }

  // Whether calls give all arguments, and have a port for each value that comes back.
  bool callsFit() const {
    std::vector<size_t> returned(s_->frames.size());
    for (const auto &node : s_->nodes) {
      if (node->kind != NodeKind::kReturn)
        continue;
      if (!s_->frames[node->frame].isFunction)
        return false;
      returned[node->frame] = std::max(returned[node->frame], node->inputs.size());
    }
    return std::none_of(s_->nodes.begin(), s_->nodes.end(), [&](const auto &node) {
      return node->kind == NodeKind::kCall &&
             (node->inputs.size() < s_->frames[node->child].arguments.size() ||
              node->ports.size() < returned[node->child]);
    });
  }

  void frames() {
    for (uint32_t i = 0, n = r_.u32(); i < n && !r_.failed(); ++i) {
      StaticFrame f;
      f.id = i;
      f.parent = r_.u32();
      f.name = r_.text();
      f.window = r_.u32();
      f.globalId = number();
      f.isFunction = r_.u8() != 0;
      if (i && !f.isFunction)
        addBelowParent(f);
      s_->frames.push_back(std::move(f));
    }
  }

  void addBelowParent(StaticFrame &f) {
    if (f.parent >= f.id) // parents come first
      f.parent = 0;
    StaticFrame &parent = s_->frames[f.parent];
    f.childPosition = parent.numChildren++;
    f.path = parent.path;
    f.path.push_back(f.id);
  }

  Status resource() {
    ResourceKind kind = r_.kind(ResourceKind::kLast);
    Resource resource{kind, std::string(r_.text()), r_.dtype(), r_.shape(), Tensor(), r_.u32()};
    if (r_.u8() && !r_.failed()) {
      SLUICE_ASSIGN_OR_RETURN(resource.initial, constant());
      if (resource.initial.dtype() != resource.dtype ||
          !resource.initial.shape().compatibleWith(resource.shape))
        return damagedImage();
    }
    program_->resources_.push_back(std::move(resource));
    return okStatus();
  }

  Status constants() {
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n) {
      SLUICE_ASSIGN_OR_RETURN(Tensor value, constant());
      s_->constants.push_back(std::move(value));
    }
    r_.list([&] { s_->memories.push_back(r_.u32()); });
    if (s_->memories.size() > s_->constants.size())
      return damagedImage();
    return okStatus();
  }

  // Elements stay in the image, unless all are the same or strings.
  Result<Tensor> constant() {
    DType type = r_.dtype();
    Shape dims = r_.shape();
    Result<int64_t> elements = dims.checkedElements();
    if (type >= DType::kHandle || r_.failed() || !elements.ok())
      return damagedImage();
    ElementsForm form = type == DType::kString ? ElementsForm::kHere : r_.kind(ElementsForm::kLast);
    if (form != ElementsForm::kRepeated && static_cast<uint64_t>(*elements) > image_.size())
      return damagedImage();
    if (type == DType::kString)
      return strings(dims);
    size_t bytes = static_cast<size_t>(*elements) * sizeOf(type);
    if (form == ElementsForm::kShared)
      return shared(type, dims, bytes);
    if (form == ElementsForm::kHere)
      r_.align(64);
    std::string_view data = r_.raw(form == ElementsForm::kRepeated ? sizeOf(type) : bytes);
    if (r_.failed())
      return damagedImage();
    return form == ElementsForm::kRepeated ? Tensor::repeated(type, dims, data.data())
                                           : Tensor::view(type, dims, data.data());
  }

  Result<Tensor> shared(DType type, const Shape &dims, size_t bytes) {
    auto where = static_cast<uint64_t>(r_.i64());
    if (r_.failed() || where % 64 != 0 || bytes > image_.size() || where > image_.size() - bytes)
      return damagedImage();
    return Tensor::view(type, dims, image_.data() + where);
  }

  Result<Tensor> strings(const Shape &dims) {
    SLUICE_ASSIGN_OR_RETURN(Tensor t, Tensor::allocate(DType::kString, dims));
    for (int64_t i = 0; i < t.elements(); ++i)
      t.data<std::string>()[i] = r_.text();
    return t;
  }

  Status codelets() {
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n) {
      SLUICE_ASSIGN_OR_RETURN(Codelet codelet, loadCodelet(r_, tables_, *s_, program_->attrs_));
      s_->codelets.push_back(std::move(codelet));
    }
    return okStatus();
  }

  Status node(NodeRow &row) {
    auto owned = std::make_unique<Node>();
    Node &n = *owned;
    n.kind = r_.kind(NodeKind::kLast);
    uint8_t flags = r_.u8();
    n.constant = flags & 1;
    row.inputsAreScalars = flags & 2;
    n.name = r_.text();
    n.frame = r_.u32();
    row.child = r_.u32();
    uint32_t kernel = r_.u32();
    row.ports = r_.u32();
    row.inputs = r_.operands();
    row.controls = r_.operands();
    row.orders = r_.operands();
    n.attrs = r_.attrs(program_->attrs_);
    std::vector<DType> types;
    row.outputIsScalar = true;
    r_.list([&] {
      types.push_back(r_.dtype());
      row.outputIsScalar &= r_.u8() != 0;
    });
    program_->types_.push_back(std::move(types));
    n.outputTypes = program_->types_.back();
    bool constantsExist = std::none_of(row.inputs.begin(), row.inputs.end(), [&](OperandDesc o) {
      return o.node == OperandDesc::kConstant && o.port >= s_->constants.size();
    });
    if (r_.failed() || !constantsExist || n.frame >= s_->frames.size() ||
        row.child >= s_->frames.size() || row.ports > n.outputTypes.size() + kMostOtherPorts)
      return damagedImage();
    SLUICE_RETURN_IF_ERROR(partOfKind(n, row, kernel));
    s_->nodes.push_back(std::move(owned));
    return okStatus();
  }

  Status partOfKind(Node &n, NodeRow &row, uint32_t kernel) {
    if (n.kind == NodeKind::kKernel) {
      if (kernel >= tables_.kernels.size())
        return damagedImage();
      n.kernel = tables_.kernels[kernel];
      n.stateful = n.kernel->flags & Kernel::kStateful;
      n.keepsOfCard = program_->cards_ > 0 && !n.stateful &&
                      (n.kernel->flags & Kernel::kAllocates) && !n.outputTypes.empty() &&
                      n.outputTypes.size() <= 2 && n.outputTypes.back() == DType::kHandle;
      n.scalarPath = n.kernel->scalar && row.inputsAreScalars && row.outputIsScalar &&
                     n.outputTypes.size() == 1;
      n.floatValued =
          !n.stateful && std::any_of(n.outputTypes.begin(), n.outputTypes.end(), isFloat);
    } else if (n.kind == NodeKind::kCodelet) {
      uint32_t codelet = r_.u32();
      if (codelet >= s_->codelets.size() || s_->codelets[codelet].numInputs != row.inputs.size() ||
          s_->codelets[codelet].outputs.size() != n.outputTypes.size())
        return damagedImage();
      n.codelet = &s_->codelets[codelet];
    } else if (n.kind == NodeKind::kCall) {
      n.recursion = r_.u32();
      if (!s_->frames[row.child].isFunction)
        return damagedImage();
    } else if (n.kind == NodeKind::kSend || n.kind == NodeKind::kRecv) {
      n.edge = number();
      n.peer = r_.u32();
      row.wireShape = r_.shape();
    } else if (n.kind == NodeKind::kCopy) {
      n.memory = r_.u32();
      if (row.inputs.size() != 1 || n.outputTypes.size() != 1)
        return damagedImage();
    }
    return okStatus();
  }

  void portsOf(std::vector<Port> &ports) {
    for (uint32_t i = 0, n = r_.u32(); i < n && !r_.failed(); ++i) {
      Port p{std::string(r_.text()), r_.dtype(), r_.shape()};
      uint32_t node = r_.u32();
      if (node < s_->nodes.size())
        s_->nodes[node]->port = i;
      ports.push_back(std::move(p));
    }
  }

  std::span<const char> image_;
  RowReader r_;
  const Program::Tables &tables_;
  std::unique_ptr<Program> program_;
  Signature *s_ = nullptr;
  std::vector<NodeRow> rows_;
};

void Program::leaveCards() {
  if (cards_ == 0)
    return;
  signatures_ = std::move(hostSignatures_);
  for (Resource &resource : resources_)
    resource.memory = kHostMemory;
  cards_ = 0;
}

std::string_view Program::opOf(const Kernel &kernel) const {
  for (const auto &[known, op] : kernelOps_)
    if (known == &kernel)
      return op;
  return {};
}

void Program::guardOperands() {
  for (auto *signatures : {&signatures_, &hostSignatures_})
    for (const auto &signature : *signatures) {
      for (Tensor &constant : signature->constants)
        if (Result<Tensor> copy = constant.clone(); copy.ok())
          constant = std::move(*copy);
      for (Codelet &codelet : signature->codelets)
        codelet.small = false;
    }
}

Result<std::unique_ptr<Program>> Program::load(std::span<const char> image, const Tables &tables) {
  return ProgramLoader(image, tables).load();
}

} // namespace sluice::rt
