// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Printing and writing of fetches.
#include "runtime/api/outputs.h"

#include "runtime/api/variable_files.h"
#include "runtime/io/dtype_names.h"
#include "runtime/io/npy.h"
#include "runtime/io/tensor_json.h"
#include "runtime/io/tensor_text.h"
#include "runtime/io/zip_writer.h"

#include <algorithm>
#include <optional>

namespace sluice::rt {

namespace {

struct File {
  std::string path;
  std::string identity; // of an archive
  std::string content;
  std::optional<ZipWriter> archive; // instead of `content`
};

// Where an output goes: a file, or an array of an archive.
struct Target {
  std::string path;
  std::optional<std::string> key;
  std::string identity; // of the file
};

Target fileAt(const std::string &path, Disk &disk) { return {path, {}, disk.identity(path)}; }

// Of "@FILE" or "@FILE.npz[KEY]".
Target targetOf(const std::string &to, Disk &disk) {
  size_t bracket = to.find(".npz[");
  if (bracket == to.npos || !to.ends_with(']'))
    return fileAt(to.substr(1), disk);
  bracket += 4;
  Target target = fileAt(to.substr(1, bracket - 1), disk);
  target.key = to.substr(bracket + 1, to.size() - bracket - 2);
  return target;
}

Failure checkForm(const Assignment &output, const Port &port, Disk &disk) {
  const std::string &to = output.value;
  if (to == "-")
    return {};
  bool file = to.starts_with('@');
  Target target = file ? targetOf(to, disk) : Target();
  bool numpy = target.key ? !target.key->empty() : to.ends_with(".npy");
  if (!file || (!numpy && !to.ends_with(".json")))
    return usageFailure("--output " + named(output.name) +
                        ": expected @FILE.npy, @FILE.npz[KEY], @FILE.json or - but got " +
                        named(to));
  if (numpy && numpyName(port.dtype).empty())
    return usageFailure("--output " + named(output.name) + ": npy files cannot hold " +
                        std::string(dtypeName(port.dtype)) + " tensors: use a .json file");
  return {};
}

ZipWriter &archiveAt(const Target &target, std::vector<File> &files) {
  auto found = std::find_if(files.begin(), files.end(), [&](const File &file) {
    return file.archive && file.identity == target.identity;
  });
  if (found != files.end())
    return *found->archive;
  files.push_back({target.path, target.identity, {}, ZipWriter()});
  return *files.back().archive;
}

Failure encode(const Tensor &tensor, const Target &target, std::vector<File> &files) {
  const std::string &path = target.path;
  Result<std::string> content = std::string();
  if (target.key || path.ends_with(".npy")) {
    content = encodeNpy(tensor);
  } else if (Status status = appendTensorJson(tensor, *content); !status.ok()) {
    content = status;
  } else {
    *content += '\n';
  }
  if (!content.ok())
    return modelFailure(content.status(), named(path));
  if (target.key)
    return modelFailure(archiveAt(target, files).add(*target.key + ".npy", *content), named(path));
  files.push_back({path, {}, std::move(*content), {}});
  return {};
}

// An archive has room for several arrays of different names.
bool clash(const Target &a, const Target &b) {
  return a.identity == b.identity && (!a.key || !b.key || *a.key == *b.key);
}

} // namespace

Failure checkOutputs(const SignatureInfo &signature, const Options &options, Disk &disk) {
  std::vector<Target> targets;
  if (options.save)
    for (const std::string &file : filesOfVariables(*options.save))
      targets.push_back(fileAt(file, disk));
  if (options.trace)
    targets.push_back(fileAt(*options.trace, disk));
  for (const Assignment &output : options.outputs) {
    const Port &fetch = signature.fetches[*findPort(signature.fetches, output.name)];
    if (Failure failure = checkForm(output, fetch, disk))
      return failure;
    if (output.value != "-")
      targets.push_back(targetOf(output.value, disk));
  }
  for (size_t i = 0; i < targets.size(); ++i) {
    for (size_t k = 0; k < i; ++k)
      if (clash(targets[i], targets[k]))
        return usageFailure(named(targets[i].path) + " is to be written twice");
    if (Failure failure = ioFailure(disk.checkWritable(targets[i].path)))
      return failure;
  }
  return {};
}

Failure deliverOutputs(const SignatureInfo &signature, const Options &options,
                       std::span<const Tensor> fetches, Disk &disk, Console &console) {
  std::string text;
  std::vector<File> files;
  for (const Assignment &output : options.outputs) {
    size_t index = *findPort(signature.fetches, output.name);
    const Tensor &fetch = fetches[index];
    if (output.value == "-")
      text += signature.fetches[index].name + ' ' + tensorText(fetch, true) + '\n';
    else if (Failure failure = encode(fetch, targetOf(output.value, disk), files))
      return failure;
  }
  if (options.outputs.empty() && options.expected.empty())
    for (size_t i = 0; i < fetches.size(); ++i)
      text += signature.fetches[i].name + ' ' + tensorText(fetches[i], false) + '\n';
  for (File &file : files) {
    if (file.archive)
      file.content = std::move(*file.archive).finish();
    if (Failure failure = ioFailure(disk.write(file.path, file.content)))
      return failure;
  }
  return ioFailure(text.empty() ? Status() : console.write(text));
}

} // namespace sluice::rt
