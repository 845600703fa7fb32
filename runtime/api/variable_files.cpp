// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Variables to and from safetensors files.
#include "runtime/api/variable_files.h"

#include "runtime/base/short_list.h"
#include "runtime/io/safetensors.h"
#include "runtime/memory/denormals.h"

namespace sluice::rt {

namespace {
std::string nameList(const std::vector<std::string> &names) {
  ShortList list(8);
  for (const std::string &name : names)
    list.add(named(name));
  return list.text();
}
} // namespace

Variable *findVariable(std::span<Variable *const> variables, std::string_view name) {
  for (Variable *variable : variables)
    if (variable->name == name)
      return variable;
  return nullptr;
}

Failure loadVariables(const std::string &path, const Limits &limits, Runner &runner, Disk &disk,
                      Diagnostics &diagnostics) {
  Result<std::string> content = readWithin(disk, path, limits, Limit::kVariablesFileBytes);
  if (!content.ok())
    return ioFailure(content.status());
  Result<std::vector<NamedTensor>> tensors = decodeSafetensors(*content, limits);
  if (!tensors.ok())
    return modelFailure(tensors.status(), named(path));
  std::vector<std::string> others;
  // All are checked before the first is set.
  for (auto &[name, value] : *tensors) {
    Variable *variable = findVariable(runner.variables(), name);
    if (Status status = flushDenormals(value); !status.ok())
      return modelFailure(status, named(path));
    if (!variable)
      others.push_back(name);
    else if (Status status = variable->accepts(value); !status.ok())
      return modelFailure(status, named(path));
  }
  if (!others.empty() && others.size() == tensors->size())
    return modelFailure(
        invalidArgument("the program has none of the variables " + nameList(others)), named(path));
  if (!others.empty())
    diagnostics.warning(named(path) + ": the program has no variables " + nameList(others) +
                        ": their values are ignored");
  for (auto &[name, value] : *tensors)
    if (Variable *variable = findVariable(runner.variables(), name))
      variable->value = std::move(value);
  return {};
}

Failure saveVariables(const std::string &path, Runner &runner, Disk &disk) {
  std::vector<NamedTensor> tensors;
  for (Variable *variable : runner.variables())
    if (variable->initialized())
      tensors.emplace_back(variable->name, variable->value);
  Result<std::string> content = encodeSafetensors(std::move(tensors));
  if (!content.ok())
    return modelFailure(content.status(), named(path));
  return ioFailure(disk.write(path, *content));
}

} // namespace sluice::rt
