# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Models and calls."""

import ctypes
import os

import numpy

from . import abi
from .interrupts import called_back
from .interrupts import run as interruptible
from .library import Error, check


def find(ports, name):
    """The position of a port; x and x:0 name the same."""
    names = (name, f"{name}:0", name.removesuffix(":0"))
    for i, port in enumerate(ports):
        if port.name in names:
            return i
    there = ", ".join(port.short_name for port in ports) or "none"
    raise KeyError(f"there is no '{name}'; there is {there}")


# Numbers become others of the same kind, or of a later one.
_KINDS = {"b": 0, "i": 1, "u": 1, "f": 2, "V": 2, "c": 3}


def suits(array, dtype):
    """Whether the conversion loses no more than digits: 3.7 is no integer, though 1 may be true."""
    given, wanted = _KINDS.get(array.dtype.kind), _KINDS.get(dtype.kind)
    return array.size == 0 or array.dtype == dtype or (
        given is not None and wanted is not None and (given <= wanted or given + wanted == 1))


def converted(array, value, port, what):
    """The elements of `value`, which is no array of the port's type or just one, in that type."""
    if port.kind != abi.STRING and not suits(array, port.dtype):
        raise TypeError(f"{what} '{port.name}': expected {port.dtype} but got {array.dtype}")
    return numpy.asarray(value, port.dtype, order="C")


class Model:
    def __init__(self, library, context, print, device):
        self.library = library
        self._api = library.api
        self._context = context
        self._print = abi.PRINT(
            (lambda user, text, size: called_back(print, text[:size].decode(errors="replace")))
            if print else 0)
        options = abi.ModelOptions(ctypes.sizeof(abi.ModelOptions), self._print, None,
                                   device.encode() if device else None)
        self.handle = ctypes.c_void_p()
        check(self._api.model_create, library.pointer, context.handle if context else None,
              ctypes.byref(options), ctypes.byref(self.handle))

    def call(self, signature=None):
        """A call that is prepared to be made again and again, on one thread at a time. The
        signature is a name, or the only one, "main" or "serving_default"."""
        return Call(self, signature)

    def __call__(self, signature=None, **feeds):
        """Fetches by their names."""
        return self.call(signature)(**feeds)

    def save(self, path):
        """Writes all variables to a safetensors file or, if the name ends with .ckpt or .index, to
        a checkpoint of TensorFlow."""
        check(self._api.model_save, self.handle, os.fsencode(path))

    def load(self, path):
        """Sets the variables that a file names."""
        check(self._api.model_load, self.handle, os.fsencode(path))

    def __getitem__(self, variable):
        """A copy of a variable's value."""
        index = find(self.library.variables, variable)
        value, dims = abi.Tensor(), (ctypes.c_int64 * 254)()
        room = ctypes.create_string_buffer(0)
        while True:
            check(self._api.model_read, self.handle, index, room, len(room), ctypes.byref(value),
                  dims)
            if value.data or not value.bytes:
                break
            room = ctypes.create_string_buffer(value.bytes)
        if value.dtype == abi.STRING:
            count = int(numpy.prod(value.dims[:value.rank], dtype=numpy.int64))
            value.bytes = count * ctypes.sizeof(abi.String)
        return abi.view(value).copy()

    def __setitem__(self, variable, value):
        index = find(self.library.variables, variable)
        port = self.library.variables[index]
        array = converted(numpy.asarray(value), value, port, "variable")
        given = abi.Given(array, port.kind)
        check(self._api.model_write, self.handle, index, ctypes.byref(given.tensor))

    def __del__(self):
        if getattr(self, "handle", None):
            self._api.model_free(self.handle)
            self.handle = None


