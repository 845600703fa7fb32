// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognition of formats by the bytes that all of their files have.
#include "compiler/import/ForeignFormat.h"

#include "compiler/import/FileContent.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringRef.h"

#include <optional>

namespace sluice::import {

using llvm::StringRef;

// ---- MLIR of others -----------------------------------------------------------------------------

namespace {
struct ForeignDialect {
  StringRef op; // how its ops begin
  StringRef owner;
};
constexpr StringRef kStableHlo = "StableHLO, as JAX exports it";
constexpr ForeignDialect kForeignDialects[] = {
    {"stablehlo.", kStableHlo},
    {"vhlo.", kStableHlo},
    {"mhlo.", kStableHlo},
    {"chlo.", kStableHlo},
    {"tf.", "TensorFlow's own IR"},
    {"tf_executor.", "TensorFlow's own IR"},
    {"tfg.", "TensorFlow's own IR"},
    {"tfl.", "IR of TensorFlow Lite"},
    {"tosa.", "IR of the dialect tosa"},
    {"onnx.", "IR of ONNX-MLIR"},
    {"torch.", "IR of Torch-MLIR"},
};
constexpr StringRef kAdvice = ", which is not read: docs/how-to/get-a-graph.md shows how to get a "
                              "graph that is";
// Where names of ops, or versions of what wrote them, are sure to have occurred.
constexpr size_t kInspected = 1 << 20;
} // namespace

// An op stands at the start of a line, or behind results or a brace. In quotes, it has operands.
static bool isOpAt(StringRef text, size_t at) {
  StringRef before = text.take_front(at), after = text.drop_front(at);
  auto isQuote = [](char c) { return c == '"'; };
  if (before.consume_back("\"") && !after.drop_until(isQuote).starts_with("\"("))
    return false;
  before = before.rtrim(" \t");
  return before.empty() || StringRef("\n={").contains(before.back());
}

static bool hasOp(StringRef text, StringRef prefix) {
  for (size_t at = text.find(prefix); at != StringRef::npos; at = text.find(prefix, at + 1))
    if (isOpAt(text, at))
      return true;
  return false;
}

std::string foreignIr(std::string_view content) {
  StringRef bytes = StringRef(content).take_front(kInspected);
  bool isText = looksLikeText(content);
  if (!isText && bytes.starts_with("ML\xefR") && bytes.contains("StableHLO_v"))
    return (kStableHlo + kAdvice).str();
  for (const ForeignDialect &dialect : kForeignDialects)
    if (isText && hasOp(bytes, dialect.op))
      return (dialect.owner + kAdvice).str();
  return "";
}

// ---- Messages of protobuf -----------------------------------------------------------------------

static constexpr StringRef kSavedModel = "a SavedModel, which sluicec reads";
static constexpr StringRef kMetaGraph = "a MetaGraphDef, such as a .meta file, which sluicec reads";

namespace {
// The fields of a serialized message, as far as they are strings and messages.
class Fields {
public:
  explicit Fields(StringRef bytes) : bytes_(bytes) {}

  struct Field {
    uint64_t number;
    StringRef value;
  };
  std::optional<Field> next() {
    constexpr uint64_t kLengthDelimited = 2;
    uint64_t tag = readNumber(), size = readNumber();
    if (isDamaged_ || (tag & 7) != kLengthDelimited || size > bytes_.size())
      return std::nullopt;
    Field field{tag >> 3, bytes_.take_front(size)};
    bytes_ = bytes_.drop_front(size);
    return field;
  }

private:
  uint64_t readNumber() {
    uint64_t value = 0;
    for (unsigned shift = 0; shift < 64 && !bytes_.empty(); shift += 7) {
      auto byte = static_cast<unsigned char>(bytes_.front());
      bytes_ = bytes_.drop_front();
      value |= uint64_t{byte & 127u} << shift;
      if (byte < 128)
        return value;
    }
    isDamaged_ = true;
    return 0;
  }

