// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Attributes of ops, as the accessors of kernels read them.
#include "dialects/interfaces/KernelOps.h"

#include "dialects/interfaces/RegisterDialects.h"
#include "runtime/kernels/attribute_table.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/DialectResourceBlobManager.h"
#include "mlir/Parser/Parser.h"

#include <gtest/gtest.h>

namespace sluice {
namespace {

namespace attributes = rt::attributes;
using mlir::StringRef;

class KernelAttributes : public testing::Test {
protected:
  KernelAttributes() {
    mlir::DialectRegistry registry;
    registerDialects(registry);
    context.appendDialectRegistry(registry);
    context.loadAllAvailableDialects();
    context.allowUnregisteredDialects();
  }

  // What a kernel of the op of that name sees, the only one in the text.
  rt::KernelCall callOf(StringRef name, StringRef text) {
    module = mlir::parseSourceString<mlir::ModuleOp>(text, &context);
    EXPECT_TRUE(module);
    auto resolve = [](StringRef symbol) { return symbol == "seventh" ? 7 : -1; };
    module->walk([&](mlir::Operation *op) {
      if (op->getName().getStringRef() == name)
        passed.emplace(op, resolve);
    });
    return rt::KernelCall({}, {}, passed->view(), {}, nullptr);
  }

  mlir::MLIRContext context{mlir::MLIRContext::Threading::DISABLED};
  mlir::OwningOpRef<mlir::ModuleOp> module;
  std::optional<KernelAttrs> passed;
};

TEST_F(KernelAttributes, AreThoseOfTheDefinition) {
  unsigned withAttributes = 0;
  for (mlir::RegisteredOperationName op : context.getRegisteredOperations()) {
    StringRef name = op.getStringRef();
    std::vector<std::string> defined, read;
    for (mlir::StringAttr attribute : op.getAttributeNames())
      if (isKernelOp(op))
        defined.push_back(attribute.str());
    for (const attributes::Attribute &attribute : attributes::of({name.data(), name.size()}))
      read.emplace_back(attribute.name);
    llvm::sort(defined);
    EXPECT_EQ(read, defined) << name.str();
    withAttributes += !read.empty();
  }
  EXPECT_EQ(withAttributes, std::size(attributes::kOps));
}

TEST_F(KernelAttributes, AreReadByTheirNames) {
  rt::KernelCall call = callOf("array.create", R"(
    %n = "test.value"() : () -> tensor<i32>
    %h, %f, %t = array.create %n {dtype = i8, element_shape = tensor<2x?xf32>,
      dynamic_size = false, clear_after_read = true, identical_element_shapes = false, name = "a"}
      : (tensor<i32>) -> (!array.handle<tensor<*xf32>>, tensor<f32>, !flow.token))");
  attributes::array::Create create(call);
  EXPECT_EQ(create.dtype(), rt::DType::kI8);
  EXPECT_EQ(create.elementShape(), (rt::Shape{2, -1}));
  EXPECT_FALSE(create.dynamicSize());
  EXPECT_TRUE(create.clearAfterRead());
  EXPECT_FALSE(create.identicalElementShapes());
  EXPECT_EQ(create.name(), "a");
}

TEST_F(KernelAttributes, MayBeListsOfNumbers) {
  rt::KernelCall call = callOf("nd.squeeze", R"(
    %x = "test.value"() : () -> tensor<2x1x1xf32>
    %y = nd.squeeze %x {axes = array<i64: -1, 1>} : (tensor<2x1x1xf32>) -> tensor<2xf32>)");
  std::span<const int64_t> axes = attributes::nd::Squeeze(call).axes();
  EXPECT_EQ(std::vector<int64_t>(axes.begin(), axes.end()), (std::vector<int64_t>{-1, 1}));
}

TEST_F(KernelAttributes, MayBeTypesWithoutAShape) {
  rt::KernelCall call = callOf("list.make", R"(
    %n = "test.value"() : () -> tensor<i32>
    %l = list.make %n {element_shape = !list.of<tensor<f32>>, identical = true}
      : (tensor<i32>) -> !list.of<!list.of<tensor<f32>>>)");
  attributes::list::Make make(call);
  EXPECT_FALSE(make.elementShape().hasRank());
  EXPECT_TRUE(make.identical());
}

TEST_F(KernelAttributes, MayBePositionsOfResources) {
  rt::KernelCall call = callOf("state.random_uniform", R"(
    state.generator @seventh {key = "g"}
    %s = "test.value"() : () -> tensor<1xi32>
    %x, %t = state.random_uniform %s {generator = @seventh, seed = -5 : i64, seed2 = 6 : i64}
      : (tensor<1xi32>) -> (tensor<?xf32>, !flow.token))");
  attributes::state::RandomUniform uniform(call);
  EXPECT_EQ(uniform.generator(), 7u);
  EXPECT_EQ(uniform.seed(), -5);
  EXPECT_EQ(uniform.seed2(), 6);
}

// Constants that are only looked at are not copied, however large they are.
TEST_F(KernelAttributes, ConstantsMayBeViewed) {
  std::vector<float> elements(2000);
  for (size_t i = 0; i < elements.size(); ++i)
    elements[i] = static_cast<float>(i);
  auto attribute = [&] { return attributeOf(&context, rt::Tensor::vector<float>(elements)); };
  mlir::ElementsAttr value = attribute();
  auto resource = mlir::cast<mlir::DenseResourceElementsAttr>(value);
  const char *bytes = resource.getRawHandle().getBlob()->getData().data();
  EXPECT_EQ(viewOf(value)->raw(), bytes);
  EXPECT_NE(tensorOf(value)->raw(), bytes);
  EXPECT_EQ(std::memcmp(tensorOf(value)->raw(), bytes, 8000), 0);
  // No program holds denormals.
  elements[7] = 1e-40f;
  mlir::ElementsAttr denormal = attribute();
  EXPECT_EQ(viewOf(denormal)->data<float>()[7], 0);
  EXPECT_EQ(viewOf(denormal)->data<float>()[8], 8);
  EXPECT_EQ(tensorOf(denormal)->data<float>()[7], 0);
}

} // namespace
} // namespace sluice
