// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Constraints of the nd ops on records, one case each; the comment above a case names op and constraint.
// RUN: sluice-opt %s --allow-unregistered-dialect --split-input-file --verify-diagnostics

// nd.decode_raw C1
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.decode_raw %v {little_endian = true} : (tensor<2xi32>) -> tensor<2x?xi16>

// -----
// nd.decode_raw C2
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{result #0 must be tensor of numbers or i1}}
%r = nd.decode_raw %v {little_endian = true} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>

// -----
// nd.decode_padded_raw C1
%v:2 = "test.value"() : () -> (tensor<2xi32>, tensor<i32>)
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.decode_padded_raw %v#0, %v#1 {little_endian = true} : (tensor<2xi32>, tensor<i32>) -> tensor<2x?xi16>

// -----
// nd.decode_padded_raw C2
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i64>)
// expected-error@below {{operand #1 must be tensor of i32}}
%r = nd.decode_padded_raw %v#0, %v#1 {little_endian = true} : (tensor<2x!nd.string>, tensor<i64>) -> tensor<2x?xi16>

// -----
// nd.decode_padded_raw C3
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<i32>)
// expected-error@below {{result #0 must be tensor of numbers}}
%r = nd.decode_padded_raw %v#0, %v#1 {little_endian = true} : (tensor<2x!nd.string>, tensor<i32>) -> tensor<2x?xi1>

// -----
// nd.decompress C1
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.decompress %v {format = "gzip"} : (tensor<2xi32>) -> tensor<2x!nd.string>

// -----
// nd.decompress C2
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{expected format "zlib" or "gzip" but got "lz4"}}
%r = nd.decompress %v {format = "lz4"} : (tensor<2x!nd.string>) -> tensor<2x!nd.string>

// -----
// nd.decode_csv C1
%v:2 = "test.value"() : () -> (tensor<2xi32>, tensor<1xi32>)
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.decode_csv %v#0, %v#1 {delimiter = ",", quotes = true, missing = "", columns = array<i64>} : (tensor<2xi32>, tensor<1xi32>) -> (tensor<2xi32>)

// -----
// nd.decode_csv C2
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1xi32>)
// expected-error@below {{expected a default for each of the 2 fields but got 1}}
%r:2 = nd.decode_csv %v#0, %v#1 {delimiter = ",", quotes = true, missing = "", columns = array<i64>} : (tensor<2x!nd.string>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>)

// -----
// nd.decode_csv C2
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1xi32>)
// expected-error@below {{expected a default of 'i64' but got 'i32'}}
%r = nd.decode_csv %v#0, %v#1 {delimiter = ",", quotes = true, missing = "", columns = array<i64>} : (tensor<2x!nd.string>, tensor<1xi32>) -> (tensor<2xi64>)

// -----
// nd.decode_csv C3
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1xi8>)
// expected-error@below {{expected fields of f32, f64, i32, i64 or strings but got 'i8'}}
%r = nd.decode_csv %v#0, %v#1 {delimiter = ",", quotes = true, missing = "", columns = array<i64>} : (tensor<2x!nd.string>, tensor<1xi8>) -> (tensor<2xi8>)

// -----
// nd.decode_csv C4
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1xi32>)
// expected-error@below {{expected one byte as delimiter but got ",,"}}
%r = nd.decode_csv %v#0, %v#1 {delimiter = ",,", quotes = true, missing = "", columns = array<i64>} : (tensor<2x!nd.string>, tensor<1xi32>) -> (tensor<2xi32>)

// -----
// nd.decode_csv C5
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1xi32>)
// expected-error@below {{expected no columns or 1 but got 2}}
%r = nd.decode_csv %v#0, %v#1 {delimiter = ",", quotes = true, missing = "", columns = array<i64: 1, 2>} : (tensor<2x!nd.string>, tensor<1xi32>) -> (tensor<2xi32>)

