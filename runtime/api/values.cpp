// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads tensors from files and literals.
#include "runtime/api/values.h"

#include "runtime/io/npy.h"
#include "runtime/io/npz.h"
#include "runtime/io/tensor_json.h"
#include "runtime/io/tensor_text.h"
#include "runtime/memory/denormals.h"

namespace sluice::rt {

namespace {

// `FILE.npz[KEY]`: the first ".npz[" ends the file's name.
Failure readNpz(const char *flag, std::string_view place, const Port &port, const Limits &limits,
                Disk &disk, Tensor &tensor) {
  size_t bracket = place.find(".npz[") + 4;
  std::string path(place.substr(0, bracket));
  std::string_view key = place.substr(bracket + 1, place.size() - bracket - 2);
  Result<std::string> content = readWithin(disk, path, limits, Limit::kTensorFileBytes);
  if (!content.ok())
    return ioFailure(content.status());
  Result<NpzArray> array = NpzArray::open(*content, key);
  if (!array.ok())
    return modelFailure(array.status(), named(path));
  // A small file may hold a huge array: what does not fit is refused before it is inflated.
  if (Failure failure =
          modelFailure(checkPort(flag, port, array->header().dtype, array->header().shape)))
    return failure;
  Result<Tensor> value = array->read();
  if (!value.ok())
    return modelFailure(value.status(), named(path));
  tensor = std::move(*value);
  return {};
}

Failure readFile(const char *flag, const std::string &path, const Port &port,
                 const Limits &limits, Disk &disk, Tensor &tensor) {
  if (path.ends_with(']') && path.find(".npz[") != path.npos)
    return readNpz(flag, path, port, limits, disk, tensor);
  bool npy = path.ends_with(".npy");
  if (!npy && !path.ends_with(".json"))
    return usageFailure(std::string(flag) +
                        ": expected a file named *.npy, *.npz[KEY] or *.json but got " +
                        named(path));
  Result<std::string> content = readWithin(
      disk, path, limits, npy ? Limit::kTensorFileBytes : Limit::kJsonFileBytes);
  if (!content.ok())
    return ioFailure(content.status());
  Result<Tensor> decoded = Status();
  if (npy) {
    decoded = decodeNpy(*content);
  } else {
    Result<JsonPart> part = outlineJson(*content, limits);
    decoded = part.ok() ? tensorFromJson(*part, port.dtype) : part.status();
  }
  if (!decoded.ok())
    return modelFailure(decoded.status(), named(path));
  tensor = std::move(*decoded);
  return {};
}

Failure readValue(const char *flag, const Assignment &given, const Port &port, uint64_t seed,
                  const Limits &limits, Disk &disk, Tensor &tensor) {
  if (given.value.starts_with('@')) {
    if (Failure failure = readFile(flag, given.value.substr(1), port, limits, disk, tensor))
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
  if (Status status = flushDenormals(tensor); !status.ok())
    return modelFailure(status, std::string(flag) + ' ' + named(given.name));
  return modelFailure(checkPort(flag, port, tensor));
}

} // namespace

Status checkPort(const char *kind, const Port &port, DType dtype, const Shape &shape) {
  if (dtype == port.dtype && shape.compatibleWith(port.shape))
    return {};
  return invalidArgument(std::string(kind) + ' ' + named(port.name) + ": expected " +
                         portType(port) + " but got " + std::string(dtypeName(dtype)) +
                         shape.toString());
}

Status checkPort(const char *kind, const Port &port, const Tensor &value) {
  return checkPort(kind, port, value.dtype(), value.shape());
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
    given[*findPort(signature.feeds, input.name)] = &input;
  for (size_t i = 0; i < feeds.size(); ++i) {
    // Feeds differ in their random numbers, whatever the order of the flags.
    uint64_t seed = options.randomSeed + 0x632be59bd9b4e019 * i;
    if (given[i])
      if (Failure failure =
              readValue("--input", *given[i], signature.feeds[i], seed, options.run.limits, disk,
                        feeds[i]))
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
    const Port &fetch = signature.fetches[*findPort(signature.fetches, given.name)];
    if (Failure failure =
            readValue("--expected", given, fetch, 0, options.run.limits, disk, expected[i]))
      return failure;
  }
  return {};
}

} // namespace sluice::rt
