// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index of a graph's functions, and the conversion of their signatures.
#include "compiler/import/functions/FunctionLibrary.h"

namespace sluice::import {

using llvm::StringRef;

namespace {

std::optional<AttrKind> kindFromName(StringRef name) {
  constexpr StringRef names[] = {"string", "int",   "float",  "bool",
                                 "type",   "shape", "tensor", "func"};
  for (auto [number, known] : llvm::enumerate(names))
    if (known == name)
      return static_cast<AttrKind>(number);
  return std::nullopt;
}

std::optional<AttrSignature> attributeOf(const graphdef::OpDef::AttrDef &def) {
  AttrSignature attribute;
  attribute.name = def.name();
  StringRef kind = def.type();
  attribute.isList = kind.consume_front("list(") && kind.consume_back(")");
  auto known = kindFromName(kind);
  if (!known)
    return std::nullopt;
  attribute.kind = *known;
  for (int type : def.allowed_values().list().type())
    attribute.allowedTypes.push_back(static_cast<DataType>(type));
  for (const std::string &text : def.allowed_values().list().s())
    attribute.allowedStrings.push_back(text);
  if (def.has_minimum())
    attribute.minimum = def.minimum();
  if (def.has_default_value())
    attribute.defaultValue = def.default_value();
  return attribute;
}

class SignatureReader {
public:
  explicit SignatureReader(OpSignature &op) : op_(op) {}

  // Empty when all is well.
  std::string read(const graphdef::OpDef &def) {
    op_.name = def.name();
    op_.isStateful = def.is_stateful();
    op_.isFunction = true;
    for (const auto &attribute : def.attr()) {
      auto read = attributeOf(attribute);
      if (!read || op_.attribute(attribute.name()))
        return "attribute " + quoted(attribute.name()) +
               ": expected one of each name, and not of kind " + quoted(attribute.type());
      op_.attributes.push_back(std::move(*read));
    }
    std::string problem = readArguments(def.input_arg(), op_.inputs);
    return problem.empty() ? readArguments(def.output_arg(), op_.outputs) : problem;
  }

private:
  using ArgDefs = google::protobuf::RepeatedPtrField<graphdef::OpDef::ArgDef>;

  std::string readArguments(const ArgDefs &defs, std::vector<ArgSignature> &arguments) {
    for (const auto &def : defs) {
      ArgSignature argument;
      argument.name = def.name();
      argument.fixedType = def.type();
      argument.count = def.number_attr();
      argument.isRef = def.is_ref();
      argument.typeList = !def.type_list_attr().empty();
      argument.typeAttr = argument.typeList ? def.type_list_attr() : def.type_attr();
      if (!isAttribute(argument.count, AttrKind::kInt, false) ||
          !isAttribute(argument.typeAttr, AttrKind::kType, argument.typeList) ||
          (argument.typeAttr.empty() && !isValueType(argument.fixedType)))
        return "argument " + quoted(def.name()) +
               ": expected a type, or an attribute that gives one";
      arguments.push_back(argument);
    }
    return "";
  }

  bool isAttribute(StringRef name, AttrKind kind, bool isList) const {
    const AttrSignature *attribute = op_.attribute(name);
    return name.empty() || (attribute && attribute->kind == kind && attribute->isList == isList);
  }

  OpSignature &op_;
};

} // namespace

std::unique_ptr<OpSignature> signatureOf(const graphdef::OpDef &def, std::string &problem) {
  auto op = std::make_unique<OpSignature>();
  problem = SignatureReader(*op).read(def);
  return problem.empty() ? std::move(op) : nullptr;
}

FunctionLibrary::FunctionLibrary(const GraphFile &file, OpTable &table,
                                 DiagnosticList &diagnostics) {
  const graphdef::FunctionDefLibrary &library = file.graph().library();
  for (const graphdef::FunctionDef &function : library.function()) {
    const std::string &name = function.signature().name();
    auto fail = [&](const std::string &message) {
      diagnostics.error(ExitCode::kBadGraph, {file.path(), "", ""},
                        "function " + quoted(name) + ": " + message);
    };
    if (name.empty()) {
      fail("expected a name but got an empty one");
      continue;
    }
    if (!functions_.try_emplace(name, &function).second) {
      fail("two functions have this name");
      continue;
    }
    std::string problem;
    if (auto signature = signatureOf(function.signature(), problem))
      table.add(std::move(signature));
    else
      fail(problem);
  }
  for (const graphdef::GradientDef &gradient : library.gradient())
    gradients_.try_emplace(gradient.function_name(), gradient.gradient_func());
}

std::string FunctionLibrary::nearest(StringRef name) const {
  constexpr unsigned kMostEdits = 3;
  StringRef best;
  unsigned least = kMostEdits + 1;
  for (const auto &entry : functions_)
    if (unsigned edits = name.edit_distance(entry.first(), true, least);
        edits < least || (edits == least && !best.empty() && entry.first() < best)) {
      best = entry.first();
      least = edits;
    }
  return best.str();
}

} // namespace sluice::import
