// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All codelets of a module: equal ones once, in batches.
#include "compiler/codegen/CompileCodelets.h"

#include "compiler/codegen/CompileKernels.h"
#include "compiler/codegen/cpu/EmitCodelet.h"
#include "compiler/codegen/cpu/LlvmConversion.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/cpu/MachineCode.h"
#include "compiler/codegen/cuda/KernelConversion.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/plan/Cards.h"
#include "dialects/flow/CodeletSymbol.h"

#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Support/SHA256.h"

#include <chrono>

using namespace mlir;

namespace sluice::codegen {

// One module of so many codelets costs as much as so many modules of one; more only takes memory.
static constexpr size_t kBatch = 50;

// Of what the codelets of a batch have in common: the images of their kernels.
static constexpr StringLiteral kImages = "sluice_kernel_images";
// Of the kernel that sets conditions, where loops run on a card.
static constexpr StringLiteral kConditions = "sluice_condition_images";

// What a codelet computes: its body without names, locations and other notes.
static std::string textOf(flow::CodeletOp codelet) {
  OwningOpRef<Operation *> copy = codelet->clone();
  copy->walk([](Operation *op) {
    op->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
    if (auto loop = dyn_cast<flow::WhileOp>(op)) {
      loop.setFrame("loop");
      loop.setParallelIterations(1);
    }
  });
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, OpPrintingFlags().useLocalScope().printGenericOpForm());
  return text;
}

static std::string symbolFor(StringRef text, const TargetOptions &options) {
  llvm::SHA256 hash;
  hash.update(text);
  hash.update(options.triple + "|" + options.march + (options.contract ? "|contract" : ""));
  if (options.card)
    for (const std::string &architecture : options.card->architectures)
      hash.update("|" + architecture);
  return flow::kCodeletSymbolPrefix.str() +
         llvm::toHex(ArrayRef(hash.final()).take_front(8), /*LowerCase=*/true);
}

static std::vector<CompiledCodelet> findDistinct(ArrayRef<ModuleOp> modules,
                                                 const TargetOptions &options) {
  std::vector<CompiledCodelet> codelets;
  llvm::StringMap<size_t> positions;
  for (ModuleOp module : modules)
    module.walk([&](flow::CodeletOp op) {
      std::string symbol = symbolFor(textOf(op), options);
      auto [position, isNew] = positions.try_emplace(symbol, codelets.size());
      if (isNew)
        codelets.emplace_back().symbol = symbol;
      codelets[position->second].ops.push_back(op);
    });
  return codelets;
}

static FindLowering lowerings(flow::CodeletOp codelet) {
  return cardOf(codelet) ? findCardLowering : findLowering;
}

// Emits what can be; the others lose their symbol.
static OwningOpRef<ModuleOp> emitBatch(MutableArrayRef<CompiledCodelet> batch, Location location,
                                       const TargetOptions &options) {
  OwningOpRef<ModuleOp> module = ModuleOp::create(location);
  for (CompiledCodelet &codelet : batch) {
    flow::CodeletOp op = codelet.ops.front();
    if (failed(emitCodelet(op, codelet.symbol, options, lowerings(op), *module)))
      codelet.symbol.clear();
  }
  return module;
}

static void loadDialects(MLIRContext *context) {
  DialectRegistry registry;
  registerCodegenDialects(registry);
  registerKernelDialects(registry);
  context->appendDialectRegistry(registry);
  for (StringRef name : registry.getDialectNames())
    context->getOrLoadDialect(name);
}

FailureOr<OwningOpRef<ModuleOp>> emitCodelets(ModuleOp module, const TargetOptions &options) {
  std::vector<CompiledCodelet> codelets = findDistinct(module, options);
  return emitBatch(codelets, module.getLoc(), options);
}

static double millisecondsSince(std::chrono::steady_clock::time_point start) {
  std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
  return time.count();
}

static void note(MutableArrayRef<CompiledCodelet> batch, StringRef object, double milliseconds) {
  llvm::StringMap<size_t> sizes = functionSizes(object);
  for (CompiledCodelet &codelet : batch) {
    if (codelet.symbol.empty())
      continue;
    for (const auto &function : sizes)
      if (function.first().starts_with(codelet.symbol))
        codelet.codeBytes += function.second;
    codelet.milliseconds = milliseconds / static_cast<double>(batch.size());
    for (flow::CodeletOp op : codelet.ops)
      op->setAttr(flow::kSymbolAttr, StringAttr::get(op.getContext(), codelet.symbol));
  }
}

FailureOr<CodeletObject> compileCodelets(ArrayRef<ModuleOp> modules, const TargetOptions &options) {
  ModuleOp module = modules.front();
  loadDialects(module.getContext());
  CodeletObject result;
  // From an earlier compilation, which may have had code for what now has none.
  for (ModuleOp each : modules)
    each.walk([](flow::CodeletOp op) { op->removeAttr(flow::kSymbolAttr); });
  result.codelets = findDistinct(modules, options);
  if (result.codelets.empty())
    return result;
  FailureOr<MachineCode> machine = MachineCode::create(options, module.getLoc());
  if (failed(machine))
    return failure();
  PassManager passes(module.getContext());
  passes.enableVerifier(false);
  addLlvmConversion(passes, machine->vectorBits());
  MutableArrayRef<CompiledCodelet> left = result.codelets;
  while (!left.empty()) {
    auto start = std::chrono::steady_clock::now();
    auto batch = left.take_front(kBatch);
    left = left.drop_front(batch.size());
    OwningOpRef<ModuleOp> code = emitBatch(batch, module.getLoc(), options);
    if (failed(compileKernels(*code, kImages, kConditions, options, result.objects)) ||
        failed(passes.run(*code)))
      return failure();
    for (const CompiledCodelet &codelet : batch)
      if (!codelet.symbol.empty())
        addTable(codelet.symbol, kImages, kConditions, *code);
    FailureOr<std::string> object = machine->compile(*code);
    if (failed(object))
      return failure();
    note(batch, *object, millisecondsSince(start));
    result.objects.push_back(std::move(*object));
  }
  llvm::erase_if(result.codelets,
                 [](const CompiledCodelet &codelet) { return codelet.symbol.empty(); });
  return result;
}

} // namespace sluice::codegen
