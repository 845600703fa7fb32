// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What files of others are called.
#include "compiler/import/ForeignFormat.h"
#include "compiler/import/FileContent.h"

#include <gtest/gtest.h>

namespace sluice::import {
namespace {

bool has(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

// A field of a protobuf message that holds bytes, of which there are fewer than 2^14.
std::string field(int number, const std::string &value) {
  std::string length(1, static_cast<char>(value.size() & 127));
  if (value.size() > 127) {
    length[0] = static_cast<char>(length[0] | 128);
    length += static_cast<char>(value.size() >> 7);
  }
  return std::string(1, static_cast<char>(number << 3 | 2)) + length + value;
}

TEST(ForeignFormat, BytesThatFilesBeginWith) {
  EXPECT_EQ(foreignFormat("\x1f\x8b\x08"), "a gzip archive: unpack it first");
  EXPECT_EQ(foreignFormat("PK\x03\x04"), "a zip archive: unpack it first");
  EXPECT_TRUE(has(foreignFormat("SLUICEIR\x01"), "extension .mlirbc"));
  EXPECT_EQ(foreignFormat("\x7f"
                          "ELF\x02"),
            "an ELF file");
  EXPECT_TRUE(has(foreignFormat("\x89HDF\r\n"), "an HDF5 file"));
  EXPECT_EQ(foreignFormat("\x93NUMPY\x01"), "a .npy array");
  EXPECT_TRUE(has(foreignFormat("\x08\x01\x12\x02"), "a SavedModel"));
  EXPECT_EQ(foreignFormat(std::string("\x1c\0\0\0TFL3", 8)), "a TensorFlow Lite model");
  EXPECT_EQ(foreignFormat("ML\xefR\x01"), "MLIR bytecode");
  EXPECT_TRUE(has(foreignFormat(std::string("ML\xefR\0StableHLO_v1", 17)),
                  "a serialized export of JAX, which holds StableHLO"));
  EXPECT_EQ(foreignFormat("\x08\x07\x12"), "an ONNX model");
  EXPECT_EQ(foreignFormat("\x08\x20\x12"), "an ONNX model");
  EXPECT_EQ(foreignFormat("\x08\x21\x12"), "");
  EXPECT_EQ(foreignFormat("\x08\x07"), "");
}

TEST(ForeignFormat, TextOfOthers) {
  EXPECT_EQ(foreignFormat(" {\"a\": 1}"), "JSON");
  EXPECT_EQ(foreignFormat("[1]"), "JSON");
  EXPECT_EQ(foreignFormat("\n<graph/>"), "XML or HTML");
  for (const char *text : {"module {\n}", "flow.graph @main {\n}"})
    EXPECT_EQ(foreignFormat(text), "MLIR text: give it the extension .mlir");
  for (const char *text : {"graph_def {", "meta_info_def: {", "graph_def\t {"})
    EXPECT_TRUE(has(foreignFormat(text), "a MetaGraphDef")) << text;
  EXPECT_EQ(foreignFormat("graph_defs {"), "");
  EXPECT_EQ(foreignFormat("node {"), "");
  EXPECT_EQ(looksLike("JSON"), "; the file looks like JSON");
  EXPECT_EQ(looksLike(""), "");
}

TEST(ForeignFormat, DialectsHaveOwners) {
  const std::pair<const char *, const char *> owners[] = {{"stablehlo", "StableHLO"},
                                                          {"vhlo", "StableHLO"},
                                                          {"mhlo", "StableHLO"},
                                                          {"chlo", "StableHLO"},
                                                          {"tf", "TensorFlow's own IR"},
                                                          {"tf_executor", "TensorFlow's own IR"},
                                                          {"tfg", "TensorFlow's own IR"},
                                                          {"tfl", "IR of TensorFlow Lite"},
                                                          {"tosa", "IR of the dialect tosa"},
                                                          {"onnx", "IR of ONNX-MLIR"},
                                                          {"torch", "IR of Torch-MLIR"}};
  for (auto [dialect, owner] : owners) {
    std::string op = std::string(dialect) + ".op";
    for (const std::string &text :
         {op, "a\n" + op, "%0 =\t" + op, "f { " + op, "%0 = \"" + op + "\"(%x)"}) {
      EXPECT_TRUE(foreignIr(text).starts_with(owner)) << text;
      EXPECT_TRUE(foreignIr(text).ends_with("how to get a graph that is")) << text;
    }
    for (const std::string &text :
         {"a " + op, "{name = \"" + op + "\"}", "a" + op, "{name = \"" + op + "\", value = \"(\"}"})
      EXPECT_EQ(foreignIr(text), "") << text;
  }
}

TEST(ForeignFormat, MetaGraphs) {
  std::string definitions = field(1, field(2, "\n\x03op"));
  EXPECT_TRUE(looksLikeMetaGraph(definitions));
  EXPECT_TRUE(looksLikeMetaGraph(field(1, field(4, "serve") + field(5, "1.15.0"))));
  EXPECT_TRUE(looksLikeMetaGraph(field(1, field(4, std::string(200, 'x')) + field(5, "2"))));
  EXPECT_TRUE(has(foreignFormat(field(1, std::string(1, '\x12') + "\x02\n\x01") + "\x12"),
                  "a MetaGraphDef, such as a .meta file"));
  EXPECT_FALSE(looksLikeMetaGraph(field(2, field(5, "2"))));
  EXPECT_FALSE(looksLikeMetaGraph(field(1, field(1, "x") + field(2, "NoOp"))));
  EXPECT_FALSE(looksLikeMetaGraph(field(1, field(5, "\n\x01T"))));
  EXPECT_FALSE(looksLikeMetaGraph(field(1, field(5, ""))));
  EXPECT_FALSE(looksLikeMetaGraph(definitions.substr(0, definitions.size() - 1)));
}

TEST(ForeignFormat, ControlCharactersAreInNoText) {
  for (int c = 0; c < 256; ++c) {
    bool isText = (c >= 0x20 && c != 0x7f) || (c >= 9 && c <= 13);
    EXPECT_EQ(looksLikeText(std::string(1, static_cast<char>(c))), isText) << c;
  }
  EXPECT_TRUE(looksLikeText(std::string(65536, 'a') + "\x01"));
  EXPECT_FALSE(looksLikeText(std::string(65535, 'a') + "\x01"));
}

} // namespace
} // namespace sluice::import
