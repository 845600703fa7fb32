// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A kernel of the folder kernels/, as it is or with a fault, made into PTX and a twin.
#pragma once

#include "llvm/ADT/SmallString.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"

#include <memory>
#include <string>

namespace sluice::test {

class KernelModule {
public:
  // The file's name without its end.
  explicit KernelModule(const std::string &name);

  llvm::Module &module() { return *module_; }
  const llvm::Module &module() const { return *module_; }
  // Calls of a function, in the order of the text.
  std::vector<llvm::CallInst *> calls(llvm::StringRef function);
  void eraseCall(llvm::StringRef function, size_t number);
  // The text with one place changed, which must be there once.
  void replaceText(const std::string &before, const std::string &after);

  // PTX, as LLVM makes it.
  std::string image() const;

private:
  void parse(const std::string &text);

  std::unique_ptr<llvm::LLVMContext> context_;
  std::unique_ptr<llvm::Module> module_;
};

// A folder of twins, for SLUICE_SIM_TWINS; gone with the object.
class TwinFolder {
public:
  TwinFolder();
  ~TwinFolder();
  std::string path() const { return std::string(path_); }
  // Compiles and links; returns the image.
  std::string add(const KernelModule &kernel) { return add(kernel, kernel.image()); }
  // The same as the twin of a given image.
  std::string add(const KernelModule &kernel, const std::string &image);

private:
  llvm::SmallString<64> path_;
};

} // namespace sluice::test
