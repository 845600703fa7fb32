# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
mkdir -p build/release test
ln -s "$TOOLS" build/release/bin
ln -s "$ROOT/test/conformance" test/conformance
mkdir examples && ln -s "$ROOT/examples/collatz" examples/collatz
