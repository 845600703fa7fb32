// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// All codelets of a module: equal ones once, in batches, of which threads compile some at a time.
#include "compiler/codegen/CompileCodelets.h"

#include "compiler/codegen/CompileKernels.h"
#include "compiler/codegen/cpu/EmitCodelet.h"
#include "compiler/codegen/cpu/LlvmConversion.h"
#include "compiler/codegen/cpu/Lowerings.h"
#include "compiler/codegen/cpu/MachineCode.h"
#include "compiler/codegen/cuda/KernelConversion.h"
#include "compiler/codegen/gpu/CardLowerings.h"
#include "compiler/codegen/plan/Cards.h"
#include "compiler/codegen/shapes/ShapeSymbols.h"
#include "dialects/flow/CodeletSymbol.h"
#include "dialects/nd/Nd.h"

#include "mlir/IR/Threading.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/StringMap.h"
#include "llvm/Config/llvm-config.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FormatVariadic.h"
#include "llvm/Support/SHA256.h"

#include <chrono>

using namespace mlir;

namespace sluice::codegen {

// One module of so many codelets costs as much as so many modules of one; more only takes memory.
// Of fewer codelets there are more batches, for threads to share; how many does not depend on the
// threads, so that a graph has the same program wherever it is compiled.
static constexpr size_t kMostInBatch = 50, kMostSmallBatches = 16;

// Of what the codelets of a batch have in common: the images of their kernels.
static constexpr StringLiteral kImages = "sluice_kernel_images";
// Of the kernel that sets conditions, where loops run on a card.
static constexpr StringLiteral kConditions = "sluice_condition_images";

// What a codelet computes, and what is known of what it gets: its body without names, locations and
// other notes.
static std::string textOf(flow::CodeletOp codelet) {
  OwningOpRef<Operation *> copy = codelet->clone();
  Attribute sameDims = codelet->getAttr(kSameDimsAttr); // code relies on them
  copy->walk([](Operation *op) {
    op->setDiscardableAttrs(DictionaryAttr::get(op->getContext()));
    if (auto loop = dyn_cast<flow::WhileOp>(op)) {
      loop.setFrame("loop");
      loop.setParallelIterations(1);
    }
  });
  if (sameDims)
    copy->setAttr(kSameDimsAttr, sameDims);
  std::string text;
  llvm::raw_string_ostream stream(text);
  copy->print(stream, OpPrintingFlags().useLocalScope().printGenericOpForm());
  copy->walk([&](nd::ConstantOp constant) { // of which only a name is printed
    if (auto resource = dyn_cast<DenseResourceElementsAttr>(constant.getValue()))
      if (AsmResourceBlob *blob = resource.getRawHandle().getBlob())
        stream << StringRef(blob->getData().data(), blob->getData().size());
  });
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

namespace {

using Batch = MutableArrayRef<CompiledCodelet>;

class BatchCompiler {
public:
  BatchCompiler(Batch batch, Location location, const TargetOptions &options)
      : batch_(batch), location_(location), options_(options) {}

  // What the code follows from, beside what all batches share.
  std::string key() const {
    std::string key;
    for (const CompiledCodelet &codelet : batch_)
      key += "|" + codelet.symbol;
    return key;
  }

  FailureOr<BatchCode> compile() {
    FailureOr<MachineCode> machine = MachineCode::create(options_, location_);
    if (failed(machine))
      return failure();
    OwningOpRef<ModuleOp> code = emitBatch(batch_, location_, options_);
    PassManager passes(location_.getContext());
    passes.enableVerifier(false);
    addLlvmConversion(passes, machine->vectorBits());
    BatchCode result;
    if (failed(compileKernels(*code, kImages, kConditions, options_, result.objects)) ||
        failed(passes.run(*code)))
      return failure();
    for (const CompiledCodelet &codelet : batch_)
      if (!codelet.symbol.empty())
        addTable(codelet.symbol, kImages, kConditions, *code);
    FailureOr<std::string> object = machine->compile(*code);
    if (failed(object))
      return failure();
    llvm::StringMap<size_t> sizes = functionSizes(*object);
    for (const CompiledCodelet &codelet : batch_)
      result.codeBytes.push_back(codeBytesOf(codelet, sizes));
    result.objects.push_back(std::move(*object));
    return result;
  }

private:
  static std::optional<uint64_t> codeBytesOf(const CompiledCodelet &codelet,
                                             const llvm::StringMap<size_t> &sizes) {
    if (codelet.symbol.empty())
      return std::nullopt;
    uint64_t bytes = 0;
    for (const auto &function : sizes)
      if (function.first().starts_with(codelet.symbol))
        bytes += function.second;
    return bytes;
  }

  Batch batch_;
  Location location_;
  const TargetOptions &options_;
};

} // namespace

static void note(Batch batch, const BatchCode &code, double milliseconds) {
  for (auto [codelet, bytes] : llvm::zip_equal(batch, code.codeBytes)) {
    if (!bytes) {
      codelet.symbol.clear();
      continue;
    }
    codelet.codeBytes = *bytes;
    codelet.milliseconds = milliseconds / static_cast<double>(batch.size());
    for (flow::CodeletOp op : codelet.ops)
      op->setAttr(flow::kSymbolAttr, StringAttr::get(op.getContext(), codelet.symbol));
  }
}

// A file as the key of a cache names it: another one is hardly the same in all of this.
static std::string identityOf(const Twine &path) {
  llvm::sys::fs::file_status status;
  if (llvm::sys::fs::status(path, status))
    return path.str();
  auto time = status.getLastModificationTime().time_since_epoch().count();
  return llvm::formatv("{0}|{1}|{2}|{3}", path.str(), status.getUniqueID().getFile(),
                       status.getSize(), time);
}

// Finds out whether there can be code, and loads what threads must not load. Gives what the code of
// all batches follows from: the compiler, its libraries, and what it is told.
static FailureOr<std::string> prepare(ModuleOp module, const TargetOptions &options) {
  FailureOr<MachineCode> machine = MachineCode::create(options, module.getLoc());
  if (failed(machine))
    return failure();
  PassManager passes(module.getContext());
  addLlvmConversion(passes, machine->vectorBits());
  OwningOpRef<ModuleOp> nothing = ModuleOp::create(module.getLoc());
  if (failed(passes.run(*nothing)))
    return failure();
  return llvm::formatv("{0}|LLVM {1}|{2}|{3}|{4}", identityOf("/proc/self/exe"),
                       LLVM_VERSION_STRING, machine->description(), options.contract, options.level)
      .str();
}

// A batch of a card is an image that a driver loads: the fewer the better.
static SmallVector<Batch> batchesOf(Batch codelets, bool haveCard) {
  size_t least = haveCard ? kMostInBatch : 1;
  size_t size = std::clamp(codelets.size() / kMostSmallBatches, least, kMostInBatch);
  SmallVector<Batch> batches;
  for (; !codelets.empty(); codelets = codelets.drop_front(batches.back().size()))
    batches.push_back(codelets.take_front(std::min(size, codelets.size())));
  return batches;
}

FailureOr<CodeletObject> compileCodelets(ArrayRef<ModuleOp> modules, const TargetOptions &options,
                                         CodeletCache &cache) {
  ModuleOp module = modules.front();
  MLIRContext *context = module.getContext();
  loadDialects(context);
  CodeletObject result;
  // From an earlier compilation, which may have had code for what now has none.
  for (ModuleOp each : modules)
    each.walk([](flow::CodeletOp op) { op->removeAttr(flow::kSymbolAttr); });
  result.codelets = findDistinct(modules, options);
  if (result.codelets.empty())
    return result;
  FailureOr<std::string> key = prepare(module, options);
  if (failed(key))
    return failure();
  SmallVector<Batch> batches = batchesOf(result.codelets, options.card.has_value());
  std::vector<BatchCode> codes(batches.size());
  std::vector<double> milliseconds(batches.size());
  auto compile = [&](size_t i) {
    auto start = std::chrono::steady_clock::now();
    BatchCompiler batch(batches[i], module.getLoc(), options);
    // Code of cards follows from more than the text of their codelets.
    FailureOr<BatchCode> code =
        options.card ? batch.compile()
                     : cache.get(*key + batch.key(), [&] { return batch.compile(); });
    if (succeeded(code))
      codes[i] = std::move(*code);
    milliseconds[i] = millisecondsSince(start);
    return LogicalResult(code);
  };
  // Kernels of cards have passes of their own, which would load dialects.
  auto all = llvm::seq(size_t(0), batches.size());
  bool isDone = options.card ? llvm::all_of(all, [&](size_t i) { return succeeded(compile(i)); })
                             : succeeded(failableParallelForEach(context, all, compile));
  if (!isDone)
    return failure();
  for (auto [batch, code, time] : llvm::zip_equal(batches, codes, milliseconds)) {
    note(batch, code, time);
    for (std::string &object : code.objects) // what sets conditions of loops is the same in all
      if (!llvm::is_contained(result.objects, object))
        result.objects.push_back(std::move(object));
  }
  llvm::erase_if(result.codelets,
                 [](const CompiledCodelet &codelet) { return codelet.symbol.empty(); });
  return result;
}

} // namespace sluice::codegen
