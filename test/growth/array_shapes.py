# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Graphs of arrays that grow with one number. Arrays that may grow become lists, others values."""

from shapes import fetched, started
from graphdef import FLOAT, INT32, boolean, dtype, integer, shape, text


def array(g, size, grows, after=()):
    """The names of its handle and of the scalar that orders accesses."""
    name = g.node("TensorArrayV3", g.constant(size, INT32), *after, dtype=dtype(FLOAT),
                  element_shape=shape(), dynamic_size=boolean(grows),
                  clear_after_read=boolean(False))
    return name, f"{name}:1"


def write(g, handle, index, value, flow):
    return g.node("TensorArrayWriteV3", handle, g.constant(index, INT32), value, flow,
                  T=dtype(FLOAT))


def read(g, handle, index, flow):
    return g.node("TensorArrayReadV3", handle, g.constant(index, INT32), flow, dtype=dtype(FLOAT))


def closed_arrays(n):
    """Each is made once the one before has been closed."""
    g = started()
    after, values = (), []
    for i in range(n):
        handle, flow = array(g, 1, i % 2, after)
        values.append(g.node("TensorArraySizeV3", handle, flow))
        after = (f"^{g.node('TensorArrayCloseV3', handle, f'^{values[-1]}')}",)
    total = g.node("AddN", *values, N=integer(n), T=dtype(INT32))
    return fetched(g, g.node("Cast", total, *after, SrcT=dtype(INT32), DstT=dtype(FLOAT)))


def gradient_array(n):
    """Somebody asks for it for each of n elements that were written."""
    g = started()
    handle, flow = array(g, n, True)
    for i in range(n):
        flow = write(g, handle, i, "x", flow)
    values = []
    for i in range(n):
        grad = g.node("TensorArrayGradV3", handle, flow, source=text("gradients"))
        values.append(read(g, grad, i, write(g, grad, i, "x", f"{grad}:1")))
    return fetched(g, g.node("AddN", *values, N=integer(n), T=dtype(FLOAT)))


def waiting_accesses(n):
    """Each read of an array waits for one more thing."""
    g = started()
    handle, flow = array(g, 1, False)
    flow = write(g, handle, 0, "x", flow)
    values = []
    for i in range(n):
        flow = g.unary("Identity", flow, after=(f"^{g.binary('Mul', 'x', g.constant(i))}",))
        values.append(read(g, handle, 0, flow))
    return fetched(g, g.node("AddN", *values, N=integer(n), T=dtype(FLOAT)))
