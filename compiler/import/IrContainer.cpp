// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The container: "SLUICEIR", version, zero, length, BLAKE3 of the bytecode; then the bytecode.
// Numbers are little-endian. Every bit of the header is checked.
#include "compiler/import/IrContainer.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/BLAKE3.h"
#include "llvm/Support/Endian.h"

namespace sluice::import {

using llvm::StringRef;
namespace endian = llvm::support::endian;

namespace {
constexpr StringRef kMagic = "SLUICEIR";
constexpr StringRef kRawMagic = "ML\xefR"; // MLIR's own
constexpr uint32_t kVersion = 1;
constexpr size_t kVersionAt = 8, kReservedAt = 12, kLengthAt = 16, kHashAt = 24, kHeaderBytes = 56;

std::string hashOf(StringRef bytes) {
  auto hash =
      llvm::BLAKE3::hash<kHeaderBytes - kHashAt>(llvm::arrayRefFromStringRef<uint8_t>(bytes));
  return std::string(hash.begin(), hash.end());
}
} // namespace

std::string wrapBytecode(StringRef bytecode) {
  std::string bytes(kMagic);
  bytes.resize(kHashAt);
  endian::write32le(&bytes[kVersionAt], kVersion);
  endian::write32le(&bytes[kReservedAt], 0);
  endian::write64le(&bytes[kLengthAt], bytecode.size());
  return bytes + hashOf(bytecode) + bytecode.str();
}

bool looksLikeBytecode(StringRef bytes) {
  return bytes.starts_with(kMagic) || bytes.starts_with(kRawMagic);
}

llvm::Expected<StringRef> unwrapBytecode(StringRef bytes) {
  auto fail = [](const llvm::Twine &message) { return llvm::createStringError(message); };
  if (bytes.starts_with(kRawMagic))
    return fail("expected bytecode in a container with a checksum but got bare bytecode; "
                "sluicec --emit=mlirbc and sluice-opt --emit-bytecode write containers");
  if (!bytes.starts_with(kMagic) || bytes.size() < kHeaderBytes)
    return fail("expected the header of an IR container, " + llvm::Twine(kHeaderBytes) +
                " bytes that begin with 'SLUICEIR'");
  uint32_t version = endian::read32le(bytes.data() + kVersionAt);
  if (version != kVersion)
    return fail("expected version " + llvm::Twine(kVersion) + " of the container but got " +
                llvm::Twine(version));
  if (endian::read32le(bytes.data() + kReservedAt) != 0)
    return fail("the header of the container is damaged");
  uint64_t length = endian::read64le(bytes.data() + kLengthAt);
  StringRef bytecode = bytes.drop_front(kHeaderBytes);
  if (length != bytecode.size())
    return fail("expected " + llvm::Twine(length) + " bytes of bytecode but got " +
                llvm::Twine(bytecode.size()));
  if (hashOf(bytecode) != bytes.slice(kHashAt, kHeaderBytes))
    return fail("the checksum differs: the file is damaged");
  return bytecode;
}

} // namespace sluice::import
