// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Descriptions as text and as JSON.
#include "compiler/import/describe/ModelDescription.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/JSON.h"

namespace sluice::import {

using llvm::raw_ostream;
using llvm::StringRef;
namespace json = llvm::json;

static std::string typeOf(const DescribedTensor &tensor) {
  return tensor.type.empty() ? "" : " " + escaped(tensor.type) + tensor.shape;
}

static void printTensors(StringRef indent, StringRef title,
                         const std::vector<DescribedTensor> &tensors, raw_ostream &out) {
  for (const DescribedTensor &tensor : tensors)
    out << indent << title << escaped(tensor.name) << typeOf(tensor)
        << (tensor.tensor.empty() ? "" : "  = " + escaped(tensor.tensor)) << '\n';
}

static void printNames(StringRef title, const std::vector<std::string> &names, raw_ostream &out) {
  if (names.empty())
    return;
  out << title << " (" << names.size() << ")\n";
  for (const std::string &name : names)
    out << "  " << escaped(name) << '\n';
}

static void printList(StringRef title, const std::vector<DescribedTensor> &tensors,
                      raw_ostream &out) {
  if (tensors.empty())
    return;
  out << title << " (" << tensors.size() << ")\n";
  printTensors("  ", "", tensors, out);
}

void printText(const ModelDescription &d, raw_ostream &out) {
  out << escaped(d.path) << ": " << d.kind << (d.tags.empty() ? "" : ", tags " + d.tags) << '\n';
  for (const DescribedSignature &signature : d.signatures) {
    out << "signature " << escaped(signature.name) << '\n';
    printTensors("  ", "input   ", signature.inputs, out);
    printTensors("  ", "output  ", signature.outputs, out);
    for (const std::string &target : signature.targets)
      out << "  target  " << escaped(target) << '\n';
  }
  if (!d.initializer.empty())
    out << "runs before the first call\n  " << escaped(d.initializer) << '\n';
  if (d.signatures.empty()) { // else they say it better
    printList("placeholders, to be fed", d.placeholders, out);
    printList("outputs that nobody consumes", d.outputs, out);
    printNames("nodes without outputs that nobody waits for, for --run", d.targets, out);
  }
  printList("variables", d.variables, out);
  printNames("functions", d.functions, out);
  printNames("assets", d.assets, out);
  size_t nodes = 0, unsupported = 0;
  for (const DescribedOp &op : d.ops) {
    nodes += op.nodes;
    unsupported += op.isSupported ? 0 : 1;
  }
  if (d.ops.empty())
    return;
  out << "ops: " << d.ops.size() << " kinds in " << nodes << " nodes\n";
  if (unsupported > 0)
    out << "ops that are not supported (" << unsupported << ")\n";
  for (const DescribedOp &op : d.ops)
    if (!op.isSupported)
      out << "  " << escaped(op.op) << ", " << op.nodes << (op.nodes == 1 ? " node" : " nodes")
          << '\n';
}

static void writeTensors(json::OStream &out, StringRef key,
                         const std::vector<DescribedTensor> &tensors) {
  out.attributeArray(key, [&] {
    for (const DescribedTensor &tensor : tensors)
      out.object([&] {
        out.attribute("name", json::fixUTF8(tensor.name));
        out.attribute("dtype", json::fixUTF8(tensor.type));
        if (tensor.shape.empty())
          out.attribute("shape", nullptr);
        else
          out.attributeArray("shape", [&] {
            llvm::SmallVector<StringRef> dims;
            StringRef(tensor.shape).drop_front().drop_back().split(dims, ',', -1, false);
            for (StringRef dim : dims) {
              int64_t size;
              dim.getAsInteger(10, size) ? out.value(nullptr) : out.value(size);
            }
          });
        if (!tensor.tensor.empty())
          out.attribute("tensor", json::fixUTF8(tensor.tensor));
      });
  });
}

static void writeNames(json::OStream &out, StringRef key, const std::vector<std::string> &names) {
  out.attributeArray(key, [&] {
    for (const std::string &name : names)
      out.value(json::fixUTF8(name));
  });
}

void printJson(const ModelDescription &d, raw_ostream &stream) {
  json::OStream out(stream);
  out.object([&] {
    out.attribute("file", json::fixUTF8(d.path));
    out.attribute("kind", d.kind);
    out.attribute("tags", json::fixUTF8(d.tags));
    out.attributeArray("signatures", [&] {
      for (const DescribedSignature &signature : d.signatures)
        out.object([&] {
          out.attribute("name", json::fixUTF8(signature.name));
          writeTensors(out, "inputs", signature.inputs);
          writeTensors(out, "outputs", signature.outputs);
          writeNames(out, "targets", signature.targets);
        });
    });
    out.attribute("initializer", json::fixUTF8(d.initializer));
    writeTensors(out, "placeholders", d.placeholders);
    writeTensors(out, "outputs", d.outputs);
    writeNames(out, "targets", d.targets);
    writeTensors(out, "variables", d.variables);
    writeNames(out, "functions", d.functions);
    writeNames(out, "assets", d.assets);
    out.attributeArray("ops", [&] {
      for (const DescribedOp &op : d.ops)
        out.object([&] {
          out.attribute("op", json::fixUTF8(op.op));
          out.attribute("nodes", static_cast<int64_t>(op.nodes));
          out.attribute("supported", op.isSupported);
        });
    });
  });
  stream << '\n';
}

static std::string shortList(const std::vector<DescribedTensor> &tensors) {
  constexpr size_t kShown = 10;
  std::string text;
  for (size_t i = 0; i < std::min(tensors.size(), kShown); ++i)
    text += (i > 0 ? ", " : "") + quoted(tensors[i].name) + typeOf(tensors[i]);
  return text + (tensors.size() > kShown ? ", …" : "");
}

std::vector<std::string> hintsOf(const ModelDescription &d) {
  std::vector<std::string> hints;
  if (!d.placeholders.empty())
    hints.push_back("placeholders, for --feed: " + shortList(d.placeholders));
  if (!d.outputs.empty())
    hints.push_back("outputs that nobody consumes, for --fetch: " + shortList(d.outputs));
  if (!d.targets.empty()) {
    std::vector<DescribedTensor> targets;
    for (const std::string &name : d.targets)
      targets.push_back({name, "", ""});
    hints.push_back("nodes without outputs, for --run: " + shortList(targets));
  }
  if (!hints.empty())
    hints.push_back("sluicec --describe " + escaped(d.path) + " tells more");
  return hints;
}

} // namespace sluice::import
