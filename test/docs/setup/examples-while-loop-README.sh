# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
. "$ROOT/test/docs/setup/model.sh"
mkdir -p build/release/examples
sluicec "$ROOT/examples/while-loop/pagerank.pb" --feed links --fetch ranks --fetch iterations \
  -o build/release/examples/pagerank
sluicec model.pb --feed x --fetch y -o once
./once --input x=2x2xf32=0,1,1,1 --output y=@links.npy
