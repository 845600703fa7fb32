# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs scenarios with TensorFlow, in a process of its own: some graphs end the process."""

import base64
import multiprocessing
import os

os.environ.setdefault("TF_CPP_MIN_LOG_LEVEL", "3")
os.environ.setdefault("TF_ENABLE_ONEDNN_OPTS", "0")
os.environ.setdefault("CUDA_VISIBLE_DEVICES", "")

import numpy as np  # noqa: E402
import tensorflow as tf  # noqa: E402
from tensorflow.python.eager import context, execute  # noqa: E402

import operands  # noqa: E402

v1 = tf.compat.v1
ALIGNMENT = 64  # bytes
DEADLINE = 300  # seconds for one scenario, on a machine that does much else
NO_KERNEL = ("No OpKernel was registered", "is not in the list of allowed values",
             "Could not find device for node", "is not allowed", "not supported",
             "not implemented", "Unsupported", "Unhandled", "does not support", "No unary variant",
             "unsupported", "is not available in GraphDef", "Invalid seed type",
             "only supports NHWC", "only supports NDHWC", "only supportsNDHWC",
             "only supports the NHWC")


def as_array(operand):
    if operand.dtype == "string":
        return np.array(operand.data, dtype=object).reshape(operand.dims)
    dtype = tf.dtypes.as_dtype(operands.DTYPES[operand.dtype][1]).as_numpy_dtype
    return np.frombuffer(operand.data, dtype=dtype).reshape(operand.dims)


def tensor_json(array, dtype):
    """`dtype`: of TensorFlow's tensor, from which references differ by name only."""
    array = np.asarray(array)
    found = {"dtype": dtype.base_dtype.name, "shape": list(array.shape)}
    if dtype.base_dtype == tf.string:
        found["data"] = [base64.b64encode(text).decode() for text in array.reshape(-1)]
    else:
        found["b64"] = base64.b64encode(array.tobytes()).decode()
    return found


def without_optimizers():
    """TensorFlow's kernels as they are: nothing is folded or rewritten."""
    config = v1.ConfigProto(intra_op_parallelism_threads=1, inter_op_parallelism_threads=1)
    config.graph_options.rewrite_options.disable_meta_optimizer = True
    config.graph_options.optimizer_options.opt_level = v1.OptimizerOptions.L0
    return config


class Variables:
    """Reads the variables of a graph by nodes that are not part of what is recorded."""

    def __init__(self, graph, variables):
        self.reads = {}
        for name, (is_reference, dtype) in variables.items():
            tensor = graph.get_tensor_by_name(f"{name}:0")
            element = tf.dtypes.as_dtype(operands.DTYPES[dtype][1])
            if is_reference:
                self.reads[name] = (tf.raw_ops.IsVariableInitialized(ref=tensor), tensor)
            else:
                self.reads[name] = (tf.raw_ops.VarIsInitializedOp(resource=tensor),
                                    tf.raw_ops.ReadVariableOp(resource=tensor, dtype=element))

    def values(self, session):
        found = {}
        for name, (is_initialized, value) in self.reads.items():
            if session.run(is_initialized):
                found[name] = tensor_json(session.run(value), value.dtype)
        return found


def before_zeros(array):
    """The same, so aligned that TensorFlow does not copy it, and with zeros behind it: as ArgMax
    reads an axis of 16 bits, it has 32."""
    if array.dtype == object:
        return array
    room = np.zeros(array.nbytes + 2 * ALIGNMENT, np.uint8)
    start = -room.ctypes.data % ALIGNMENT
    placed = room[start:start + array.nbytes].view(array.dtype).reshape(array.shape)
    placed[...] = array
    return placed


def run_step(session, graph, step, values):
    feeds = {f"{name}:0": before_zeros(as_array(values[name])) for name in step.feeds}
    tensors = [graph.get_tensor_by_name(name) for name in step.fetches]
    targets = [graph.get_operation_by_name(name) for name in step.targets]
    try:
        got = session.run([tensors, targets], feeds)[0]
    except tf.errors.OpError as error:
        return {"error": [type(error).__name__, error.message]}
    return {"outputs": [tensor_json(value, tensor.dtype) for value, tensor in zip(got, tensors)]}


def run(definition, scenario):
    """One answer for each step: outputs or an error, and the variables before and after."""
    graph, answers = v1.Graph(), []
    try:
        with graph.as_default():
            v1.import_graph_def(v1.GraphDef.FromString(definition), name="")
            variables = Variables(graph, scenario.variables)
            with v1.Session(graph=graph, config=without_optimizers()) as session:
                state = variables.values(session)
                for step in scenario.steps:
                    answer = {"before": state, **run_step(session, graph, step, scenario.values)}
                    answer["after"] = state = variables.values(session)
                    answers.append(answer)
    except (tf.errors.OpError, ValueError, TypeError, KeyError) as error:
        return [{"error": ["InvalidArgumentError", str(error)], "import": True}]
    return answers


def attribute(kind, value):
    if kind == "type":
        return operands.DTYPES[value][0]
    if kind == "types":
        return [operands.DTYPES[each][0] for each in value]
    if kind == "shape" and value is not None:
        return [None if size < 0 else size for size in value]
    return value


def run_case(case):
    """One op at once, which is much quicker than a graph of it."""
    attrs = [part for name, value in case.attrs.items() for part in (name, attribute(*value))]
    try:
        inputs = [tf.convert_to_tensor(as_array(operand)) for operand in case.inputs]
        values = execute.execute(case.op.encode(), len(case.outputs), inputs, tuple(attrs),
                                 context.context())
        return {"outputs": [tensor_json(value.numpy(), value.dtype) for value in values]}
    except (tf.errors.OpError, ValueError, TypeError) as error:
        return {"error": [type(error).__name__, str(error)]}


def serve(pipe):
    pipe.send("ready")  # TensorFlow is loaded, which takes long
    while request := pipe.recv():
        pipe.send(run_case(*request) if len(request) == 1 else run(*request))


class TensorFlow:
    def __init__(self):
        self.process = None

    def start(self):
        context = multiprocessing.get_context("spawn")
        self.pipe, far_end = context.Pipe()
        self.process = context.Process(target=serve, args=(far_end,), daemon=True)
        self.process.start()
        far_end.close()
        self.pipe.recv()

    def run_case(self, case):
        """An answer in the form of those of `run`."""
        return self.ask((case,), {"error": ["Aborted", "the process has ended"]})

    def run(self, definition, scenario):
        return self.ask((definition, scenario), [{"error": ["Aborted", "the process has ended"]}])

    def ask(self, request, otherwise):
        if not self.process:
            self.start()
        self.pipe.send(request)
        try:
            if self.pipe.poll(DEADLINE):
                return self.pipe.recv()
        except EOFError:
            pass
        self.process.kill()
        self.process = None
        return otherwise

    def stop(self):
        if self.process:
            self.pipe.send(None)
            self.process.join()


def has_no_kernel(answers):
    """Why TensorFlow cannot run the ops at all, or None."""
    for answer in answers:
        if "error" in answer:
            kind, message = answer["error"]
            if kind == "Aborted":
                return "TensorFlow ends the process"
            if kind == "UnimplementedError" or any(t in message for t in NO_KERNEL):
                lines = message.splitlines() or [""]
                return next((line for line in lines if any(t in line for t in NO_KERNEL)),
                            lines[0])[:160]
    return None
