// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels on tables.
#include "runtime/state/table.h"

#include "runtime/kernels/attributes/state.h"
#include "runtime/kernels/declare.h"
#include "runtime/kernels/declared_object.h"
#include "runtime/kernels/shape_rules.h"
#include "runtime/state/handle.h"

namespace sluice::rt {

namespace {

template <typename Attributes>
Result<Table::Options> optionsOf(KernelCall &call, const Attributes &given) {
  Table::Options options;
  options.name = given.name();
  options.key = given.keyDtype();
  options.value = given.valueDtype();
  options.valueShape = given.valueShape();
  options.form = given.kind() == "static"    ? Table::Form::kStatic
                 : given.kind() == "mutable" ? Table::Form::kMutable
                                             : Table::Form::kDense;
  if (options.form != Table::Form::kDense)
    return options;
  if (call.numInputs() != 3 || call.input(2).dtype() != DType::kF32 || call.input(2).rank() != 0)
    return internalError("a dense table takes two keys, and how full it may get");
  options.places = given.buckets();
  options.emptyKey = call.input(0);
  options.deletedKey = call.input(1);
  options.maxLoad = *call.input(2).data<float>();
  return options;
}

Status makeTableRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Table::Options options,
                          optionsOf(call, attributes::state::MakeTable(call)));
  SLUICE_ASSIGN_OR_RETURN(Ref<Table> table, Table::make(std::move(options)));
  call.output(0) = Tensor::handle(Ref<Object>::share(table.get()));
  return okStatus();
}

Status tableHandleRun(KernelCall &call) {
  attributes::state::TableHandle given(call);
  SLUICE_ASSIGN_OR_RETURN(Table::Options options, optionsOf(call, given));
  return giveDeclared<Table>(call, given.object(), std::move(options));
}

Status importRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Table * table, objectOf<Table>(call.input(0)));
  return table->fill(call.input(1), call.input(2),
                     attributes::state::TableImport(call).initializes());
}

Status insertRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Table * table, objectOf<Table>(call.input(0)));
  return table->insert(call.input(1), call.input(2));
}

Status removeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Table * table, objectOf<Table>(call.input(0)));
  return table->remove(call.input(1));
}

Status findRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Table * table, objectOf<Table>(call.input(0)));
  SLUICE_ASSIGN_OR_RETURN(call.output(0), table->find(call.input(1), call.input(2)));
  return okStatus();
}

Status sizeRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Table * table, objectOf<Table>(call.input(0)));
  call.output(0) = Tensor::scalar(table->size());
  return okStatus();
}

Status exportRun(KernelCall &call) {
  SLUICE_ASSIGN_OR_RETURN(Table * table, objectOf<Table>(call.input(0)));
  if (table->keyType() != call.outputType(0) || table->valueType() != call.outputType(1))
    return invalidArgument(format("expected a table %s->%s but it is %s->%s",
                                  std::string(dtypeName(call.outputType(0))).c_str(),
                                  std::string(dtypeName(call.outputType(1))).c_str(),
                                  std::string(dtypeName(table->keyType())).c_str(),
                                  std::string(dtypeName(table->valueType())).c_str()));
  return table->exportAll(call.output(0), call.output(1));
}

} // namespace

SLUICE_DEFINE_EFFECT_KERNEL(state_table_handle, scalarShapeRule, tableHandleRun)
SLUICE_DEFINE_EFFECT_KERNEL(state_make_table, scalarShapeRule, makeTableRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_table_import, importRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_table_insert, insertRun)
SLUICE_DEFINE_UPDATE_KERNEL(state_table_remove, removeRun)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_table_find, nullptr, findRun, nullptr)
SLUICE_DEFINE_EFFECT_KERNEL(state_table_size, scalarShapeRule, sizeRun)
SLUICE_DEFINE_LONG_EFFECT_KERNEL(state_table_export, nullptr, exportRun, nullptr)

} // namespace sluice::rt
