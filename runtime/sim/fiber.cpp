// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stacks and switches of fibers.
#include "runtime/sim/fiber.h"

#include "runtime/sim/report.h"

#include <cstdint>
#include <cstdlib>
#include <sys/mman.h>
#include <ucontext.h>

namespace sluice::rt::sim {

constexpr size_t kStackBytes = 64 << 10;
constexpr size_t kGuardBytes = 4096;

// ---- The switch ---------------------------------------------------------------------------------

// Saves what calls preserve on the stack that is left, and goes on where the other stack was left.
extern "C" void sluice_sim_switch(void **left, void *next);

#if defined(__x86_64__)
#define SLUICE_FAST_FIBERS 1
asm(R"(
  .text
  .hidden sluice_sim_switch
  .globl sluice_sim_switch
  .type sluice_sim_switch, @function
sluice_sim_switch:
  endbr64
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
  .size sluice_sim_switch, . - sluice_sim_switch
)");

constexpr size_t kSavedWords = 6;   // before the address to go on at
constexpr size_t kWordsAtEntry = 1; // functions begin with a return address on the stack

static bool hasShadowStack() {
  uint64_t pointer = 0;
  asm volatile("rdsspq %0" : "+r"(pointer)); // does nothing where there is none
  return pointer != 0;
}
#elif defined(__aarch64__)
#define SLUICE_FAST_FIBERS 1
asm(R"(
  .text
  .hidden sluice_sim_switch
  .globl sluice_sim_switch
  .type sluice_sim_switch, %function
sluice_sim_switch:
  sub sp, sp, #160
  stp d8, d9, [sp]
  stp d10, d11, [sp, #16]
  stp d12, d13, [sp, #32]
  stp d14, d15, [sp, #48]
  stp x19, x20, [sp, #64]
  stp x21, x22, [sp, #80]
  stp x23, x24, [sp, #96]
  stp x25, x26, [sp, #112]
  stp x27, x28, [sp, #128]
  stp x29, x30, [sp, #144]
  mov x9, sp
  str x9, [x0]
  mov sp, x1
  ldp d8, d9, [sp]
  ldp d10, d11, [sp, #16]
  ldp d12, d13, [sp, #32]
  ldp d14, d15, [sp, #48]
  ldp x19, x20, [sp, #64]
  ldp x21, x22, [sp, #80]
  ldp x23, x24, [sp, #96]
  ldp x25, x26, [sp, #112]
  ldp x27, x28, [sp, #128]
  ldp x29, x30, [sp, #144]
  add sp, sp, #160
  ret
  .size sluice_sim_switch, . - sluice_sim_switch
)");

constexpr size_t kSavedWords = 19; // the last word is the address to go on at
constexpr size_t kWordsAtEntry = 0;

static bool hasShadowStack() { return false; }
#else
#define SLUICE_FAST_FIBERS 0
constexpr size_t kSavedWords = 0, kWordsAtEntry = 0;
static bool hasShadowStack() { return true; }
void sluice_sim_switch(void **, void *) { abort(); }
#endif

// ---- Fibers -------------------------------------------------------------------------------------

struct Fibers::State {
  bool fast = false;
  void (*main)(size_t) = nullptr;
  size_t running = 0;
  std::vector<void *> places; // where each was left
  void *resumer = nullptr;
  std::vector<ucontext_t> contexts; // the same, without assembly
  ucontext_t resumerContext;
};

static Fibers *fibersThatRun = nullptr; // kernels run one at a time

Fibers::Fibers() : state_(std::make_unique<State>()) {
  state_->fast = SLUICE_FAST_FIBERS && !hasShadowStack();
}

Fibers::~Fibers() {
  for (const FiberStack &stack : stacks_)
    munmap(stack.begin - kGuardBytes, kGuardBytes + kStackBytes);
}

void Fibers::growTo(size_t count) {
  while (stacks_.size() < count) {
    void *memory = mmap(nullptr, kGuardBytes + kStackBytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED || mprotect(memory, kGuardBytes, PROT_NONE) != 0) {
      say("expected memory for the stacks of %zu threads", count);
      abort();
    }
    char *begin = static_cast<char *>(memory) + kGuardBytes;
    stacks_.push_back({begin, begin + kStackBytes});
  }
}

// Where each fiber begins. It has no caller to return to.
void Fibers::begin() {
  Fibers &fibers = *fibersThatRun;
  fibers.state_->main(fibers.state_->running);
  fibers.leave();
  abort();
}

void Fibers::prepare(size_t count, void (*main)(size_t)) {
  growTo(count);
  state_->main = main;
  if (!state_->fast) {
    state_->contexts.resize(count);
    for (size_t i = 0; i < count; ++i) {
      ucontext_t &context = state_->contexts[i];
      getcontext(&context);
      context.uc_stack.ss_sp = stacks_[i].begin;
      context.uc_stack.ss_size = kStackBytes;
      context.uc_link = nullptr;
      makecontext(&context, &Fibers::begin, 0);
    }
    return;
  }
  state_->places.resize(count);
  for (size_t i = 0; i < count; ++i) {
    uint64_t *place = reinterpret_cast<uint64_t *>(stacks_[i].end);
    for (size_t word = 0; word < kWordsAtEntry; ++word)
      *--place = 0;
    *--place = reinterpret_cast<uint64_t>(&Fibers::begin);
    for (size_t word = 0; word < kSavedWords; ++word)
      *--place = 0;
    state_->places[i] = place;
  }
}

void Fibers::resume(size_t number) {
  fibersThatRun = this;
  state_->running = number;
  if (state_->fast)
    sluice_sim_switch(&state_->resumer, state_->places[number]);
  else
    swapcontext(&state_->resumerContext, &state_->contexts[number]);
}

void Fibers::leave() {
  size_t number = state_->running;
  if (state_->fast)
    sluice_sim_switch(&state_->places[number], state_->resumer);
  else
    swapcontext(&state_->contexts[number], &state_->resumerContext);
}

} // namespace sluice::rt::sim
