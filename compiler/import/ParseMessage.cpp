// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parsing with protobuf, and what has to be done before.
#include "compiler/import/ParseMessage.h"

#include "compiler/import/FileContent.h"
#include "compiler/import/ForeignFormat.h"
#include "compiler/import/WireCheck.h"

#include <google/protobuf/io/coded_stream.h>
#include <google/protobuf/io/tokenizer.h>
#include <google/protobuf/io/zero_copy_stream_impl_lite.h>

#include <optional>

namespace sluice::import {

std::string withPosition(const std::string &path, int line, int column) {
  if (line < 0)
    return path;
  return path + ":" + std::to_string(line + 1) + ":" + std::to_string(column + 1);
}

namespace {

using google::protobuf::TextFormat;

std::string hintOf(const std::string &content) { return looksLike(foreignFormat(content)); }

// Turns protobuf's complaints into ours.
class TextErrors : public google::protobuf::io::ErrorCollector {
public:
  TextErrors(const std::string &path, DiagnosticList &diagnostics)
      : path_(path), diagnostics_(diagnostics) {}

  void AddError(int line, int column, const std::string &message) override {
    diagnostics_.error(ExitCode::kBadGraph, {withPosition(path_, line, column), "", ""},
                       lowerFirst(message));
  }
  void AddWarning(int line, int column, const std::string &message) override {
    diagnostics_.warning({withPosition(path_, line, column), "", ""}, lowerFirst(message));
  }

private:
  static std::string lowerFirst(std::string message) {
    if (message.size() > 1 && message[0] >= 'A' && message[0] <= 'Z' && message[1] >= 'a')
      message[0] = static_cast<char>(message[0] - 'A' + 'a');
    if (!message.empty() && message.back() == '.')
      message.pop_back();
    return message;
  }

  const std::string &path_;
  DiagnosticList &diagnostics_;
};

struct TextProblem {
  int line = 0;
  int column = 0;
  std::string message;
};

// Counts what the parser would build, and brackets, before it runs: it recurses, and takes a
// hundred bytes for one of text. What is in strings and in comments does not count.
std::optional<TextProblem> findExcess(const std::string &content, const Limits &limits) {
  uint64_t fields = 0, depth = 0;
  int line = 0, column = 0;
  char quote = 0;
  bool comment = false;
  for (size_t i = 0; i < content.size(); ++i, ++column) {
    char c = content[i];
    if (c == '\n') {
      ++line;
      column = -1;
      comment = false;
      quote = 0; // a string does not go past its line
    } else if (comment) {
      continue;
    } else if (quote) {
      if (c == '\\')
        ++i, ++column;
      else if (c == quote)
        quote = 0;
    } else if (c == '"' || c == '\'') {
      quote = c;
    } else if (c == '#') {
      comment = true;
    } else if (c == '{' || c == '<' || c == '[') {
      if (!limits.allows(LimitId::kMessageNesting, ++depth))
        return TextProblem{
            line, column,
            limits.excess(LimitId::kMessageNesting, "messages inside each other", depth)};
      ++fields;
    } else if (c == ':' || c == ',') {
      ++fields;
    } else if ((c == '}' || c == '>' || c == ']') && depth > 0) {
      --depth;
    }
    if (!limits.allows(LimitId::kFields, fields))
      return TextProblem{line, column,
                         limits.excess(LimitId::kFields, "messages and values", fields)};
  }
  return std::nullopt;
}

bool parseBinary(const std::string &path, const std::string &content, const char *what,
                 google::protobuf::Message &message, const Limits &limits,
                 DiagnosticList &diagnostics) {
  uint64_t unknownFields = 0;
  auto fail = [&](const std::string &problem) {
    diagnostics.error(ExitCode::kBadGraph, {path, "", ""},
                      std::string("is no ") + what + ": " + problem + hintOf(content));
    return false;
  };
  if (auto problem = checkWire(content, message.GetDescriptor(), limits, unknownFields))
    return fail("byte " + std::to_string(problem->offset) + ": " + problem->message);
  google::protobuf::io::ArrayInputStream bytes(content.data(), static_cast<int>(content.size()));
  google::protobuf::io::CodedInputStream stream(&bytes);
  stream.SetRecursionLimit(static_cast<int>(limits[LimitId::kMessageNesting]) + 1);
  if (!message.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage())
    return fail("the parser refuses it");
  if (unknownFields > 0)
    diagnostics.warning({path, "", ""},
                        "ignored " + std::to_string(unknownFields) +
                            " fields that are not known; the file may be newer than this compiler");
  return true;
}

bool parseText(const std::string &path, const std::string &content, const char *what,
               google::protobuf::Message &message, const Limits &limits,
               DiagnosticList &diagnostics, TextFormat::ParseInfoTree *positions) {
  if (auto problem = findExcess(content, limits)) {
    diagnostics.error(ExitCode::kBadGraph,
                      {withPosition(path, problem->line, problem->column), "", ""},
                      problem->message);
    return false;
  }
  TextErrors errors(path, diagnostics);
  TextFormat::Parser parser;
  parser.RecordErrorsTo(&errors);
  if (positions)
    parser.WriteLocationsTo(positions);
  parser.SetRecursionLimit(static_cast<int>(limits[LimitId::kMessageNesting]));
  // A newer producer may write fields that do not matter here; they become warnings.
  parser.AllowUnknownField(true);
  if (parser.ParseFromString(content, &message))
    return true;
  diagnostics.error(ExitCode::kBadGraph, {path, "", ""},
                    std::string("is no ") + what + " in text form" + hintOf(content));
  return false;
}

} // namespace

bool parseMessage(const std::string &path, const std::string &content, const char *what,
                  google::protobuf::Message &message, const Limits &limits,
                  DiagnosticList &diagnostics, TextFormat::ParseInfoTree *positions) {
  return looksLikeText(content)
             ? parseText(path, content, what, message, limits, diagnostics, positions)
             : parseBinary(path, content, what, message, limits, diagnostics);
}

} // namespace sluice::import
