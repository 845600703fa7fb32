# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Libraries, what they have, and contexts that their models share."""

import ctypes
import dataclasses
import json
import operator
import os

from . import abi

CODES = ["OK", "CANCELLED", "UNKNOWN", "INVALID_ARGUMENT", "DEADLINE_EXCEEDED", "NOT_FOUND",
         "ALREADY_EXISTS", "PERMISSION_DENIED", "RESOURCE_EXHAUSTED", "FAILED_PRECONDITION",
         "ABORTED", "OUT_OF_RANGE", "UNIMPLEMENTED", "INTERNAL", "UNAVAILABLE", "DATA_LOSS"]


class Error(Exception):
    """`code` is a name such as "INVALID_ARGUMENT", `node` the graph's node or an empty text."""

    def __init__(self, error):
        self.code = CODES[error.code]
        self.node = error.node.decode(errors="replace")
        self.message = error.message.decode(errors="replace")
        where = f"node '{self.node}': " if self.node else ""
        super().__init__(f"{self.code}: {where}{self.message}")


def check(function, *arguments):
    """Calls a function of the table; an Error if it fails."""
    error = abi.Error()
    if function(*arguments, ctypes.byref(error)):
        raise Error(error)


@dataclasses.dataclass(frozen=True)
class Port:
    """A feed, a fetch or a variable. `shape` has None where a size is not known, or is None."""
    name: str
    dtype: object
    shape: object
    kind: int  # sluice_dtype

    @classmethod
    def of(cls, port):
        shape = None if port.rank < 0 else tuple(
            None if size < 0 else size for size in port.dims[:port.rank])
        return cls(port.name.decode(), abi.DTYPES[port.dtype], shape, port.dtype)

    @property
    def short_name(self):
        """Without ":0"."""
        return self.name[:-2] if self.name.endswith(":0") else self.name


@dataclasses.dataclass(frozen=True)
class Signature:
    name: str
    feeds: tuple
    fetches: tuple
    targets: tuple

    @classmethod
    def of(cls, signature):
        return cls(signature.name.decode(),
                   tuple(Port.of(signature.feeds[i][0]) for i in range(signature.num_feeds)),
                   tuple(Port.of(signature.fetches[i][0]) for i in range(signature.num_fetches)),
                   tuple(signature.targets[i].decode() for i in range(signature.num_targets)))


class Library:
    """A library that was loaded; see `load`. It stays loaded."""

    def __init__(self, path):
        self._dll = ctypes.CDLL(os.fspath(path))
        try:
            entry = self._dll.sluice_library_entry
        except AttributeError:
            raise ValueError(f"{path}: expected a library made with sluicec --emit=lib") from None
        entry.argtypes = [ctypes.c_uint32, ctypes.POINTER(ctypes.POINTER(abi.Library)),
                          ctypes.POINTER(abi.Error)]
        entry.restype = ctypes.c_int32
        self.pointer = ctypes.POINTER(abi.Library)()
        check(entry, abi.VERSION, ctypes.byref(self.pointer))
        self.api = self.pointer.contents.api.contents
        program = self.pointer.contents.program.contents
        self.name = program.name.decode()
        self.version = program.version.decode()
        self.signatures = tuple(Signature.of(program.signatures[i][0])
                                for i in range(program.num_signatures))
        self.variables = tuple(Port.of(program.variables[i][0])
                               for i in range(program.num_variables))
        self._json = program.json

    def describe(self):
        """The same as a dictionary, as an executable prints it with --describe."""
        return json.loads(self._json)

    def model(self, context=None, print=None, device=None):
        """A new instance. `print` is given lines of print ops and warnings. `device` is "cpu", or
        "cuda:1" for the card of that number; else what the library was compiled for."""
        from .model import Model
        return Model(self, context, print, device)

    def context(self, threads=-1, memory_limit=0, **limits):
        """What models share: threads beside those that call, 0 to 1024 or -1 for as many as
        processors; bytes of tensors in use, 0 for no limit; limits by their names, with _ for -.
        Models of other libraries may have it, too."""
        return Context(self, threads, memory_limit, limits)


def whole(name, value, kind):
    """The value, which ctypes would cut to the bits that `kind` has."""
    bits, is_signed = 8 * ctypes.sizeof(kind), kind(-1).value < 0
    least, most = (-2**(bits - 1), 2**(bits - 1) - 1) if is_signed else (0, 2**bits - 1)
    if not least <= operator.index(value) <= most:
        raise ValueError(f"{name}: expected {least} to {most} but got {value}")
    return value


class Context:
    def __init__(self, library, threads, memory_limit, limits):
        self._library = library
        self.handle = ctypes.c_void_p()
        options = abi.ContextOptions(ctypes.sizeof(abi.ContextOptions),
                                     whole("threads", threads, ctypes.c_int32),
                                     whole("memory_limit", memory_limit, ctypes.c_uint64))
        check(library.api.context_create, ctypes.byref(options), ctypes.byref(self.handle))
        for name, value in limits.items():
            check(library.api.context_set_limit, self.handle, name.replace("_", "-").encode(),
                  whole(name, value, ctypes.c_uint64))

    @property
    def memory(self):
        """Bytes of tensors in use, now and at most so far."""
        held, peak = ctypes.c_uint64(), ctypes.c_uint64()
        self._library.api.context_memory(self.handle, ctypes.byref(held), ctypes.byref(peak))
        return held.value, peak.value

    def __del__(self):
        if getattr(self, "handle", None):
            self._library.api.context_free(self.handle)
            self.handle = None


def load(path):
    """Loads libmodel.so. As for the linker, a name without a slash is looked for."""
    return Library(path)
