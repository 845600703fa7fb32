// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of signature files.
#include "tools/sluicec/SignatureFile.h"

#include "compiler/import/FileContent.h"
#include "compiler/import/JsonText.h"

#include "llvm/Support/Error.h"
#include "llvm/Support/JSON.h"

using namespace llvm;

namespace sluice::import {
// A tensor's name, or {"tensor": "Identity:0", "name": "y"}.
static bool fromJSON(const json::Value &value, TensorRequest &request, json::Path path) {
  if (std::optional<StringRef> tensor = value.getAsString()) {
    request.tensor = tensor->str();
    return true;
  }
  json::ObjectMapper map(value, path);
  return map && map.map("tensor", request.tensor) && map.mapOptional("name", request.name);
}

// As the flag --gradients takes it.
static bool fromJSON(const json::Value &value, GradientRequest &request, json::Path path) {
  std::string problem;
  std::optional<StringRef> text = value.getAsString();
  auto parsed = text ? parseGradientRequest(*text, problem) : std::nullopt;
  if (parsed)
    request = std::move(*parsed);
  else
    path.report("expected Y[*SEED][+Y…]=X[,X…][!STOP[,STOP…]]");
  return parsed.has_value();
}

// As the flag --jvp takes them.
static bool addTangents(ArrayRef<std::string> texts, SignatureRequest &request, json::Path path) {
  for (const std::string &text : texts) {
    std::string problem;
    auto parsed = parseTangentRequest(text, problem);
    if (!parsed) {
      path.report("expected Y[,Y…]=X*TANGENT[,X*TANGENT…]");
      return false;
    }
    request.gradients.push_back(std::move(*parsed));
  }
  return true;
}

static bool fromJSON(const json::Value &value, SignatureRequest &request, json::Path path) {
  json::ObjectMapper map(value, path);
  std::vector<std::string> tangents;
  return map && map.map("name", request.name) && map.mapOptional("feeds", request.feeds) &&
         map.mapOptional("fetches", request.fetches) &&
         map.mapOptional("targets", request.targets) &&
         map.mapOptional("gradients", request.gradients) && map.mapOptional("jvp", tangents) &&
         addTangents(tangents, request, path.field("jvp"));
}
} // namespace sluice::import

namespace sluice {

std::optional<std::vector<import::SignatureRequest>>
readSignatureFile(const std::string &path, import::DiagnosticList &diagnostics,
                  const import::Limits &limits) {
  auto content = import::readRegularFile(path, limits, import::LimitId::kJsonBytes, diagnostics);
  return content ? parseSignatures(path, *content, diagnostics, limits) : std::nullopt;
}

std::optional<std::vector<import::SignatureRequest>>
parseSignatures(const std::string &path, StringRef text, import::DiagnosticList &diagnostics,
                const import::Limits &limits) {
  auto fail = [&](const std::string &message) {
    diagnostics.error(import::ExitCode::kUsage, {path, "", ""}, message);
    return std::nullopt;
  };
  auto value = import::parseJson(text, limits);
  if (!value)
    return fail(toString(value.takeError()));
  std::vector<import::SignatureRequest> requests;
  json::Path::Root root("signatures");
  json::ObjectMapper map(*value, root);
  if (!map || !map.map("signatures", requests))
    return fail(toString(root.getError()));
  if (!limits.allows(import::LimitId::kSignatures, requests.size()))
    return fail(limits.excess(import::LimitId::kSignatures, "signatures", requests.size()));
  return requests;
}

} // namespace sluice
