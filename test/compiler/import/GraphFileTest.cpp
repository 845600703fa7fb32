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
  EXPECT_TRUE(diagnostics.all().empty());
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
  EXPECT_EQ(formatText(diagnostics.all()[0]),
            "g: warning: ignored 1 fields that are not known; the file may be newer than this "
            "compiler");
  DiagnosticList ofText;
  EXPECT_TRUE(
      GraphFile::parse("g", "new_field { a: [1, 2] } node { name: 'x' op: 'NoOp' }", ofText));
  ASSERT_FALSE(ofText.all().empty());
  EXPECT_EQ(formatText(ofText.all()[0]),
            "g:1:11: warning: message type \"sluice.graphdef.GraphDef\" has no field named "
            "\"new_field\"");
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

// Brackets in strings and comments, and those that are closed, are none.
TEST(GraphFile, OnlyOpenBracketsNest) {
  std::string many(101, '{'), deep = "messages inside each other";
  for (const std::string &text : {"name: '\\'" + many + "'", "name: \"'" + many + "\"",
                                  "name: '#\"" + many + "'", "# '\n# \"" + many})
    EXPECT_EQ(complaint(text).find(deep), std::string::npos) << text;
  for (const std::string part : {"a {} ", "a < > ", "a: [ ] "}) {
    std::string text;
    for (int i = 0; i < 101; ++i)
      text += part;
    EXPECT_EQ(complaint(text).find(deep), std::string::npos) << part;
  }
  expectContains(complaint("name: 'a\n" + many), "g.pb:2:101: error: expected at most 100");
  expectContains(complaint("} ] > " + many), "g.pb:1:107: error: expected at most 100 messages");
  expectContains(complaint("} ] > " + many), "but got 101");
}

std::string complaintWith(const std::string &limit, const std::string &content) {
  Limits limits;
  EXPECT_EQ(limits.set(limit), std::nullopt);
  DiagnosticList diagnostics;
  GraphFile::parse("g", content, diagnostics, limits);
  return diagnostics.all().empty() ? "" : formatText(diagnostics.all()[0]);
}

TEST(GraphFile, FieldsOfTextAreCounted) {
  const std::string text = "node { input: ['a', \"b,c\"] name: 'x' op: 'NoOp' } # a: b, c\n";
  EXPECT_EQ(complaintWith("fields=6", text), "");
  EXPECT_EQ(complaintWith("fields=5", text),
            "g:1:40: error: expected at most 5 messages and values "
            "but got 6; --limit fields=N allows more");
}

TEST(GraphFile, FieldsOfBytesAreCounted) {
  EXPECT_EQ(complaintWith("fields=3", kBinary), ""); // a node and two texts
  expectContains(complaintWith("fields=2", kBinary),
                 "byte 5: expected at most 2 messages and texts but got 3");
  EXPECT_EQ(complaintWith("message-nesting=1", kBinary), "");
  expectContains(complaintWith("message-nesting=0", kBinary), "at most 0 messages");
  EXPECT_EQ(complaintWith("message-nesting=99", nestedBinary(95)), "");
  expectContains(complaintWith("message-nesting=98", nestedBinary(95)), "but got 99");
}

TEST(GraphFile, TextErrorsHavePositions) {
  expectContains(complaint("node {\n  name: 'x' op: }"), "g.pb:2:17: error: expected string");
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
  EXPECT_TRUE(
      readComplaint(folder.path(), code).ends_with("expected a regular file but got a directory"));
  EXPECT_EQ(code, 3);
  write(folder.file("saved_model.pb"), "");
  expectContains(readComplaint(folder.path(), code), "SavedModel");
  ASSERT_EQ(::unlink(folder.file("saved_model.pb").c_str()), 0);
  write(folder.file("saved_model.pbtxt"), "");
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

// The first number that is free is the file's.
TEST(GraphFile, StandardInputMayBeClosed) {
  TemporaryFolder folder;
  write(folder.file("g.pb"), kBinary);
  int kept = ::dup(STDIN_FILENO);
  ::close(STDIN_FILENO);
  DiagnosticList diagnostics;
  auto file = readGraph(folder.file("g.pb"), {}, diagnostics);
  if (kept >= 0)
    ::dup2(kept, STDIN_FILENO), ::close(kept);
  EXPECT_TRUE(file);
}

TEST(GraphFile, SizeIsBounded) {
  TemporaryFolder folder;
  int code = 0;
  write(folder.file("g.pb"), kBinary);
  Limits small;
  EXPECT_EQ(small.set("file-bytes=10"), std::nullopt);
  EXPECT_EQ(small.set("file-bytes=11"), std::nullopt);
  DiagnosticList diagnostics;
  EXPECT_TRUE(readGraph(folder.file("g.pb"), small, diagnostics));
  EXPECT_EQ(small.set("file-bytes=10"), std::nullopt);
  expectContains(readComplaint(folder.file("g.pb"), code, small),
                 "expected at most 10 bytes but got 11; --limit file-bytes=N allows more");
  ASSERT_EQ(::truncate(folder.file("g.pb").c_str(), off_t(3) << 30), 0);
  expectContains(readComplaint(folder.file("g.pb"), code), "bytes but got 3221225472");
  EXPECT_EQ(code, 1);
}

} // namespace
} // namespace sluice::import
