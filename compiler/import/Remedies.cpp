// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// By what the name of the op says.
#include "compiler/import/Remedies.h"

#include "llvm/ADT/STLExtras.h"

namespace sluice::import {

using llvm::StringRef;

namespace {

struct Remedy {
  StringRef part; // of an op's name
  StringRef text;
};

// The first that fits counts.
constexpr Remedy kRemedies[] = {
    {"XlaCallModule",
     "it holds a program for another compiler; export the model from the code that it was made of, "
     "with native TensorFlow ops"},
    {"PyFunc", "it runs Python, which no executable has; write that part with TensorFlow's ops"},
    {"Iterator", "input pipelines stay outside: feed what the iterator gives, with --feed"},
    {"Dataset", "input pipelines stay outside: feed what the dataset gives, with --feed"},
    {"TPU", "it is for one kind of device; export the model for the CPU"},
    {"Summary",
     "leave out what is written for people who watch the training: do not fetch or run it"},
};

} // namespace

StringRef remedyFor(StringRef op, bool isKnown) {
  const Remedy *found =
      llvm::find_if(kRemedies, [&](const Remedy &remedy) { return op.contains(remedy.part); });
  if (found != std::end(kRemedies))
    return found->text;
  if (!isKnown)
    return "it may be an op of a library: replace it by ops of TensorFlow, or feed what it gives, "
           "with --feed";
  return "";
}

} // namespace sluice::import
