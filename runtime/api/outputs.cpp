// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing and writing of fetches.
#include "runtime/api/outputs.h"

#include "runtime/io/dtype_names.h"
#include "runtime/io/npy.h"
#include "runtime/io/tensor_json.h"
#include "runtime/io/tensor_text.h"

#include <algorithm>

namespace sluice::rt {

namespace {

struct File {
  std::string path;
  std::string content;
};

Failure checkForm(const Assignment &output, const Port &port) {
  const std::string &to = output.value;
  if (to == "-")
    return {};
  if (!to.starts_with('@') || (!to.ends_with(".npy") && !to.ends_with(".json")))
    return usageFailure("--output " + named(output.name) +
                        ": expected @FILE.npy, @FILE.json or - but got " + named(to));
  if (to.ends_with(".npy") && numpyName(port.dtype).empty())
    return usageFailure("--output " + named(output.name) + ": npy files cannot hold " +
                        std::string(dtypeName(port.dtype)) + " tensors: use a .json file");
  return {};
}

Failure encode(const Tensor &tensor, const std::string &path, std::vector<File> &files) {
  Result<std::string> content = std::string();
  if (path.ends_with(".npy")) {
    content = encodeNpy(tensor);
  } else if (Status status = appendTensorJson(tensor, *content); !status.ok()) {
    content = status;
  } else {
    *content += '\n';
  }
  if (!content.ok())
    return modelFailure(content.status(), named(path));
  files.push_back({path, std::move(*content)});
  return {};
}

} // namespace

Failure checkOutputs(const SignatureInfo &signature, const Options &options, Disk &disk) {
  std::vector<std::string> paths;
  if (options.save)
    paths.push_back(*options.save);
  for (const Assignment &output : options.outputs) {
    std::optional<size_t> index = findPort(signature.fetches, output.name);
    if (!index)
      continue;
    if (Failure failure = checkForm(output, signature.fetches[*index]))
      return failure;
    if (output.value != "-")
      paths.push_back(output.value.substr(1));
  }
  for (size_t i = 0; i < paths.size(); ++i) {
    if (std::find(paths.begin(), paths.begin() + static_cast<std::ptrdiff_t>(i), paths[i]) !=
        paths.begin() + static_cast<std::ptrdiff_t>(i))
      return usageFailure(named(paths[i]) + " is to be written twice");
    if (Failure failure = ioFailure(disk.checkWritable(paths[i])))
      return failure;
  }
  return {};
}

Failure deliverOutputs(const SignatureInfo &signature, const Options &options,
                       std::span<const Tensor> fetches, Disk &disk, Console &console) {
  std::string text;
  std::vector<File> files;
  for (const Assignment &output : options.outputs) {
    std::optional<size_t> index = findPort(signature.fetches, output.name);
    if (!index)
      continue;
    const Tensor &fetch = fetches[*index];
    if (output.value == "-")
      text += signature.fetches[*index].name + ' ' + tensorText(fetch, true) + '\n';
    else if (Failure failure = encode(fetch, output.value.substr(1), files))
      return failure;
  }
  if (options.outputs.empty() && options.expected.empty())
    for (size_t i = 0; i < fetches.size(); ++i)
      text += signature.fetches[i].name + ' ' + tensorText(fetches[i], false) + '\n';
  for (const File &file : files)
    if (Failure failure = ioFailure(disk.write(file.path, file.content)))
      return failure;
  return ioFailure(text.empty() ? Status() : console.write(text));
}

} // namespace sluice::rt
