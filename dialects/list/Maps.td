// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ops on maps, which have the type of lists of which nothing is known.
#ifndef SLUICE_LIST_MAPS
#define SLUICE_LIST_MAPS

include "dialects/list/ListBase.td"

// Base of the ops on maps. A map goes where a list goes; what reads elements by their indices fails
// with one, and these fail with a list.
class List_MapOp<string mnemonic, Sluice_Gradient gradient> : List_Op<mnemonic, gradient> {
  let failures = "INVALID_ARGUMENT when `map` is a list.";
  let hasVerifier = 1;
}

def List_MapMakeOp : List_MapOp<"map_make", NoGradient<"its result holds no numbers yet">> {
  let summary = "a map without entries";
  let semantics = [{A map that holds nothing yet, with room for `room` entries. A map has a value for each of its keys: tensors of any types and shapes. Keys are equal when their types, shapes and elements are; zeros of either sign are.}];
  let failures = "INVALID_ARGUMENT when `room` is negative.";
  let constraints = [{C1. `room` holds integers. C2. `result` is `!list.of<!list.any>`.}];
  let example = [{%m = list.map_make %n : (tensor<i32>) -> !list.of<!list.any>}];
  let arguments = (ins ND_Index:$room);
  let results = (outs List_Any:$result);
}

def List_MapInsertOp : List_MapOp<"map_insert", HasGradient> {
  let summary = "give a key a value";
  let semantics = [{The map in which `key` has `value`, instead of what it had.}];
  let failures = "INVALID_ARGUMENT when `map` is a list, or the key a handle.";
  let constraints = [{C1. `key` and `value` are tensors. C2. `map` is `!list.of<!list.any>`. C3. `result` has the type of `map`.}];
  let example = [{%n = list.map_insert %m, %k, %v : (!list.of<!list.any>, tensor<i32>, tensor<4xf32>) -> !list.of<!list.any>}];
  let arguments = (ins List_Any:$map, ND_Any:$key, ND_Any:$value);
  let results = (outs List_Any:$result);
}

def List_MapLookupOp : List_MapOp<"map_lookup", HasGradient> {
  let summary = "the value of a key";
  let semantics = [{What `key` has in the map.}];
  let failures = "INVALID_ARGUMENT when `map` is a list, has no such key, or the value is of another type than `value`.";
  let constraints = [{C1. `key` and `value` are tensors. C2. `map` is `!list.of<!list.any>`.}];
  let example = [{%v = list.map_lookup %m, %k : (!list.of<!list.any>, tensor<i32>) -> tensor<*xf32>}];
  let arguments = (ins List_Any:$map, ND_Any:$key);
  let results = (outs ND_Any:$value);
}

def List_MapLookupOrOp : List_MapOp<"map_lookup_or", HasGradient> {
  let summary = "the value of a key, or another one";
  let semantics = [{What `key` has in the map, or `other` where there is no such key.}];
  let failures = "INVALID_ARGUMENT when `map` is a list, or the value is of another type than `other`.";
  let constraints = [{C1. `key`, `other` and `value` are tensors. C2. `map` is `!list.of<!list.any>`. C3. `value` holds what `other` holds.}];
  let example = [{%v = list.map_lookup_or %m, %k, %o : (!list.of<!list.any>, tensor<i32>, tensor<4xf32>) -> tensor<*xf32>}];
  let arguments = (ins List_Any:$map, ND_Any:$key, ND_Any:$other);
  let results = (outs ND_Any:$value);
}

def List_MapEraseOp : List_MapOp<"map_erase", HasGradient> {
  let summary = "take a key away";
  let semantics = [{The map without `key`. With `required` there has to be one.}];
  let failures = "INVALID_ARGUMENT when `map` is a list, or with `required` has no such key.";
  let constraints = [{C1. `key` is a tensor. C2. `map` is `!list.of<!list.any>`. C3. `result` has the type of `map`.}];
  let example = [{%n = list.map_erase %m, %k {required = true} : (!list.of<!list.any>, tensor<i32>) -> !list.of<!list.any>}];
  let arguments = (ins List_Any:$map, ND_Any:$key, BoolAttr:$required);
  let results = (outs List_Any:$result);
}

def List_MapHasKeyOp : List_MapOp<"map_has_key", ND_NoGradientOfBools> {
  let summary = "whether there is a key";
  let semantics = [{Whether the map has a value for `key`.}];
  let constraints = [{C1. `key` is a tensor. C2. `map` is `!list.of<!list.any>`. C3. `found` holds i1.}];
  let example = [{%b = list.map_has_key %m, %k : (!list.of<!list.any>, tensor<i32>) -> tensor<i1>}];
  let arguments = (ins List_Any:$map, ND_Any:$key);
  let results = (outs ND_Bool:$found);
}

def List_MapSizeOp : List_MapOp<"map_size", ND_NoGradientOfInts> {
  let summary = "number of keys";
  let semantics = [{How many keys the map has.}];
  let constraints = [{C1. `map` is `!list.of<!list.any>`. C2. `size` holds i32.}];
  let example = [{%n = list.map_size %m : (!list.of<!list.any>) -> tensor<i32>}];
  let arguments = (ins List_Any:$map);
  let results = (outs ND_I32:$size);
}

def List_MapKeysOp : List_MapOp<"map_keys", NoGradient<"keys are where values lie, not what is computed with">> {
  let summary = "all keys along a new first dim";
  let semantics = [{The keys along a new first dim, in the order in which they came; one that has got another value is where it was.}];
  let failures = "INVALID_ARGUMENT when `map` is a list or has no entry, and when keys differ in shape or are of another type than `keys`.";
  let constraints = [{C1. `keys` is a tensor. C2. `map` is `!list.of<!list.any>`.}];
  let example = [{%k = list.map_keys %m : (!list.of<!list.any>) -> tensor<*xi32>}];
  let arguments = (ins List_Any:$map);
  let results = (outs ND_Any:$keys);
}

#endif
