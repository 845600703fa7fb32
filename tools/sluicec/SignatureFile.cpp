// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of signature files.
#include "tools/sluicec/SignatureFile.h"

#include "compiler/import/FileContent.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace sluice::import {
static bool fromJSON(const json::Value &value, SignatureRequest &request, json::Path path) {
  json::ObjectMapper map(value, path);
  return map && map.map("name", request.name) && map.mapOptional("feeds", request.feeds) &&
         map.mapOptional("fetches", request.fetches) && map.mapOptional("targets", request.targets);
}
} // namespace sluice::import

namespace sluice {

// Whether brackets nest more deeply than any signature file, which the recursive parser of JSON
// would not survive.
static bool nestsDeeply(StringRef text) {
  constexpr int kMaxNesting = 16;
  int depth = 0;
  bool inString = false;
  for (size_t i = 0; i < text.size(); ++i) {
    char c = text[i];
    if (c == '"')
      inString = !inString;
    else if (inString)
      i += c == '\\' ? 1 : 0;
    else if (c == '[' || c == '{')
      ++depth;
    else if (c == ']' || c == '}')
      --depth;
    if (depth > kMaxNesting)
      return true;
  }
  return false;
}

std::optional<std::vector<import::SignatureRequest>>
readSignatureFile(const std::string &path, import::DiagnosticList &diagnostics) {
  constexpr uint64_t kMaxBytes = uint64_t(1) << 28;
  auto content = import::readRegularFile(path, kMaxBytes, diagnostics);
  return content ? parseSignatures(path, *content, diagnostics) : std::nullopt;
}

std::optional<std::vector<import::SignatureRequest>>
parseSignatures(const std::string &path, StringRef text, import::DiagnosticList &diagnostics) {
  auto fail = [&](const std::string &message) {
    diagnostics.error(import::ExitCode::kUsage, {path, "", ""}, message);
    return std::nullopt;
  };
  if (nestsDeeply(text))
    return fail("expected a list of signatures but brackets are nested too deeply");
  auto value = json::parse(text);
  if (!value)
    return fail("expected JSON: " + toString(value.takeError()));
  std::vector<import::SignatureRequest> requests;
  json::Path::Root root("signatures");
  json::ObjectMapper map(*value, root);
  if (!map || !map.map("signatures", requests))
    return fail(toString(root.getError()));
  return requests;
}

} // namespace sluice
