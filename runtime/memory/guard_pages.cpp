// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guarded blocks are mappings of their own: a page without access, the elements, and another such
// page. A handler of SIGSEGV looks which block a bad address belongs to.
#include "runtime/memory/guard_pages.h"

#include "runtime/base/exit_codes.h"
#include "runtime/base/held_memory.h"
#include "runtime/base/pause.h"

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <new>
#include <sys/mman.h>
#include <unistd.h>

namespace sluice::rt {

constinit GuardSide guard_pages::side = GuardSide::kNone;
constinit GuardedBlock *GuardedBlock::first_ = nullptr;

namespace {
// Elements that nobody has set are these bytes, so that results which depend on them are other
// ones than those of a run without guards. Of large buffers only the first are: the system is to
// give only such pages as are used.
constexpr int kUnset = 0xff;
constexpr size_t kMostUnset = 1 << 20;

constinit std::atomic_flag lock = ATOMIC_FLAG_INIT;
constinit thread_local std::string_view worksFor;

class Locked {
public:
  Locked() {
    while (lock.test_and_set(std::memory_order_acquire))
      pauseSpinning();
  }
  ~Locked() { lock.clear(std::memory_order_release); }
};

size_t pageBytes() {
  static const auto bytes = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
  return bytes;
}

// Called by the handler: allocates nothing, and takes no lock, since the process ends anyway.
[[noreturn]] void reportAccess(const GuardedBlock &block, const char *address) {
  char line[512];
  bool isNamed = !worksFor.empty();
  int length = std::snprintf(
      line, sizeof line, "error: INTERNAL: %s%.*s%saccess to byte %td of a buffer of %zu bytes\n",
      isNamed ? "node '" : "", static_cast<int>(std::min<size_t>(worksFor.size(), 300)),
      worksFor.data(), isNamed ? "': " : "", address - block.data(), block.bytes());
  (void)!::write(2, line, static_cast<size_t>(length));
  ::_exit(static_cast<int>(ExitCode::kInternalError));
}

void handleFault(int signal, siginfo_t *info, void *) {
  auto *address = static_cast<const char *>(info->si_addr);
  if (const GuardedBlock *block = GuardedBlock::at(address))
    reportAccess(*block, address);
  std::signal(signal, SIG_DFL); // no guard: it is done again, and ends as it would have
}
} // namespace

void guardBuffers(GuardSide side) {
  guard_pages::side = side;
  if (side == GuardSide::kNone)
    return;
  struct sigaction action{};
  action.sa_sigaction = handleFault;
  action.sa_flags = SA_SIGINFO;
  ::sigaction(SIGSEGV, &action, nullptr);
}

void GuardedWork::name(std::string_view node) { worksFor = node; }

const GuardedBlock *GuardedBlock::at(const void *address) {
  for (const GuardedBlock *block = first_; block; block = block->next_)
    if (address >= block->mapped_ && address < block->mapped_ + block->mappedBytes_)
      return block;
  return nullptr;
}

GuardedBlock *GuardedBlock::map(size_t bytes) {
  const size_t page = pageBytes(), pages = (bytes + page - 1) / page * page;
  size_t total;
  if (__builtin_add_overflow(pages, 2 * page, &total) || pages < bytes || !holdMemory(pages))
    return nullptr;
  void *mapped = ::mmap(nullptr, total, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) {
    unholdMemory(pages);
    return nullptr;
  }
  char *usable = static_cast<char *>(mapped) + page;
  auto *block = new (std::nothrow) GuardedBlock();
  if (!block || (pages && ::mprotect(usable, pages, PROT_READ | PROT_WRITE) != 0)) {
    ::munmap(mapped, total);
    unholdMemory(pages);
    delete block;
    return nullptr;
  }
  block->mapped_ = static_cast<char *>(mapped);
  block->mappedBytes_ = total;
  block->data_ = guard_pages::side == GuardSide::kBehind ? usable + pages - bytes : usable;
  block->bytes_ = bytes;
  std::memset(block->data_, kUnset, std::min(bytes, kMostUnset));
  Locked locked;
  block->next_ = first_;
  if (first_)
    first_->previous_ = block;
  first_ = block;
  return block;
}

void GuardedBlock::unmap() {
  {
    Locked locked;
    (previous_ ? previous_->next_ : first_) = next_;
    if (next_)
      next_->previous_ = previous_;
  }
  ::munmap(mapped_, mappedBytes_);
  unholdMemory(mappedBytes_ - 2 * pageBytes());
  delete this;
}

} // namespace sluice::rt
