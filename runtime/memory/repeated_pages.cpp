// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A file in memory with a piece full of the element, mapped side by side. Linux allows a process
// 65,530 mappings, so of much more than usual there are none. Zeros need no file: pages that nobody
// has written to are the system's page of zeros.
#include "runtime/memory/repeated_pages.h"

#include "runtime/base/held_memory.h"

#include <algorithm>
#include <cstring>
#include <sys/mman.h>
#include <unistd.h>

namespace sluice::rt {

namespace {
constexpr size_t kUsualMappings = 256;
constexpr size_t kSmallestPiece = 64 << 10; // a multiple of all sizes that pages have
constexpr size_t kLargestPiece = 64 << 20;

size_t rounded(size_t bytes, size_t unit) { return (bytes + unit - 1) / unit * unit; }
size_t pieceOf(size_t bytes) {
  return std::min(rounded(bytes / kUsualMappings + 1, kSmallestPiece), kLargestPiece);
}

bool isZero(const void *element, size_t size) {
  auto *bytes = static_cast<const char *>(element);
  return std::all_of(bytes, bytes + size, [](char byte) { return byte == 0; });
}

char *reserve(size_t bytes, int access) {
  void *mapped = ::mmap(nullptr, bytes, access, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  return mapped == MAP_FAILED ? nullptr : static_cast<char *>(mapped);
}

bool fillFile(int file, const void *element, size_t size, size_t bytes) {
  if (::ftruncate(file, static_cast<off_t>(bytes)) != 0)
    return false;
  void *mapped = ::mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
  if (mapped == MAP_FAILED)
    return false;
  fillWith(element, size, mapped, bytes);
  return ::munmap(mapped, bytes) == 0;
}

bool mapPieces(int file, char *to, size_t piece, size_t total) {
  for (size_t at = 0; at < total; at += piece) {
    size_t part = std::min(piece, total - at);
    if (::mmap(to + at, part, PROT_READ, MAP_SHARED | MAP_FIXED, file, 0) == MAP_FAILED)
      return false;
  }
  return true;
}
} // namespace

void fillWith(const void *element, size_t size, void *to, size_t bytes) {
  auto *start = static_cast<char *>(to);
  size_t done = std::min(size, bytes);
  std::memcpy(start, element, done);
  for (size_t more; done < bytes; done += more) {
    more = std::min(done, bytes - done);
    std::memcpy(start + done, start, more);
  }
}

const void *mapRepeated(const void *element, size_t size, size_t bytes) {
  const size_t piece = pieceOf(bytes), total = rounded(bytes, kSmallestPiece);
  if (isZero(element, size))
    return reserve(total, PROT_READ);
  MemoryHold hold;
  int file = hold.resize(piece) ? ::memfd_create("sluice-constant", MFD_CLOEXEC) : -1;
  if (file < 0)
    return nullptr;
  char *mapped = fillFile(file, element, size, piece) ? reserve(total, PROT_NONE) : nullptr;
  if (mapped && !mapPieces(file, mapped, piece, total)) {
    ::munmap(mapped, total);
    mapped = nullptr;
  }
  ::close(file);
  if (mapped)
    hold.keep();
  return mapped;
}

void unmapRepeated(const void *mapped, size_t bytes) {
  constexpr size_t kWholeElements = 16; // of any size
  bool isZeros = isZero(mapped, kWholeElements);
  ::munmap(const_cast<void *>(mapped), rounded(bytes, kSmallestPiece));
  if (!isZeros)
    unholdMemory(pieceOf(bytes));
}

} // namespace sluice::rt
