// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks of attributes against the op table: presence, kind, allowed values, shapes, tensors.
#include "compiler/import/GraphCheck.h"
#include "compiler/import/GrownBytes.h"
#include "compiler/import/TensorValue.h"

#include "llvm/ADT/StringSet.h"

namespace sluice::import {

using graphdef::AttrValue;
using llvm::StringRef;

std::string problemOfShape(const graphdef::TensorShapeProto &shape, const Limits &limits,
                           int64_t &elements) {
  const uint64_t rank = static_cast<uint64_t>(shape.dim_size());
  elements = 1;
  if (shape.unknown_rank() && shape.dim_size() > 0)
    return "a shape of unknown rank has " + std::to_string(shape.dim_size()) + " dims";
  if (!limits.allows(LimitId::kRank, rank))
    return limits.excess(LimitId::kRank, "dims", rank);
  bool known = !shape.unknown_rank();
  bool empty = false;
  for (const auto &dim : shape.dim()) {
    if (dim.size() < -1)
      return "expected a dim of at least -1 but got " + std::to_string(dim.size());
    known &= dim.size() >= 0;
    empty |= dim.size() == 0;
    if (dim.size() > 0 && __builtin_mul_overflow(elements, dim.size(), &elements))
      return "the product of the dims overflows 64 bits";
  }
  elements = known ? (empty ? 0 : elements) : -1;
  return "";
}

namespace {

const char *kindName(AttrKind kind) {
  constexpr const char *names[] = {"string", "int",   "float",  "bool",
                                   "type",   "shape", "tensor", "func"};
  return names[static_cast<int>(kind)];
}

// What a value holds, in the same words.
const char *kindOf(const AttrValue &value) {
  switch (value.value_case()) {
  case AttrValue::kList:
    return "list";
  case AttrValue::kS:
    return "string";
  case AttrValue::kI:
    return "int";
  case AttrValue::kF:
    return "float";
  case AttrValue::kB:
    return "bool";
  case AttrValue::kType:
    return "type";
  case AttrValue::kShape:
    return "shape";
  case AttrValue::kTensor:
    return "tensor";
  case AttrValue::kPlaceholder:
    return "placeholder";
  case AttrValue::kFunc:
    return "func";
  case AttrValue::VALUE_NOT_SET:
    return "nothing";
  }
  return "nothing";
}

// Lengths of the lists of a list value, in the order of AttrKind.
std::array<int, 8> listLengths(const AttrValue::ListValue &list) {
  return {list.s_size(),    list.i_size(),     list.f_size(),      list.b_size(),
          list.type_size(), list.shape_size(), list.tensor_size(), list.func_size()};
}

class NodeAttributes {
public:
  NodeAttributes(const Graph &graph, uint32_t index, uint64_t &grown, DiagnosticList &diagnostics)
      : graph_(graph), limits_(graph.file().limits()), index_(index), node_(graph.node(index)),
        grown_(grown), diagnostics_(diagnostics) {}

  void check() {
    llvm::StringSet<> seen;
    for (const graphdef::AttrEntry &entry : node_.def->attr()) {
      if (!seen.insert(entry.key()).second)
        fail(entry.key(), "is given twice");
      else
        checkEntry(entry);
    }
    for (const AttrSignature &attribute : node_.op->attributes)
      if (!attribute.defaultValue && !seen.contains(attribute.name))
        fail(attribute.name, "expected a value but it is missing");
  }

private:
  void fail(StringRef name, const std::string &message) {
    diagnostics_.error(ExitCode::kBadGraph, graph_.place(index_),
                       "attribute " + quoted(name.str()) + ": " + message);
  }

  void checkEntry(const graphdef::AttrEntry &entry) {
    StringRef name = entry.key();
    if (name.empty())
      return fail(name, "expected a name");
    if (name.starts_with("_"))
      return; // an annotation: free form
    const AttrSignature *attribute = node_.op->attribute(name);
    if (!attribute)
      return checkUnknown(name, entry.value());
    if (attribute->isList)
      return checkList(*attribute, entry.value());
    if (StringRef(kindOf(entry.value())) != kindName(attribute->kind))
      return fail(name, std::string("expected ") + kindName(attribute->kind) + " but got " +
                            kindOf(entry.value()));
    checkScalar(*attribute, entry.value());
  }

  // A newer producer may know more attributes than this compiler. One that says nothing changes
  // nothing.
  void checkUnknown(StringRef name, const AttrValue &value) {
    if (graph_.producer() <= Graph::kNewestProducer)
      return fail(name, "op " + node_.opName().str() + " has no such attribute");
    if (!saysNothing(value))
      return diagnostics_.error(
          ExitCode::kUnsupported, graph_.place(index_),
          "attribute " + quoted(name.str()) + ": op " + node_.opName().str() +
              " is newer than this compiler, which does not know what the attribute means");
    diagnostics_.warning(graph_.place(index_), "attribute " + quoted(name.str()) +
                                                   " is not known and ignored, since it has the "
                                                   "value of one that is not set");
  }

