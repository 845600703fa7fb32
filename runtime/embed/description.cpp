// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nothing that is pointed to moves: deques keep their elements where they are.
#include "runtime/embed/description.h"

#include "runtime/api/describe.h"
#include "runtime/embed/tensor_view.h"

namespace sluice::rt {

Description::Description(Runner &runner) {
  std::span<const SignatureInfo> signatures = runner.signatures();
  for (size_t i = 0; i < signatures.size(); ++i)
    if (!signatures[i].initializes) {
      positions_.push_back(i);
      add(signatures[i]);
    }
  for (const Variable *variable : runner.variables())
    variables_.push_back(add(variable->name, variable->dtype, variable->shape));
  auto keep = [&](std::string text) { return texts_.emplace_back(std::move(text)).c_str(); };
  program_.name = keep(std::string(runner.programName()));
  program_.version = keep(std::string(runner.versionText()));
  program_.json = keep(describeJson(runner));
  program_.num_signatures = signaturePointers_.size();
  program_.signatures = signaturePointers_.data();
  program_.num_variables = variables_.size();
  program_.variables = variables_.data();
}

const sluice_port *Description::add(const std::string &name, DType dtype, const Shape &shape) {
  auto dims = shape.dims();
  const auto &kept = dims_.emplace_back(dims.begin(), dims.end());
  return &ports_.emplace_back(
      sluice_port{texts_.emplace_back(name).c_str(), publicType(dtype), shape.rank(), kept.data()});
}

void Description::add(const SignatureInfo &info) {
  auto addPorts = [&](const std::vector<Port> &ports) {
    auto &list = lists_.emplace_back();
    for (const Port &port : ports)
      list.push_back(add(port.name, port.dtype, port.shape));
    return list.data();
  };
  auto &targets = names_.emplace_back();
  for (const std::string &target : info.targets)
    targets.push_back(texts_.emplace_back(target).c_str());
  sluice_signature signature{};
  signature.name = texts_.emplace_back(info.name).c_str();
  signature.num_feeds = info.feeds.size();
  signature.num_fetches = info.fetches.size();
  signature.num_targets = info.targets.size();
  signature.feeds = addPorts(info.feeds);
  signature.fetches = addPorts(info.fetches);
  signature.targets = targets.data();
  signaturePointers_.push_back(&signatures_.emplace_back(signature));
}

} // namespace sluice::rt
