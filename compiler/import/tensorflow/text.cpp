// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// TensorFlow ops of the family "text": strings, their parts, numbers in them, hashes of them, and
// printing.
#include "dialects/nd/text/Text.h"
#include "compiler/import/tensorflow/Texts.h"

using namespace mlir;

namespace sluice::import {

namespace {

Type stringType(Expansion &e) { return nd::StringType::get(e.builder().getContext()); }

template <typename OpT> void convert(Expansion &e) {
  e.result(0, e.tensor<OpT>(e.resultElement(0), e.inputs()));
}

// ---- Parts

// nd's word for TensorFlow's BYTE and UTF8_CHAR.
NamedAttribute unitOf(Expansion &e) {
  return e.text("unit", e.stringAttr("unit") == "BYTE" ? "byte" : "character");
}

void substring(Expansion &e) { e.result(0, e.like<nd::SubstringOp>(e.inputs(), unitOf(e))); }

void length(Expansion &e) {
  e.result(0, e.tensor<nd::TextLengthOp>(e.builder().getI32Type(), e.inputs(), unitOf(e)));
}

void split(Expansion &e, StringRef at, int64_t limit, bool keepsEmpty) {
  Type i64 = e.builder().getI64Type();
  auto op = e.make<nd::SplitTextsOp>(
      {unrankedOf(i64), unrankedOf(stringType(e)), unrankedOf(i64)}, e.inputs(),
      {e.text("at", at.str()), e.number("limit", limit), e.flag("keep_empty", keepsEmpty)});
  for (uint32_t i = 0; i < e.numResults(); ++i)
    e.result(i, op->getResult(i));
}

void splitAtBytes(Expansion &e) { split(e, "bytes", -1, !e.boolAttr("skip_empty")); }

void splitAtWhole(Expansion &e) {
  split(e, "whole", std::max<int64_t>(e.intAttr("maxsplit"), -1), true);
}

// ---- Each string changed

void edit(Expansion &e, StringRef how) {
  e.result(0, e.like<nd::EditTextsOp>(e.inputs(), e.text("how", how.str())));
}

void strip(Expansion &e) { edit(e, "strip"); }
void decodeBase64(Expansion &e) { edit(e, "decode_base64"); }
void encodeBase64(Expansion &e) { edit(e, e.boolAttr("pad") ? "pad_base64" : "encode_base64"); }

void changeCase(Expansion &e) {
  std::string encoding = e.stringAttr("encoding");
  if (!encoding.empty() && encoding != "utf-8")
    return e.fail(ExitCode::kBadGraph,
                  "attribute 'encoding': expected '' or 'utf-8' but got " + quoted(encoding));
  std::string how = e.node().opName() == "StringLower" ? "lower" : "upper";
  edit(e, encoding.empty() ? how : how + "_utf8");
}

// ---- Numbers

// What is wrong with the attributes of AsString; empty if nothing is.
std::string problemOfNumbers(Expansion &e, bool isExact) {
  std::string fill = e.stringAttr("fill");
  bool isScientific = e.boolAttr("scientific"), isShortest = e.boolAttr("shortest");
  if (isScientific && isShortest)
    return "attributes 'scientific' and 'shortest': expected at most one that holds but got both";
  if (isExact && (isScientific || isShortest))
    return "attributes 'scientific' and 'shortest': expected none that holds for integers";
  if (isExact && e.intAttr("precision") >= 0)
    return "attribute 'precision': expected none for integers but got " +
           std::to_string(e.intAttr("precision"));
  if (fill.size() > 1 || !StringRef(" +-0#").contains(fill))
    return "attribute 'fill': expected '', ' ', '+', '-', '0' or '#' but got " + quoted(fill);
  return {};
}

void asText(Expansion &e) {
  Type element = e.elementOf(e.input(0));
  std::string problem = problemOfNumbers(e, element.isIntOrIndex());
  if (!problem.empty())
    return e.fail(ExitCode::kBadGraph, problem);
  constexpr int64_t kMost = 1000;
  for (StringRef name : {"precision", "width"})
    if (e.intAttr(name) > kMost)
      return e.unsupported("attribute " + quoted(name.str()) + ": expected at most 1000 but got " +
                           std::to_string(e.intAttr(name)));
  const char *form = e.boolAttr("scientific") ? "scientific"
                     : e.boolAttr("shortest") ? "shortest"
                                              : "decimal";
  e.result(0, e.tensor<nd::AsTextOp>(
                  stringType(e), e.inputs(),
                  {e.text("form", form), e.text("fill", e.stringAttr("fill")),
                   e.number("precision", std::max<int64_t>(e.intAttr("precision"), -1)),
                   e.number("width", std::max<int64_t>(e.intAttr("width"), -1))}));
}

void hashBucket(Expansion &e, StringRef method, ArrayRef<int64_t> key) {
  e.result(0, e.tensor<nd::HashBucketOp>(
                  e.builder().getI64Type(), e.inputs(),
                  {e.text("method", method.str()), e.number("buckets", e.intAttr("num_buckets")),
                   e.builder().getNamedAttr("key", e.builder().getDenseI64ArrayAttr(key))}));
}

void hashFast(Expansion &e) { hashBucket(e, "fingerprint", {}); }
void hashOld(Expansion &e) { hashBucket(e, "murmur", {}); }

void hashStrong(Expansion &e) {
  SmallVector<int64_t> key = e.intsAttr("key");
  if (key.size() != 2)
    return e.fail(ExitCode::kBadGraph,
                  "attribute 'key': expected 2 numbers but got " + std::to_string(key.size()));
  hashBucket(e, "keyed", key);
}

void ngrams(Expansion &e) {
  SmallVector<int64_t> widths = e.intsAttr("ngram_widths");
  for (int64_t width : widths)
    if (width < 1)
      return e.fail(ExitCode::kBadGraph,
                    "attribute 'ngram_widths': expected numbers of at least 1 but got " +
                        std::to_string(width));
  auto op = e.make<nd::NgramsOp>(
      {unrankedOf(stringType(e)), unrankedOf(e.elementOf(e.input(1)))}, e.inputs(),
      {e.text("separator", e.stringAttr("separator")), e.text("left_pad", e.stringAttr("left_pad")),
       e.text("right_pad", e.stringAttr("right_pad")),
       e.builder().getNamedAttr("widths", e.builder().getDenseI64ArrayAttr(widths)),
       e.number("padding", std::max<int64_t>(e.intAttr("pad_width"), -1)),
       e.flag("keep_short", e.boolAttr("preserve_short_sequences"))});
  e.result(0, op.getResult());
  e.result(1, op.getEnds());
}

// ---- Strings made of many

void reduceJoin(Expansion &e) {
  e.result(0,
           e.like<nd::ReduceJoinOp>(e.inputs(), {e.flag("keep_dims", e.boolAttr("keep_dims")),
                                                 e.text("separator", e.stringAttr("separator"))}));
}

void formatText(Expansion &e) {
  std::string pattern = e.stringAttr("template"), placeholder = e.stringAttr("placeholder");
  if (placeholder.empty())
    return e.fail(ExitCode::kBadGraph, "attribute 'placeholder': expected a text but got ''");
  size_t places = StringRef(pattern).count(placeholder);
  if (places != e.numInputs())
    return e.fail(ExitCode::kBadGraph, "attribute 'template': expected as many placeholders as " +
                                           ("inputs (" + std::to_string(e.numInputs())) +
                                           ") but got " + std::to_string(places));
  // Without operands an op would be in the root frame, wherever the node is.
  if (e.numInputs() == 0)
    return e.result(0, text(e, pattern));
  e.result(0, e.tensor<nd::FormatTextOp>(
                  stringType(e), e.inputs(),
                  {e.text("pattern", pattern), e.text("placeholder", placeholder),
                   e.number("summarize", std::max<int64_t>(e.intAttr("summarize"), -1))}));
}

// All streams are where the program's lines go.
void printText(Expansion &e) {
  std::string stream = e.stringAttr("output_stream");
  if (!llvm::is_contained({"stderr", "stdout", "log(info)", "log(warning)", "log(error)"}, stream))
    return e.unsupported("attribute 'output_stream': expected stderr, stdout or a log but got " +
                         quoted(stream));
  e.effect<state::PrintTextOp>({}, e.inputs(), e.text("end", e.stringAttr("end")));
}

constexpr OpExpansion kOps[] = {
    {"Substr", substring, Style::kPure, "unit"},
    {"StringLength", length, Style::kPure, "unit"},
    {"StringSplit", splitAtBytes, Style::kPure, "skip_empty"},
    {"StringSplitV2", splitAtWhole, Style::kPure, "maxsplit"},
    {"StringNGrams", ngrams, Style::kPure,
     "separator ngram_widths left_pad right_pad pad_width preserve_short_sequences"},
    {"StringStrip", strip},
    {"StringLower", changeCase, Style::kPure, "encoding"},
    {"StringUpper", changeCase, Style::kPure, "encoding"},
    {"EncodeBase64", encodeBase64, Style::kPure, "pad"},
    {"DecodeBase64", decodeBase64},
    {"AsString", asText, Style::kPure, "precision scientific shortest width fill"},
    {"StringToNumber", convert<nd::ParseNumberOp>},
    {"StringToHashBucketFast", hashFast, Style::kPure, "num_buckets"},
    {"StringToHashBucket", hashOld, Style::kPure, "num_buckets"},
    {"StringToHashBucketStrong", hashStrong, Style::kPure, "num_buckets key"},
    {"ReduceJoin", reduceJoin, Style::kPure, "keep_dims separator"},
    {"StringFormat", formatText, Style::kPure, "template placeholder summarize"},
    {"PrintV2", printText, Style::kEffect, "output_stream end"},
};

} // namespace

ArrayRef<OpExpansion> textOps() { return kOps; }

} // namespace sluice::import