  static bool saysNothing(const AttrValue &value) {
    switch (value.value_case()) {
    case AttrValue::kList:
      return value.list().ByteSizeLong() == 0;
    case AttrValue::kS:
      return value.s().empty();
    case AttrValue::kI:
      return value.i() == 0;
    case AttrValue::kF:
      return value.f() == 0;
    case AttrValue::kB:
      return !value.b();
    case AttrValue::VALUE_NOT_SET:
      return true;
    default:
      return false;
    }
  }

  void checkList(const AttrSignature &attribute, const AttrValue &value) {
    if (!value.has_list())
      return fail(attribute.name, std::string("expected a list but got ") + kindOf(value));
    auto lengths = listLengths(value.list());
    for (size_t i = 0; i < lengths.size(); ++i)
      if (lengths[i] > 0 && i != static_cast<size_t>(attribute.kind))
        return fail(attribute.name, std::string("expected a list of ") + kindName(attribute.kind) +
                                        " but got a list of " + kindName(static_cast<AttrKind>(i)));
    int length = lengths[static_cast<size_t>(attribute.kind)];
    if (attribute.minimum && length < *attribute.minimum)
      fail(attribute.name, "expected at least " + std::to_string(*attribute.minimum) +
                               " values but got " + std::to_string(length));
    for (int type : value.list().type())
      checkType(attribute, type);
    for (const std::string &text : value.list().s())
      checkString(attribute, text);
    for (const auto &shape : value.list().shape())
      checkShape(attribute, shape);
    for (const auto &tensor : value.list().tensor())
      checkTensor(attribute, tensor);
  }

  void checkScalar(const AttrSignature &attribute, const AttrValue &value) {
    switch (attribute.kind) {
    case AttrKind::kString:
      return checkString(attribute, value.s());
    case AttrKind::kInt:
      if (attribute.minimum && value.i() < *attribute.minimum)
        fail(attribute.name, "expected at least " + std::to_string(*attribute.minimum) +
                                 " but got " + std::to_string(value.i()));
      return;
    case AttrKind::kType:
      return checkType(attribute, value.type());
    case AttrKind::kShape:
      return checkShape(attribute, value.shape());
    case AttrKind::kTensor:
      return checkTensor(attribute, value.tensor());
    case AttrKind::kFloat:
    case AttrKind::kBool:
    case AttrKind::kFunc:
      return;
    }
  }

  void checkString(const AttrSignature &attribute, const std::string &text) {
    if (attribute.allowedStrings.empty() || llvm::is_contained(attribute.allowedStrings, text))
      return;
    std::string allowed;
    for (StringRef candidate : attribute.allowedStrings)
      allowed += (allowed.empty() ? "" : ", ") + quoted(candidate.str());
    fail(attribute.name, "expected one of " + allowed + " but got " + quoted(text));
  }

  void checkType(const AttrSignature &attribute, int type) {
    if (!isValueType(type))
      return fail(attribute.name, "expected an element type but got " + typeName(type));
    if (attribute.allowedTypes.empty() ||
        llvm::is_contained(attribute.allowedTypes, static_cast<DataType>(type)))
      return;
    std::string allowed;
    for (DataType candidate : attribute.allowedTypes)
      allowed += (allowed.empty() ? "" : ", ") + typeName(candidate);
    fail(attribute.name, "expected one of " + allowed + " but got " + typeName(type));
  }

  void checkShape(const AttrSignature &attribute, const graphdef::TensorShapeProto &shape) {
    int64_t elements = 0;
    if (std::string problem = problemOfShape(shape, limits_, elements); !problem.empty())
      fail(attribute.name, problem);
  }

  void checkTensor(const AttrSignature &attribute, const graphdef::TensorProto &tensor) {
    if (std::string problem = problemOfTensor(tensor, limits_); !problem.empty())
      return fail(attribute.name, problem);
    grown_ += grownBytes(tensor);
    if (!limits_.allows(LimitId::kGrownBytes, grown_))
      return fail(attribute.name,
                  limits_.excess(LimitId::kGrownBytes, "bytes of repeated values in all constants",
                                 grown_));
    const AttrValue *type = node_.opName() == "Const" ? graph_.attribute(node_, "dtype") : nullptr;
    if (type && type->type() != tensor.dtype())
      fail(attribute.name, "expected a tensor of " + typeName(type->type()) + " but got one of " +
                               typeName(tensor.dtype()));
  }

  const Graph &graph_;
  const Limits &limits_;
  uint32_t index_;
  const Node &node_;
  uint64_t &grown_; // of all nodes so far
  DiagnosticList &diagnostics_;
};

} // namespace

void checkAttributes(const Graph &graph, DiagnosticList &diagnostics) {
  uint64_t grown = 0;
  for (uint32_t i = 0; i < graph.nodes().size(); ++i)
    if (graph.node(i).isSupported)
      NodeAttributes(graph, i, grown, diagnostics).check();
}

} // namespace sluice::import
