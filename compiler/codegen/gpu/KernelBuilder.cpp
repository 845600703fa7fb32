// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel and the place that launches it.
#include "compiler/codegen/gpu/KernelBuilder.h"

#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"

using namespace mlir;

namespace sluice::codegen {

static constexpr StringLiteral kModuleName = "kernels";

// The kernels of a module of codelets are one module for the device.
static gpu::GPUModuleOp kernelModule(ImplicitLocOpBuilder &b, ModuleOp module) {
  if (auto known = module.lookupSymbol<gpu::GPUModuleOp>(kModuleName))
    return known;
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToEnd(module.getBody());
  module->setAttr(gpu::GPUDialect::getContainerModuleAttrName(), b.getUnitAttr());
  return gpu::GPUModuleOp::create(b, kModuleName);
}

static func::FuncOp functionAround(ImplicitLocOpBuilder &b) {
  Operation *around = b.getInsertionBlock()->getParentOp();
  auto function = dyn_cast<func::FuncOp>(around);
  return function ? function : around->getParentOfType<func::FuncOp>();
}

KernelBuilder::KernelBuilder(ImplicitLocOpBuilder &b, int64_t threads)
    : b_(b), threads_(threads), caller_(functionAround(b)) {}

std::string addKernelTo(func::FuncOp codelet, int64_t threads) {
  Builder b(codelet.getContext());
  SmallVector<Attribute> kernels;
  if (auto known = codelet->getAttrOfType<ArrayAttr>(kKernelsAttr))
    llvm::append_range(kernels, known);
  std::string name = (codelet.getName() + "_" + Twine(kernels.size())).str();
  kernels.push_back(b.getDictionaryAttr({b.getNamedAttr("name", b.getStringAttr(name)),
                                         b.getNamedAttr("threads", b.getI64IntegerAttr(threads))}));
  codelet->setAttr(kKernelsAttr, b.getArrayAttr(kernels));
  return name;
}

int64_t numberOfKernel(func::FuncOp codelet, StringRef name) {
  auto kernels = codelet->getAttrOfType<ArrayAttr>(kKernelsAttr);
  const auto *found = llvm::find_if(kernels, [&](Attribute kernel) {
    return cast<DictionaryAttr>(kernel).getAs<StringAttr>("name") == name;
  });
  assert(found != kernels.end() && "expected one of the codelet's kernels");
  return found - kernels.begin();
}

SymbolRefAttr kernelSymbol(MLIRContext *context, StringRef name) {
  return SymbolRefAttr::get(context, kModuleName, {FlatSymbolRefAttr::get(context, name)});
}

gpu::GPUFuncOp createKernel(ImplicitLocOpBuilder &b, ModuleOp module, StringRef name,
                            TypeRange parameters, int64_t threads) {
  b.setInsertionPointToEnd(kernelModule(b, module).getBody());
  auto kernel = gpu::GPUFuncOp::create(b, name, b.getFunctionType(parameters, TypeRange{}));
  kernel->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b.getUnitAttr());
  kernel.setKnownBlockSizeAttr(b.getDenseI32ArrayAttr({static_cast<int32_t>(threads), 1, 1}));
  b.setInsertionPointToStart(&kernel.getBody().front());
  return kernel;
}

// LLVM assumes that it lies better than it does where nothing says how.
Value addShared(gpu::GPUFuncOp kernel, MemRefType type) {
  Builder b(kernel.getContext());
  Value memory = kernel.addWorkgroupAttribution(type, kernel.getLoc());
  auto aligned = b.getDictionaryAttr(
      b.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(), b.getI64IntegerAttr(16)));
  SmallVector<Attribute> all;
  if (auto known = kernel.getWorkgroupAttribAttrsAttr())
    llvm::append_range(all, known);
  all.resize(kernel.getNumWorkgroupAttributions() - 1, b.getDictionaryAttr({}));
  all.push_back(aligned);
  kernel.setWorkgroupAttribAttrsAttr(b.getArrayAttr(all));
  return memory;
}

Value KernelBuilder::shared(int64_t elements, Type element) {
  auto space = gpu::AddressSpaceAttr::get(b_.getContext(), gpu::AddressSpace::Workgroup);
  return addShared(kernel_,
                   MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), space));
}

void KernelBuilder::launch(Value blocks,
                           function_ref<void(const KernelThread &, IRMapping &)> body) {
  std::string name = addKernelTo(caller_, threads_);
  SmallVector<Value> passed = parameters_.pass(b_);
  Value one = arith::ConstantIndexOp::create(b_, 1);
  Value threads = arith::ConstantIndexOp::create(b_, threads_);
  gpu::LaunchFuncOp::create(b_, kernelSymbol(b_.getContext(), name),
                            gpu::KernelDim3{blocks, one, one}, gpu::KernelDim3{threads, one, one},
                            /*dynamicSharedMemorySize=*/Value(), passed);
  OpBuilder::InsertionGuard guard(b_);
  kernel_ =
      createKernel(b_, caller_->getParentOfType<ModuleOp>(), name, parameters_.types(), threads_);
  IRMapping inside =
      parameters_.receive(b_, kernel_.getArguments().take_front(parameters_.types().size()));
  KernelThread thread{gpu::BlockIdOp::create(b_, gpu::Dimension::x),
                      gpu::GridDimOp::create(b_, gpu::Dimension::x),
                      gpu::ThreadIdOp::create(b_, gpu::Dimension::x), threads_};
  body(thread, inside);
  gpu::ReturnOp::create(b_);
}

} // namespace sluice::codegen
