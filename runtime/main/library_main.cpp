// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What libraries have in place of a main: the program that is linked in, for those who load it, and
// an end that leaves nothing behind. Compiled for every CPU of the architecture
// (runtime/CMakeLists.txt).
#include "runtime/base/status.h"
#include "runtime/embed/thread_exits.h"
#include "runtime/main/cpu_check.h"
#include "runtime/main/linked_library.h"

#include <cstring>

using namespace sluice::rt;

// Without the runtime's own functions, which this CPU may not be able to run.
static sluice_code refuse(sluice_code code, const char *message, sluice_error *error) {
  if (error) {
    error->code = code;
    error->node[0] = 0;
    std::strncpy(error->message, message, sizeof error->message - 1);
    error->message[sizeof error->message - 1] = 0;
  }
  return code;
}

extern "C" {

// What the compiler's object exports calls this, under the model's name.
[[gnu::visibility("hidden")]] sluice_code
sluice_open_linked_library(uint32_t version, const sluice_library **library, sluice_error *error) {
  *library = nullptr;
  if (version != SLUICE_API_VERSION)
    return refuse(SLUICE_UNIMPLEMENTED,
                  "the caller was compiled with another version of sluice.h: compile it again with "
                  "the header that was written beside the library",
                  error);
  char problem[kCpuProblemRoom];
  if (!cpuSuffices(problem))
    return refuse(SLUICE_UNIMPLEMENTED, problem, error);
  return openLinkedLibrary(library, error);
}

// Called in place of the C++ library's for each thread-local object.
[[gnu::visibility("hidden")]] int __cxa_thread_atexit(void (*destroy)(void *), void *object,
                                                      void *) noexcept {
  return atThreadExit(destroy, object) ? 0 : -1;
}
}

// When the library is unloaded, or the process ends.
[[gnu::destructor]] static void endLibrary() { closeLinkedLibrary(); }
