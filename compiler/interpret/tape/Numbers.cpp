// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Elements of tensors and lists, read and replaced one after another.
#include "compiler/interpret/tape/Numbers.h"

#include "runtime/state/handle.h"
#include "runtime/state/list.h"
#include "runtime/state/map.h"

namespace sluice::interpret {

using rt::DType;
using rt::Tensor;

static bool isList(const Tensor &value) {
  return value.dtype() == DType::kHandle && value.object()->kind() == rt::Object::Kind::kList;
}

static bool isMap(const Tensor &value) {
  return value.dtype() == DType::kHandle && value.object()->kind() == rt::Object::Kind::kMap;
}

bool isContinuous(const Tensor &value) {
  return rt::isFloat(value.dtype()) || isList(value) || isMap(value);
}

// Invalid where there is nothing. A list does not tell what its elements are before one is read.
static Tensor elementAt(const rt::List &list, int64_t index) {
  for (DType dtype : {DType::kF32, DType::kF64, DType::kHandle, DType::kF16, DType::kBF16})
    if (rt::Result<Tensor> element = list.at(index, dtype); element.ok())
      return *element;
  return {};
}

// Whether it is zeros of no type yet, which an op on lists has put there.
static bool isZerosAt(const rt::List &list, int64_t index) {
  return list.at(index, DType::kF32).ok() && list.at(index, DType::kF64).ok();
}

template <typename See> static rt::Status visitMap(const rt::Map &map, See see) {
  SLUICE_ASSIGN_OR_RETURN(std::vector<Tensor> keys, map.keys());
  for (const Tensor &key : keys) {
    SLUICE_ASSIGN_OR_RETURN(const Tensor *value, map.find(key));
    if (isContinuous(*value))
      SLUICE_RETURN_IF_ERROR(see(*value));
  }
  return rt::okStatus();
}

// Calls `see` with each tensor that the value is made of.
template <typename See> static rt::Status visit(const Tensor &value, See see) {
  if (isMap(value))
    return visitMap(static_cast<const rt::Map &>(*value.object()), see);
  if (!isList(value))
    return see(value);
  const auto &list = static_cast<const rt::List &>(*value.object());
  for (int64_t i = 0; i < list.length(); ++i)
    if (Tensor element = elementAt(list, i); isContinuous(element))
      SLUICE_RETURN_IF_ERROR(visit(element, see));
  return rt::okStatus();
}

template <typename Make> static rt::Result<Tensor> rebuildMap(const rt::Map &map, Make make) {
  SLUICE_ASSIGN_OR_RETURN(rt::Ref<rt::Map> copy, map.clone());
  SLUICE_ASSIGN_OR_RETURN(std::vector<Tensor> keys, map.keys());
  for (const Tensor &key : keys) {
    SLUICE_ASSIGN_OR_RETURN(const Tensor *value, map.find(key));
    if (!isContinuous(*value))
      continue;
    SLUICE_ASSIGN_OR_RETURN(Tensor other, make(*value));
    SLUICE_RETURN_IF_ERROR(copy->insert(key, other));
  }
  return Tensor::handle(rt::Ref<rt::Object>::adopt(copy.take()));
}

// A copy whose tensors are those that `make` gives in place of each.
template <typename Make> static rt::Result<Tensor> rebuild(const Tensor &value, Make make) {
  if (isMap(value))
    return rebuildMap(static_cast<const rt::Map &>(*value.object()), make);
  if (!isList(value))
    return make(value);
  const auto &list = static_cast<const rt::List &>(*value.object());
  SLUICE_ASSIGN_OR_RETURN(rt::Ref<rt::List> copy, list.clone());
  for (int64_t i = 0; i < list.length(); ++i)
    if (Tensor element = elementAt(list, i); isContinuous(element)) {
      SLUICE_ASSIGN_OR_RETURN(Tensor other, rebuild(element, make));
      if (!isZerosAt(list, i))
        SLUICE_RETURN_IF_ERROR(copy->set(i, other, {}));
    }
  return Tensor::handle(rt::Ref<rt::Object>::adopt(copy.take()));
}

template <typename See> static rt::Status ofType(DType dtype, See see) {
  switch (dtype) {
#define SLUICE_CASE(E, T, N)                                                                       \
  case DType::E:                                                                                   \
    see(T());                                                                                      \
    return rt::okStatus();
    SLUICE_FLOAT_DTYPES(SLUICE_CASE)
#undef SLUICE_CASE
  default:
    return rt::unimplemented("the interpreter finds derivatives of real floats only, not of " +
                             std::string(rt::dtypeName(dtype)));
  }
}

rt::Result<Numbers> numbersOf(const Tensor &value) {
  Numbers numbers;
  SLUICE_RETURN_IF_ERROR(visit(value, [&](const Tensor &tensor) {
    return ofType(tensor.dtype(), [&]<typename T>(T) {
      for (int64_t i = 0; i < tensor.elements(); ++i)
        numbers.push_back(static_cast<double>(tensor.data<T>()[i]));
    });
  }));
  return numbers;
}

rt::Result<size_t> countNumbers(const Tensor &value) {
  size_t count = 0;
  SLUICE_RETURN_IF_ERROR(visit(value, [&](const Tensor &tensor) {
    count += static_cast<size_t>(tensor.elements());
    return rt::okStatus();
  }));
  return count;
}

rt::Result<Tensor> withNumbers(DType dtype, const rt::Shape &shape, const Numbers &numbers) {
  SLUICE_ASSIGN_OR_RETURN(Tensor made, Tensor::allocate(dtype, shape));
  SLUICE_RETURN_IF_ERROR(ofType(dtype, [&]<typename T>(T) {
    for (size_t i = 0; i < numbers.size(); ++i)
      if constexpr (std::is_same_v<T, double>)
        made.data<T>()[i] = numbers[i];
      else
        made.data<T>()[i] = T(static_cast<float>(numbers[i]));
  }));
  return made;
}

rt::Result<Tensor> withNumbers(const Tensor &like, const Numbers &numbers, size_t &used) {
  return rebuild(like, [&](const Tensor &tensor) {
    auto first = numbers.begin() + static_cast<ptrdiff_t>(used);
    used += static_cast<size_t>(tensor.elements());
    return withNumbers(tensor.dtype(), tensor.shape(),
                       {first, numbers.begin() + static_cast<ptrdiff_t>(used)});
  });
}

// The first bytes of an element; all machines that run this are little endian.
static size_t markBytes(DType dtype) { return std::min(rt::sizeOf(dtype), sizeof(uint64_t)); }

rt::Result<Marks> marksOf(const Tensor &value) {
  Marks marks;
  SLUICE_RETURN_IF_ERROR(visit(value, [&](const Tensor &tensor) {
    for (int64_t i = 0; i < tensor.elements(); ++i) {
      marks.push_back(0);
      std::memcpy(&marks.back(),
                  tensor.data<char>() + static_cast<size_t>(i) * rt::sizeOf(tensor.dtype()),
                  markBytes(tensor.dtype()));
    }
    return rt::okStatus();
  }));
  return marks;
}

rt::Result<Tensor> withMarks(const Tensor &like, uint64_t &next) {
  return rebuild(like, [&](const Tensor &tensor) -> rt::Result<Tensor> {
    size_t size = rt::sizeOf(tensor.dtype());
    if (size < sizeof(uint64_t) &&
        (next + static_cast<uint64_t>(tensor.elements())) >> (8 * markBytes(tensor.dtype())))
      return rt::unimplemented("the interpreter has no room for marks of so many elements");
    SLUICE_ASSIGN_OR_RETURN(Tensor made, Tensor::allocate(tensor.dtype(), tensor.shape()));
    if (made.bytes())
      std::memset(made.raw(), 0, made.bytes());
    for (int64_t i = 0; i < made.elements(); ++i, ++next)
      std::memcpy(made.data<char>() + static_cast<size_t>(i) * size, &next,
                  markBytes(made.dtype()));
    return made;
  });
}

} // namespace sluice::interpret
