// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// BLAKE3 over images and over device names. Every text is preceded by its length, so that different
// lists never give the same bytes.
#include "compiler/emit/ProgramHashes.h"

#include "runtime/program/write_image.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"

namespace sluice::emit {

using namespace llvm;

namespace {

class Hash {
public:
  void addNumber(uint64_t number) {
    uint8_t bytes[8];
    support::endian::write64le(bytes, number);
    hasher_.update(bytes);
  }
  void addText(StringRef text) {
    addNumber(text.size());
    hasher_.update(text);
  }
  std::string hex() { return toHex(hasher_.final<32>(), /*LowerCase=*/true); }

private:
  BLAKE3 hasher_;
};

std::string hashOfPrograms(ArrayRef<DescribedProgram> ranks) {
  Hash hash;
  hash.addNumber(ranks.size());
  for (const DescribedProgram &rank : ranks) {
    hash.addText(rt::writeImage(rank.program));
    hash.addNumber(rank.kernels.size());
    for (const std::string &symbol : rank.kernels)
      hash.addText(symbol);
    hash.addNumber(rank.codelets.size());
    for (const std::string &symbol : rank.codelets)
      hash.addText(symbol);
  }
  return hash.hex();
}

std::string hashOfDevices(const rt::ProgramDesc &program) {
  Hash hash;
  hash.addNumber(program.devices.size());
  for (const rt::DeviceDesc &device : program.devices)
    hash.addText(device.name);
  return hash.hex();
}

} // namespace

void setHashes(MutableArrayRef<DescribedProgram> ranks) {
  std::string program = hashOfPrograms(ranks);
  for (DescribedProgram &rank : ranks) {
    rank.program.clusterHash = hashOfDevices(rank.program);
    rank.program.programHash = program;
  }
}

} // namespace sluice::emit
