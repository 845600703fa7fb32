// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The one library of a runtime, made when it is first asked for.
#include "runtime/main/linked_library.h"

#include "runtime/embed/error.h"
#include "runtime/embed/library.h"
#include "runtime/embed/model.h"
#include "runtime/embed/thread_exits.h"
#include "runtime/main/linked_program.h"
#include "runtime/memory/thread_blocks.h"

// Of the C++ library: what it keeps for exceptions that are thrown when memory is exhausted.
namespace __gnu_cxx {
[[gnu::weak]] void __freeres();
}

namespace sluice::rt {

static constinit std::mutex mutex;
static constinit Library *linked = nullptr;

sluice_code openLinkedLibrary(const sluice_library **library, sluice_error *error) {
  std::lock_guard lock(mutex);
  if (!linked) {
    Result<std::unique_ptr<Library>> loaded =
        Library::load({sluice_program_image, sluice_program_image_size},
                      {{sluice_program_kernels, sluice_program_kernel_count},
                       {sluice_program_codelets, sluice_program_codelet_count},
                       sluice_program_open_cards});
    if (!loaded.ok())
      return tell(loaded.status(), error);
    linked = loaded->release();
  }
  *library = linked;
  return SLUICE_OK;
}

void closeLinkedLibrary() {
  if (Model::count() > 0)
    return;
  delete std::exchange(linked, nullptr);
  destroyThreadObjects();
  returnFreeBlocks();
  if (__gnu_cxx::__freeres)
    __gnu_cxx::__freeres();
}

} // namespace sluice::rt
