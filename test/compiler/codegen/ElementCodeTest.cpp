// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The code of exponentials, logarithms, trigonometry and special functions, and of conversions from
// and to 16-bit floats, gives the bits of the plain kernels: as scalar and as vectors, over floats spread
// over all bit patterns.
#include "compiler/codegen/elements/ElementCode.h"
#include "compiler/codegen/plan/Held.h"
#include "dialects/interfaces/RegisterDialects.h"
#include "dialects/nd/Nd.h"
#include "dialects/sci/Sci.h"
#include "runtime/base/denormal_mode.h"
#include "runtime/elements/powers_f32.h"
#include "runtime/elements/powers_f64.h"
#include "runtime/elements/special.h"

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
using CodeFn = void (*)(const void *in, void *out);
using EmitFn = function_ref<Value(ImplicitLocOpBuilder &, Value)>;

// func @name(%in: !llvm.ptr, %out: !llvm.ptr) around the code for an operand of the type.
void addFunction(ModuleOp module, StringRef name, Type type, EmitFn emit) {
  OpBuilder outer = OpBuilder::atBlockEnd(module.getBody());
  ImplicitLocOpBuilder b(module.getLoc(), outer);
  Type pointer = LLVM::LLVMPointerType::get(b.getContext());
  auto function = func::FuncOp::create(b, name, b.getFunctionType({pointer, pointer}, {}));
  b.setInsertionPointToStart(function.addEntryBlock());
  Value x = LLVM::LoadOp::create(b, type, function.getArgument(0), 2);
  LLVM::StoreOp::create(b, emit(b, x), function.getArgument(1), 2);
  func::ReturnOp::create(b);
}
// The code of an op, which only says which code is wanted.
template <typename Op> Value codeOf(ImplicitLocOpBuilder &b, Value x) {
  Type scalar = RankedTensorType::get({}, getElementTypeOrSelf(x.getType()));
  auto operand = UnrealizedConversionCastOp::create(b, scalar, x);
  auto op = Op::create(b, scalar, operand.getResult(0));
  Value y = emitElement(b, op, x);
  op.erase();
  operand.erase();
  return y;
}
// Any number for each: a power needs two.
constexpr uint32_t kSpread = 0x9e3779b1;
Value codeOfPower(ImplicitLocOpBuilder &b, Value x) {
  Type type = x.getType(), integers = b.getI32Type();
  if (auto vector = dyn_cast<VectorType>(type))
    integers = vector.clone(integers);
  TypedAttr spread = b.getI32IntegerAttr(static_cast<int32_t>(kSpread));
  if (auto vector = dyn_cast<VectorType>(integers))
    spread = DenseElementsAttr::get(vector, Attribute(spread));
  Value bits = arith::BitcastOp::create(b, integers, x);
  bits = arith::MulIOp::create(b, bits, arith::ConstantOp::create(b, spread));
  Value y = arith::BitcastOp::create(b, type, bits);
  Type scalar = RankedTensorType::get({}, b.getF32Type());
  auto operand = UnrealizedConversionCastOp::create(b, scalar, x);
  auto op = nd::PowOp::create(b, scalar, operand.getResult(0), operand.getResult(0));
  Value power = emitElement(b, op, {x, y});
  op.erase();
  operand.erase();
  return power;
}
// The same of f64, for which the other number is what is left of the sine.
Value codeOfPower64(ImplicitLocOpBuilder &b, Value x) {
  Type scalar = RankedTensorType::get({}, b.getF64Type());
  auto operand = UnrealizedConversionCastOp::create(b, scalar, x);
  auto op = nd::PowOp::create(b, scalar, operand.getResult(0), operand.getResult(0));
  Value power = emitElement(b, op, {x, codeOf<nd::SinOp>(b, x)});
  op.erase();
  operand.erase();
  return power;
}
double powerOfSine(double x) { return rt::element::f64::pow(x, rt::element::f64::sin(x)); }

