// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on maps.
#include "runtime/kernels/map.h"

#include "runtime/base/pieces.h"
#include "runtime/kernels/arguments.h"
#include "runtime/kernels/attributes/list.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/joined_elements.h"
#include "runtime/kernels/list.h"
#include "runtime/kernels/summary.h"

namespace sluice::rt {

Result<Ref<Map>> mapToChange(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Map * map, objectOf<Map>(call.input(0)));
  if (map->solelyOwned())
    return Ref<Map>::share(map);
  return map->clone();
}
Status giveMap(KernelCall &call, Ref<Map> map) {
  call.output(0) = Tensor::handle(Ref<Object>::adopt(map.take()));
  return okStatus();
}

namespace {

constexpr int64_t kMostShown = 100; // elements of a key, in errors

Status missing(const char *attempt, const Tensor &key) {
  return invalidArgument(std::string("Trying to ") + attempt + ". Could not find key \"" +
                         summarize(key, kMostShown) + "\".");
}

Status makeRun(KernelCall &call) {
  if (call.input(0).elements() != 1 || call.input(0).asInt() < 0)
    return invalidArgument("expected a number of entries, 0 or more, but got " +
                           summarize(call.input(0), kMostShown));
  return giveMap(call, Map::make(call.input(0).asInt()));
}

Status insertRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<Map> map, mapToChange(call));
  SLUICE_RETURN_IF_ERROR(map->insert(call.input(1), call.input(2)));
  return giveMap(call, std::move(map));
}

Status eraseRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Ref<Map> map, mapToChange(call));
  SLUICE_ASSIGN_OR_RETURN(bool wasThere, map->erase(call.input(1)));
  if (!wasThere && attributes::list::MapErase(call).required())
    return missing("erase non-existent item", call.input(1));
  return giveMap(call, std::move(map));
}

// ---- Looks --------------------------------------------------------------------------------------

Status giveValue(KernelCall &call, const Tensor &value) {
  if (value.dtype() != call.outputType(0))
    return invalidArgument(format("Type mismatch: actual %s vs. expect %s",
                                  std::string(dtypeName(value.dtype())).c_str(),
                                  std::string(dtypeName(call.outputType(0))).c_str()));
  call.output(0) = value;
  return okStatus();
}

Status lookupRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Map * map, objectOf<Map>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(const Tensor *value, map->find(call.input(1)));
  return value ? giveValue(call, *value) : missing("lookup non-existent key", call.input(1));
}

Status lookupOrRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Map * map, objectOf<Map>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(const Tensor *value, map->find(call.input(1)));
  return giveValue(call, value ? *value : call.input(2));
}

Status hasKeyRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Map * map, objectOf<Map>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(const Tensor *value, map->find(call.input(1)));
  call.output(0) = Tensor::scalar(value != nullptr);
  return okStatus();
}

Status sizeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Map * map, objectOf<Map>(call.input(0)));
  call.output(0) = Tensor::scalar(static_cast<int32_t>(map->size()));
  return okStatus();
}

Status keysRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Map * map, objectOf<Map>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(std::vector<Tensor> keys, map->keys());
  if (keys.empty())
    return invalidArgument("TensorMapStackKeys cannot be called on empty map.");
  TurnsOfCall turns(Map::kCostOfEntry);
  for (const Tensor &key : keys) {
    if (turns.end())
      return cancelledWork();
    if (key.dtype() != call.outputType(0))
      return invalidArgument("Key does not match requested dtype.");
    if (!(key.shape() == keys.front().shape()))
      return invalidArgument("Keys must all have the same shape.");
  }
  return stackElements(keys, Shape::unknownRank(), call.output(0));
}

Status scalarRule(ShapeCall &call) {
  call.output(0) = Shape{};
  return okStatus();
}
Status unknownRule(ShapeCall &call) {
  call.output(0) = Shape::unknownRank();
  return okStatus();
}

} // namespace

SLUICE_DEFINE_KERNEL(list_map_make, {oneListRule, makeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_map_insert, {oneListRule, insertRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_map_erase, {oneListRule, eraseRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_map_lookup, {unknownRule, lookupRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_map_lookup_or, {unknownRule, lookupOrRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_map_has_key, {scalarRule, hasKeyRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_map_size, {scalarRule, sizeRun, Kernel::kAllocates})
SLUICE_DEFINE_KERNEL(list_map_keys, {unknownRule, keysRun, Kernel::kAllocates})

} // namespace sluice::rt
