// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Contexts, in memory of the C library, which all of the process share.
#include "runtime/embed/context.h"

#include "runtime/base/threads.h"

#include <cstddef>
#include <cstdlib>
#include <cstring>
#include <new>

namespace sluice::rt {

// Other libraries rely on it.
static_assert(std::is_standard_layout_v<sluice_context>);
static_assert(offsetof(sluice_context, threads) == 4 && offsetof(sluice_context, processors) == 8 &&
              offsetof(sluice_context, memory) == 24 && offsetof(sluice_context, limits) == 48);

// As of --workers.
static constexpr int32_t kMostThreads = 1024;

Result<sluice_context *> createContext(int32_t threads, uint64_t memoryLimit) {
  if (threads < -1 || threads > kMostThreads)
    return invalidArgument(
        format("expected threads to be -1 to %d but got %d", kMostThreads, threads));
  void *memory = std::calloc(1, sizeof(sluice_context));
  if (!memory)
    return resourceExhausted("no memory for a context");
  auto *context = new (memory) sluice_context();
  context->references = 1;
  context->threads = threads < 0 ? usableProcessors() : threads;
  context->processors.most = context->threads;
  context->memory.limit = memoryLimit;
  return context;
}

void retainContext(sluice_context &context) { context.references.fetch_add(1); }

void releaseContext(sluice_context &context) {
  if (context.references.fetch_sub(1) == 1)
    std::free(&context);
}

Status setLimit(sluice_context &context, std::string_view name, uint64_t value) {
  const LimitRow *row = findLimit(name);
  if (!row)
    return notFound("there is no limit '" + std::string(name) + "'");
  if (value < row->least || value > row->most)
    return invalidArgument(
        format("expected limit '%s' to be %llu to %llu but got %llu", std::string(name).c_str(),
               static_cast<unsigned long long>(row->least),
               static_cast<unsigned long long>(row->most), static_cast<unsigned long long>(value)));
  sluice_context::ChosenLimit *chosen = context.limits;
  auto *end = context.limits + context.numLimits;
  while (chosen != end && name != chosen->name)
    ++chosen;
  if (chosen == end) {
    if (context.numLimits == sluice_context::kMostLimits)
      return resourceExhausted("a context has at most 64 limits");
    std::memcpy(chosen->name, name.data(), name.size());
    ++context.numLimits;
  }
  chosen->value = value;
  return okStatus();
}

Limits limitsOf(const sluice_context &context) {
  Limits limits;
  for (uint32_t i = 0; i < context.numLimits; ++i)
    if (const LimitRow *row = findLimit(context.limits[i].name))
      limits.set(row->id, context.limits[i].value);
  return limits;
}

} // namespace sluice::rt