  StringRef bytes_;
  bool isDamaged_ = false;
};
} // namespace

// Both begin with a message of number 1: a node, or what the graph was made with. Number 2 in that
// is the name of an op, or a list of definitions; number 5 an attribute, or a version.
static bool isBinaryMetaGraph(StringRef content) {
  auto first = Fields(content).next();
  if (!first || first->number != 1)
    return false;
  Fields inner(first->value);
  while (auto field = inner.next()) {
    if (field->number == 2 && field->value.starts_with("\n"))
      return true;
    if (field->number == 5 && !field->value.empty() && llvm::isDigit(field->value.front()))
      return true;
  }
  return false;
}

// The first word, and what must follow it.
static bool beginsWithField(StringRef text, StringRef field, StringRef after) {
  text = text.ltrim();
  while (text.consume_front("#")) // a comment
    text = text.drop_until([](char c) { return c == '\n'; }).ltrim();
  return text.consume_front(field) && after.contains(text.ltrim(" \t").take_front(1)) &&
         !text.empty();
}

bool looksLikeMetaGraph(std::string_view content) {
  if (!looksLikeText(content))
    return isBinaryMetaGraph(content);
  return beginsWithField(content, "meta_info_def", ":{") ||
         beginsWithField(content, "graph_def", ":{");
}

// Field 1 of a GraphDef is a node; of these it is a version number.
bool looksLikeSavedModel(std::string_view content) {
  if (!looksLikeText(content))
    return StringRef(content).starts_with("\x08\x01\x12");
  return beginsWithField(content, "saved_model_schema_version", ":") ||
         beginsWithField(content, "meta_graphs", ":{");
}

static std::string formatOfText(StringRef text) {
  text = text.ltrim();
  if (text.starts_with("{") || text.starts_with("["))
    return "JSON";
  if (text.starts_with("<"))
    return "XML or HTML";
  if (std::string foreign = foreignIr(text); !foreign.empty())
    return foreign;
  if (text.starts_with("module") || text.starts_with("flow.graph"))
    return "MLIR text: give it the extension .mlir";
  if (looksLikeSavedModel(text))
    return kSavedModel.str();
  return looksLikeMetaGraph(text) ? kMetaGraph.str() : "";
}

std::string foreignFormat(std::string_view content) {
  StringRef bytes(content);
  constexpr std::pair<StringRef, StringRef> kBeginnings[] = {
      {"\x1f\x8b", "a gzip archive: unpack it first"},
      {"PK\x03\x04", "a zip archive: unpack it first"},
      {"SLUICEIR", "bytecode of Sluice's IR: give it the extension .mlirbc"},
      {"\x7f"
       "ELF",
       "an ELF file"},
      {"\x89HDF", "an HDF5 file, such as a Keras model: export it as a SavedModel"},
      {"\x93NUMPY", "a .npy array"}};
  for (auto [beginning, format] : kBeginnings)
    if (bytes.starts_with(beginning))
      return format.str();
  if (looksLikeSavedModel(bytes))
    return kSavedModel.str();
  if (bytes.substr(4, 4) == "TFL3")
    return "a TensorFlow Lite model";
  if (looksLikeText(content))
    return formatOfText(bytes);
  if (bytes.take_front(kInspected).contains("StableHLO_v"))
    return ("a serialized export of JAX, which holds " + kStableHlo + kAdvice).str();
  if (bytes.starts_with("ML\xefR"))
    return "MLIR bytecode";
  if (bytes.starts_with("\x08") && bytes.size() > 2 && bytes[1] <= 0x20)
    return "an ONNX model";
  return looksLikeMetaGraph(bytes) ? kMetaGraph.str() : "";
}

std::string looksLike(const std::string &format) {
  return format.empty() ? "" : "; the file looks like " + format;
}

} // namespace sluice::import
