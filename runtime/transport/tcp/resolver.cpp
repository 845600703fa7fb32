// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The thread that looks up names.
#include "runtime/transport/tcp/resolver.h"

#include <chrono>
#include <condition_variable>
#include <mutex>

namespace sluice::rt {

struct Resolver::Shared {
  struct Entry {
    HostPort name;
    std::vector<SocketAddress> found;
    std::string trouble;
  };
  std::mutex mutex;
  std::condition_variable changed;
  std::vector<Entry> entries;
  bool stop = false, finished = false;
};

void Resolver::run(Shared &shared) {
  std::unique_lock lock(shared.mutex);
  for (bool missing = true; missing && !shared.stop;) {
    missing = false;
    for (size_t i = 0; i < shared.entries.size() && !shared.stop; ++i) {
      if (!shared.entries[i].found.empty())
        continue;
      HostPort name = shared.entries[i].name;
      lock.unlock();
      Result<std::vector<SocketAddress>> found = resolve(name);
      lock.lock();
      shared.entries[i].trouble = found.status().message();
      if (found.ok())
        shared.entries[i].found = std::move(*found);
      missing |= !found.ok();
    }
    if (missing)
      shared.changed.wait_for(lock, std::chrono::milliseconds(200), [&] { return shared.stop; });
  }
  shared.finished = true;
  shared.changed.notify_all();
}

Resolver::Resolver(Threads &threads, std::vector<HostPort> names)
    : shared_(std::make_shared<Shared>()) {
  bool missing = false;
  for (HostPort &name : names) {
    std::vector<SocketAddress> found = numericAddresses(name);
    missing |= found.empty();
    std::string trouble = found.empty() ? "not resolved yet" : "";
    shared_->entries.push_back({std::move(name), std::move(found), std::move(trouble)});
  }
  if (!missing)
    return;
  thread_ = threads.start("sluice-names", [shared = shared_] { run(*shared); });
  for (Shared::Entry &entry : shared_->entries)
    if (!thread_ && entry.found.empty())
      entry.trouble = "the system refuses the thread that would resolve it";
}

Resolver::~Resolver() {
  if (!thread_)
    return;
  std::unique_lock lock(shared_->mutex);
  shared_->stop = true;
  shared_->changed.notify_all();
  // It stops at once, unless it is in the system's resolver: that may take minutes.
  if (!shared_->changed.wait_for(lock, std::chrono::milliseconds(200),
                                 [this] { return shared_->finished; }))
    (void)thread_.release();
}

std::vector<SocketAddress> Resolver::find(size_t index) const {
  std::lock_guard lock(shared_->mutex);
  return shared_->entries[index].found;
}

std::string Resolver::trouble(size_t index) const {
  std::lock_guard lock(shared_->mutex);
  return shared_->entries[index].trouble;
}

} // namespace sluice::rt
