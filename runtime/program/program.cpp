// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Loading: rows of the image become nodes with pointers. Linear in the size of the program.
#include "runtime/program/program.h"

#include "runtime/program/image_bytes.h"
#include "runtime/program/write_image.h"

#include <algorithm>

namespace sluice::rt {

namespace {
constexpr uint32_t kConstantOperand = ~0u;

struct OperandRow {
  uint32_t node, port;
};
// What the image says of a node, until pointers to all nodes are known.
struct NodeRow {
  std::vector<OperandRow> inputs, controls, orders;
  uint32_t ports = 0, child = 0;
  bool inputsAreScalars = false, outputIsScalar = false;
  Shape wireShape;
};
} // namespace

class ProgramLoader {
public:
  ProgramLoader(std::span<const char> image, std::span<const Kernel *const> kernels)
      : r_(image), kernels_(kernels), program_(std::make_unique<Program>()) {}

  Result<std::unique_ptr<Program>> load() {
    if (std::string_view(r_.raw(kImageMagic.size()), kImageMagic.size()) != kImageMagic)
      return internalError("the executable's program image has the wrong format");
    program_->name_ = r_.text();
    program_->version_ = r_.text();
    program_->programHash_ = r_.text();
    program_->clusterHash_ = r_.text();
    program_->rank_ = r_.u32();
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n) {
      std::string_view name = r_.text();
      program_->devices_.push_back({name, r_.text()});
    }
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n) {
      Resource resource{r_.u8() != 0, std::string(r_.text()), dtype(), shape()};
      program_->resources_.push_back(std::move(resource));
    }
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n)
      SLUICE_RETURN_IF_ERROR(signature());
    if (r_.failed())
      return internalError("the executable's program image is damaged");
    return std::move(program_);
  }

