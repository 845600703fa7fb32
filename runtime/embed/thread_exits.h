// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Destructors of thread-local objects in a library that can be unloaded.
//
// The C library keeps a library in memory while any thread has such an object: whoever unloads one
// to load its successor of the same name would go on with the old one. So objects are kept here, by
// thread, and end with their thread or with the library, whichever is first.
#pragma once

namespace sluice::rt {

// For the calling thread; false if there is no memory or no key of the C library's left.
bool atThreadExit(void (*destroy)(void *object), void *object);
// Of all threads, which must not use them any more; none is destroyed later.
void destroyThreadObjects();

} // namespace sluice::rt