float powerOfSpread(float x) {
  return rt::element::f32::pow(x, std::bit_cast<float>(std::bit_cast<uint32_t>(x) * kSpread));
}

bool isNan(float x) { return std::isnan(x); }
template <typename T> bool isNan(T x) { return std::isnan(static_cast<float>(x)); }

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
    add(name, codeOf<Op>, kernel);
  }
  void add(const char *name, EmitFn emit, KernelFn kernel) {
    addAllWidths(name, Float32Type::get(&context_), emit);
    functions_.push_back({name, kernel});
  }
  template <typename Op> void add64(const char *name, double (*kernel)(double)) {
    add64(name, codeOf<Op>, kernel);
  }
  void add64(const char *name, EmitFn emit, double (*kernel)(double)) {
    addAllWidths(name, Float64Type::get(&context_), emit);
    functions64_.push_back({name, kernel});
  }
  void addCast(const char *name, Type from, Type to) {
    addAllWidths(name, from,
                 [&](ImplicitLocOpBuilder &b, Value x) { return emitCast(b, x, from, to); });
  }
  void addAllWidths(const char *name, Type element, EmitFn emit) {
    Type type = registerElementType(element);
    for (unsigned width : kWidths)
      addFunction(*module_, codeName(name, width), width == 1 ? type : VectorType::get(width, type),
                  emit);
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

  template <typename In> using BitsOf = std::conditional_t<sizeof(In) == 2, uint16_t, uint32_t>;
  template <typename In, typename Out>
  void expectEqualBits(const char *name, Out (*kernel)(In), unsigned width) {
    auto code = reinterpret_cast<CodeFn>(llvm::cantFail(engine_->lookup(codeName(name, width))));
    constexpr uint32_t kStep = sizeof(In) == 2 ? 1 : 4789;
    for (uint64_t first = 0; first < 1ull << (8 * sizeof(In)); first += width * kStep) {
      In in[16];
      Out out[16];
      for (unsigned i = 0; i < width; ++i)
        in[i] = std::bit_cast<In>(static_cast<BitsOf<In>>(first + i * kStep));
      code(in, out);
      for (unsigned i = 0; i < width; ++i) {
        Out expected = kernel(in[i]);
        if (isNan(expected) && isNan(out[i]))
          continue;
        ASSERT_EQ(std::bit_cast<BitsOf<Out>>(out[i]), std::bit_cast<BitsOf<Out>>(expected))
            << name << " of " << static_cast<float>(in[i]) << " in vectors of " << width;
      }
    }
  }
  void expectEqualDoubles(const char *name, double (*kernel)(double), unsigned width) {
    auto code = reinterpret_cast<CodeFn>(llvm::cantFail(engine_->lookup(codeName(name, width))));
    uint64_t bits = 0;
    for (int round = 0; round < 20000; ++round) {
      double in[16], out[16];
      for (unsigned i = 0; i < width; ++i)
        in[i] = std::bit_cast<double>(bits += 0x9e3779b97f4a7c15); // each number comes at some time
      code(in, out);
      for (unsigned i = 0; i < width; ++i) {
        double expected = kernel(in[i]);
        if (std::isnan(expected) && std::isnan(out[i]))
          continue;
        ASSERT_EQ(std::bit_cast<uint64_t>(out[i]), std::bit_cast<uint64_t>(expected))
            << name << " of " << in[i] << " in vectors of " << width;
      }
    }
  }
  template <typename T> void expectEqualCasts(const char *from, const char *to) {
    float (*widen)(T) = [](T x) { return static_cast<float>(x); };
    T (*narrow)(float) = [](float x) { return T(x); };
    for (unsigned width : kWidths) {
      expectEqualBits(from, widen, width);
      expectEqualBits(to, narrow, width);
    }
  }

  struct Function {
    const char *name;
    KernelFn kernel;
  };
  MLIRContext context_;
  OwningOpRef<ModuleOp> module_;
  std::vector<Function> functions_;
  std::vector<std::pair<const char *, double (*)(double)>> functions64_;
  std::unique_ptr<ExecutionEngine> engine_;
};

