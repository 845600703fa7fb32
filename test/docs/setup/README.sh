# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$ROOT/test/docs/setup/model.sh"
mkdir -p build/release
ln -s "$TOOLS" build/release/bin
cp "$ROOT/examples/two-processes/cluster.json" .
build/release/bin/sluicec model.pb --feed x --fetch y -o once
./once --input x=2x2xf32=1,2,3,4 --output y=@x.npy
