// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Every nd op on records as its record shows it: text, printed text and bytecode say the same.
// RUN: sluice-opt %s --allow-unregistered-dialect > %t.mlir
// RUN: FileCheck %s < %t.mlir
// RUN: sluice-opt %t.mlir --allow-unregistered-dialect | diff %t.mlir -
// RUN: sluice-opt %s --allow-unregistered-dialect --emit-bytecode | sluice-opt --allow-unregistered-dialect | diff %t.mlir -

%x = "test.value"() : () -> tensor<2x!nd.string>
// CHECK: nd.decode_raw %{{.*}} {little_endian = true} : (tensor<2x!nd.string>) -> tensor<2x?xi16>
%r0 = nd.decode_raw %x {little_endian = true} : (tensor<2x!nd.string>) -> tensor<2x?xi16>

%n = "test.value"() : () -> tensor<i32>
// CHECK: nd.decode_padded_raw %{{.*}}, %{{.*}} {little_endian = true} : (tensor<2x!nd.string>, tensor<i32>) -> tensor<2x?xi16>
%r1 = nd.decode_padded_raw %x, %n {little_endian = true} : (tensor<2x!nd.string>, tensor<i32>) -> tensor<2x?xi16>

// CHECK: nd.decompress %{{.*}} {format = "gzip"} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>
%r2 = nd.decompress %x {format = "gzip"} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>

%d:2 = "test.value"() : () -> (tensor<1xi32>, tensor<0xf32>)
// CHECK: nd.decode_csv %{{.*}}, %{{.*}}, %{{.*}} {columns = array<i64>, delimiter = ",", missing = "", quotes = true} : (tensor<2x!nd.string>, tensor<1xi32>, tensor<0xf32>) -> (tensor<2xi32>, tensor<2xf32>)
%a, %b = nd.decode_csv %x, %d#0, %d#1 {delimiter = ",", quotes = true, missing = "", columns = array<i64>} : (tensor<2x!nd.string>, tensor<1xi32>, tensor<0xf32>) -> (tensor<2xi32>, tensor<2xf32>)

%k:3 = "test.value"() : () -> (tensor<0x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// CHECK: nd.parse_example {{.*}} {dense_shapes = array<i64: 1, 3>, rank = -1 : i64, sparse = 1 : i64} : {{.*}} -> (tensor<?x2xi64>, tensor<?xi64>, tensor<2xi64>, tensor<2x3xf32>)
%i, %v, %s, %e = nd.parse_example %x, %k#0, %k#1, %k#1, %k#0, %k#2 {sparse = 1 : i64, dense_shapes = array<i64: 1, 3>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<0x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0x!nd.string>, tensor<0xf32>) -> (tensor<?x2xi64>, tensor<?xi64>, tensor<2xi64>, tensor<2x3xf32>)

%t = "test.value"() : () -> tensor<!nd.string>
// CHECK: nd.parse_tensor %{{.*}} : (tensor<!nd.string>) -> tensor<*xf32>
%r5 = nd.parse_tensor %t : (tensor<!nd.string>) -> tensor<*xf32>

// CHECK: nd.serialize_tensor %{{.*}} : (tensor<1xi32>) -> tensor<!nd.string>
%r6 = nd.serialize_tensor %d#0 : (tensor<1xi32>) -> tensor<!nd.string>

%texts = "test.value"() : () -> tensor<2x!nd.string>
// CHECK: nd.parse_rows %{{.*}} : (tensor<2x!nd.string>) -> (tensor<*xf32>, tensor<2xi64>)
%rows, %sizes = nd.parse_rows %texts : (tensor<2x!nd.string>) -> (tensor<*xf32>, tensor<2xi64>)

%pieces:3 = "test.value"() : () -> (tensor<4x2xf32>, tensor<3xi64>, tensor<3xi64>)
// CHECK: nd.serialize_rows %{{.*}}, %{{.*}}, %{{.*}} {single = false} : (tensor<4x2xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3x!nd.string>
%r7 = nd.serialize_rows %pieces#0, %pieces#1, %pieces#2 {single = false} : (tensor<4x2xf32>, tensor<3xi64>, tensor<3xi64>) -> tensor<3x!nd.string>
