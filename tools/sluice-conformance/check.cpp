// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks outputs, error codes, variables and leftover tokens of an answer.
#include "tools/sluice-conformance/check.h"

#include "tools/sluice-conformance/compare.h"

#include "llvm/ADT/STLExtras.h"

#include <map>

namespace sluice::conformance {

using llvm::Expected;
using llvm::StringRef;
namespace json = llvm::json;
using Mismatch = std::optional<std::string>;

namespace {

// Sets `tensor`, or says why the answer has no such value.
Mismatch readFetch(const json::Array &outputs, const Signature &signature, StringRef fetch,
                   Tensor &tensor) {
  size_t index = llvm::find(signature.fetches, fetch) - signature.fetches.begin();
  if (index >= outputs.size())
    return "output '" + fetch.str() + "' is missing";
  Expected<Tensor> value = parseTensor(outputs[index]);
  if (!value)
    return "output '" + fetch.str() + "': " + llvm::toString(value.takeError());
  tensor = std::move(*value);
  return std::nullopt;
}

Mismatch readSparse(const json::Array &outputs, const Signature &signature,
                    const Expectation::Sparse &source, Tensor &tensor) {
  Tensor values, indices, shape;
  if (Mismatch mismatch = readFetch(outputs, signature, source.values, values))
    return mismatch;
  if (Mismatch mismatch = readFetch(outputs, signature, source.indices, indices))
    return mismatch;
  if (Mismatch mismatch = readFetch(outputs, signature, source.denseShape, shape))
    return mismatch;
  Expected<Tensor> dense = densify(values, indices, shape);
  if (!dense)
    return llvm::toString(dense.takeError());
  tensor = std::move(*dense);
  return std::nullopt;
}

Mismatch checkExpectation(const json::Array &outputs, const Signature &signature,
                          const Expectation &expectation, Depth depth) {
  Tensor got;
  std::string name;
  if (const auto *dense = std::get_if<Expectation::Dense>(&expectation.source)) {
    name = dense->fetch;
    if (Mismatch mismatch = readFetch(outputs, signature, name, got))
      return mismatch;
  } else {
    const auto &sparse = std::get<Expectation::Sparse>(expectation.source);
    name = sparse.values;
    if (Mismatch mismatch = readSparse(outputs, signature, sparse, got))
      return mismatch;
  }
  const auto *tensor = std::get_if<Tensor>(&expectation.value);
  Mismatch mismatch =
      tensor ? findMismatch(got, *tensor, depth)
             : findMismatch(got, std::get<Expectation::Number>(expectation.value).value, "float32",
                            depth);
  if (mismatch)
    return "output '" + name + "': " + *mismatch;
  return std::nullopt;
}

Mismatch checkVariable(StringRef name, const json::Value &got, const json::Value &want,
                       Depth depth) {
  Expected<Tensor> gotTensor = parseTensor(got);
  if (!gotTensor)
    return "variable '" + name.str() + "': " + llvm::toString(gotTensor.takeError());
  Expected<Tensor> wantTensor = parseTensor(want);
  if (!wantTensor)
    return "recorded variable '" + name.str() + "': " + llvm::toString(wantTensor.takeError());
  if (Mismatch mismatch = findMismatch(*gotTensor, *wantTensor, depth))
    return "variable '" + name.str() + "': " + *mismatch;
  return std::nullopt;
}

// A variable that no signature needs is not part of the program, so its value cannot change.
bool isUntouched(const RecordedRun &run, StringRef name, const json::Value &want) {
  if (!run.signature.empty()) // all variables of a model have values, so it is not in the program
    return true;
  const json::Value *before = run.stateBefore ? run.stateBefore->get(name) : nullptr;
  return before && *before == want;
}

Mismatch checkState(const json::Object &got, const RecordedRun &run, const GraphSkeleton &graph,
                    const std::set<std::string> &variables, Depth depth) {
  for (const auto &[key, want] : *run.stateAfter) {
    StringRef name = key;
    const json::Value *value = got.get(name);
    if (!value && !variables.count(name.str()) && isUntouched(run, name, want))
      continue;
    if (!value)
      return "variable '" + name.str() + "': expected a value but it is uninitialised";
    if (Mismatch mismatch = checkVariable(name, *value, want, depth))
      return mismatch;
  }
  for (const auto &[key, value] : got) {
    StringRef name = key;
    if (!run.stateAfter->get(name) && graph.hasNode(name))
      return "variable '" + name.str() + "': expected no value";
  }
  return std::nullopt;
}

Mismatch checkError(const json::Object &answer, const RecordedRun &run) {
  const json::Object *error = answer.getObject("error");
  StringRef code = error ? error->getString("code").value_or("") : "";
  StringRef message = error ? error->getString("message").value_or("") : "";
  StringRef node = error ? error->getString("node").value_or("") : "";
  if (code == run.errorCode)
    return std::nullopt;
  std::string got = error ? (code + ": node '" + node + "': " + message).str() : "success";
  return "expected " + (run.errorCode.empty() ? std::string("success") : run.errorCode) +
         " but got " + got;
}

} // namespace

Mismatch checkAnswer(const json::Object &answer, const RecordedRun &run, const Signature &signature,
                     const GraphSkeleton &graph, const std::set<std::string> &variables) {
  if (Mismatch mismatch = checkError(answer, run))
    return mismatch;
  if (!run.errorCode.empty())
    return std::nullopt;
  const json::Array *outputs = answer.getArray("outputs");
  if (!outputs || outputs->size() != signature.fetches.size())
    return "expected " + std::to_string(signature.fetches.size()) + " outputs but got " +
           std::to_string(outputs ? outputs->size() : 0);
  Depth depth = run.nondeterministic ? Depth::kShapeAndDtype : Depth::kValues;
  for (const Expectation &expectation : run.expectations)
    if (Mismatch mismatch = checkExpectation(*outputs, signature, expectation, depth))
      return mismatch;
  const json::Object *state = answer.getObject("state");
  if (run.stateAfter && !state)
    return "the answer has no state";
  if (run.stateAfter)
    if (Mismatch mismatch = checkState(*state, run, graph, variables, depth))
      return mismatch;
  if (int64_t leftover = answer.getInteger("leftover_tokens").value_or(-1))
    return "expected no leftover tokens but got " + std::to_string(leftover);
  return std::nullopt;
}

std::string canonicalAnswer(const json::Object &answer) {
  auto bits = [](const json::Value &value) {
    Expected<Tensor> tensor = parseTensor(value);
    return tensor ? canonicalBits(*tensor) : llvm::toString(tensor.takeError());
  };
  std::string text;
  if (const json::Object *error = answer.getObject("error"))
    text += "error " + error->getString("code").value_or("").str() + "\n";
  if (const json::Array *outputs = answer.getArray("outputs"))
    for (const json::Value &output : *outputs)
      text += bits(output) + "\n";
  std::map<std::string, std::string> variables;
  if (const json::Object *state = answer.getObject("state"))
    for (const auto &[name, value] : *state)
      variables[name.str()] = bits(value);
  for (const auto &[name, value] : variables)
    text += name + "=" + value + "\n";
  return text;
}

} // namespace sluice::conformance
