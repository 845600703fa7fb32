// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A list for each thread, latest object first. Destructors run without the lock: they may add
// objects.
#include "runtime/embed/thread_exits.h"

#include <cstdlib>
#include <mutex>
#include <pthread.h>

namespace sluice::rt {

namespace {
struct ThreadObject {
  void (*destroy)(void *);
  void *object;
  ThreadObject *earlier;
};
struct OfThread {
  ThreadObject *latest;
  OfThread *previous, *next;
};

constinit std::mutex mutex;
constinit OfThread *threads = nullptr;
constinit bool hasKey = false;
pthread_key_t key;
constinit thread_local OfThread *mine = nullptr;

void destroyAll(OfThread &thread) {
  while (ThreadObject *last = thread.latest) {
    thread.latest = last->earlier;
    last->destroy(last->object);
    std::free(last);
  }
}

void unlink(OfThread &thread) {
  (thread.previous ? thread.previous->next : threads) = thread.next;
  if (thread.next)
    thread.next->previous = thread.previous;
}

void endThread(void *pointer) {
  auto *thread = static_cast<OfThread *>(pointer);
  destroyAll(*thread);
  {
    std::lock_guard lock(mutex);
    unlink(*thread);
  }
  mine = nullptr;
  std::free(thread);
}

bool makeMine() {
  auto *thread = static_cast<OfThread *>(std::calloc(1, sizeof(OfThread)));
  if (!thread)
    return false;
  std::lock_guard lock(mutex);
  hasKey = hasKey || ::pthread_key_create(&key, endThread) == 0;
  if (!hasKey || ::pthread_setspecific(key, thread) != 0) {
    std::free(thread);
    return false;
  }
  thread->next = threads;
  if (threads)
    threads->previous = thread;
  threads = mine = thread;
  return true;
}
} // namespace

bool atThreadExit(void (*destroy)(void *object), void *object) {
  auto *entry = static_cast<ThreadObject *>(std::malloc(sizeof(ThreadObject)));
  if (!entry || (!mine && !makeMine())) {
    std::free(entry);
    return false;
  }
  *entry = {destroy, object, mine->latest};
  mine->latest = entry;
  return true;
}

void destroyThreadObjects() {
  {
    std::lock_guard lock(mutex);
    if (hasKey)
      ::pthread_key_delete(key);
    hasKey = false;
  }
  while (threads) {
    OfThread *thread = threads;
    destroyAll(*thread);
    unlink(*thread);
    if (thread == mine)
      mine = nullptr;
    std::free(thread);
  }
}

} // namespace sluice::rt
