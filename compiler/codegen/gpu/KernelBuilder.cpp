// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One kernel and the place that launches it.
#include "compiler/codegen/gpu/KernelBuilder.h"

#include "compiler/codegen/elements/RuntimeCalls.h"

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

// The name of the new kernel.
std::string KernelBuilder::addToCodelet() {
  SmallVector<Attribute> kernels;
  if (auto known = caller_->getAttrOfType<ArrayAttr>(kKernelsAttr))
    llvm::append_range(kernels, known);
  number_ = static_cast<int64_t>(kernels.size());
  std::string name = (caller_.getName() + "_" + Twine(number_)).str();
  kernels.push_back(
      b_.getDictionaryAttr({b_.getNamedAttr("name", b_.getStringAttr(name)),
                            b_.getNamedAttr("threads", b_.getI64IntegerAttr(threads_))}));
  caller_->setAttr(kKernelsAttr, b_.getArrayAttr(kernels));
  return name;
}

// Parameters travel as an array of the addresses of their values, as drivers take them.
static Value parameterArray(ImplicitLocOpBuilder &b, func::FuncOp caller, ArrayRef<Value> passed) {
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto values = LLVM::LLVMStructType::getLiteral(b.getContext(),
                                                 llvm::to_vector(ValueRange(passed).getTypes()));
  auto addresses = LLVM::LLVMArrayType::get(pointer, passed.size());
  Value room, array;
  {
    // Not in a loop, where each iteration would take more of the stack.
    OpBuilder::InsertionGuard guard(b);
    b.setInsertionPointToStart(&caller.getBody().front());
    Value one = arith::ConstantIntOp::create(b, 1, 64);
    room = LLVM::AllocaOp::create(b, pointer, values, one, 8);
    array = LLVM::AllocaOp::create(b, pointer, addresses, one, 8);
  }
  for (auto [i, value] : llvm::enumerate(passed)) {
    auto at = static_cast<int32_t>(i);
    Value field = LLVM::GEPOp::create(b, pointer, values, room, ArrayRef<LLVM::GEPArg>{0, at},
                                      LLVM::GEPNoWrapFlags::inbounds);
    LLVM::StoreOp::create(b, value, field);
    Value entry = LLVM::GEPOp::create(b, pointer, addresses, array, ArrayRef<LLVM::GEPArg>{0, at},
                                      LLVM::GEPNoWrapFlags::inbounds);
    LLVM::StoreOp::create(b, field, entry);
  }
  return array;
}

// LLVM assumes that it lies better than it does where nothing says how.
Value KernelBuilder::shared(int64_t elements, Type element) {
  auto space = gpu::AddressSpaceAttr::get(b_.getContext(), gpu::AddressSpace::Workgroup);
  auto type = MemRefType::get({elements}, element, MemRefLayoutAttrInterface(), space);
  Value memory = kernel_.addWorkgroupAttribution(type, b_.getLoc());
  auto aligned = b_.getDictionaryAttr(
      b_.getNamedAttr(LLVM::LLVMDialect::getAlignAttrName(), b_.getI64IntegerAttr(16)));
  SmallVector<Attribute> all;
  if (auto known = kernel_.getWorkgroupAttribAttrsAttr())
    llvm::append_range(all, known);
  all.resize(kernel_.getNumWorkgroupAttributions() - 1, b_.getDictionaryAttr({}));
  all.push_back(aligned);
  kernel_.setWorkgroupAttribAttrsAttr(b_.getArrayAttr(all));
  return memory;
}

void KernelBuilder::launch(Value blocks,
                           function_ref<void(const KernelThread &, IRMapping &)> body) {
  std::string name = addToCodelet();
  SmallVector<Value> passed = parameters_.pass(b_);
  Value number = arith::ConstantIntOp::create(b_, number_, 32);
  Value count = arith::IndexCastOp::create(b_, b_.getI64Type(), blocks);
  callRuntime(b_, "sluice_launch",
              {caller_.getArgument(0), number, count, parameterArray(b_, caller_, passed)}, Type());
  OpBuilder::InsertionGuard guard(b_);
  gpu::GPUModuleOp module = kernelModule(b_, caller_->getParentOfType<ModuleOp>());
  b_.setInsertionPointToEnd(module.getBody());
  kernel_ = gpu::GPUFuncOp::create(b_, name, b_.getFunctionType(parameters_.types(), TypeRange{}));
  kernel_->setAttr(gpu::GPUDialect::getKernelFuncAttrName(), b_.getUnitAttr());
  kernel_.setKnownBlockSizeAttr(b_.getDenseI32ArrayAttr({static_cast<int32_t>(threads_), 1, 1}));
  b_.setInsertionPointToStart(&kernel_.getBody().front());
  IRMapping inside =
      parameters_.receive(b_, kernel_.getArguments().take_front(parameters_.types().size()));
  KernelThread thread{gpu::BlockIdOp::create(b_, gpu::Dimension::x),
                      gpu::GridDimOp::create(b_, gpu::Dimension::x),
                      gpu::ThreadIdOp::create(b_, gpu::Dimension::x), threads_};
  body(thread, inside);
  gpu::ReturnOp::create(b_);
}

} // namespace sluice::codegen