// -----
// nd.decode_csv C5
%v:3 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1xi32>, tensor<1xi32>)
// expected-error@below {{expected increasing columns of at least 0 but got 1}}
%r:2 = nd.decode_csv %v#0, %v#1, %v#2 {delimiter = ",", quotes = true, missing = "", columns = array<i64: 1, 1>} : (tensor<2x!nd.string>, tensor<1xi32>, tensor<1xi32>) -> (tensor<2xi32>, tensor<2xi32>)

// -----
// nd.decode_csv C5
%v:2 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1xi32>)
// expected-error@below {{expected increasing columns of at least 0 but got -1}}
%r = nd.decode_csv %v#0, %v#1 {delimiter = ",", quotes = true, missing = "", columns = array<i64: -1>} : (tensor<2x!nd.string>, tensor<1xi32>) -> (tensor<2xi32>)

// -----
// nd.parse_example C1
%v:5 = "test.value"() : () -> (tensor<2xi32>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{operand #0 must be tensor of strings}}
nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = 0 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2xi32>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> ()

// -----
// nd.parse_example C2
%v:5 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected results for -1 sparse and 0 dense features but got 3}}
%r:3 = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = -1 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<?x2xi64>, tensor<?xi64>, tensor<2xi64>)

// -----
// nd.parse_example C2
%v:5 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected results for 1 sparse and 0 dense features but got 2}}
%r:2 = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = 1 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<?x2xi64>, tensor<?xi64>)

// -----
// nd.parse_example C2
%v:5 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected results for 0 sparse and 0 dense features but got 1}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = 0 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<?xi64>)

// -----
// nd.parse_example C3
%v:5 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected result 0 to hold i64 but got 'i32'}}
%r:3 = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = 1 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<?x2xi32>, tensor<?xi64>, tensor<2xi64>)

// -----
// nd.parse_example C3
%v:5 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected result 1 to hold f32, i64 or strings but got 'i32'}}
%r:3 = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = 1 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<?x2xi64>, tensor<?xi32>, tensor<2xi64>)

// -----
// nd.parse_example C3
%v:5 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected result 2 to hold i64 but got 'f32'}}
%r:3 = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = 1 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<?x2xi64>, tensor<?xi64>, tensor<2xf32>)

// -----
// nd.parse_example C3
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf64>)
// expected-error@below {{expected result 0 to hold f32, i64 or strings but got 'f64'}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64: 1, 3>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf64>) -> (tensor<2x3xf64>)

// -----
// nd.parse_example C3
%v:5 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected result 1 to hold i32 or i64 but got 'f32'}}
%r:2 = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = 0 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> (tensor<?xi64>, tensor<?xf32>)

// -----
// nd.parse_example C4
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// expected-error@below {{expected a default of 'i64' but got 'f32'}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64: 1, 3>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>) -> (tensor<2x3xi64>)

// -----
// nd.parse_example C5
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// expected-error@below {{expected 1 shapes, each its rank and its dims, as dense_shapes}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>) -> (tensor<2x3xf32>)

// -----
// nd.parse_example C5
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// expected-error@below {{expected 1 shapes, each its rank and its dims, as dense_shapes}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64: 1>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>) -> (tensor<2x3xf32>)

// -----
// nd.parse_example C5
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// expected-error@below {{expected 1 shapes, each its rank and its dims, as dense_shapes}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64: 1, 3, 0>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>) -> (tensor<2x3xf32>)

// -----
// nd.parse_example C5
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// expected-error@below {{expected 1 shapes, each its rank and its dims, as dense_shapes}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64: 2, 3, -1>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>) -> (tensor<2x3xf32>)

// -----
// nd.parse_example C5
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// expected-error@below {{expected 1 shapes, each its rank and its dims, as dense_shapes}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64: 1, -2>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>) -> (tensor<2x3xf32>)

