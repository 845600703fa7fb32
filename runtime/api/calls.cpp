// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CallSession.
#include "runtime/api/calls.h"

#include "runtime/api/signatures.h"
#include "runtime/api/values.h"
#include "runtime/api/variable_files.h"
#include "runtime/base/threads.h"
#include "runtime/io/json.h"
#include "runtime/memory/denormals.h"

namespace sluice::rt {

namespace {

using Kind = JsonPart::Kind;

Result<Tensor> readTensor(const char *kind, const std::string &name, DType dtype,
                          const JsonPart &part, RequestLine &line) {
  Result<Tensor> tensor = tensorFromJson(part, dtype, &line);
  if (!tensor.ok())
    return Status(tensor.status().code(),
                  std::string(kind) + ' ' + named(name) + ": " + tensor.status().message());
  SLUICE_RETURN_IF_ERROR(flushDenormals(*tensor, line.bytesWithoutF32Denormals(tensor->buffer())));
  return tensor;
}

Status checkMembers(const JsonPart &request) {
  if (!request.is(Kind::kObject))
    return invalidArgument("expected an object as request");
  for (const std::string &key : request.keys)
    if (key != "signature" && key != "inputs" && key != "state" && key != "want_state" &&
        key != "plain")
      return invalidArgument("expected the members 'signature', 'inputs', 'state', "
                             "'want_state' and 'plain' but got " +
                             named(key));
  return {};
}

Status readFlag(const JsonPart &request, const char *name, bool &flag) {
  const JsonPart *part = request.find(name);
  if (part && !part->is(Kind::kBool))
    return invalidArgument("expected true or false as '" + std::string(name) + "'");
  flag = part && part->isTrue();
  return {};
}

} // namespace

double monotonicSeconds() { return static_cast<double>(systemClock().now()) * 1e-9; }

std::string CallSession::answer(RequestLine line, std::optional<uint64_t> number) {
  Request request;
  request.isExpected = atOnce_;
  request.number = number.value_or(calls_);
  ++calls_;
  Status status = read(line, request);
  std::string response;
  bool checkpointIsDue = false;
  auto act = [&] { response = answer(request, std::move(status)); };
  if (request.setsState || request.wantsState)
    checkpointIsDue = enterAlone(request, act);
  else
    checkpointIsDue = enter(request, act);
  expect(request, false);
  if (checkpointIsDue)
    checkpointAlone();
  return response;
}

// ---- The gate: requests enter in the order of their numbers.

// Who has to wait for one that wants to be alone, or is it, is no help for those under way.
void CallSession::expectThoseAtGate() {
  for (Request *request : atGate_)
    expect(*request, !alone_ && waitingForOthers_ == 0);
}

template <typename Open>
void CallSession::awaitTurn(std::unique_lock<std::mutex> &lock, Request &request,
                            const Open &isOpen) {
  atGate_.push_back(&request);
  expectThoseAtGate();
  gateChanged_.wait(lock, [&] { return turn_ == request.number && isOpen(); });
  std::erase(atGate_, &request);
  expect(request, true);
}

template <typename Act> bool CallSession::enter(Request &request, const Act &act) {
  std::unique_lock<std::mutex> lock(gate_);
  awaitTurn(lock, request, [this] { return !alone_ && waitingForOthers_ == 0; });
  ++turn_;
  ++among_;
  gateChanged_.notify_all();
  lock.unlock();
  act();
  lock.lock();
  --among_;
  gateChanged_.notify_all();
  return countCall(); // it is in every checkpoint from now on
}

template <typename Act> bool CallSession::enterAlone(Request &request, const Act &act) {
  std::unique_lock<std::mutex> lock(gate_);
  awaitTurn(lock, request, [] { return true; });
  atGate_.push_back(&request);
  becomeAlone(lock);
  std::erase(atGate_, &request);
  ++turn_;
  expect(request, true);
  lock.unlock();
  act();
  lock.lock();
  leaveAlone();
  return countCall();
}

// Whether a checkpoint is due: with this call, or with another one, and then it has this one, too.
bool CallSession::countCall() {
  checkpointIsDue_ |= checkpoints_ && checkpoints_->countCall();
  return checkpointIsDue_;
}

void CallSession::checkpointAlone() {
  std::unique_lock<std::mutex> lock(gate_);
  if (!checkpointIsDue_) // another one has written it
    return;
  becomeAlone(lock);
  lock.unlock();
  writeCheckpoint();
  lock.lock();
  leaveAlone();
}

// Waits until no call is under way; meanwhile none enters.
void CallSession::becomeAlone(std::unique_lock<std::mutex> &lock) {
  auto countWaiting = [this](unsigned change) {
    waitingForOthers_ += change;
    expectThoseAtGate();
    if (whenWaiting_)
      whenWaiting_();
  };
  countWaiting(1);
  gateChanged_.wait(lock, [this] { return !alone_ && among_ == 0; });
  alone_ = true;
  countWaiting(~0u);
}

void CallSession::leaveAlone() {
  alone_ = false;
  expectThoseAtGate();
  gateChanged_.notify_all();
}

void CallSession::writeCheckpoint() {
  Failure failure = checkpoints_->save();
  std::lock_guard<std::mutex> lock(gate_);
  checkpointIsDue_ = false;
  if (!checkpointFailure_)
    checkpointFailure_ = std::move(failure);
}

Failure CallSession::checkpointFailure() {
  std::lock_guard<std::mutex> lock(gate_);
  return checkpointFailure_;
}

void CallSession::expect(Request &request, bool isExpected) {
  if (!atOnce_ || request.isExpected == isExpected)
    return;
  request.isExpected = isExpected;
  runner_.expectCalls(isExpected ? 1 : -1);
}

std::string CallSession::answer(Request &request, Status status) {
  std::string out = "{";
  if (status.ok()) {
    status = applyState(request);
    if (status.ok())
      status = call(request, out);
  }
  if (status.ok() && request.wantsState)
    status = appendState(request.text, out);
  if (!status.ok()) {
    ++failures_;
    out = "{\"error\":{";
    appendErrorMembers(codeName(status.code()), status, out);
    out += '}';
    if (request.wantsState) {
      size_t before = out.size();
      if (Status again = appendState(request.text, out); !again.ok())
        out.resize(before);
    }
  }
  if (!request.ignoredState.empty()) {
    out += ",\"ignored_state\":";
    for (size_t i = 0; i < request.ignoredState.size(); ++i) {
      out += i ? ',' : '[';
      appendJsonString(request.ignoredState[i], out);
    }
    out += ']';
  }
  out += '}';
  return out;
}

Status CallSession::read(RequestLine &line, Request &request) {
  if (line.decoded.empty())
    return readMembers(line, request);
  const Request before = request;
  Status status = readMembers(line, request);
  if (!status.ok() || !line.allTaken()) {
    // Messages name places, what is no tensor is read as it stands, and this takes less memory.
    const std::string whole = line.whole();
    line = {whole, {}};
    request = before;
    status = readMembers(line, request);
  }
  line = {}; // so that the call owns its feeds alone
  return status;
}

Status CallSession::readMembers(RequestLine &line, Request &request) {
  SLUICE_ASSIGN_OR_RETURN(JsonPart json, outlineJson(line.text, limits_));
  SLUICE_RETURN_IF_ERROR(checkMembers(json));
  SLUICE_RETURN_IF_ERROR(readFlag(json, "want_state", request.wantsState));
  bool plain = false;
  SLUICE_RETURN_IF_ERROR(readFlag(json, "plain", plain));
  request.text = plain ? TensorText::kPlain : TensorText::kBase64;
  std::optional<std::string> name;
  if (const JsonPart *signature = json.find("signature")) {
    if (!signature->is(Kind::kString))
      return invalidArgument("expected a string as 'signature'");
    name = signature->string();
  }
  if (Failure failure = findSignature(runner_.signatures(), name, request.signature))
    return failure.status;
  SLUICE_RETURN_IF_ERROR(readInputs(json.find("inputs"), line, request));
  return readState(json.find("state"), line, request);
}

Status CallSession::readInputs(const JsonPart *inputs, RequestLine &line, Request &request) {
  const SignatureInfo &signature = runner_.signatures()[request.signature];
  request.feeds.assign(signature.feeds.size(), Tensor());
  if (inputs && !inputs->is(Kind::kObject))
    return invalidArgument("expected an object as 'inputs'");
  for (size_t i = 0; inputs && i < inputs->keys.size(); ++i) {
    const std::string &name = inputs->keys[i];
    std::optional<size_t> index = findPort(signature.feeds, name);
    if (!index)
      return invalidArgument("signature " + named(signature.name) + " has no feed " + named(name) +
                             suggestion(name, portNames(signature.feeds)) + "; it has " +
                             portList(signature.feeds));
    if (request.feeds[*index].valid())
      return invalidArgument("feed " + named(signature.feeds[*index].name) + " is given twice");
    SLUICE_ASSIGN_OR_RETURN(Tensor tensor, readTensor("feed", name, signature.feeds[*index].dtype,
                                                      inputs->items[i], line));
    SLUICE_RETURN_IF_ERROR(checkPort("feed", signature.feeds[*index], tensor));
    request.feeds[*index] = std::move(tensor);
  }
  std::string missing = missingFeeds(signature, request.feeds);
  return missing.empty() ? Status() : invalidArgument(missing);
}

Status CallSession::readState(const JsonPart *state, RequestLine &line, Request &request) {
  if (!state)
    return {};
  if (!state->is(Kind::kObject))
    return invalidArgument("expected an object as 'state'");
  request.setsState = true;
  for (size_t i = 0; i < state->keys.size(); ++i) {
    const std::string &name = state->keys[i];
    Variable *variable = findVariable(runner_.variables(), name);
    if (!variable) {
      request.ignoredState.push_back(name);
      continue;
    }
    SLUICE_ASSIGN_OR_RETURN(Tensor tensor,
                            readTensor("variable", name, variable->dtype, state->items[i], line));
    SLUICE_RETURN_IF_ERROR(variable->accepts(tensor));
    request.state.emplace_back(variable, std::move(tensor));
  }
  return {};
}

Status CallSession::applyState(Request &request) {
  if (!request.setsState)
    return {};
  for (Variable *variable : runner_.variables())
    SLUICE_RETURN_IF_ERROR(variable->set(Tensor()));
  for (auto &[variable, value] : request.state)
    SLUICE_RETURN_IF_ERROR(variable->set(std::move(value)));
  request.state.clear();
  return runner_.writeVariables();
}

Result<std::vector<Tensor>> CallSession::makeCall(Request &request, uint64_t &leftover) {
  request.isExpected = false; // it begins
  if (atOnce_)
    return runner_.callAmongOthers(request.signature, request.feeds, mostSeconds_, leftover);
  TimedCall timed(timer_);
  Result<std::vector<Tensor>> fetches = runner_.call(request.signature, request.feeds);
  leftover = runner_.leftoverTokens();
  return fetches;
}

Status CallSession::call(Request &request, std::string &out) {
  uint64_t start = systemClock().now(), leftover = 0;
  Result<std::vector<Tensor>> fetches = makeCall(request, leftover);
  nanoseconds_ += systemClock().now() - start;
  if (!fetches.ok())
    return fetches.status();
  out += "\"outputs\":[";
  for (size_t i = 0; i < fetches->size(); ++i) {
    if (i)
      out += ',';
    SLUICE_RETURN_IF_ERROR(appendTensorJson((*fetches)[i], out, request.text));
  }
  out += "],\"leftover_tokens\":" + std::to_string(leftover);
  return {};
}

Status CallSession::appendState(TensorText text, std::string &out) {
  SLUICE_RETURN_IF_ERROR(runner_.readVariables());
  out += ",\"state\":{";
  bool first = true;
  for (const Variable *variable : runner_.variables()) {
    if (!variable->initialized())
      continue;
    if (!std::exchange(first, false))
      out += ',';
    appendJsonString(variable->name, out);
    out += ':';
    SLUICE_ASSIGN_OR_RETURN(Tensor value, variable->fetch());
    SLUICE_RETURN_IF_ERROR(appendTensorJson(value, out, text));
  }
  out += '}';
  return {};
}

} // namespace sluice::rt
