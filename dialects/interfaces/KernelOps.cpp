// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops, types, attributes and constants as the runtime sees them.
#include "dialects/interfaces/KernelOps.h"

#include "dialects/array/Array.h"
#include "dialects/flow/Flow.h"
#include "dialects/list/List.h"
#include "dialects/nd/Nd.h"
#include "dialects/state/State.h"
#include "runtime/kernels/attribute_table.h"
#include "runtime/memory/denormals.h"

#include "mlir/IR/AsmState.h"
#include "mlir/IR/DialectResourceBlobManager.h"

using namespace mlir;

namespace sluice {

static std::optional<rt::DType> integerDType(IntegerType type) {
  bool isUnsigned = type.isUnsigned();
  switch (type.getWidth()) {
  case 1:
    return rt::DType::kBool;
  case 8:
    return isUnsigned ? rt::DType::kU8 : rt::DType::kI8;
  case 16:
    return isUnsigned ? rt::DType::kU16 : rt::DType::kI16;
  case 32:
    return isUnsigned ? rt::DType::kU32 : rt::DType::kI32;
  case 64:
    return isUnsigned ? rt::DType::kU64 : rt::DType::kI64;
  default:
    return std::nullopt;
  }
}

std::optional<rt::DType> dtypeOf(Type type) {
  if (auto tensor = dyn_cast<TensorType>(type))
    type = tensor.getElementType();
  if (auto integer = dyn_cast<IntegerType>(type))
    return integerDType(integer);
  if (type.isF16())
    return rt::DType::kF16;
  if (type.isBF16())
    return rt::DType::kBF16;
  if (type.isF32())
    return rt::DType::kF32;
  if (type.isF64())
    return rt::DType::kF64;
  if (auto complex = dyn_cast<ComplexType>(type))
    return complex.getElementType().isF32() ? rt::DType::kC64 : rt::DType::kC128;
  if (isa<nd::StringType>(type))
    return rt::DType::kString;
  if (isa<state::RefType, state::ResourceType, state::ObjectType, state::HandlesType,
          array::HandleType, array::StackType, list::OfType>(type))
    return rt::DType::kHandle;
  return std::nullopt;
}

Type elementTypeOf(MLIRContext *context, rt::DType dtype) {
  Builder b(context);
  switch (dtype) {
  case rt::DType::kF16:
    return b.getF16Type();
  case rt::DType::kBF16:
    return b.getBF16Type();
  case rt::DType::kF32:
    return b.getF32Type();
  case rt::DType::kF64:
    return b.getF64Type();
  case rt::DType::kC64:
    return ComplexType::get(b.getF32Type());
  case rt::DType::kC128:
    return ComplexType::get(b.getF64Type());
  case rt::DType::kBool:
    return b.getI1Type();
  case rt::DType::kString:
    return nd::StringType::get(context);
  default:
    break;
  }
  unsigned width = static_cast<unsigned>(8 * rt::sizeOf(dtype));
  return rt::isSignedInt(dtype) ? b.getIntegerType(width) : b.getIntegerType(width, false);
}

rt::Shape shapeOf(Type type) {
  auto tensor = dyn_cast<TensorType>(type);
  if (!tensor)
    return {};
  if (!tensor.hasRank())
    return rt::Shape::unknownRank();
  rt::Shape shape;
  for (int64_t dim : tensor.getShape())
    shape.append(ShapedType::isDynamic(dim) ? rt::Shape::kUnknown : dim);
  return shape;
}

TensorType tensorTypeOf(Type elementType, const rt::Shape &shape) {
  if (!shape.hasRank())
    return UnrankedTensorType::get(elementType);
  SmallVector<int64_t> dims;
  for (int64_t dim : shape.dims())
    dims.push_back(dim < 0 ? ShapedType::kDynamic : dim);
  return RankedTensorType::get(dims, elementType);
}

bool isToken(Value value) { return isa<flow::TokenType>(value.getType()); }

bool isKernelOp(OperationName name) { return name.hasTrait<HasKernel>(); }

bool isKernelOp(Operation *op) { return isKernelOp(op->getName()); }

template <typename Range> static SmallVector<Value> withoutTokens(Range values) {
  SmallVector<Value> result;
  for (Value value : values)
    if (!isToken(value))
      result.push_back(value);
  return result;
}

SmallVector<Value> kernelInputs(Operation *op) { return withoutTokens(op->getOperands()); }
SmallVector<Value> kernelOutputs(Operation *op) { return withoutTokens(op->getResults()); }

SmallVector<rt::DType> kernelOutputTypes(Operation *op) {
  SmallVector<rt::DType> types;
  for (Value value : kernelOutputs(op))
    types.push_back(dtypeOf(value.getType()).value_or(rt::DType::kInvalid));
  return types;
}

const rt::KernelEntry *kernelOf(Operation *op) {
  SmallVector<rt::DType> inputs;
  for (Value value : kernelInputs(op))
    inputs.push_back(dtypeOf(value.getType()).value_or(rt::DType::kInvalid));
  SmallVector<rt::DType> outputs = kernelOutputTypes(op);
  StringRef name = op->getName().getStringRef();
  return rt::findKernel({name.data(), name.size()}, {inputs.data(), inputs.size()},
                        {outputs.data(), outputs.size()});
}

SmallVector<Attribute> kernelAttributes(Operation *op) {
  StringRef name = op->getName().getStringRef();
  SmallVector<Attribute> attributes;
  for (const rt::attributes::Attribute &attribute : rt::attributes::of({name.data(), name.size()}))
    attributes.push_back(
        op->getInherentAttr({attribute.name.data(), attribute.name.size()}).value_or(Attribute()));
  return attributes;
}

KernelAttrs::KernelAttrs(Operation *op, const ResolveSymbol &resolve)
    : KernelAttrs(kernelAttributes(op), resolve) {}

KernelAttrs::KernelAttrs(ArrayRef<Attribute> attributes, const ResolveSymbol &resolve) {
  for (Attribute attribute : attributes)
    add(attribute, resolve);
}

// As runtime/state/components.h reads it.
static std::vector<int64_t> flattened(ArrayAttr types) {
  std::vector<int64_t> numbers;
  for (Type type : types.getAsValueRange<TypeAttr>()) {
    rt::Shape shape = shapeOf(type);
    numbers.push_back(static_cast<int64_t>(dtypeOf(type).value_or(rt::DType::kInvalid)));
    numbers.push_back(shape.rank());
    numbers.insert(numbers.end(), shape.dims().begin(), shape.dims().end());
  }
  return numbers;
}

void KernelAttrs::add(Attribute attribute, const ResolveSymbol &resolve) {
  rt::Attr out;
  if (auto integer = dyn_cast_or_null<IntegerAttr>(attribute)) {
    out.kind = rt::Attr::Kind::kInt;
    // i1 is signless: true must be 1, not -1.
    out.i = integer.getType().isInteger(1) ? integer.getValue().getZExtValue()
                                           : integer.getValue().getSExtValue();
  } else if (auto number = dyn_cast_or_null<FloatAttr>(attribute)) {
    out.kind = rt::Attr::Kind::kFloat;
    out.f = number.getValueAsDouble();
  } else if (auto text = dyn_cast_or_null<StringAttr>(attribute)) {
    out.kind = rt::Attr::Kind::kString;
    out.s = {text.data(), text.size()};
  } else if (auto list = dyn_cast_or_null<DenseI64ArrayAttr>(attribute)) {
    out.kind = rt::Attr::Kind::kInts;
    lists_.emplace_back(list.asArrayRef().begin(), list.asArrayRef().end());
    out.ints = lists_.back();
  } else if (auto types = dyn_cast_or_null<ArrayAttr>(attribute)) {
    out.kind = rt::Attr::Kind::kInts;
    lists_.push_back(flattened(types));
    out.ints = lists_.back();
  } else if (auto symbol = dyn_cast_or_null<FlatSymbolRefAttr>(attribute)) {
    out.kind = rt::Attr::Kind::kInt;
    out.i = resolve(symbol.getValue());
  } else if (auto type = dyn_cast_or_null<TypeAttr>(attribute)) {
    if (isa<TensorType>(type.getValue())) {
      out.kind = rt::Attr::Kind::kShape;
      rt::Shape shape = shapeOf(type.getValue());
      out.unknownRank = !shape.hasRank();
      lists_.emplace_back(shape.dims().begin(), shape.dims().end());
      out.ints = lists_.back();
    } else {
      out.kind = rt::Attr::Kind::kDType;
      out.i = static_cast<int64_t>(dtypeOf(type.getValue()).value_or(rt::DType::kInvalid));
    }
  }
  attrs_.push_back(out);
}

static rt::Result<rt::Tensor> stringTensorOf(ElementsAttr value, const rt::Shape &shape) {
  auto result = rt::Tensor::allocate(rt::DType::kString, shape);
  if (!result.ok())
    return result;
  auto strings = cast<DenseStringElementsAttr>(value);
  auto raw = strings.getRawStringData();
  for (int64_t i = 0, n = shape.elements(); i < n; ++i)
    result->data<std::string>()[i] = raw[raw.size() == 1 ? 0 : static_cast<size_t>(i)].str();
  return result;
}

static rt::Result<rt::Tensor> repeatedTensorOf(DenseElementsAttr splat, rt::DType dtype,
                                               const rt::Shape &shape) {
  rt::Tensor element = rt::Tensor::uninitializedScalar(dtype);
  if (dtype == rt::DType::kBool) // i1 is packed in attributes
    *element.data<bool>() = splat.getSplatValue<bool>();
  else
    std::memcpy(element.raw(), splat.getRawData().data(), rt::sizeOf(dtype));
  if (rt::Status status = rt::flushDenormals(element); !status.ok())
    return status;
  return rt::Tensor::repeated(dtype, shape, element.raw());
}

static rt::Result<rt::Tensor> unpackedTensorOf(DenseElementsAttr bits, const rt::Shape &shape) {
  auto result = rt::Tensor::allocate(rt::DType::kBool, shape);
  if (!result.ok())
    return result;
  size_t i = 0;
  for (bool bit : bits.getValues<bool>())
    result->data<bool>()[i++] = bit;
  return result;
}

// Where the elements are in the attribute.
static rt::Result<rt::Tensor> viewedTensorOf(ElementsAttr value, rt::DType dtype,
                                             const rt::Shape &shape) {
  ArrayRef<char> bytes;
  if (auto resource = dyn_cast<DenseResourceElementsAttr>(value)) {
    AsmResourceBlob *blob = resource.getRawHandle().getBlob();
    if (!blob ||
        blob->getData().size() != static_cast<size_t>(shape.elements()) * rt::sizeOf(dtype))
      return rt::invalidArgument("a constant's resource blob is missing or of the wrong size");
    bytes = blob->getData();
  } else if (auto dense = dyn_cast<DenseElementsAttr>(value)) {
    bytes = dense.getRawData();
  } else {
    return rt::unimplemented("a constant is neither dense nor a resource");
  }
  static constexpr char kNothing = 0; // the data of nothing may be a null pointer
  return rt::Tensor::view(dtype, shape, bytes.empty() ? &kNothing : bytes.data());
}

rt::Result<rt::Tensor> viewOf(ElementsAttr value) {
  auto type = cast<TensorType>(value.getType());
  std::optional<rt::DType> dtype = dtypeOf(type);
  if (!dtype || *dtype == rt::DType::kHandle)
    return rt::internalError("a constant has an element type without a runtime counterpart");
  rt::Shape shape = shapeOf(type);
  if (*dtype == rt::DType::kString)
    return stringTensorOf(value, shape);
  if (auto dense = dyn_cast<DenseElementsAttr>(value); dense && dense.isSplat())
    return repeatedTensorOf(dense, *dtype, shape);
  if (auto dense = dyn_cast<DenseElementsAttr>(value); dense && *dtype == rt::DType::kBool)
    return unpackedTensorOf(dense, shape); // i1 is packed in attributes
  rt::Result<rt::Tensor> tensor = viewedTensorOf(value, *dtype, shape);
  if (tensor.ok())
    if (rt::Status status = rt::flushDenormals(*tensor); !status.ok())
      return status;
  return tensor;
}

rt::Result<rt::Tensor> tensorOf(ElementsAttr value) {
  rt::Result<rt::Tensor> tensor = viewOf(value);
  bool isView = tensor.ok() && !tensor->solelyOwned() && !tensor->isRepeated();
  return isView ? tensor->clone() : std::move(tensor);
}

// Of more than one element, all with the same bytes.
static bool isSplat(ArrayRef<char> bytes, size_t size) {
  return bytes.size() > size &&
         std::memcmp(bytes.data(), bytes.data() + size, bytes.size() - size) == 0;
}

ElementsAttr attributeOf(MLIRContext *context, const rt::Tensor &tensor) {
  constexpr size_t kLargestInline = 4096;
  auto type =
      cast<RankedTensorType>(tensorTypeOf(elementTypeOf(context, tensor.dtype()), tensor.shape()));
  size_t count = static_cast<size_t>(tensor.elements());
  if (tensor.dtype() == rt::DType::kString) {
    SmallVector<StringRef> strings;
    for (size_t i = 0; i < count; ++i)
      strings.push_back(tensor.data<std::string>()[i]);
    return DenseStringElementsAttr::get(type, strings);
  }
  if (tensor.dtype() == rt::DType::kBool)
    return DenseElementsAttr::get(type, ArrayRef<bool>(tensor.data<bool>(), count));
  ArrayRef<char> bytes(tensor.data<char>(), tensor.bytes());
  if (isSplat(bytes, rt::sizeOf(tensor.dtype())))
    return DenseElementsAttr::getFromRawBuffer(type, bytes.take_front(rt::sizeOf(tensor.dtype())));
  if (bytes.size() > kLargestInline)
    return DenseResourceElementsAttr::get(type, "constant",
                                          HeapAsmResourceBlob::allocateAndCopyWithAlign(bytes, 64));
  return DenseElementsAttr::getFromRawBuffer(type, bytes);
}

} // namespace sluice
