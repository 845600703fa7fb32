// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The kernels of a batch of codelets as images that a driver loads.
#include "compiler/codegen/CompileKernels.h"

#include "compiler/codegen/cpu/EmitCodelet.h"
#include "compiler/codegen/cuda/Assembler.h"
#include "compiler/codegen/cuda/KernelConversion.h"
#include "compiler/codegen/cuda/PtxCode.h"
#include "compiler/codegen/gpu/ConditionKernel.h"
#include "compiler/codegen/gpu/Passes.h"
#include "compiler/codegen/sim/CompileTwin.h"

#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"
#include "mlir/Pass/PassManager.h"

using namespace mlir;

namespace sluice::codegen {

namespace {

// Cards that the architecture is not of the same generation as take its PTX.
struct Image {
  std::string bytes;
  unsigned architecture; // 90
  bool isText;           // PTX, with a 0 behind it
};

LogicalResult moveLoops(ModuleOp code) {
  PassManager passes(code.getContext());
  passes.enableVerifier(false);
  passes.addPass(createCodegenMergeGenerics());
  passes.addPass(createCodegenEnqueue());
  passes.addPass(createCodegenRunLoopsOnCard());
  passes.addPass(createCodegenLaunchKernels());
  if (failed(passes.run(code)))
    return failure();
  auto bodies = code.getOps<func::FuncOp>();
  if (llvm::any_of(bodies, [](func::FuncOp body) { return body->hasAttr(kLoopAttr); }))
    addConditionKernel(code);
  PassManager conversion(code.getContext());
  conversion.enableVerifier(false);
  addKernelConversion(conversion);
  return conversion.run(code);
}

unsigned numberOf(StringRef architecture) {
  unsigned number = 0;
  architecture.consume_front("sm_");
  architecture.consumeInteger(10, number);
  return number;
}

// The text of the last architecture comes last, for cards that are newer than all of them.
FailureOr<std::vector<Image>> imagesOf(gpu::GPUModuleOp kernels, const CardTarget &card,
                                       PtxCode::Look look) {
  std::vector<Image> images;
  std::string text;
  for (StringRef architecture : card.architectures) {
    FailureOr<PtxCode> compiler = PtxCode::create(architecture, kernels.getLoc());
    if (failed(compiler))
      return failure();
    FailureOr<std::string> ptx = compiler->compile(kernels, look);
    if (failed(ptx))
      return failure();
    text = std::move(*ptx);
    if (card.assembler.empty())
      continue;
    FailureOr<std::string> binary = assemble(card.assembler, text, architecture, kernels.getLoc());
    if (failed(binary))
      return failure();
    images.push_back({std::move(*binary), numberOf(architecture), false});
  }
  images.push_back({std::move(text), numberOf(card.architectures.back()), true});
  return images;
}

// ---- Data of the object
// ---------------------------------------------------------------------------

class ImageTable {
public:
  ImageTable(ModuleOp code, StringRef symbol)
      : b_(code.getLoc(), code.getContext()), symbol_(symbol),
        pointer_(LLVM::LLVMPointerType::get(code.getContext())) {
    b_.setInsertionPointToEnd(code.getBody());
  }

  void add(ArrayRef<Image> images) {
    Type i64 = b_.getI64Type(), i32 = b_.getI32Type();
    auto row = LLVM::LLVMStructType::getLiteral(b_.getContext(), {pointer_, i64, i32, i32});
    auto rows = LLVM::LLVMArrayType::get(row, images.size());
    SmallVector<LLVM::GlobalOp> data;
    for (auto [i, image] : llvm::enumerate(images))
      data.push_back(addBytes(image.bytes, i));
    LLVM::GlobalOp table = addStructure(rows, symbol_ + "_rows", LLVM::Linkage::Internal, [&] {
      Value value = LLVM::PoisonOp::create(b_, rows);
      for (auto [i, image] : llvm::enumerate(images)) {
        auto at = static_cast<int64_t>(i);
        auto set = [&](Value field, int64_t position) {
          value = LLVM::InsertValueOp::create(b_, value, field, ArrayRef<int64_t>{at, position});
        };
        set(LLVM::AddressOfOp::create(b_, data[i]), 0);
        set(number(i64, static_cast<int64_t>(image.bytes.size())), 1);
        set(number(i32, image.architecture), 2);
        set(number(i32, image.isText), 3);
      }
      return value;
    });
    auto head = LLVM::LLVMStructType::getLiteral(b_.getContext(), {i64, pointer_});
    addStructure(head, symbol_, LLVM::Linkage::Internal, [&] {
      Value value = LLVM::PoisonOp::create(b_, head);
      value = LLVM::InsertValueOp::create(
          b_, value, number(i64, static_cast<int64_t>(images.size())), ArrayRef<int64_t>{0});
      return LLVM::InsertValueOp::create(b_, value, LLVM::AddressOfOp::create(b_, table),
                                         ArrayRef<int64_t>{1});
    });
  }

private:
  Value number(Type type, int64_t value) {
    return LLVM::ConstantOp::create(b_, b_.getIntegerAttr(type, value));
  }
  LLVM::GlobalOp addBytes(StringRef bytes, size_t i) {
    std::string ended = (bytes + StringRef("\0", 1)).str();
    auto type = LLVM::LLVMArrayType::get(b_.getI8Type(), ended.size());
    return LLVM::GlobalOp::create(b_, type, /*isConstant=*/true, LLVM::Linkage::Internal,
                                  (symbol_ + "_" + Twine(i)).str(), b_.getStringAttr(ended),
                                  /*alignment=*/64);
  }
  LLVM::GlobalOp addStructure(Type type, const Twine &name, LLVM::Linkage linkage,
                              function_ref<Value()> value) {
    auto global =
        LLVM::GlobalOp::create(b_, type, /*isConstant=*/true, linkage, name.str(), Attribute());
    OpBuilder::InsertionGuard guard(b_);
    b_.createBlock(&global.getInitializerRegion());
    LLVM::ReturnOp::create(b_, value());
    return global;
  }

