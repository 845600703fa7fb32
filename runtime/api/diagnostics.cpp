// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Failures, their texts and suggestions.
#include "runtime/api/diagnostics.h"

#include "runtime/io/json.h"
#include "runtime/io/number_text.h"

#include <algorithm>

namespace sluice::rt {

namespace {

std::string_view labelOf(const Failure &failure) {
  if (failure.exit == ExitCode::kUsage)
    return "USAGE";
  if (failure.exit == ExitCode::kMismatch)
    return "MISMATCH";
  return codeName(failure.status.code());
}

// Keeps a message on one line whatever names and data it quotes.
void appendOneLine(std::string_view text, std::string &out) {
  for (char c : text) {
    auto byte = static_cast<unsigned char>(c);
    if (c == '\n')
      out += "\\n";
    else if (byte < 0x20 || byte == 0x7f)
      out += format("\\x%02x", byte);
    else
      out += c;
  }
}

// Number of insertions, deletions and replacements that turn one name into the other.
size_t editDistance(std::string_view a, std::string_view b) {
  std::vector<size_t> row(b.size() + 1);
  for (size_t j = 0; j <= b.size(); ++j)
    row[j] = j;
  for (size_t i = 1; i <= a.size(); ++i) {
    size_t diagonal = std::exchange(row[0], i);
    for (size_t j = 1; j <= b.size(); ++j) {
      size_t replaced = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replaced, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

} // namespace

Failure usageFailure(std::string message) {
  return {ExitCode::kUsage, invalidArgument(std::move(message))};
}

Failure ioFailure(const Status &status) {
  if (status.ok())
    return {};
  bool lacksMemory = status.code() == Code::kResourceExhausted;
  return {lacksMemory ? ExitCode::kOutOfMemory : ExitCode::kInputOutput, status};
}

Failure mismatchFailure(std::string message) {
  return {ExitCode::kMismatch, failedPrecondition(std::move(message))};
}

Failure clusterFailure(const ClusterEnd &end) {
  if (end && end.status.code() == Code::kResourceExhausted)
    return {ExitCode::kOutOfMemory, end.status};
  switch (end.kind) {
  case ClusterEnd::Kind::kNone:
    return {};
  case ClusterEnd::Kind::kLost:
    return {ExitCode::kPeerLost, end.status};
  case ClusterEnd::Kind::kRefused:
    return {ExitCode::kPeerRefused, end.status};
  case ClusterEnd::Kind::kTimedOut:
    return {ExitCode::kTimedOut, end.status};
  case ClusterEnd::Kind::kLocal:
    return {ExitCode::kInputOutput, end.status};
  }
  return {};
}

Failure deviceFailure(const Status &status) {
  return {status.code() == Code::kResourceExhausted ? ExitCode::kOutOfMemory
                                                    : ExitCode::kDeviceMissing,
          status};
}

Failure modelFailure(const Status &status, std::string_view where) {
  if (status.ok())
    return {};
  ExitCode exit = status.code() == Code::kResourceExhausted  ? ExitCode::kOutOfMemory
                  : status.code() == Code::kDeadlineExceeded ? ExitCode::kTimedOut
                                                             : ExitCode::kFailed;
  if (where.empty())
    return {exit, status};
  Status located(status.code(), std::string(where) + ": " + status.message());
  return {exit, std::move(located).atNode(status.node())};
}

void Diagnostics::error(const Failure &failure) { console_.writeError(text(failure)); }

std::string Diagnostics::text(const Failure &failure) const {
  std::string line;
  if (json_) {
    line =
        "{\"severity\":\"error\",\"exit_code\":" + std::to_string(static_cast<int>(failure.exit));
    line += ',';
    appendErrorMembers(labelOf(failure), failure.status, line);
    line += '}';
  } else {
    line = "error: ";
    line += labelOf(failure);
    if (!failure.status.node().empty()) {
      line += ": node '";
      appendOneLine(failure.status.node(), line);
      line += '\'';
    }
    line += ": ";
    appendOneLine(failure.status.message(), line);
  }
  return line += '\n';
}

void Diagnostics::remark(std::string_view severity, std::string_view message) {
  std::string line;
  if (json_) {
    line = "{\"severity\":\"" + std::string(severity) + "\",\"message\":";
    appendJsonString(message, line);
    line += '}';
  } else {
    line = std::string(severity) + ": ";
    appendOneLine(message, line);
  }
  console_.writeError(line += '\n');
}

void appendErrorMembers(std::string_view code, const Status &status, std::string &out) {
  out += "\"code\":";
  appendJsonString(code, out);
  out += ",\"node\":";
  appendJsonString(status.node(), out);
  out += ",\"message\":";
  appendJsonString(status.message(), out);
}

std::string suggestion(std::string_view wrong, const std::vector<std::string_view> &names) {
  constexpr size_t kLongest = 256;
  if (wrong.size() > kLongest)
    return {};
  // Two letters that changed places count as two edits.
  size_t best = 1 + (wrong.size() < 4 ? 1 : std::max<size_t>(2, wrong.size() / 3));
  std::string_view nearest;
  for (std::string_view name : names) {
    // Each letter that one has more than the other is an edit.
    size_t apart = std::max(wrong.size(), name.size()) - std::min(wrong.size(), name.size());
    bool hopeless = name.size() > kLongest || apart >= best;
    size_t distance = hopeless ? best : editDistance(wrong, name);
    if (distance < best) {
      best = distance;
      nearest = name;
    }
  }
  return nearest.empty() ? "" : " (did you mean '" + std::string(nearest) + "'?)";
}

std::string named(std::string_view text) { return quoted(text, 200, '\''); }

} // namespace sluice::rt
