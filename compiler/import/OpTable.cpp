// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Index of the embedded op table, and the parser of its lines:
//   name TAB inputs TAB outputs TAB attributes TAB flags
// with arguments `x: T; y: N * float; r: Ref(T)` and attributes `T: {int32, int64} = DT_INT32`.
#include "compiler/import/OpTable.h"

#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"

namespace sluice::import {

// Generated from tensorflow/opdefs.tsv.
extern const char *const kOpDefinitions;

namespace {

using graphdef::AttrValue;
using llvm::StringRef;

// Cuts at `separator` where it stands outside of quotes and brackets.
llvm::SmallVector<StringRef> splitOutside(StringRef text, char separator) {
  llvm::SmallVector<StringRef> parts;
  int depth = 0;
  bool quoted = false;
  size_t start = 0;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '\'')
      quoted = !quoted;
    else if (quoted)
      continue;
    else if (c == '{' || c == '(' || c == '[')
      ++depth;
    else if (c == '}' || c == ')' || c == ']')
      --depth;
    else if (c == separator && depth == 0) {
      parts.push_back(text.slice(start, i).trim());
      start = i + 1;
    }
  }
  if (StringRef last = text.substr(start).trim(); !last.empty())
    parts.push_back(last);
  return parts;
}

const std::vector<DataType> &namedTypeSet(StringRef name) {
  using namespace graphdef;
  static const std::vector<DataType> numbers = {
      DT_FLOAT,      DT_DOUBLE, DT_INT32,  DT_UINT8,  DT_INT16,   DT_INT8,
      DT_COMPLEX64,  DT_INT64,  DT_QINT8,  DT_QUINT8, DT_QINT32,  DT_UINT16,
      DT_COMPLEX128, DT_HALF,   DT_UINT32, DT_UINT64, DT_BFLOAT16};
  static const std::vector<DataType> reals = {DT_FLOAT,  DT_DOUBLE, DT_INT32,  DT_UINT8,
                                              DT_INT16,  DT_INT8,   DT_INT64,  DT_BFLOAT16,
                                              DT_UINT16, DT_HALF,   DT_UINT32, DT_UINT64};
  static const std::vector<DataType> quantized = {DT_QINT8, DT_QUINT8, DT_QINT32, DT_QINT16,
                                                  DT_QUINT16};
  static const std::vector<DataType> none;
  if (name == "numbertype")
    return numbers;
  if (name == "realnumbertype")
    return reals;
  return name == "quantizedtype" ? quantized : none;
}

// The part between quotes, with the escapes that the table uses.
std::string unquote(StringRef text) {
  std::string result;
  text = text.trim().trim('\'');
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] != '\\' || i + 1 == text.size()) {
      result += text[i];
      continue;
    }
    char next = text[++i];
    result += next == 'n' ? '\n' : next == 't' ? '\t' : next;
  }
  return result;
}

class LineParser {
public:
  // Null when the line is malformed.
  static std::unique_ptr<OpSignature> parse(StringRef line) {
    llvm::SmallVector<StringRef> columns;
    line.split(columns, '\t');
    if (columns.size() != 5)
      return nullptr;
    LineParser parser;
    parser.op_->name = columns[0];
    bool good = parser.parseAttributes(columns[3]) &&
                parser.parseArguments(columns[1], parser.op_->inputs) &&
                parser.parseArguments(columns[2], parser.op_->outputs) &&
                parser.parseFlags(columns[4]);
    return good ? std::move(parser.op_) : nullptr;
  }

private:
  LineParser() : op_(std::make_unique<OpSignature>()) {}

  bool parseArguments(StringRef text, std::vector<ArgSignature> &arguments) {
    for (StringRef part : splitOutside(text, ';')) {
      auto [name, type] = part.split(':');
      ArgSignature argument;
      argument.name = name.trim();
      type = type.trim();
      if (auto [count, element] = type.split('*'); !element.empty()) {
        argument.count = count.trim();
        type = element.trim();
      }
      if (type.consume_front("Ref(") && type.consume_back(")"))
        argument.isRef = true;
      if (const AttrSignature *attribute = op_->attribute(type)) {
        argument.typeAttr = attribute->name;
        argument.typeList = attribute->isList;
      } else if (auto fixed = typeFromName(type)) {
        argument.fixedType = *fixed;
      } else {
        return false;
      }
      arguments.push_back(argument);
    }
    return true;
  }

  bool parseAttributes(StringRef text) {
    for (StringRef part : splitOutside(text, ';')) {
      auto [name, rest] = part.split(':');
      AttrSignature attribute;
      attribute.name = name.trim();
      // The default follows the first `=` that is not part of `>=` and not in a quoted set.
      auto halves = cutDefault(rest.trim());
      auto [kind, minimum] = halves.first.split(">=");
      int64_t bound = 0;
      if (!minimum.empty()) {
        if (minimum.trim().getAsInteger(10, bound))
          return false;
        attribute.minimum = bound;
      }
      if (!parseKind(kind.trim(), attribute))
        return false;
      if (!halves.second.empty() && !parseDefault(halves.second, attribute))
        return false;
      op_->attributes.push_back(std::move(attribute));
    }
    return true;
  }

  static std::pair<StringRef, StringRef> cutDefault(StringRef text) {
    size_t from = text.starts_with("{") ? text.find('}') : 0;
    for (size_t i = from; i < text.size(); ++i)
      if (text[i] == '=' && (i == 0 || text[i - 1] != '>'))
        return {text.take_front(i).trim(), text.substr(i + 1).trim()};
    return {text, ""};
  }

