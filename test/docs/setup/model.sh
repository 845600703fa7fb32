# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# The files that pages take for granted.
cp "$ROOT/test/docs/setup/model.pbtxt" model.pb
echo '{"inputs": {"x:0": {"dtype": "float32", "shape": [], "b64": "AABAQA=="}}}' > requests.jsonl