  ImplicitLocOpBuilder b_;
  StringRef symbol_;
  Type pointer_;
};

// The simulated driver looks for twins among those that told it of themselves.
void registerAtStart(ModuleOp code, StringRef symbol, StringRef twin) {
  ImplicitLocOpBuilder b(code.getLoc(), code.getContext());
  b.setInsertionPointToEnd(code.getBody());
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  Type nothing = LLVM::LLVMVoidType::get(b.getContext());
  LLVM::GlobalOp::create(b, b.getI8Type(), /*isConstant=*/true, LLVM::Linkage::External, twin,
                         Attribute());
  auto tell = LLVM::LLVMFuncOp::create(b, "sluice_sim_register_twin",
                                       LLVM::LLVMFunctionType::get(nothing, {pointer}));
  std::string name = (symbol + "_register").str();
  auto function = LLVM::LLVMFuncOp::create(b, name, LLVM::LLVMFunctionType::get(nothing, {}),
                                           LLVM::Linkage::Internal);
  LLVM::GlobalCtorsOp::create(b, b.getArrayAttr(FlatSymbolRefAttr::get(b.getContext(), name)),
                              b.getI32ArrayAttr(65535),
                              b.getArrayAttr(LLVM::ZeroAttr::get(b.getContext())));
  b.setInsertionPointToStart(function.addEntryBlock(b));
  LLVM::CallOp::create(b, tell, ValueRange{LLVM::AddressOfOp::create(b, pointer, twin)});
  LLVM::ReturnOp::create(b, ValueRange{});
}

} // namespace

// Of one module of kernels, which then is gone.
static LogicalResult compileModule(gpu::GPUModuleOp module, StringRef symbol,
                                   const TargetOptions &options,
                                   std::vector<std::string> &objects) {
  auto code = module->getParentOfType<ModuleOp>();
  std::string twin; // the name of its table
  auto makeTwin = [&](const llvm::Module &kernels, StringRef text) -> LogicalResult {
    llvm::Expected<std::string> object = compileTwin(kernels, text.str(), options);
    if (!object)
      return module.emitError("expected kernels that can be simulated: ")
             << llvm::toString(object.takeError());
    objects.push_back(std::move(*object));
    twin = twinSymbol(text.str());
    return success();
  };
  FailureOr<std::vector<Image>> images = options.card->isSimulated
                                             ? imagesOf(module, *options.card, makeTwin)
                                             : imagesOf(module, *options.card, nullptr);
  if (failed(images))
    return failure();
  module.erase();
  ImageTable(code, symbol).add(*images);
  if (!twin.empty())
    registerAtStart(code, symbol, twin);
  return success();
}

LogicalResult compileKernels(ModuleOp code, StringRef symbol, StringRef conditions,
                             const TargetOptions &options, std::vector<std::string> &objects) {
  if (failed(moveLoops(code)))
    return failure();
  for (auto module : llvm::make_early_inc_range(code.getOps<gpu::GPUModuleOp>())) {
    if (!options.card)
      return module.emitError("expected the architectures of the card that kernels are for");
    bool areConditions = module.getName() == kConditionsModule;
    if (failed(compileModule(module, areConditions ? conditions : symbol, options, objects)))
      return failure();
  }
  code->removeAttr(gpu::GPUDialect::getContainerModuleAttrName());
  return success();
}

} // namespace sluice::codegen
