// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "record": files, what is in them, and patterns of strings.
#include "compiler/import/tensorflow/SizeVectors.h"
#include "compiler/import/tensorflow/Texts.h"
#include "dialects/nd/text/Text.h"

using namespace mlir;

namespace sluice::import {

namespace {

Type stringType(Expansion &e) { return nd::StringType::get(e.builder().getContext()); }

// The unranked types of all outputs; none, after a diagnostic, if elements are not supported.
SmallVector<Type> outputTypes(Expansion &e) {
  SmallVector<Type> types;
  for (uint32_t i = 0; i < e.numResults(); ++i)
    types.push_back(unrankedOf(e.resultElement(i)));
  return e.failed() ? SmallVector<Type>() : types;
}

// ---- Files

template <typename OpT> void fromFiles(Expansion &e) {
  e.result(0, e.effect<OpT>(unrankedOf(stringType(e)), e.inputs())->getResult(0));
}

void writeFile(Expansion &e) { e.effect<state::WriteFileOp>({}, e.inputs()); }

// ---- Bytes

template <typename OpT> void decodeRaw(Expansion &e) {
  e.result(0, e.tensor<OpT>(e.resultElement(0), e.inputs(),
                            e.flag("little_endian", e.boolAttr("little_endian"))));
}

void decodeCompressed(Expansion &e) {
  std::string type = e.stringAttr("compression_type");
  if (type.empty())
    return e.result(0, e.input(0));
  if (type != "ZLIB" && type != "GZIP")
    return e.fail(ExitCode::kBadGraph,
                  "attribute 'compression_type': expected '', 'ZLIB' or 'GZIP' but got " +
                      quoted(type));
  e.result(0, e.like<nd::DecompressOp>(e.inputs(), e.text("format", StringRef(type).lower())));
}

template <typename OpT> void convert(Expansion &e) {
  e.result(0, e.tensor<OpT>(e.resultElement(0), e.inputs()));
}

// ---- Patterns

void matchPattern(Expansion &e) {
  Value pattern = e.numInputs() > 1 ? e.input(1) : text(e, e.stringAttr("pattern"));
  e.result(0, e.tensor<nd::MatchPatternOp>(e.builder().getI1Type(), {e.input(0), pattern}));
}

void replacePattern(Expansion &e) {
  bool isStatic = e.numInputs() == 1;
  Value pattern = isStatic ? text(e, e.stringAttr("pattern")) : e.input(1);
  Value rewrite = isStatic ? text(e, e.stringAttr("rewrite")) : e.input(2);
  e.result(0, e.like<nd::ReplacePatternOp>({e.input(0), pattern, rewrite},
                                           e.flag("every", e.boolAttr("replace_global"))));
}

// ---- Lines

// What is wrong with the attributes; empty if nothing is.
std::string problemOfLines(StringRef delimiter, ArrayRef<int64_t> columns, size_t fields) {
  if (delimiter.size() != 1)
    return "attribute 'field_delim': expected one byte but got " + quoted(delimiter.str());
  if (!columns.empty() && columns.size() != fields)
    return "attribute 'select_cols': expected as many columns as outputs (" +
           std::to_string(fields) + ") but got " + std::to_string(columns.size());
  int64_t last = -1;
  for (int64_t column : columns)
    if (column <= std::exchange(last, column))
      return "attribute 'select_cols': expected increasing columns of at least 0 but got " +
             std::to_string(column);
  return {};
}

void decodeCsv(Expansion &e) {
  std::string delimiter = e.stringAttr("field_delim");
  SmallVector<int64_t> columns = e.intsAttr("select_cols");
  std::string problem = problemOfLines(delimiter, columns, e.numResults());
  if (!problem.empty())
    return e.fail(ExitCode::kBadGraph, problem);
  SmallVector<Type> types = outputTypes(e);
  if (types.empty())
    return;
  auto op = e.make<nd::DecodeCsvOp>(
      types, e.inputs(),
      {e.text("delimiter", delimiter), e.flag("quotes", e.boolAttr("use_quote_delim")),
       e.text("missing", e.stringAttr("na_value")),
       e.builder().getNamedAttr("columns", e.builder().getDenseI64ArrayAttr(columns))});
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, op.getFields()[i]);
}

// ---- Examples

// Ranks and dims, as nd.parse_example has them. False, after a diagnostic, if one is not known.
bool listShapes(Expansion &e, SmallVectorImpl<int64_t> &list) {
  for (const auto &[i, shape] : llvm::enumerate(e.attribute("dense_shapes")->list().shape())) {
    bool isKnown = !shape.unknown_rank();
    list.push_back(shape.dim_size());
    for (int j = 0; j < shape.dim_size(); ++j) {
      list.push_back(shape.dim(j).size());
      isKnown &= shape.dim(j).size() >= (j == 0 ? -1 : 0);
    }
    if (isKnown)
      continue;
    e.fail(ExitCode::kBadGraph, "attribute 'dense_shapes': expected a shape of which at most the "
                                "first dim is unknown as number " +
                                    std::to_string(i));
    return false;
  }
  return true;
}

// `operands` are those of the op.
void parse(Expansion &e, ArrayRef<Value> operands, int64_t sparse, int64_t rank) {
  constexpr size_t kBeforeDefaults = 5;
  SmallVector<int64_t> shapes;
  if (!listShapes(e, shapes))
    return;
  size_t defaults = operands.size() - kBeforeDefaults;
  auto given = static_cast<size_t>(e.attribute("dense_shapes")->list().shape_size());
  if (given != defaults)
    return e.fail(ExitCode::kBadGraph, "attribute 'dense_shapes': expected " +
                                           std::to_string(defaults) + " shapes but got " +
                                           std::to_string(given));
  SmallVector<Type> types = outputTypes(e);
  if (e.failed())
    return;
  auto op = e.make<nd::ParseExampleOp>(
      types, operands,
      {e.number("sparse", sparse), e.number("rank", rank),
       e.builder().getNamedAttr("dense_shapes", e.builder().getDenseI64ArrayAttr(shapes))});
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, op.getFeatures()[i]);
}