class Call:
    """Feeds, and a place for fetches."""

    def __init__(self, model, name):
        signatures = model.library.signatures
        names = [signature.name for signature in signatures]
        if name is None and len(names) > 1:
            name = next((known for known in ("main", "serving_default") if known in names), None)
            if name is None:
                raise KeyError(f"expected the name of a signature: {', '.join(names)}")
        if name is not None and name not in names:
            raise KeyError(f"there is no signature '{name}'; there is {', '.join(names)}")
        position = 0 if name is None else names.index(name)
        self.signature = signatures[position]
        self._model = model
        self._api = model.library.api
        self.handle = ctypes.c_void_p()
        check(self._api.call_create, model.handle, position, ctypes.byref(self.handle))
        # What each run needs, made once: the time of a call is that of Python.
        self._run, self._fetch = self._api.call_run, self._api.call_fetch
        self._error = abi.Error()
        self._error_pointer = ctypes.byref(self._error)
        self._no_limit = ctypes.c_double(0)
        self._inputs = [self._memory(i) for i in range(len(self.signature.feeds))]
        self._given = [None] * len(self._inputs)
        self._outputs = [Output(i, port) for i, port in enumerate(self.signature.fetches)]

    def _memory(self, i):
        """An array in the call's memory for a feed of known size, else None."""
        port = self.signature.feeds[i]
        if port.shape is None or None in port.shape or port.kind == abi.STRING:
            return None
        data = ctypes.c_void_p()
        check(self._api.call_feed_memory, self.handle, i, None, ctypes.byref(data))
        size = int(numpy.prod(port.shape, dtype=numpy.int64)) * port.dtype.itemsize
        if size == 0:
            return numpy.empty(port.shape, port.dtype)
        memory = (ctypes.c_char * size).from_address(data.value) # only this object has it
        return numpy.frombuffer(memory, port.dtype).reshape(port.shape)

    def _give(self, i, value):
        port = self.signature.feeds[i]
        array = numpy.asarray(value, order="C")
        if array.dtype != port.dtype and (not isinstance(value, numpy.ndarray) or
                                          port.kind == abi.STRING):
            array = converted(array, value, port, "feed")
        if array.dtype != port.dtype:
            raise TypeError(f"feed '{port.name}': expected {port.dtype} but got {array.dtype}")
        self._given[i] = given = abi.Given(array, port.kind)
        check(self._api.call_feed, self.handle, i, ctypes.byref(given.tensor))

    def run(self, *feeds, seconds=None):
        """Fetches in the signature's order, of feeds in its order. It fails after so many seconds,
        if any are given."""
        inputs = self._inputs
        if len(feeds) != len(inputs):
            raise TypeError(f"expected {len(inputs)} feeds but got {len(feeds)}")
        for i, value in enumerate(feeds):
            memory = inputs[i]
            if memory is None:
                self._give(i, value)
            elif type(value) is numpy.ndarray:
                if value.shape != memory.shape or value.dtype != memory.dtype:
                    self._refuse(i, value)
                memory[...] = value
            else:
                value = numpy.asarray(value)
                if value.shape != memory.shape or not suits(value, memory.dtype):
                    self._refuse(i, value)
                memory[...] = value
        time = self._no_limit if seconds is None else seconds
        if interruptible(self, time):
            raise Error(self._error)
        return [output.take(self) for output in self._outputs]

    def _refuse(self, i, value):
        port = self.signature.feeds[i]
        raise TypeError(f"feed '{port.name}': expected {port.dtype}{list(port.shape)} but got "
                        f"{value.dtype}{list(value.shape)}")

    def __call__(self, seconds=None, **feeds):
        """Fetches by name, of feeds by name."""
        values = [None] * len(self._inputs)
        given = [False] * len(values)
        for name, value in feeds.items():
            i = find(self.signature.feeds, name)
            values[i], given[i] = value, True
        if not all(given):
            missing = self.signature.feeds[given.index(False)]
            raise TypeError(f"feed '{missing.short_name}' was not given")
        fetches = self.run(*values, seconds=seconds)
        return {port.short_name: value for port, value in zip(self.signature.fetches, fetches)}

    def cancel(self):
        """Ends a run that is under way; from another thread."""
        self._api.call_cancel(self.handle)

    def __del__(self):
        if getattr(self, "handle", None):
            self._api.call_free(self.handle)
            self.handle = None


class Output:
    """Where a fetch is: mostly where it was the last time."""

    def __init__(self, index, port):
        self._index = index
        self._is_fixed = (port.shape is not None and None not in port.shape and
                         port.kind != abi.STRING)
        self._tensor = abi.Tensor()
        self._pointer = ctypes.byref(self._tensor)
        self._at, self._array = None, None

    def take(self, call):
        if call._fetch(call.handle, self._index, self._pointer, call._error_pointer):
            raise Error(call._error)
        tensor = self._tensor
        if not self._is_fixed:
            array = abi.view(tensor)
            return array if tensor.dtype == abi.STRING else array.copy()
        if tensor.data != self._at:
            self._at, self._array = tensor.data, abi.view(tensor)
        return self._array.copy()
