// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// LLVM's in-memory linker takes the very objects that would go into an executable.
#include "compiler/emit/LoadCodelets.h"

#include "llvm/ExecutionEngine/Orc/ExecutionUtils.h"
#include "llvm/ExecutionEngine/Orc/LLJIT.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/TargetSelect.h"

namespace sluice::emit {

using namespace llvm;

LoadedCodelets::LoadedCodelets() = default;
LoadedCodelets::LoadedCodelets(LoadedCodelets &&) = default;
LoadedCodelets &LoadedCodelets::operator=(LoadedCodelets &&) = default;
LoadedCodelets::~LoadedCodelets() = default;

static Expected<std::unique_ptr<orc::LLJIT>> linkObjects(const DescribedProgram &program) {
  InitializeNativeTarget();
  Expected<std::unique_ptr<orc::LLJIT>> jit = orc::LLJITBuilder().create();
  if (!jit)
    return jit;
  orc::JITDylib &library = (*jit)->getMainJITDylib();
  auto ofProcess = orc::DynamicLibrarySearchGenerator::GetForCurrentProcess(
      (*jit)->getDataLayout().getGlobalPrefix());
  if (!ofProcess)
    return ofProcess.takeError();
  library.addGenerator(std::move(*ofProcess));
  for (const std::string &object : program.codeletObjects)
    if (Error error = (*jit)->addObjectFile(MemoryBuffer::getMemBufferCopy(object)))
      return error;
  return jit;
}

rt::Result<LoadedCodelets> LoadedCodelets::load(const DescribedProgram &program) {
  std::string causes; // are reported apart from the failure; outlives the session
  LoadedCodelets loaded;
  if (program.codelets.empty())
    return loaded;
  auto failed = [&](Error error) {
    return rt::internalError("cannot load compiled codelets: " + causes +
                             toString(std::move(error)));
  };
  Expected<std::unique_ptr<orc::LLJIT>> jit = linkObjects(program);
  if (!jit)
    return failed(jit.takeError());
  orc::ExecutionSession &session = (*jit)->getExecutionSession();
  session.setErrorReporter([&](Error error) { causes += toString(std::move(error)) + "; "; });
  loaded.jit_ = std::move(*jit);
  for (const std::string &symbol : program.codelets) {
    Expected<orc::ExecutorAddr> address = loaded.jit_->lookup(symbol);
    if (!address)
      return failed(address.takeError());
    loaded.table_.push_back(address->toPtr<const SluiceCodelet *>());
  }
  session.setErrorReporter([](Error error) { consumeError(std::move(error)); });
  return loaded;
}

} // namespace sluice::emit
