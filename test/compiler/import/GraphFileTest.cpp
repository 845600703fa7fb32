// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of files: forms, limits, and bytes that are no graph.
#include "test/compiler/import/ImportTest.h"

#include "compiler/import/FileContent.h"
#include "compiler/import/ReadGraph.h"

#include "llvm/ADT/SmallString.h"
#include "llvm/Support/FileSystem.h"

#include <random>
#include <sys/stat.h>
#include <unistd.h>

namespace sluice::import {
namespace {

// "name: 'x' op: 'NoOp'" as a binary graph of one node.
const std::string kBinary("\x0a\x09\x0a\x01x\x12\x04NoOp", 11);

std::string complaint(const std::string &content, int *exitCode = nullptr) {
  DiagnosticList diagnostics;
  auto file = GraphFile::parse("g.pb", content, diagnostics);
  EXPECT_EQ(file == nullptr, diagnostics.hasErrors());
  if (exitCode)
    *exitCode = static_cast<int>(diagnostics.exitCode());
  return diagnostics.all().empty() ? "" : formatText(diagnostics.all()[0]);
}

std::string readComplaint(const std::string &path, int &exitCode, const Limits &limits = {}) {
  DiagnosticList diagnostics;
  EXPECT_EQ(readGraph(path, limits, diagnostics), nullptr);
  exitCode = static_cast<int>(diagnostics.exitCode());
  return diagnostics.all().empty() ? "" : formatText(diagnostics.all()[0]);
}

class TemporaryFolder {
public:
  TemporaryFolder() { llvm::sys::fs::createUniqueDirectory("sluice-import", path_); }
  ~TemporaryFolder() { llvm::sys::fs::remove_directories(path_); }
  std::string file(const std::string &name) const { return path_.str().str() + "/" + name; }
  std::string path() const { return path_.str().str(); }

private:
  llvm::SmallString<128> path_;
};

void write(const std::string &path, const std::string &content) {
  std::error_code error;
  llvm::raw_fd_ostream(path, error) << content;
  ASSERT_FALSE(error);
}

void expectContains(const std::string &text, const std::string &part) {
  EXPECT_NE(text.find(part), std::string::npos) << text;
}

TEST(GraphFile, ReadsBothForms) {
  DiagnosticList diagnostics;
  auto binary = GraphFile::parse("g", kBinary, diagnostics);
  ASSERT_TRUE(binary);
  EXPECT_EQ(binary->graph().node(0).op(), "NoOp");
  EXPECT_EQ(binary->nodeLocation(0), "g");
  auto text = GraphFile::parse("g.txt", "\n  node { name: 'x' op: 'NoOp' }", diagnostics);
  ASSERT_TRUE(text);
  EXPECT_EQ(text->graph().node(0).op(), "NoOp");
  EXPECT_EQ(text->nodeLocation(0), "g.txt:2:3");
}

TEST(GraphFile, TheNameDoesNotDecideTheForm) {
  DiagnosticList diagnostics;
  EXPECT_TRUE(GraphFile::parse("g.pbtxt", kBinary, diagnostics));
  EXPECT_TRUE(GraphFile::parse("g.pb", "node { name: 'x' op: 'NoOp' }", diagnostics));
}

TEST(GraphFile, EmptyFileHasNoNodes) {
  int code = 0;
  expectContains(complaint("", &code), "no nodes");
  EXPECT_EQ(code, 1);
  expectContains(complaint("# nothing\n"), "no nodes");
  expectContains(complaint(std::string("\x22\x00", 2)), "no nodes");
}

TEST(GraphFile, AnyOneByteIsRefused) {
  for (int byte = 0; byte < 256; ++byte)
    EXPECT_NE(complaint(std::string(1, static_cast<char>(byte))), "") << byte;
}

TEST(GraphFile, RandomBytesNeverCrash) {
  std::mt19937 random(1);
  for (int round = 0; round < 2000; ++round) {
    std::string bytes(round % 64 == 0 ? 4096 : random() % 64, '\0');
    for (char &c : bytes)
      c = static_cast<char>(random());
    DiagnosticList diagnostics;
    auto file = GraphFile::parse("g", bytes, diagnostics);
    EXPECT_EQ(file == nullptr, diagnostics.hasErrors());
  }
}

TEST(GraphFile, TruncationAtEveryByteIsRefused) {
  for (size_t length = 0; length < kBinary.size(); ++length)
    EXPECT_NE(complaint(kBinary.substr(0, length)), "") << length;
}

TEST(GraphFile, EveryFlippedBitIsSurvived) {
  for (size_t i = 0; i < kBinary.size() * 8; ++i) {
    std::string bytes = kBinary;
    bytes[i / 8] = static_cast<char>(bytes[i / 8] ^ (1 << i % 8));
    complaint(bytes);
  }
}

TEST(GraphFile, NamesTheByte) {
  expectContains(complaint(std::string("\x0a\x7f\x0a", 3)),
                 "byte 0: field 'GraphDef.node' needs 127 bytes but only 1 are left");
  expectContains(complaint(std::string("\x0a\xff\xff\xff\xff\x07", 6)), "2147483647 bytes");
  expectContains(complaint(std::string("\x0a\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01", 12)),
                 "varint of at most 10 bytes");
  expectContains(complaint(std::string("\x08\x01", 2)), "expected bytes but got varint");
  expectContains(complaint(std::string("\x0a\x00\x0b", 3)),
                 "byte 2: expected a field but got group");
  expectContains(complaint(std::string("\x0a\x00\x0c", 3)), "but got end of group");
  expectContains(complaint(std::string("\x0a\x06\x0a\x01x\x0a\x01y", 8)),
                 "'NodeDef.name' is given twice");
  expectContains(complaint(std::string("\x0a\x03\x0a\x01\xff", 5)),
                 "byte 4: field 'NodeDef.name': expected UTF-8");
}

TEST(GraphFile, UnknownFieldsAreIgnoredWithAWarning) {
  DiagnosticList diagnostics;
  EXPECT_TRUE(GraphFile::parse("g", kBinary + std::string("\xf8\x07\x01", 3), diagnostics));
  ASSERT_EQ(diagnostics.all().size(), 1u);
  EXPECT_EQ(diagnostics.all()[0].severity, Severity::kWarning);
  DiagnosticList ofText;
  EXPECT_TRUE(
      GraphFile::parse("g", "new_field { a: [1, 2] } node { name: 'x' op: 'NoOp' }", ofText));
  EXPECT_FALSE(ofText.all().empty());
  EXPECT_FALSE(ofText.hasErrors());
}

std::string nestedBinary(int levels) {
  // An odd number of levels. Tensors of variants nest:
  // GraphDef.node.attr.value.tensor.(variant_val.tensors)*.
  std::string bytes;
  auto wrap = [&](char tag) {
    std::string length;
    for (size_t n = bytes.size();; n >>= 7) {
      length += static_cast<char>((n & 127) | (n > 127 ? 128 : 0));
      if (n <= 127)
        break;
    }
    bytes = std::string(1, tag) + length + bytes;
  };
  for (int i = 0; i < levels; ++i)
    wrap(i % 2 == 0 ? '\x7a' : '\x1a');
  wrap('\x42');
  wrap('\x12');
  wrap('\x2a');
  wrap('\x0a');
  return bytes;
}

TEST(GraphFile, NestingIsBounded) {
  expectContains(complaint(nestedBinary(97)), "at most 100 messages inside each other");
  expectContains(complaint(nestedBinary(20001)), "at most 100 messages inside each other");
  EXPECT_EQ(complaint(nestedBinary(41)).find("nested"), std::string::npos);
  for (int levels : {101, 20000}) {
    std::string text = "library ";
    for (int i = 0; i < levels; ++i)
      text += "{a";
    expectContains(complaint(text), "g.pb:1:");
    expectContains(complaint(text), "at most 100 messages inside each other");
  }
  expectContains(complaint("node { name: '{{{{' # {{{{\n" + std::string(101, '<')),
                 "g.pb:2:100: error: expected at most 100 messages");
}

TEST(GraphFile, TextErrorsHavePositions) {
  expectContains(complaint("node {\n  name: 'x' op: }"), "g.pb:2:17: error: ");
  expectContains(complaint("node { name: 'x' name: 'y' }"), "g.pb:1:");
  expectContains(complaint("node { name: 'a' op: 'NoOp' "), "error: ");
}

TEST(GraphFile, OtherTextGetsAHint) {
  DiagnosticList diagnostics;
  EXPECT_FALSE(GraphFile::parse("g", "module {\n}", diagnostics));
  expectContains(formatText(diagnostics.all().back()), "looks like MLIR text");
  DiagnosticList ofJson;
  EXPECT_FALSE(GraphFile::parse("g", "{\"node\": []}", ofJson));
  expectContains(formatText(ofJson.all().back()), "looks like JSON");
}

TEST(GraphFile, ForeignFilesGetAHint) {
  expectContains(complaint(std::string("\x1f\x8b\x08\x00", 4)), "gzip");
  expectContains(complaint(std::string("PK\x03\x04\x01", 5)), "zip");
  expectContains(complaint(std::string("\x08\x07\x12\x07pytorch", 11)), "ONNX");
  expectContains(complaint(std::string("\x08\x01\x12\x00", 4)), "SavedModel");
  expectContains(complaint(std::string("\x7f"
                                       "ELF\x02",
                                       5)),
                 "ELF");
}

TEST(GraphFile, OnlyRegularFilesAreRead) {
  TemporaryFolder folder;
  int code = 0;
  expectContains(readComplaint(folder.file("missing"), code), "cannot be opened");
  EXPECT_EQ(code, 3);
  expectContains(readComplaint(folder.path(), code), "but got a directory");
  EXPECT_EQ(code, 3);
  write(folder.file("saved_model.pb"), "");
  expectContains(readComplaint(folder.path(), code), "SavedModel");
  ASSERT_EQ(::mkfifo(folder.file("pipe").c_str(), 0600), 0);
  expectContains(readComplaint(folder.file("pipe"), code), "but got a pipe");
  EXPECT_EQ(code, 3);
  expectContains(readComplaint("/dev/zero", code), "but got a device");
  EXPECT_EQ(code, 3);
  ASSERT_EQ(::symlink("loop", folder.file("loop").c_str()), 0);
  expectContains(readComplaint(folder.file("loop"), code), "cannot be opened");
  EXPECT_EQ(code, 3);
}

TEST(GraphFile, SizeIsBounded) {
  TemporaryFolder folder;
  int code = 0;
  write(folder.file("g.pb"), kBinary);
  Limits small;
  EXPECT_EQ(small.set("file-bytes=10"), std::nullopt);
  expectContains(readComplaint(folder.file("g.pb"), code, small),
                 "expected at most 10 bytes but got 11; --limit file-bytes=N allows more");
  ASSERT_EQ(::truncate(folder.file("g.pb").c_str(), off_t(3) << 30), 0);
  expectContains(readComplaint(folder.file("g.pb"), code), "bytes but got 3221225472");
  EXPECT_EQ(code, 1);
}

} // namespace
} // namespace sluice::import