private:
  DType dtype() { return static_cast<DType>(r_.u8()); }
  Shape shape() {
    bool hasRank = r_.u8() != 0;
    Shape s;
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n)
      s.append(r_.i64());
    return hasRank ? s : Shape::unknownRank();
  }

  Status signature() {
    auto owned = std::make_unique<Signature>();
    s_ = owned.get();
    s_->info.name = r_.text();
    frames();
    SLUICE_RETURN_IF_ERROR(constants());
    uint32_t count = r_.u32();
    rows_.assign(count, {});
    for (uint32_t i = 0; i < count && !r_.failed(); ++i)
      SLUICE_RETURN_IF_ERROR(node(rows_[i]));
    portsOf(s_->info.feeds);
    portsOf(s_->info.fetches);
    std::vector<Port> targets;
    portsOf(targets);
    for (Port &t : targets)
      s_->info.targets.push_back(std::move(t.name));
    if (r_.failed())
      return internalError("the executable's program image is damaged");
    numberNodes();
    connect();
    findFirstIterationNodes();
    findFramePeers();
    program_->signatures_.push_back(std::move(owned));
    return okStatus();
  }

  void frames() {
    for (uint32_t i = 0, n = r_.u32(); i < n && !r_.failed(); ++i) {
      StaticFrame f;
      f.id = i;
      f.parent = r_.u32();
      f.name = r_.text();
      f.window = r_.u32();
      f.globalId = r_.u32();
      if (i)
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

  Status constants() {
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n) {
      DType type = dtype();
      Shape dims = shape();
      if (type == DType::kString) {
        SLUICE_ASSIGN_OR_RETURN(Tensor t, Tensor::allocate(type, dims));
        for (int64_t i = 0; i < t.elements(); ++i)
          t.data<std::string>()[i] = r_.text();
        s_->constants.push_back(std::move(t));
        continue;
      }
      r_.align(64);
      const char *data = r_.raw(static_cast<size_t>(dims.elements()) * sizeOf(type));
      if (r_.failed())
        break;
      SLUICE_ASSIGN_OR_RETURN(Tensor t, Tensor::view(type, dims, data));
      s_->constants.push_back(std::move(t));
    }
    return okStatus();
  }

  std::vector<OperandRow> operands() {
    std::vector<OperandRow> rows;
    for (uint32_t n = r_.u32(); n && !r_.failed(); --n) {
      uint32_t node = r_.u32(), port = r_.u32();
      rows.push_back({node, port});
    }
    return rows;
  }

  Status node(NodeRow &row) {
    auto owned = std::make_unique<Node>();
    Node &n = *owned;
    n.kind = static_cast<NodeKind>(r_.u8());
    uint8_t flags = r_.u8();
    n.constant = flags & 1;
    row.inputsAreScalars = flags & 2;
    n.name = r_.text();
    n.frame = r_.u32();
    row.child = r_.u32();
    uint32_t kernel = r_.u32();
    row.ports = r_.u32();
    row.inputs = operands();
    row.controls = operands();
    row.orders = operands();
    n.attrs = attrs();
    std::vector<DType> types;
    row.outputIsScalar = true;
    for (uint32_t k = r_.u32(); k && !r_.failed(); --k) {
      types.push_back(dtype());
      row.outputIsScalar &= r_.u8() != 0;
    }
    program_->types_.push_back(std::move(types));
    n.outputTypes = program_->types_.back();
    if (n.frame >= s_->frames.size() || row.child >= s_->frames.size() ||
        (n.kind == NodeKind::kKernel && kernel >= kernels_.size()))
      return internalError("the executable's program image is damaged");
    if (n.kind == NodeKind::kKernel) {
      n.kernel = kernels_[kernel];
      n.stateful = n.kernel->flags & Kernel::kStateful;
      n.scalarPath = n.kernel->scalar && row.inputsAreScalars && row.outputIsScalar &&
                     n.outputTypes.size() == 1;
    }
    if (n.kind == NodeKind::kSend || n.kind == NodeKind::kRecv) {
      n.edge = r_.u32();
      n.peer = r_.u32();
      row.wireShape = shape();
    }
    s_->nodes.push_back(std::move(owned));
    return okStatus();
  }

  Attrs attrs() {
    std::vector<Attr> list;
    for (uint32_t k = r_.u32(); k && !r_.failed(); --k) {
      Attr a;
      a.kind = static_cast<Attr::Kind>(r_.u8());
      a.i = r_.i64();
      a.f = r_.f64();
      a.unknownRank = r_.u8() != 0;
      std::vector<int64_t> ints;
      for (uint32_t m = r_.u32(); m && !r_.failed(); --m)
        ints.push_back(r_.i64());
      program_->ints_.push_back(std::move(ints));
      a.ints = program_->ints_.back();
      a.s = r_.text();
      list.push_back(a);
    }
    program_->attrs_.push_back(std::move(list));
    return program_->attrs_.back();
  }

  void portsOf(std::vector<Port> &ports) {
    for (uint32_t i = 0, n = r_.u32(); i < n && !r_.failed(); ++i) {
      Port p{std::string(r_.text()), dtype(), shape()};
      uint32_t node = r_.u32();
      if (node < s_->nodes.size())
        s_->nodes[node]->port = i;
      ports.push_back(std::move(p));
    }
  }

  // Gives every node its position, slots and count of tokens to wait for.
  void numberNodes() {
    for (size_t i = 0; i < s_->nodes.size(); ++i) {
      Node &n = *s_->nodes[i];
      StaticFrame &frame = s_->frames[n.frame];
      n.index = static_cast<uint32_t>(frame.nodes.size());
      frame.nodes.push_back(&n);
      n.firstSlot = frame.numSlots;
      std::vector<Input> inputs;
      for (const OperandRow &o : rows_[i].inputs) {
        if (o.node == kConstantOperand)
          inputs.push_back({&s_->constants[o.port], 0});
        else
          inputs.push_back({nullptr, n.firstSlot + n.numSlots++});
      }
      if (n.kind == NodeKind::kRecv && !n.outputTypes.empty())
        n.numSlots = 1; // for what the message brings
      frame.numSlots += n.numSlots;
      n.pending = static_cast<uint32_t>(rows_[i].controls.size() + rows_[i].orders.size()) +
                  (n.kind == NodeKind::kMerge ? 0 : n.kind == NodeKind::kRecv ? 1 : n.numSlots);
      program_->inputs_.push_back(std::move(inputs));
      n.inputs = program_->inputs_.back();
      numberByKind(n, frame, rows_[i]);
    }
  }

  void numberByKind(Node &n, StaticFrame &frame, const NodeRow &row) {
    if (n.kind == NodeKind::kEnter) {
      StaticFrame &child = s_->frames[row.child];
      n.child = row.child;
      ++child.numEnters;
      if (n.constant) {
        n.constantEnter = static_cast<uint32_t>(child.constantEnters.size());
        child.constantEnters.push_back(&n);
      }
    } else if (n.kind == NodeKind::kExit) {
      n.exitIndex = static_cast<uint32_t>(frame.exits.size());
      frame.exits.push_back(&n);
    } else if (n.kind == NodeKind::kNextIteration) {
      ++frame.numNextIterations;
    } else if (n.kind == NodeKind::kRecv) {
      if (s_->wireInputs.size() <= n.edge)
        s_->wireInputs.resize(n.edge + 1);
      DType dtype = n.outputTypes.empty() ? DType::kInvalid : n.outputTypes[0];
      s_->wireInputs[n.edge] = {&n, dtype, row.wireShape};
      if (n.frame == 0)
        s_->rootRecvs.push_back(&n);
    } else if (n.kind == NodeKind::kMerge) {
      for (size_t k = 0; k < row.inputs.size() && n.fallback < 0; ++k)
        if (row.inputs[k].node == kConstantOperand)
          n.fallback = static_cast<int32_t>(k);
    }
    // A merge of constants alone has nothing to wait for; one of nothing waits for ever.
    bool waits = n.pending || (n.kind == NodeKind::kMerge && (n.numSlots || n.fallback < 0));
    if (!waits && n.frame == 0)
      s_->sources.push_back(&n);
  }

  // Turns operand lists around into edges at the ports.
  void connect() {
    std::vector<std::vector<std::vector<Edge>>> edges(s_->nodes.size());
    for (size_t i = 0; i < edges.size(); ++i)
      edges[i].resize(rows_[i].ports);
    for (size_t i = 0; i < s_->nodes.size(); ++i) {
      const Node *n = s_->nodes[i].get();
      for (size_t k = 0; k < rows_[i].inputs.size(); ++k)
        if (!n->inputs[k].constant)
          edgeTo(edges, rows_[i].inputs[k], *n, n->inputs[k].slot);
      for (const OperandRow &o : rows_[i].controls)
        edgeTo(edges, o, *n, Edge::kControl);
      for (const OperandRow &o : rows_[i].orders)
        edgeTo(edges, o, *n, Edge::kOrder);
    }
    for (size_t i = 0; i < edges.size(); ++i) {
      std::vector<std::span<const Edge>> ports;
      for (std::vector<Edge> &list : edges[i]) {
        program_->edges_.push_back(std::move(list));
        ports.push_back(program_->edges_.back());
      }
      program_->ports_.push_back(std::move(ports));
      s_->nodes[i]->ports = program_->ports_.back();
    }
  }

  // An enter that is not constant brings its value to iteration 0 only. Whoever waits for that, other
  // than a merge, never fires again, and what else arrives there in later iterations is dropped.
  void findFirstIterationNodes() {
    std::vector<Node *> open;
    auto follow = [&](const Node &node) {
      for (const auto &port : node.ports)
        for (const Edge &edge : port)
          if (edge.node->kind != NodeKind::kMerge && !edge.node->onlyFirst) {
            auto *next = const_cast<Node *>(edge.node); // ours: the program is still being built
            next->onlyFirst = true;
            open.push_back(next);
          }
    };
    for (const auto &node : s_->nodes)
      if (node->kind == NodeKind::kEnter && !node->constant)
        follow(*node);
    while (!open.empty()) {
      const Node &node = *open.back();
      open.pop_back();
      bool leaves = node.kind == NodeKind::kExit || node.kind == NodeKind::kNextIteration ||
                    node.kind == NodeKind::kEnter;
      if (!leaves)
        follow(node);
    }
  }

  // A rank that gets tokens of a nested frame also holds up the frames around it.
  void findFramePeers() {
    auto add = [](std::vector<uint32_t> &ranks, uint32_t rank) {
      if (std::find(ranks.begin(), ranks.end(), rank) == ranks.end())
        ranks.push_back(rank);
    };
    for (const auto &node : s_->nodes)
      for (uint32_t id : s_->frames[node->frame].path) {
        if (node->kind == NodeKind::kSend)
          add(s_->frames[id].downstream, node->peer);
        else if (node->kind == NodeKind::kRecv)
          add(s_->frames[id].upstream, node->peer);
      }
    for (const StaticFrame &frame : s_->frames) {
      if (s_->frameOfId.size() <= frame.globalId)
        s_->frameOfId.resize(frame.globalId + 1, Signature::kNoFrame);
      s_->frameOfId[frame.globalId] = frame.id;
    }
  }

  static void edgeTo(std::vector<std::vector<std::vector<Edge>>> &edges, OperandRow from, const Node &to,
                     uint32_t slot) {
    if (from.node < edges.size() && from.port < edges[from.node].size())
      edges[from.node][from.port].push_back(
          {&to, slot, to.index, to.kind == NodeKind::kMerge, to.kind == NodeKind::kRecv});
  }

  ImageReader r_;
  std::span<const Kernel *const> kernels_;
  std::unique_ptr<Program> program_;
  Signature *s_ = nullptr;
  std::vector<NodeRow> rows_;
};

Result<std::unique_ptr<Program>> Program::load(std::span<const char> image,
                                               std::span<const Kernel *const> kernels) {
  return ProgramLoader(image, kernels).load();
}

} // namespace sluice::rt
