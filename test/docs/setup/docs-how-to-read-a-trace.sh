# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The graph of the example, on ports that its own test does not use, and a trace of each rank.
cp "$ROOT/examples/two-processes/pagerank.pb" .
sed -e 's/7101/7131/' -e 's/7102/7132/' "$ROOT/examples/two-processes/cluster.json" > cluster.json
sluicec pagerank.pb --cluster cluster.json --feed links --fetch ranks -o ranks
ranks/pagerank.rank1 --trace rank1.json &
ranks/pagerank.rank0 --input links=6x6xf32=1 --trace rank0.json
wait
