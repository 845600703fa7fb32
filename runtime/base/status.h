// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Errors as values: a code with a stable name, the graph node that failed, and a one-line message.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

namespace sluice::rt {

// The names and numbers are those of TensorFlow's error codes, because graph tests compare them.
enum class Code : uint8_t {
  kOk = 0,
  kCancelled = 1,
  kUnknown = 2,
  kInvalidArgument = 3,
  kDeadlineExceeded = 4,
  kNotFound = 5,
  kAlreadyExists = 6,
  kPermissionDenied = 7,
  kResourceExhausted = 8,
  kFailedPrecondition = 9,
  kAborted = 10,
  kOutOfRange = 11,
  kUnimplemented = 12,
  kInternal = 13,
  kUnavailable = 14,
  kDataLoss = 15,
};

// "INVALID_ARGUMENT" and so on.
std::string_view codeName(Code code);

// One pointer wide; null means success, so the good path costs a register test.
class [[nodiscard]] Status {
public:
  Status() = default;
  Status(Code code, std::string message) : rep_(new Rep{code, {}, std::move(message)}) {}
  Status(Status &&) = default;
  Status &operator=(Status &&) = default;
  Status(const Status &other) : rep_(other.rep_ ? new Rep(*other.rep_) : nullptr) {}
  Status &operator=(const Status &other) {
    rep_.reset(other.rep_ ? new Rep(*other.rep_) : nullptr);
    return *this;
  }

  bool ok() const { return !rep_; }
  Code code() const { return rep_ ? rep_->code : Code::kOk; }
  // Name of the graph node that failed; empty where the error belongs to no node.
  const std::string &node() const;
  const std::string &message() const;

  // Names the node unless a more inner place has already done so.
  Status atNode(std::string_view node) &&;

  // `INVALID_ARGUMENT: node 'x': …`
  std::string toString() const;

private:
  struct Rep {
    Code code;
    std::string node;
    std::string message;
  };
  std::unique_ptr<Rep> rep_;
};

inline Status okStatus() { return {}; }
Status invalidArgument(std::string message);
Status failedPrecondition(std::string message);
Status outOfRange(std::string message);
Status notFound(std::string message);
Status unimplemented(std::string message);
Status resourceExhausted(std::string message);
Status internalError(std::string message);

// printf-style text for messages; the runtime does not use iostreams.
std::string format(const char *pattern, ...) __attribute__((format(printf, 1, 2)));

template <typename T> class [[nodiscard]] Result {
public:
  Result(T value) : state_(std::move(value)) {}
  Result(Status status) : state_(std::move(status)) {}
  bool ok() const { return std::holds_alternative<T>(state_); }
  // OK on success.
  Status status() const { return ok() ? Status() : std::get<Status>(state_); }
  // Only on success.
  T &operator*() { return *std::get_if<T>(&state_); }
  T *operator->() { return std::get_if<T>(&state_); }
  const T &operator*() const { return *std::get_if<T>(&state_); }
  const T *operator->() const { return std::get_if<T>(&state_); }

private:
  std::variant<T, Status> state_;
};

} // namespace sluice::rt

#define SLUICE_RETURN_IF_ERROR(expr)                                                               \
  do {                                                                                             \
    if (::sluice::rt::Status sluiceStatus = (expr); !sluiceStatus.ok())                            \
      return sluiceStatus;                                                                         \
  } while (false)

#define SLUICE_CONCAT_INNER(a, b) a##b
#define SLUICE_CONCAT(a, b) SLUICE_CONCAT_INNER(a, b)
#define SLUICE_ASSIGN_OR_RETURN(declaration, expr)                                                 \
  auto SLUICE_CONCAT(sluiceResult, __LINE__) = (expr);                                             \
  if (!SLUICE_CONCAT(sluiceResult, __LINE__).ok())                                                 \
    return SLUICE_CONCAT(sluiceResult, __LINE__).status();                                         \
  declaration = std::move(*SLUICE_CONCAT(sluiceResult, __LINE__))
