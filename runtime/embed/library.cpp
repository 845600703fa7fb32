// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Library.
#include "runtime/embed/library.h"

#include "runtime/base/parallel.h"
#include "runtime/base/processor_count.h"
#include "runtime/embed/api_table.h"
#include "runtime/executor/executor.h"

namespace sluice::rt {

Result<std::unique_ptr<Library>> Library::load(std::span<const char> image,
                                               Program::Tables tables) {
  auto library = std::unique_ptr<Library>(new Library(image, tables));
  SLUICE_ASSIGN_OR_RETURN(std::unique_ptr<Program> program, library->makeProgram());
  if (!program->devices().empty())
    return unimplemented("a rank of a cluster cannot be a library: compile for one device");
  ProcessorCount nobody;
  HelperGroup group(nobody);
  HelperGroup::Scope scope(group);
  Executor described(std::move(program));
  library->description_ = std::make_unique<Description>(described);
  library->api = &apiTable();
  library->program = &library->description_->program();
  return library;
}

} // namespace sluice::rt
