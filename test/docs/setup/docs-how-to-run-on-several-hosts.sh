# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The two hosts are two loopback addresses and two folders: `scp` copies into a host's folder, and `ssh`
# runs there.
cp "$ROOT/examples/two-processes/pagerank.pb" .
mkdir node0 node1
scp() { local to="${!#}"; cp "${@:1:$#-1}" "${to%:}/"; }
ssh() { local host="$1"; shift; (cd "$host" && "$@"); }
sluicec() {
  sed -i -e 's/"host": "node0"/"host": "127.0.0.1"/' -e 's/"host": "node1"/"host": "127.0.0.2"/' cluster.json
  command sluicec "$@"
}