TEST_F(ElementCodeTest, FunctionsHaveTheBitsOfKernels) {
  add<nd::ExpOp>("exp", rt::element::f32::exp<float>);
  add<nd::LogOp>("log", rt::element::f32::log<float>);
  add<nd::TanhOp>("tanh", rt::element::f32::tanh<float>);
  add<nd::SigmoidOp>("sigmoid", rt::element::f32::sigmoid<float>);
  add<nd::Expm1Op>("expm1", rt::element::f32::expm1<float>);
  add<nd::Log1pOp>("log1p", rt::element::f32::log1p<float>);
  add<nd::SinOp>("sin", rt::element::f32::sin<float>);
  add<nd::CosOp>("cos", rt::element::f32::cos<float>);
  add("pow", codeOfPower, powerOfSpread);
  compile();
  rt::FlushDenormals mode;
  for (const Function &function : functions_)
    for (unsigned width : kWidths)
      expectEqualBits(function.name, function.kernel, width);
}

TEST_F(ElementCodeTest, FunctionsOfF64HaveTheBitsOfKernels) {
  add64<nd::ExpOp>("exp", rt::element::f64::exp<double>);
  add64<nd::LogOp>("log", rt::element::f64::log<double>);
  add64<nd::TanhOp>("tanh", rt::element::f64::tanh<double>);
  add64<nd::SigmoidOp>("sigmoid", rt::element::f64::sigmoid<double>);
  add64<nd::Expm1Op>("expm1", rt::element::f64::expm1<double>);
  add64<nd::Log1pOp>("log1p", rt::element::f64::log1p<double>);
  add64<nd::SinOp>("sin", rt::element::f64::sin<double>);
  add64<nd::CosOp>("cos", rt::element::f64::cos<double>);
  add64("pow", codeOfPower64, powerOfSine);
  compile();
  rt::FlushDenormals mode;
  for (auto [name, kernel] : functions64_)
    for (unsigned width : kWidths)
      expectEqualDoubles(name, kernel, width);
}

TEST_F(ElementCodeTest, SpecialFunctionsHaveTheBitsOfKernels) {
  using namespace rt::element::special;
  add<sci::ErfOp>("erf", erf<float>);
  add<sci::ErfcOp>("erfc", erfc<float>);
  add<sci::ErfinvOp>("erfinv", inverseErf<float>);
  add<sci::NdtriOp>("ndtri", normalQuantile<float>);
  add<sci::LgammaOp>("lgamma", logGamma<float>);
  add<sci::DigammaOp>("digamma", digamma<float>);
  add64<sci::ErfOp>("erf64", erf<double>);
  add64<sci::ErfcOp>("erfc64", erfc<double>);
  add64<sci::ErfinvOp>("erfinv64", inverseErf<double>);
  add64<sci::NdtriOp>("ndtri64", normalQuantile<double>);
  add64<sci::LgammaOp>("lgamma64", logGamma<double>);
  add64<sci::DigammaOp>("digamma64", digamma<double>);
  compile();
  rt::FlushDenormals mode;
  for (unsigned width : {1u, 8u}) {
    for (const Function &function : functions_)
      expectEqualBits(function.name, function.kernel, width);
    for (auto [name, kernel] : functions64_)
      expectEqualDoubles(name, kernel, width);
  }
}

TEST_F(ElementCodeTest, CastsOf16BitFloatsHaveTheBitsOfKernels) {
  Type f32 = Float32Type::get(&context_), f16 = Float16Type::get(&context_),
       bf16 = BFloat16Type::get(&context_);
  addCast("from_f16", f16, f32);
  addCast("to_f16", f32, f16);
  addCast("from_bf16", bf16, f32);
  addCast("to_bf16", f32, bf16);
  compile();
  rt::FlushDenormals mode;
  expectEqualCasts<rt::Half>("from_f16", "to_f16");
  expectEqualCasts<rt::BFloat16>("from_bf16", "to_bf16");
}

} // namespace
} // namespace sluice::codegen
