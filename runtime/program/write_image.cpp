// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing of program images.
#include "runtime/program/write_image.h"

#include "runtime/program/image_bytes.h"

#include <unordered_map>

namespace sluice::rt {

namespace {
class Writer {
public:
  std::string write(const ProgramDesc &program) {
    w_.raw(kImageMagic);
    w_.text(program.name);
    w_.text(program.version);
    w_.text(program.programHash);
    w_.text(program.clusterHash);
    w_.u32(program.rank);
    w_.u32(program.cards);
    list(program.devices, [&](const DeviceDesc &d) {
      w_.text(d.name);
      w_.text(d.address);
    });
    list(program.kernelOps, [&](const std::string &op) { w_.text(op); });
    list(program.resources, [&](const ResourceDesc &r) { resource(r); });
    list(program.signatures, [&](const SignatureDesc &s) { signature(s); });
    list(program.hostSignatures, [&](const SignatureDesc &s) { signature(s); });
    w_.align(64);
    return w_.take();
  }

private:
  template <typename List, typename Each> void list(const List &items, Each each) {
    w_.u32(static_cast<uint32_t>(items.size()));
    for (const auto &item : items)
      each(item);
  }
  void shape(const Shape &s) {
    w_.u8(s.hasRank() ? 1 : 0);
    list(s.dims(), [&](int64_t d) { w_.i64(d); });
  }
  void resource(const ResourceDesc &r) {
    w_.u8(static_cast<uint8_t>(r.kind));
    w_.text(r.key);
    w_.u8(static_cast<uint8_t>(r.dtype));
    shape(r.shape);
    w_.u32(r.memory);
    w_.u8(r.initial.valid());
    if (r.initial.valid())
      constant(r.initial);
  }
  void port(const PortDesc &p) {
    w_.text(p.name);
    w_.u8(static_cast<uint8_t>(p.dtype));
    shape(p.shape);
    w_.u32(p.node);
  }
  void constant(const Tensor &t) {
    w_.u8(static_cast<uint8_t>(t.dtype()));
    shape(t.shape());
    if (t.dtype() == DType::kString) {
      for (const std::string &s : t.values<std::string>())
        w_.text(s);
      return;
    }
    const size_t size = sizeOf(t.dtype());
    if (t.isRepeated() || (t.elements() > 1 && std::memcmp(t.data<char>(), t.data<char>() + size,
                                                           t.bytes() - size) == 0)) {
      w_.u8(static_cast<uint8_t>(ElementsForm::kRepeated));
      w_.raw(t.raw(), size);
      return;
    }
    // What is needed several times, on the host and on a card, say, is there once.
    constexpr size_t kLeastShared = 64;
    if (t.bytes() >= kLeastShared) {
      auto [known, isNew] = elements_.try_emplace({t.data<char>(), t.bytes()}, 0);
      if (!isNew) {
        w_.u8(static_cast<uint8_t>(ElementsForm::kShared));
        w_.i64(static_cast<int64_t>(known->second));
        return;
      }
      w_.u8(static_cast<uint8_t>(ElementsForm::kHere));
      w_.align(64);
      known->second = w_.size();
    } else {
      w_.u8(static_cast<uint8_t>(ElementsForm::kHere));
      w_.align(64);
    }
    w_.raw(t.raw(), t.bytes());
  }
  void attr(const AttrDesc &a) {
    w_.u8(a.kind);
    w_.i64(a.i);
    w_.f64(a.f);
    w_.u8(a.unknownRank);
    list(a.ints, [&](int64_t i) { w_.i64(i); });
    w_.text(a.s);
  }
  void operand(const OperandDesc &o) {
    w_.u32(o.node);
    w_.u32(o.port);
  }
  void node(const NodeDesc &n) {
    w_.u8(static_cast<uint8_t>(n.kind));
    w_.u8(static_cast<uint8_t>(n.constant | (n.inputsAreScalars << 1)));
    w_.text(n.name);
    w_.u32(n.frame);
    w_.u32(n.child);
    w_.u32(n.kernel);
    w_.u32(n.ports);
    auto each = [&](const OperandDesc &o) { operand(o); };
    list(n.inputs, each);
    list(n.controls, each);
    list(n.orders, each);
    list(n.attrs, [&](const AttrDesc &a) { attr(a); });
    w_.u32(static_cast<uint32_t>(n.outputTypes.size()));
    for (size_t i = 0; i < n.outputTypes.size(); ++i) {
      w_.u8(static_cast<uint8_t>(n.outputTypes[i]));
      w_.u8(i < n.outputIsScalar.size() && n.outputIsScalar[i]);
    }
    if (n.kind == NodeKind::kCodelet) {
      w_.u32(n.codelet);
    } else if (n.kind == NodeKind::kCall) {
      w_.u32(n.recursion);
    } else if (n.kind == NodeKind::kSend || n.kind == NodeKind::kRecv) {
      w_.u32(n.edge);
      w_.u32(n.peer);
      shape(n.wireShape);
    } else if (n.kind == NodeKind::kCopy) {
      w_.u32(n.memory);
    }
  }
  void member(const CodeletMemberDesc &m) {
    w_.text(m.name);
    w_.u32(m.kernel);
    list(m.inputs, [&](const OperandDesc &o) { operand(o); });
    list(m.attrs, [&](const AttrDesc &a) { attr(a); });
    list(m.outputTypes, [&](DType d) { w_.u8(static_cast<uint8_t>(d)); });
  }
  void call(const CodeletCallDesc &c) {
    w_.u32(c.kernel);
    list(c.inputs, [&](const OperandDesc &o) { operand(o); });
    list(c.attrs, [&](const AttrDesc &a) { attr(a); });
    list(c.outputTypes, [&](DType d) { w_.u8(static_cast<uint8_t>(d)); });
    list(c.results, [&](uint32_t box) { w_.u32(box); });
  }
  void codelet(const CodeletDesc &c) {
    w_.u32(c.code);
    w_.u32(c.numInputs);
    w_.u32(c.floatOps);
    w_.i64(static_cast<int64_t>(c.work));
    w_.u32(c.memory);
    w_.u32(c.stream);
    list(c.members, [&](const CodeletMemberDesc &m) { member(m); });
    list(c.outputs, [&](const CodeletOutputDesc &o) {
      w_.u8(static_cast<uint8_t>(o.dtype));
      shape(o.shape);
      operand(o.value);
      w_.u32(o.box);
      w_.u32(o.memory);
    });
    w_.u32(c.numBoxes);
    list(c.calls, [&](const CodeletCallDesc &one) { call(one); });
    list(c.errorMembers, [&](const std::string &name) { w_.text(name); });
    list(c.errorReasons, [&](const std::string &reason) { w_.text(reason); });
  }
  void signature(const SignatureDesc &s) {
    w_.text(s.name);
    w_.u8(s.initializes);
    list(s.frames, [&](const FrameDesc &f) {
      w_.u32(f.parent);
      w_.text(f.name);
      w_.u32(f.window);
      w_.u32(f.id);
      w_.u8(f.isFunction);
    });
    list(s.constants, [&](const Tensor &t) { constant(t); });
    list(s.memories, [&](MemoryNumber memory) { w_.u32(memory); });
    list(s.codelets, [&](const CodeletDesc &c) { codelet(c); });
    list(s.nodes, [&](const NodeDesc &n) { node(n); });
    auto each = [&](const PortDesc &p) { port(p); };
    list(s.feeds, each);
    list(s.fetches, each);
    list(s.targets, each);
  }

  ImageWriter w_;
  std::unordered_map<std::string_view, size_t> elements_; // of constants, and where they are
};
} // namespace

std::string writeImage(const ProgramDesc &program) { return Writer().write(program); }

} // namespace sluice::rt
