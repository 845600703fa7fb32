// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of exp, log, tanh and sigmoid gives the bits of the plain kernels: as scalar and as
// vectors, over floats spread over all bit patterns.
#include "compiler/codegen/cpu/ElementCode.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "dialects/nd/Nd.h"
#include "runtime/base/denormal_mode.h"
#include "runtime/elements/polynomials_f32.h"

#include "mlir/Conversion/ArithToLLVM/ArithToLLVM.h"
#include "mlir/Conversion/FuncToLLVM/ConvertFuncToLLVMPass.h"
#include "mlir/Conversion/MathToLLVM/MathToLLVM.h"
#include "mlir/Conversion/VectorToLLVM/ConvertVectorToLLVMPass.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/Dialect/Vector/IR/VectorOps.h"
#include "mlir/ExecutionEngine/ExecutionEngine.h"
#include "mlir/ExecutionEngine/OptUtils.h"
#include "mlir/Pass/PassManager.h"
#include "mlir/Target/LLVMIR/Dialect/Builtin/BuiltinToLLVMIRTranslation.h"
#include "mlir/Target/LLVMIR/Dialect/LLVMIR/LLVMToLLVMIRTranslation.h"
#include "llvm/Support/TargetSelect.h"

#include <gtest/gtest.h>

#include <bit>
#include <cmath>

using namespace mlir;

namespace sluice::codegen {
namespace {

using KernelFn = float (*)(float);
using CodeFn = void (*)(const float *in, float *out);

// func @name(%in: !llvm.ptr, %out: !llvm.ptr) around the code of `Op`.
template <typename Op> void addFunction(ModuleOp module, StringRef name, Type type) {
  OpBuilder outer = OpBuilder::atBlockEnd(module.getBody());
  ImplicitLocOpBuilder b(module.getLoc(), outer);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto function = func::FuncOp::create(b, name, b.getFunctionType({pointer, pointer}, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
  // The op only says which code is wanted.
  Type scalar = RankedTensorType::get({}, b.getF32Type());
  auto operand = UnrealizedConversionCastOp::create(b, scalar, function.getArgument(0));
  auto op = Op::create(b, scalar, operand.getResult(0));
  Value x = LLVM::LoadOp::create(b, type, function.getArgument(0), 4);
  Value y = emitElement(b, op, x);
  op.erase();
  operand.erase();
  LLVM::StoreOp::create(b, y, function.getArgument(1), 4);
  func::ReturnOp::create(b);
}

class ElementCodeTest : public ::testing::Test {
protected:
  static constexpr unsigned kWidths[] = {1, 5, 8, 16};

  ElementCodeTest() {
    llvm::InitializeNativeTarget();
    llvm::InitializeNativeTargetAsmPrinter();
    DialectRegistry registry;
    registerDialects(registry);
    registry.insert<arith::ArithDialect, func::FuncDialect, LLVM::LLVMDialect, math::MathDialect,
                    vector::VectorDialect>();
    registerBuiltinDialectTranslation(registry);
    registerLLVMDialectTranslation(registry);
    context_.appendDialectRegistry(registry);
    context_.loadAllAvailableDialects();
    module_ = ModuleOp::create(UnknownLoc::get(&context_));
  }

  template <typename Op> void add(const char *name, KernelFn kernel) {
    for (unsigned width : kWidths) {
      Type element = Float32Type::get(&context_);
      addFunction<Op>(*module_, codeName(name, width),
                      width == 1 ? element : VectorType::get(width, element));
    }
    functions_.push_back({name, kernel});
  }
  static std::string codeName(const char *name, unsigned width) {
    return name + std::string("_") + std::to_string(width);
  }
  void compile() {
    PassManager passes(&context_);
    passes.addPass(createConvertMathToLLVMPass());
    passes.addPass(createArithToLLVMConversionPass());
    passes.addPass(createConvertVectorToLLVMPass());
    passes.addPass(createConvertFuncToLLVMPass());
    ASSERT_TRUE(succeeded(passes.run(*module_)));
    ExecutionEngineOptions options;
    auto optimize = makeOptimizingTransformer(2, 0, nullptr);
    options.transformer = optimize;
    engine_ = llvm::cantFail(ExecutionEngine::create(*module_, options));
  }

  void expectEqualBits(const char *name, KernelFn kernel, unsigned width) {
    auto code = reinterpret_cast<CodeFn>(llvm::cantFail(engine_->lookup(codeName(name, width))));
    constexpr uint32_t kStep = 4789;
    for (uint64_t first = 0; first < 1ull << 32; first += width * kStep) {
      float in[16], out[16];
      for (unsigned i = 0; i < width; ++i)
        in[i] = std::bit_cast<float>(static_cast<uint32_t>(first + i * kStep));
      code(in, out);
      for (unsigned i = 0; i < width; ++i) {
        float expected = kernel(in[i]);
        if (std::isnan(expected) && std::isnan(out[i]))
          continue;
        ASSERT_EQ(std::bit_cast<uint32_t>(out[i]), std::bit_cast<uint32_t>(expected))
            << name << " of " << in[i] << " in vectors of " << width;
      }
    }
  }

  struct Function {
    const char *name;
    KernelFn kernel;
  };
  MLIRContext context_;
  OwningOpRef<ModuleOp> module_;
  std::vector<Function> functions_;
  std::unique_ptr<ExecutionEngine> engine_;
};

TEST_F(ElementCodeTest, PolynomialsHaveTheBitsOfKernels) {
  add<nd::ExpOp>("exp", rt::element::f32::exp<float>);
  add<nd::LogOp>("log", rt::element::f32::log<float>);
  add<nd::TanhOp>("tanh", rt::element::f32::tanh<float>);
  add<nd::SigmoidOp>("sigmoid", rt::element::f32::sigmoid<float>);
  compile();
  rt::FlushDenormals mode;
  for (const Function &function : functions_)
    for (unsigned width : kWidths)
      expectEqualBits(function.name, function.kernel, width);
}

} // namespace
} // namespace sluice::codegen
