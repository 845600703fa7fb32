#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The hardening check accepts a hardened file and finds every single thing that is missing."""

import struct
import unittest

import elf_file as elf
import hardening_check as check

NOTE = struct.pack("<III4sIIII", 4, 16, elf.NT_GNU_PROPERTY, b"GNU\0", elf.X86_FEATURE_1_AND, 4,
                   elf.IBT | elf.SHSTK, 0)


def write(kind=elf.ET_DYN, segments=(), dynamic=(), imports=(), sections=()):
    """The bytes of an ELF file. `segments` are (kind, flags); `sections` are (name, content)."""
    body = bytearray(64)

    def put(content):
        at = len(body)
        body.extend(content)
        return at, len(content)

    names = b"\0" + b"".join(name.encode() + b"\0" for name in imports)
    symbols = bytes(24)
    for name in imports:
        at = names.index(b"\0" + name.encode() + b"\0") + 1
        symbols += struct.pack("<IBBHQQ", at, 0x12, 0, 0, 0, 0)
    places = [("", 0, (0, 0), 0), (".dynsym", elf.SHT_DYNSYM, put(symbols), 2),
              (".dynstr", 3, put(names), 0)]
    places += [(name, 7, put(content), 0) for name, content in sections]
    headers = [(kind, flags, (0, 0)) for kind, flags in segments]
    if dynamic:
        headers.append((elf.PT_DYNAMIC, 6,
                        put(b"".join(struct.pack("<qQ", *pair) for pair in dynamic))))
    titles = b"".join(name.encode() + b"\0" for name, *_ in places) + b".shstrtab\0"
    places.append((".shstrtab", 3, put(titles), 0))
    program_headers = len(body)
    for kind_, flags, (at, size) in headers:
        body += struct.pack("<IIQQQQQQ", kind_, flags, at, 0, 0, size, size, 8)
    section_headers, title = len(body), 0
    for name, section_kind, (at, size), link in places:
        body += struct.pack("<IIQQQQIIQQ", title, section_kind, 0, 0, at, size, link, 0, 1, 0)
        title += len(name) + 1
    body[:64] = struct.pack("<16sHHIQQQIHHHHHH", b"\x7fELF\x02\x01\x01", kind, elf.EM_X86_64, 1, 0,
                            program_headers, section_headers, 0, 64, 56, len(headers), 64,
                            len(places), len(places) - 1)
    return bytes(body)


SEGMENTS = {"code": (elf.PT_LOAD, 5), "data": (elf.PT_LOAD, 6), "stack": (elf.PT_GNU_STACK, 6),
            "relro": (elf.PT_GNU_RELRO, 4)}
DYNAMIC = {elf.DT_FLAGS: elf.DF_BIND_NOW, elf.DT_FLAGS_1: elf.DF_1_NOW | elf.DF_1_PIE}
IMPORTS = ("malloc", "__stack_chk_fail", "__memcpy_chk")


def program(kind=elf.ET_DYN, segments=None, dynamic=None, imports=IMPORTS):
    return elf.ElfFile(write(kind, (segments or SEGMENTS).values(), (dynamic or DYNAMIC).items(),
                             imports))


class HardeningTest(unittest.TestCase):
    def one_fault(self, says, **how):
        faults = check.faults_of_program(program(**how))
        self.assertEqual(len(faults), 1, faults)
        self.assertIn(says, faults[0])

    def test_a_hardened_program_passes(self):
        self.assertEqual(check.faults_of_program(program()), [])
        self.assertEqual(check.faults_of_generated(program()), [])

    def test_fixed_address(self):
        self.one_fault("-pie", kind=2)
        self.one_fault("-pie", dynamic=DYNAMIC | {elf.DT_FLAGS_1: elf.DF_1_NOW})

    def test_executable_stack(self):
        self.one_fault("executable stack", segments=SEGMENTS | {"stack": (elf.PT_GNU_STACK, 7)})
        without = {name: flags for name, flags in SEGMENTS.items() if name != "stack"}
        self.one_fault("executable stack", segments=without)

    def test_writable_tables(self):
        without = {name: flags for name, flags in SEGMENTS.items() if name != "relro"}
        self.one_fault("-z relro", segments=without)

    def test_lazy_binding(self):
        self.one_fault("-z now", dynamic={elf.DT_FLAGS_1: elf.DF_1_PIE})

    def test_relocated_code(self):
        self.one_fault("-z text", dynamic=DYNAMIC | {elf.DT_TEXTREL: 0})
        self.one_fault("-z text",
                       dynamic=DYNAMIC | {elf.DT_FLAGS: elf.DF_BIND_NOW | elf.DF_TEXTREL})

    def test_writable_code(self):
        self.one_fault("writable and executable", segments=SEGMENTS | {"code": (elf.PT_LOAD, 7)})

    def test_unguarded_stack(self):
        self.one_fault("guards no stack", imports=("malloc", "__memcpy_chk"))
        file = program(imports=("malloc",))
        self.assertEqual(check.faults_of_program(file, guarded=False), [])

    def test_unchecked_buffers(self):
        file = program(imports=("malloc", "__stack_chk_fail"))
        self.assertEqual(check.faults_of_program(file, fortified=False), [])
        self.one_fault("_FORTIFY_SOURCE", imports=("malloc", "__stack_chk_fail"))

    def test_folders_of_libraries(self):
        file = program(dynamic=DYNAMIC | {elf.DT_RUNPATH: 0})
        self.assertEqual(len(check.faults_of_generated(file)), 1)

    def test_objects(self):
        def faults(*sections):
            return check.faults_of_object(elf.ElfFile(write(elf.ET_REL, sections=sections)))

        stack = (".note.GNU-stack", b"")
        self.assertEqual(faults(stack, (".note.gnu.property", NOTE)), [])
        self.assertEqual(len(faults(("x", b""), (".note.gnu.property", NOTE))), 1)
        self.assertIn("IBT and SHSTK", faults(stack)[0])
        only_ibt = NOTE.replace(struct.pack("<II", 3, 0), struct.pack("<II", elf.IBT, 0))
        self.assertIn("for SHSTK", faults(stack, (".note.gnu.property", only_ibt))[0])

    def test_archives(self):
        def member(name, content):
            head = f"{name:<16}{0:<12}{0:<6}{0:<6}{644:<8}{len(content):<10}`\n".encode()
            return head + content + b"\n" * (len(content) % 2)

        archive = (b"!<arch>\n" + member("/", b"abc") + member("//", b"a_very_long_name.o/\n")
                   + member("a.o/", b"odd") + member("/0", b"even"))
        self.assertEqual(list(elf.members(archive)),
                         [("a.o", b"odd"), ("a_very_long_name.o", b"even")])

    def test_no_elf_file(self):
        with self.assertRaises(ValueError):
            elf.ElfFile(b"#!/bin/sh\n")


if __name__ == "__main__":
    unittest.main()
