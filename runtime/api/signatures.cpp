// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Selection of signatures.
#include "runtime/api/signatures.h"

#include "runtime/base/short_list.h"

#include <algorithm>

namespace sluice::rt {

namespace {

constexpr size_t kMostListed = 20;

bool hasTarget(const SignatureInfo &signature, std::string_view name) {
  return std::find(signature.targets.begin(), signature.targets.end(), name) !=
         signature.targets.end();
}

bool covers(std::span<const Port> ports, const std::vector<Assignment> &wanted) {
  return std::all_of(wanted.begin(), wanted.end(),
                     [&](const Assignment &a) { return findPort(ports, a.name).has_value(); });
}

bool covers(const SignatureInfo &signature, const Options &o) {
  return !signature.initializes && covers(signature.feeds, o.inputs) &&
         covers(signature.fetches, o.outputs) && covers(signature.fetches, o.expected) &&
         std::all_of(o.targets.begin(), o.targets.end(),
                     [&](const std::string &name) { return hasTarget(signature, name); });
}

// Nothing is fetched or run that was not asked for.
bool matches(const SignatureInfo &signature, const Options &o) {
  auto asked = [&](const Port &port) {
    auto same = [&](const Assignment &a) {
      return canonicalName(a.name) == canonicalName(port.name);
    };
    return std::any_of(o.outputs.begin(), o.outputs.end(), same) ||
           std::any_of(o.expected.begin(), o.expected.end(), same);
  };
  return signature.targets.size() == o.targets.size() &&
         signature.feeds.size() == o.inputs.size() &&
         std::all_of(signature.fetches.begin(), signature.fetches.end(), asked);
}

std::string listSignatures(std::span<const SignatureInfo> signatures) {
  ShortList list(kMostListed);
  for (const SignatureInfo &signature : signatures)
    if (!signature.initializes)
      list.add(named(signature.name));
  return list.text();
}

Failure unknownPort(const char *flag, const char *kind, std::string_view name,
                    std::span<const Port> ports) {
  return usageFailure(std::string(flag) + ": the signature has no " + kind + ' ' + named(name) +
                      suggestion(name, portNames(ports)) + "; it has " + portList(ports));
}

Failure checkOutputNames(const SignatureInfo &signature, const char *flag,
                         const std::vector<Assignment> &list) {
  for (const Assignment &output : list) {
    if (findPort(signature.fetches, output.name))
      continue;
    if (hasTarget(signature, output.name))
      return usageFailure(std::string(flag) + ": " + named(output.name) +
                          " is a target, which has no output: use --run " + output.name);
    return unknownPort(flag, "fetch", output.name, signature.fetches);
  }
  return {};
}

Failure checkNames(const SignatureInfo &signature, const Options &o) {
  for (const Assignment &input : o.inputs)
    if (!findPort(signature.feeds, input.name))
      return unknownPort("--input", "feed", input.name, signature.feeds);
  if (Failure failure = checkOutputNames(signature, "--output", o.outputs))
    return failure;
  if (Failure failure = checkOutputNames(signature, "--expected", o.expected))
    return failure;
  for (const std::string &target : o.targets) {
    if (hasTarget(signature, target))
      continue;
    if (findPort(signature.fetches, target))
      return usageFailure("--run: " + named(target) + " has an output: use --output " + target +
                          "=-");
    std::vector<std::string_view> names(signature.targets.begin(), signature.targets.end());
    return usageFailure("--run: the signature has no target " + named(target) +
                        suggestion(target, names));
  }
  return {};
}

// Names what no signature has at all; success if each name is in one of them.
Failure checkNamesOfAll(std::span<const SignatureInfo> signatures, const Options &o) {
  auto anyHas = [&](auto has) {
    return std::any_of(signatures.begin(), signatures.end(),
                       [&](const SignatureInfo &s) { return !s.initializes && has(s); });
  };
  auto fail = [](const char *flag, const char *kind, std::string_view name) {
    return usageFailure(std::string(flag) + ": no signature has the " + kind + ' ' + named(name) +
                        "; --describe lists them");
  };
  auto fetched = [](std::string_view name) {
    return [name](const SignatureInfo &s) { return findPort(s.fetches, name).has_value(); };
  };
  for (const Assignment &input : o.inputs)
    if (!anyHas([&](const SignatureInfo &s) { return findPort(s.feeds, input.name).has_value(); }))
      return fail("--input", "feed", input.name);
  for (const Assignment &output : o.outputs)
    if (!anyHas(fetched(output.name)))
      return fail("--output", "fetch", output.name);
  for (const Assignment &output : o.expected)
    if (!anyHas(fetched(output.name)))
      return fail("--expected", "fetch", output.name);
  for (const std::string &target : o.targets)
    if (!anyHas([&](const SignatureInfo &s) { return hasTarget(s, target); }))
      return fail("--run", "target", target);
  return {};
}

// The only candidate for which the predicate holds.
template <typename Predicate>
std::optional<size_t> onlyOne(std::span<const SignatureInfo> signatures, Predicate holds) {
  std::optional<size_t> found;
  for (size_t i = 0; i < signatures.size(); ++i) {
    if (!holds(signatures[i]))
      continue;
    if (found)
      return std::nullopt;
    found = i;
  }
  return found;
}

} // namespace

std::optional<size_t> findPort(std::span<const Port> ports, std::string_view name) {
  for (size_t i = 0; i < ports.size(); ++i)
    if (canonicalName(ports[i].name) == canonicalName(name))
      return i;
  return std::nullopt;
}

std::string portType(const Port &port) {
  return std::string(dtypeName(port.dtype)) + port.shape.toString();
}

std::string portList(std::span<const Port> ports) {
  ShortList list(kMostListed);
  for (const Port &port : ports)
    list.add(named(port.name) + ' ' + portType(port));
  return list.empty() ? "none" : list.text();
}

std::vector<std::string_view> portNames(std::span<const Port> ports) {
  std::vector<std::string_view> names;
  for (const Port &port : ports)
    names.push_back(canonicalName(port.name));
  return names;
}

Failure findSignature(std::span<const SignatureInfo> signatures,
                      const std::optional<std::string> &name, size_t &index) {
  std::vector<std::string_view> names;
  std::vector<size_t> positions;
  for (size_t i = 0; i < signatures.size(); ++i)
    if (!signatures[i].initializes) {
      names.push_back(signatures[i].name);
      positions.push_back(i);
    }
  if (names.empty())
    return usageFailure("the program has no signature to call");
  auto choose = [&](std::string_view wanted) {
    auto found = std::find(names.begin(), names.end(), wanted);
    if (found == names.end())
      return false;
    index = positions[static_cast<size_t>(found - names.begin())];
    return true;
  };
  if (name)
    return choose(*name)
               ? Failure()
               : usageFailure("the program has no signature " + named(*name) +
                              suggestion(*name, names) + "; it has " + listSignatures(signatures));
  index = positions.front();
  if (names.size() == 1 || choose("main") || choose("serving_default"))
    return {};
  return usageFailure("expected a signature's name, since the program has several: " +
                      listSignatures(signatures));
}

Failure selectSignature(std::span<const SignatureInfo> signatures, const Options &options,
                        size_t &index) {
  bool asked = !options.inputs.empty() || !options.outputs.empty() || !options.expected.empty() ||
               !options.targets.empty();
  auto isCallable = [](const SignatureInfo &s) { return !s.initializes; };
  bool several = std::count_if(signatures.begin(), signatures.end(), isCallable) > 1;
  if (!options.signature && several && asked) {
    auto covering = [&](const SignatureInfo &s) { return covers(s, options); };
    auto exact = [&](const SignatureInfo &s) { return covers(s, options) && matches(s, options); };
    std::optional<size_t> found = onlyOne(signatures, covering);
    if (!found)
      found = onlyOne(signatures, exact);
    if (found) {
      index = *found;
      return {};
    }
    if (Failure failure = checkNamesOfAll(signatures, options))
      return failure;
    if (std::none_of(signatures.begin(), signatures.end(), covering))
      return usageFailure("no signature has all the given inputs, outputs and targets: --describe "
                          "prints those of " +
                          listSignatures(signatures));
  }
  if (Failure failure = findSignature(signatures, options.signature, index))
    return options.signature || !several
               ? failure
               : usageFailure(failure.status.message() + "; choose with --signature NAME");
  return checkNames(signatures[index], options);
}

} // namespace sluice::rt