// -----
// nd.parse_example C5
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// expected-error@below {{expected 1 shapes, each its rank and its dims, as dense_shapes}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64: -1, 3>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>) -> (tensor<2x3xf32>)

// -----
// nd.parse_example C5
%v:6 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>)
// expected-error@below {{expected 1 shapes, each its rank and its dims, as dense_shapes}}
%r = nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4, %v#5 {sparse = 0 : i64, dense_shapes = array<i64: 2, 3>, rank = -1 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<0xf32>) -> (tensor<2x3xf32>)

// -----
// nd.parse_example C6
%v:5 = "test.value"() : () -> (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>)
// expected-error@below {{expected rank -1, 0 or 1 but got 2}}
nd.parse_example %v#0, %v#1, %v#2, %v#3, %v#4 {sparse = 0 : i64, dense_shapes = array<i64>, rank = 2 : i64} : (tensor<2x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>, tensor<1x!nd.string>) -> ()

// -----
// nd.parse_tensor C1
%v = "test.value"() : () -> tensor<i32>
// expected-error@below {{operand #0 must be tensor of strings}}
%r = nd.parse_tensor %v : (tensor<i32>) -> tensor<*xf32>

// -----
// nd.parse_tensor C2
%v = "test.value"() : () -> tensor<!nd.string>
// expected-error@below {{result #0 must be tensor of numbers, i1 or strings}}
%r = nd.parse_tensor %v : (tensor<!nd.string>) -> tensor<*xindex>

// -----
// nd.serialize_tensor C1
%v = "test.value"() : () -> tensor<2xindex>
// expected-error@below {{operand #0 must be tensor of numbers, i1 or strings}}
%r = nd.serialize_tensor %v : (tensor<2xindex>) -> tensor<!nd.string>

// -----
// nd.serialize_tensor C2
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{result #0 must be tensor of strings}}
%r = nd.serialize_tensor %v : (tensor<2xi32>) -> tensor<i32>

// -----
// nd.parse_rows C1
%v = "test.value"() : () -> tensor<2xi32>
// expected-error@below {{operand #0 must be tensor of strings}}
%r, %n = nd.parse_rows %v : (tensor<2xi32>) -> (tensor<*xf32>, tensor<2xi64>)

// -----
// nd.parse_rows C2
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{result #0 must be tensor of numbers, i1 or strings}}
%r, %n = nd.parse_rows %v : (tensor<2x!nd.string>) -> (tensor<*xindex>, tensor<2xi64>)

// -----
// nd.parse_rows C3
%v = "test.value"() : () -> tensor<2x!nd.string>
// expected-error@below {{result #1 must be tensor of i64}}
%r, %n = nd.parse_rows %v : (tensor<2x!nd.string>) -> (tensor<*xf32>, tensor<2xi32>)

// -----
// nd.serialize_rows C1
%v:2 = "test.value"() : () -> (tensor<2xindex>, tensor<1xi64>)
// expected-error@below {{operand #0 must be tensor of numbers, i1 or strings}}
%r = nd.serialize_rows %v#0, %v#1, %v#1 {single = false} : (tensor<2xindex>, tensor<1xi64>, tensor<1xi64>) -> tensor<1x!nd.string>

// -----
// nd.serialize_rows C2
%v:2 = "test.value"() : () -> (tensor<2xf32>, tensor<1xi32>)
// expected-error@below {{operand #1 must be tensor of i64}}
%r = nd.serialize_rows %v#0, %v#1, %v#1 {single = false} : (tensor<2xf32>, tensor<1xi32>, tensor<1xi32>) -> tensor<1x!nd.string>

// -----
// nd.serialize_rows C3
%v:2 = "test.value"() : () -> (tensor<2xf32>, tensor<1xi64>)
// expected-error@below {{result #0 must be tensor of strings}}
%r = nd.serialize_rows %v#0, %v#1, %v#1 {single = false} : (tensor<2xf32>, tensor<1xi64>, tensor<1xi64>) -> tensor<1xi32>
