// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reading of recorded gradient calls, and the text of requests.
#include "tools/sluice-conformance/gradient_calls.h"

#include "tools/sluice-conformance/graph_skeleton.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"

namespace sluice::conformance {

using llvm::createStringError;
using llvm::Error;
using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;

std::string GradientRequest::text() const {
  auto weighted = [](const Y &y) { return y.seed.empty() ? y.tensor : y.tensor + "*" + y.seed; };
  std::string text = llvm::join(llvm::map_range(ys, weighted), "+") + "=" + llvm::join(xs, ",");
  return stops.empty() ? text : text + "!" + llvm::join(stops, ",");
}

std::vector<std::string> GradientRequest::tensors() const {
  std::vector<std::string> all;
  for (const Y &y : ys) {
    all.push_back(y.tensor);
    if (!y.seed.empty())
      all.push_back(y.seed);
  }
  llvm::append_range(all, xs);
  llvm::append_range(all, stops);
  return all;
}

std::string gradientFetch(size_t request, StringRef x) {
  return "gradients" + (request ? "_" + std::to_string(request) : "") + "/" + endpoint(x);
}

bool isInScope(StringRef node, StringRef scope) {
  return node.consume_front(scope) && (node.empty() || node.starts_with("/"));
}

bool isInGradientScope(StringRef node) { return node.starts_with("gradients"); }

// Absent names are empty texts.
static std::vector<std::string> readNames(const json::Array *array) {
  std::vector<std::string> names;
  if (array)
    for (const json::Value &name : *array)
      names.push_back(name.getAsString().value_or("").str());
  return names;
}

// The scope that the first of the derivatives is in; empty where it is none at the top.
static std::string scopeOf(const json::Array &names) {
  for (const json::Value &name : names) {
    std::optional<StringRef> text = name.getAsString();
    if (const json::Object *sparse = name.getAsObject())
      text = sparse->getString("values");
    if (text)
      return isInGradientScope(*text) ? text->split('/').first.str() : "";
  }
  return "";
}

// A derivative that TensorFlow calls None has no name.
static Error addXs(GradientCall &call, const std::vector<std::string> &xs, const json::Array &names,
                   const json::Array &values) {
  if (xs.empty() || xs.size() != names.size() || xs.size() != values.size())
    return createStringError("expected xs of gradients, with as many names and values");
  for (size_t i = 0; i < xs.size(); ++i) {
    if (llvm::is_contained(call.request.xs, xs[i]))
      continue;
    call.request.xs.push_back(xs[i]);
    call.values.emplace_back();
    if (names[i].getAsNull() || values[i].getAsNull())
      continue;
    Expected<Tensor> value = parseTensor(values[i]);
    if (!value)
      return value.takeError();
    call.values.back() = std::move(*value);
  }
  return Error::success();
}

static Expected<GradientCall> readCall(const json::Object &object) {
  const json::Array *names = object.getArray("grads"), *values = object.getArray("values");
  std::vector<std::string> ys = readNames(object.getArray("ys"));
  std::vector<std::string> seeds = readNames(object.getArray("grad_ys"));
  if (ys.empty() || !names || !values)
    return createStringError("expected 'ys', 'xs', 'grads' and 'values' in every gradient call");
  GradientCall call;
  for (size_t i = 0; i < ys.size(); ++i)
    call.request.ys.push_back({ys[i], i < seeds.size() ? seeds[i] : ""});
  call.request.stops = readNames(object.getArray("stop_gradients"));
  std::optional<StringRef> scope = object.getString("scope");
  call.scope = scope ? scope->str() : scopeOf(*names);
  if (Error error = addXs(call, readNames(object.getArray("xs")), *names, *values))
    return std::move(error);
  return call;
}

Expected<std::vector<GradientCall>> readGradientCalls(const json::Array &recorded) {
  std::vector<GradientCall> calls;
  for (const json::Value &entry : recorded) {
    const json::Object *object = entry.getAsObject();
    if (!object)
      return createStringError("expected an object for every gradient call");
    Expected<GradientCall> call = readCall(*object);
    if (!call)
      return call.takeError();
    calls.push_back(std::move(*call));
  }
  return calls;
}

} // namespace sluice::conformance
