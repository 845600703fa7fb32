# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""sluice.h for ctypes: structs, the table of functions, types of elements."""

import ctypes
from ctypes import POINTER, c_char, c_char_p, c_double, c_int32, c_int64, c_size_t, c_uint32
from ctypes import c_uint64, c_void_p

import numpy

VERSION = 1


class Error(ctypes.Structure):
    _fields_ = [("code", c_int32), ("node", c_char * 508), ("message", c_char * 1536)]


class String(ctypes.Structure):
    _fields_ = [("data", c_void_p), ("size", c_size_t)]


class Tensor(ctypes.Structure):
    _fields_ = [("dtype", c_int32), ("rank", c_int32), ("dims", POINTER(c_int64)),
                ("data", c_void_p), ("bytes", c_size_t)]


class Port(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("dtype", c_int32), ("rank", c_int32),
                ("dims", POINTER(c_int64))]


class Signature(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("num_feeds", c_size_t), ("num_fetches", c_size_t),
                ("num_targets", c_size_t), ("feeds", POINTER(POINTER(Port))),
                ("fetches", POINTER(POINTER(Port))), ("targets", POINTER(c_char_p))]


class Program(ctypes.Structure):
    _fields_ = [("name", c_char_p), ("version", c_char_p), ("num_signatures", c_size_t),
                ("num_variables", c_size_t), ("signatures", POINTER(POINTER(Signature))),
                ("variables", POINTER(POINTER(Port))), ("json", c_char_p)]


class ContextOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("threads", c_int32), ("memory_limit", c_uint64)]


PRINT = ctypes.CFUNCTYPE(None, c_void_p, POINTER(c_char), c_size_t)


class ModelOptions(ctypes.Structure):
    _fields_ = [("size", c_size_t), ("print", PRINT), ("user", c_void_p), ("device", c_char_p)]


def _code(*arguments):
    """A function that returns a code and takes the address of an error last."""
    return ctypes.CFUNCTYPE(c_int32, *arguments, POINTER(Error))


_OUT = POINTER(c_void_p)


class Api(ctypes.Structure):
    _fields_ = [
        ("version", c_uint32), ("size", c_uint32),
        ("context_create", _code(POINTER(ContextOptions), _OUT)),
        ("context_set_limit", _code(c_void_p, c_char_p, c_uint64)),
        ("context_memory",
         ctypes.CFUNCTYPE(None, c_void_p, POINTER(c_uint64), POINTER(c_uint64))),
        ("context_free", ctypes.CFUNCTYPE(None, c_void_p)),
        ("model_create", _code(c_void_p, c_void_p, POINTER(ModelOptions), _OUT)),
        ("model_free", ctypes.CFUNCTYPE(None, c_void_p)),
        ("model_save", _code(c_void_p, c_char_p)),
        ("model_load", _code(c_void_p, c_char_p)),
        ("model_read", _code(c_void_p, c_size_t, c_void_p, c_size_t, POINTER(Tensor),
                             POINTER(c_int64))),
        ("model_write", _code(c_void_p, c_size_t, POINTER(Tensor))),
        ("call_create", _code(c_void_p, c_size_t, _OUT)),
        ("call_free", ctypes.CFUNCTYPE(None, c_void_p)),
        ("call_feed", _code(c_void_p, c_size_t, POINTER(Tensor))),
        ("call_feed_memory", _code(c_void_p, c_size_t, POINTER(c_int64), _OUT)),
        ("call_run", _code(c_void_p, c_double)),
        ("call_cancel", ctypes.CFUNCTYPE(None, c_void_p)),
        ("call_fetch", _code(c_void_p, c_size_t, POINTER(Tensor))),
    ]


class Library(ctypes.Structure):
    _fields_ = [("api", POINTER(Api)), ("program", POINTER(Program))]


try:  # NumPy has no bfloat16 of its own
    from ml_dtypes import bfloat16 as _bfloat16
except ImportError:
    _bfloat16 = numpy.uint16  # the bits

STRING = 16
# By sluice_dtype. Strings are objects, of type bytes.
DTYPES = [None, *(numpy.dtype(kind) for kind in (
    numpy.float16, _bfloat16, numpy.float32, numpy.float64, numpy.int8, numpy.int16, numpy.int32,
    numpy.int64, numpy.uint8, numpy.uint16, numpy.uint32, numpy.uint64, numpy.bool_,
    numpy.complex64, numpy.complex128, object))]


def view(tensor):
    """A NumPy array of what a tensor holds; but for strings it is the tensor's own memory."""
    shape = tuple(tensor.dims[:tensor.rank])
    if tensor.dtype == STRING:
        count = tensor.bytes // ctypes.sizeof(String)
        array = numpy.empty(count, object)
        strings = ctypes.cast(tensor.data, POINTER(String))
        for i in range(count):
            array[i] = ctypes.string_at(strings[i].data, strings[i].size)
        return array.reshape(shape)
    dtype = DTYPES[tensor.dtype]
    if tensor.bytes == 0:
        return numpy.empty(shape, dtype)
    memory = (c_char * tensor.bytes).from_address(tensor.data)
    return numpy.frombuffer(memory, dtype).reshape(shape)


def encoded(text):
    """The bytes of an element of a string tensor."""
    if isinstance(text, str):
        return text.encode()
    if not isinstance(text, (bytes, bytearray, memoryview)):
        raise TypeError(f"expected a string or bytes but got {text!r}")
    return bytes(text)


class Given:
    """A tensor of an array's elements, and what must live as long."""

    def __init__(self, array, dtype):
        self.keeps = array
        self.dims = (c_int64 * max(array.ndim, 1))(*array.shape)
        data, size = array.ctypes.data, array.nbytes
        if dtype == STRING:
            texts = [encoded(text) for text in array.ravel()]
            strings = (String * max(len(texts), 1))()
            for i, text in enumerate(texts):
                strings[i] = String(ctypes.cast(c_char_p(text), c_void_p), len(text))
            self.keeps = (texts, strings)
            data, size = ctypes.addressof(strings), len(texts) * ctypes.sizeof(String)
        self.tensor = Tensor(dtype, array.ndim, self.dims, data, size)
