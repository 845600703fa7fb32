// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on TensorArrays, element by element. Flow values carry order only and are always 0.
#include "runtime/kernels/attributes/array.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/array_values.h"
#include "runtime/kernels/declare.h"

namespace sluice::rt {

namespace {

Status allScalars(ShapeCall &call) {
  for (size_t i = 0; i < call.numOutputs(); ++i)
    call.output(i) = Shape{};
  return okStatus();
}

// Of an i32.
Result<int32_t> readScalar(const Tensor &tensor, const char *what) {
  if (tensor.elements() != 1)
    return invalidArgument(format("TensorArray %s must be scalar, but had shape: %s", what,
                                  tensor.shape().toString().c_str()));
  return *tensor.data<int32_t>();
}

Status createRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(int32_t size, readScalar(call.input(0), "size"));
  if (size < 0)
    return invalidArgument("Size should be >= 0.");
  attributes::array::Create attributes(call);
  TensorArray::Options options;
  options.dtype = attributes.dtype();
  options.elementShape = attributes.elementShape();
  options.dynamicSize = attributes.dynamicSize();
  options.clearAfterRead = attributes.clearAfterRead();
  options.identicalElementShapes = attributes.identicalElementShapes();
  std::string name(attributes.name());
  Ref<TensorArray> array =
      TensorArray::create(name.empty() ? "TensorArray" : name, size, std::move(options));
  call.output(0) = Tensor::handle(Ref<Object>::adopt(array.take()));
  call.output(1) = Tensor::scalar(0.0f);
  return okStatus();
}

Status writeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int32_t index, readScalar(call.input(1), "index"));
  SLUICE_RETURN_IF_ERROR(checkWrittenType(*array, call.input(2).dtype()));
  SLUICE_RETURN_IF_ERROR(array->write(index, call.input(2)));
  call.output(0) = Tensor::scalar(0.0f);
  return okStatus();
}

Status readRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int32_t index, readScalar(call.input(1), "index"));
  SLUICE_RETURN_IF_ERROR(checkReadType(*array, call.outputType(0)));
  SLUICE_ASSIGN_OR_RETURN(call.output(0), array->read(index));
  return okStatus();
}

Status sizeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(int32_t size, array->size());
  call.output(0) = Tensor::scalar(size);
  return okStatus();
}

Status closeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  return array->close();
}

Status makeGradient(KernelCall &call, const Shape *prefix) {
  SLUICE_ASSIGN_OR_RETURN(TensorArray * array, objectOf<TensorArray>(call.input(0)));
  attributes::SharedBy<attributes::array::Grad, attributes::array::GradWithShape> attributes(call);
  SLUICE_ASSIGN_OR_RETURN(Ref<TensorArray> gradient,
                          array->gradient(std::string(attributes.source()), prefix));
  call.output(0) = Tensor::handle(Ref<Object>::adopt(gradient.take()));
  call.output(1) = Tensor::scalar(0.0f);
  return okStatus();
}
Status gradRun(KernelCall &call) { return makeGradient(call, nullptr); }
Status gradWithShapeRun(KernelCall &call) {
  Shape prefix;
  SLUICE_RETURN_IF_ERROR(readShape(call.input(2), prefix));
  return makeGradient(call, &prefix);
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(array_create, allScalars, createRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_write, allScalars, writeRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_read, nullptr, readRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_size, allScalars, sizeRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_close, allScalars, closeRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_grad, allScalars, gradRun)
SLUICE_DEFINE_EFFECT_KERNEL(array_grad_with_shape, allScalars, gradWithShapeRun)

} // namespace sluice::rt
