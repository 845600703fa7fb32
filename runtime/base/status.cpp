// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Status: names of codes and text of errors.
#include "runtime/base/status.h"

#include <cstdarg>
#include <cstdio>

namespace sluice::rt {

std::string_view codeName(Code code) {
  static constexpr std::string_view names[] = {
      "OK",           "CANCELLED",      "UNKNOWN",           "INVALID_ARGUMENT",
      "DEADLINE_EXCEEDED", "NOT_FOUND", "ALREADY_EXISTS",    "PERMISSION_DENIED",
      "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION", "ABORTED", "OUT_OF_RANGE",
      "UNIMPLEMENTED", "INTERNAL",      "UNAVAILABLE",       "DATA_LOSS",
  };
  return names[static_cast<size_t>(code)];
}

// Made at its first use: nothing of the runtime runs before main, which looks at the CPU first.
static const std::string &noText() {
  static const std::string text;
  return text;
}

const std::string &Status::node() const { return rep_ ? rep_->node : noText(); }
const std::string &Status::message() const { return rep_ ? rep_->message : noText(); }

Status Status::atNode(std::string_view node) && {
  if (rep_ && rep_->node.empty())
    rep_->node = node;
  return std::move(*this);
}

std::string Status::toString() const {
  if (ok())
    return "OK";
  std::string text(codeName(rep_->code));
  if (!rep_->node.empty())
    text += ": node '" + rep_->node + "'";
  return text + ": " + rep_->message;
}

Status invalidArgument(std::string m) { return {Code::kInvalidArgument, std::move(m)}; }
Status failedPrecondition(std::string m) { return {Code::kFailedPrecondition, std::move(m)}; }
Status outOfRange(std::string m) { return {Code::kOutOfRange, std::move(m)}; }
Status notFound(std::string m) { return {Code::kNotFound, std::move(m)}; }
Status unimplemented(std::string m) { return {Code::kUnimplemented, std::move(m)}; }
Status resourceExhausted(std::string m) { return {Code::kResourceExhausted, std::move(m)}; }
Status internalError(std::string m) { return {Code::kInternal, std::move(m)}; }

std::string format(const char *pattern, ...) {
  va_list args, again;
  va_start(args, pattern);
  va_copy(again, args);
  int length = std::vsnprintf(nullptr, 0, pattern, args);
  va_end(args);
  std::string text(length > 0 ? static_cast<size_t>(length) : 0, '\0');
  std::vsnprintf(text.data(), text.size() + 1, pattern, again);
  va_end(again);
  return text;
}

} // namespace sluice::rt
