// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The manifest's text.
#include "compiler/emit/WriteManifest.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/raw_ostream.h"

namespace sluice::emit {

using namespace llvm;

std::string manifestJson(const rt::ProgramDesc &program, ArrayRef<std::string> executables) {
  std::string text;
  raw_string_ostream stream(text);
  json::OStream out(stream, /*IndentSize=*/2);
  auto attribute = [&](StringRef name, StringRef value) {
    out.attribute(name, json::fixUTF8(value));
  };
  out.object([&] {
    attribute("format", "sluice-manifest-1");
    attribute("program", program.programHash);
    attribute("cluster", program.clusterHash);
    out.attributeArray("devices", [&] {
      for (auto [rank, device] : enumerate(program.devices))
        out.object([&, rank = rank] {
          out.attribute("rank", static_cast<int64_t>(rank));
          attribute("device", device.name);
          attribute("executable", executables[rank]);
          attribute("address", device.address);
        });
    });
  });
  return text + '\n';
}

} // namespace sluice::emit