  bool parseKind(StringRef text, AttrSignature &attribute) {
    if (text.consume_front("list(") && text.consume_back(")"))
      attribute.isList = true;
    if (text.consume_front("{") && text.consume_back("}"))
      return parseAllowed(text, attribute);
    attribute.allowedTypes = namedTypeSet(text);
    if (text == "type" || !attribute.allowedTypes.empty())
      attribute.kind = AttrKind::kType;
    else if (text == "string")
      attribute.kind = AttrKind::kString;
    else if (text == "int")
      attribute.kind = AttrKind::kInt;
    else if (text == "float")
      attribute.kind = AttrKind::kFloat;
    else if (text == "bool")
      attribute.kind = AttrKind::kBool;
    else if (text == "shape")
      attribute.kind = AttrKind::kShape;
    else if (text == "tensor")
      attribute.kind = AttrKind::kTensor;
    else if (text == "func")
      attribute.kind = AttrKind::kFunc;
    else
      return false;
    return true;
  }

  // A set of types, or of quoted strings.
  bool parseAllowed(StringRef text, AttrSignature &attribute) {
    for (StringRef item : splitOutside(text, ',')) {
      if (item.starts_with("'")) {
        attribute.kind = AttrKind::kString;
        attribute.allowedStrings.push_back(item.trim('\''));
        continue;
      }
      attribute.kind = AttrKind::kType;
      if (auto type = typeFromName(item)) {
        attribute.allowedTypes.push_back(*type);
        continue;
      }
      const std::vector<DataType> &set = namedTypeSet(item);
      if (set.empty())
        return false;
      attribute.allowedTypes.insert(attribute.allowedTypes.end(), set.begin(), set.end());
    }
    return true;
  }

  bool parseDefault(StringRef text, AttrSignature &attribute) {
    AttrValue value;
    if (!attribute.isList) {
      if (!parseScalar(text, attribute.kind, value))
        return false;
    } else {
      value.mutable_list();
      if (!text.consume_front("[") || !text.consume_back("]"))
        return false;
      for (StringRef item : splitOutside(text, ',')) {
        AttrValue element;
        if (!parseScalar(item, attribute.kind, element))
          return false;
        append(element, *value.mutable_list());
      }
    }
    attribute.defaultValue = std::move(value);
    return true;
  }

  static void append(const AttrValue &element, AttrValue::ListValue &list) {
    if (element.has_i())
      list.add_i(element.i());
    else if (element.has_f())
      list.add_f(element.f());
    else if (element.has_type())
      list.add_type(element.type());
    else
      list.add_s(element.s());
  }

  static bool parseScalar(StringRef text, AttrKind kind, AttrValue &value) {
    switch (kind) {
    case AttrKind::kString:
      value.set_s(unquote(text));
      return true;
    case AttrKind::kInt: {
      int64_t number = 0;
      bool bad = text.getAsInteger(10, number);
      value.set_i(number);
      return !bad;
    }
    case AttrKind::kFloat: {
      double number = 0;
      bool bad = text.getAsDouble(number);
      value.set_f(static_cast<float>(number));
      return !bad;
    }
    case AttrKind::kBool:
      value.set_b(text == "true");
      return text == "true" || text == "false";
    case AttrKind::kType: {
      auto type = typeFromName(text);
      value.set_type(type.value_or(graphdef::DT_INVALID));
      return type.has_value();
    }
    case AttrKind::kShape:
      value.mutable_shape()->set_unknown_rank(text.contains("unknown_rank"));
      return true;
    case AttrKind::kTensor:
      value.mutable_tensor(); // only ops that are far from supported have one
      return true;
    case AttrKind::kFunc:
      return false;
    }
    return false;
  }

  bool parseFlags(StringRef text) {
    llvm::SmallVector<StringRef> flags;
    llvm::SplitString(text, flags, " ");
    for (StringRef flag : flags) {
      op_->isStateful |= flag == "IsStateful";
      if (flag.consume_front("Deprecated@") && flag.getAsInteger(10, op_->deprecatedSince))
        return false;
    }
    return true;
  }

  std::unique_ptr<OpSignature> op_;
};

} // namespace

const AttrSignature *OpSignature::attribute(StringRef attributeName) const {
  for (const AttrSignature &candidate : attributes)
    if (candidate.name == attributeName)
      return &candidate;
  return nullptr;
}

OpTable::OpTable() { index(kOpDefinitions); }
OpTable::OpTable(StringRef text) { index(text); }

void OpTable::index(StringRef text) {
  while (!text.empty()) {
    auto [line, rest] = text.split('\n');
    if (!line.empty() && !line.starts_with("#"))
      lines_[line.take_until([](char c) { return c == '\t'; })] = line;
    text = rest;
  }
}

const OpSignature *OpTable::find(StringRef name) {
  auto [entry, isNew] = parsed_.try_emplace(name, nullptr);
  if (isNew)
    if (auto line = lines_.find(name); line != lines_.end())
      entry->second = LineParser::parse(line->second);
  return entry->second.get();
}

void OpTable::add(std::unique_ptr<OpSignature> op) {
  StringRef name = op->name;
  parsed_[name] = std::move(op);
}

std::vector<std::string> OpTable::malformed() {
  std::vector<std::string> names;
  for (const auto &line : lines_)
    if (!find(line.first()))
      names.push_back(line.first().str());
  return names;
}

} // namespace sluice::import
