// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads tensors from files and literals.
#include "runtime/api/values.h"

#include "runtime/io/npy.h"
#include "runtime/io/tensor_json.h"
#include "runtime/io/tensor_text.h"

namespace sluice::rt {

namespace {

constexpr uint64_t kMaxNpyFile = uint64_t{1} << 36;
constexpr uint64_t kMaxJsonFile = uint64_t{1} << 30;

Failure readFile(const char *flag, const std::string &path, Disk &disk, Tensor &tensor) {
  bool npy = path.ends_with(".npy");
  if (!npy && !path.ends_with(".json"))
    return usageFailure(std::string(flag) + ": expected a file named *.npy or *.json but got " +
                        named(path));
  Result<std::string> content = disk.read(path, npy ? kMaxNpyFile : kMaxJsonFile);
  if (!content.ok())
    return ioFailure(content.status());
  Result<Tensor> decoded = Status();
  if (npy) {
    decoded = decodeNpy(*content);
  } else {
    Result<Json> json = parseJson(*content);
    decoded = json.ok() ? tensorFromJson(*json) : json.status();
  }
  if (!decoded.ok())
    return modelFailure(decoded.status(), named(path));
  tensor = std::move(*decoded);
  return {};
}

Failure readValue(const char *flag, const Assignment &given, const Port &port, uint64_t seed,
                  Disk &disk, Tensor &tensor) {
  if (given.value.starts_with('@')) {
    if (Failure failure = readFile(flag, given.value.substr(1), disk, tensor))
      return failure;
  } else {
    Result<Tensor> literal = parseTensorLiteral(given.value, port.dtype, port.shape, seed);
    std::string where = std::string(flag) + ' ' + named(given.name);
    if (!literal.ok() && literal.status().code() == Code::kInvalidArgument)
      return usageFailure(where + ": " + literal.status().message());
    if (!literal.ok())
      return modelFailure(literal.status(), where);
    tensor = std::move(*literal);
  }
  return modelFailure(checkPort(flag, port, tensor));
}

} // namespace

Status checkPort(const char *kind, const Port &port, const Tensor &value) {
  if (value.dtype() == port.dtype && value.shape().compatibleWith(port.shape))
    return {};
  return invalidArgument(std::string(kind) + ' ' + named(port.name) + ": expected " +
                         portType(port) + " but got " + std::string(dtypeName(value.dtype())) +
                         value.shape().toString());
}

std::string missingFeeds(const SignatureInfo &signature, const std::vector<Tensor> &feeds) {
  std::vector<Port> missing;
  for (size_t i = 0; i < feeds.size(); ++i)
    if (!feeds[i].valid())
      missing.push_back(signature.feeds[i]);
  if (missing.empty())
    return {};
  return format("%zu feed%s no value: ", missing.size(), missing.size() == 1 ? " has" : "s have") +
         portList(missing);
}

Failure readFeeds(const SignatureInfo &signature, const Options &options, Disk &disk,
                  std::vector<Tensor> &feeds) {
  feeds.assign(signature.feeds.size(), Tensor());
  std::vector<const Assignment *> given(feeds.size());
  for (const Assignment &input : options.inputs)
    if (std::optional<size_t> index = findPort(signature.feeds, input.name))
      given[*index] = &input;
  for (size_t i = 0; i < feeds.size(); ++i) {
    // Feeds differ in their random numbers, whatever the order of the flags.
    uint64_t seed = options.randomSeed + 0x632be59bd9b4e019 * i;
    if (given[i])
      if (Failure failure =
              readValue("--input", *given[i], signature.feeds[i], seed, disk, feeds[i]))
        return failure;
  }
  std::string missing = missingFeeds(signature, feeds);
  return missing.empty() ? Failure() : usageFailure(missing + "; give --input NAME=VALUE");
}

Failure readExpected(const SignatureInfo &signature, const Options &options, Disk &disk,
                     std::vector<Tensor> &expected) {
  expected.assign(options.expected.size(), Tensor());
  for (size_t i = 0; i < expected.size(); ++i) {
    const Assignment &given = options.expected[i];
    std::optional<size_t> index = findPort(signature.fetches, given.name);
    if (!index)
      continue;
    if (Failure failure =
            readValue("--expected", given, signature.fetches[*index], 0, disk, expected[i]))
      return failure;
  }
  return {};
}

} // namespace sluice::rt
