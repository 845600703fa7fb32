// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every state op on files as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%f = "test.value"() : () -> tensor<!nd.string>
// CHECK: state.read_file %{{.*}} : (tensor<!nd.string>) -> (tensor<!nd.string>, !flow.token)
%x, %t = state.read_file %f : (tensor<!nd.string>) -> (tensor<!nd.string>, !flow.token)

// CHECK: state.write_file %{{.*}}, %{{.*}}, %{{.*}} : (tensor<!nd.string>, tensor<!nd.string>, !flow.token) -> !flow.token
%u = state.write_file %f, %x, %t : (tensor<!nd.string>, tensor<!nd.string>, !flow.token) -> !flow.token

// CHECK: state.matching_files %{{.*}} : (tensor<!nd.string>) -> (tensor<?x!nd.string>, !flow.token)
%m, %v = state.matching_files %f : (tensor<!nd.string>) -> (tensor<?x!nd.string>, !flow.token)