constexpr int64_t kScalar = 0, kVector = 1, kEither = -1;

// Scalars as a vector.
Value joinedKeys(Expansion &e, ValueRange keys) {
  if (keys.empty())
    return texts(e, {});
  SmallVector<Value> scalars;
  for (Value key : keys)
    scalars.push_back(e.like<nd::ReshapeOp>({key, e.ints({})}));
  return e.like<nd::PackOp>(scalars, e.number("axis", 0));
}

// Each key is an input.
void parseExample(Expansion &e) {
  constexpr size_t kBeforeKeys = 2;
  auto sparse = static_cast<size_t>(e.attribute("Nsparse")->i());
  auto dense = static_cast<size_t>(e.attribute("Ndense")->i());
  ArrayRef<Value> keys = e.inputs().drop_front(kBeforeKeys);
  SmallVector<Value> operands(e.inputs().take_front(kBeforeKeys));
  operands.push_back(joinedKeys(e, keys.take_front(sparse)));
  operands.push_back(joinedKeys(e, keys.slice(sparse, dense)));
  operands.push_back(texts(e, {}));
  operands.append(keys.begin() + static_cast<ptrdiff_t>(sparse + dense), keys.end());
  parse(e, operands, static_cast<int64_t>(sparse), kVector);
}

void parseExampleV2(Expansion &e) { parse(e, e.inputs(), e.attribute("num_sparse")->i(), kEither); }

Value keysAttr(Expansion &e, StringRef name) {
  SmallVector<StringRef> keys;
  for (const std::string &key : e.attribute(name)->list().s())
    keys.push_back(key);
  return texts(e, keys);
}

// Each key is part of an attribute.
void parseSingleExample(Expansion &e) {
  SmallVector<Value> operands = {e.input(0), texts(e, {}), keysAttr(e, "sparse_keys"),
                                 keysAttr(e, "dense_keys"), texts(e, {})};
  operands.append(e.inputs().begin() + 1, e.inputs().end());
  parse(e, operands, e.attribute("num_sparse")->i(), kScalar);
}

constexpr OpExpansion kOps[] = {
    {"ReadFile", fromFiles<state::ReadFileOp>, Style::kEffect},
    {"WriteFile", writeFile, Style::kEffect},
    {"MatchingFiles", fromFiles<state::MatchingFilesOp>, Style::kEffect},
    {"DecodeRaw", decodeRaw<nd::DecodeRawOp>, Style::kPure, "little_endian"},
    {"DecodePaddedRaw", decodeRaw<nd::DecodePaddedRawOp>, Style::kPure, "little_endian"},
    {"DecodeCompressed", decodeCompressed, Style::kPure, "compression_type"},
    {"ParseTensor", convert<nd::ParseTensorOp>},
    {"SerializeTensor", convert<nd::SerializeTensorOp>},
    {"RegexFullMatch", matchPattern},
    {"StaticRegexFullMatch", matchPattern, Style::kPure, "pattern"},
    {"RegexReplace", replacePattern, Style::kPure, "replace_global"},
    {"StaticRegexReplace", replacePattern, Style::kPure, "pattern rewrite replace_global"},
    {"DecodeCSV", decodeCsv, Style::kPure, "field_delim use_quote_delim na_value select_cols"},
    {"ParseExample", parseExample, Style::kPure, "Nsparse Ndense dense_shapes"},
    {"ParseExampleV2", parseExampleV2, Style::kPure, "num_sparse dense_shapes"},
    {"ParseSingleExample", parseSingleExample, Style::kPure,
     "num_sparse sparse_keys dense_keys dense_shapes"},
};

} // namespace

ArrayRef<OpExpansion> recordOps() { return kOps; }

} // namespace sluice::import
