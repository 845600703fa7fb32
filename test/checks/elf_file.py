# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Reads 64-bit little-endian ELF files, and archives of them, as far as the hardening check needs."""

import struct
from dataclasses import dataclass

ET_REL, ET_DYN = 1, 3
EM_X86_64 = 62
PT_LOAD, PT_DYNAMIC, PT_GNU_STACK, PT_GNU_RELRO = 1, 2, 0x6474E551, 0x6474E552
PF_X, PF_W = 1, 2
SHT_DYNSYM = 11
DT_RPATH, DT_TEXTREL, DT_FLAGS, DT_RUNPATH, DT_FLAGS_1 = 15, 22, 30, 29, 0x6FFFFFFB
DF_TEXTREL, DF_BIND_NOW, DF_1_NOW, DF_1_PIE = 4, 8, 1, 0x08000000
NT_GNU_PROPERTY, X86_FEATURE_1_AND = 5, 0xC0000002
IBT, SHSTK = 1, 2


@dataclass
class Segment:
    kind: int
    flags: int
    offset: int
    size: int


@dataclass
class Section:
    name: str
    kind: int
    offset: int
    size: int
    link: int


class ElfFile:
    def __init__(self, data):
        if data[:6] != b"\x7fELF\x02\x01":
            raise ValueError("expected a 64-bit little-endian ELF file")
        self.data = data
        (self.kind, self.machine) = struct.unpack_from("<HH", data, 16)
        program_headers, section_headers = struct.unpack_from("<QQ", data, 32)
        entry, count, section_entry, section_count, names = struct.unpack_from("<5H", data, 54)
        self.segments = []
        for i in range(count):
            kind, flags, offset = struct.unpack_from("<IIQ", data, program_headers + i * entry)
            size, = struct.unpack_from("<Q", data, program_headers + i * entry + 32)
            self.segments.append(Segment(kind, flags, offset, size))
        rows = [struct.unpack_from("<IIQQQQI", data, section_headers + i * section_entry)
                for i in range(section_count)]
        strings = rows[names][4] if rows else 0
        self.sections = [Section(self.text(strings + row[0]), row[1], row[4], row[5], row[6])
                         for row in rows]

    def text(self, offset):
        return self.data[offset:self.data.index(b"\0", offset)].decode()

    def dynamic(self):
        """The entries of the dynamic section: {tag: value}."""
        entries = {}
        for segment in self.segments:
            if segment.kind == PT_DYNAMIC:
                for at in range(segment.offset, segment.offset + segment.size, 16):
                    tag, value = struct.unpack_from("<qQ", self.data, at)
                    entries.setdefault(tag, value)
        return entries

    def imports(self):
        """Names of functions and variables that come from libraries."""
        names = set()
        for section in self.sections:
            if section.kind != SHT_DYNSYM:
                continue
            strings = self.sections[section.link].offset
            for at in range(section.offset, section.offset + section.size, 24):
                name, _, _, index = struct.unpack_from("<IBBH", self.data, at)
                if index == 0 and name:
                    names.add(self.text(strings + name))
        return names

    def control_flow_protection(self):
        """IBT and SHSTK as far as the notes of the file say so."""
        for section in self.sections:
            if section.name != ".note.gnu.property":
                continue
            at, end = section.offset, section.offset + section.size
            while at < end:
                name_size, size, kind = struct.unpack_from("<III", self.data, at)
                at += 12 + (name_size + 3) // 4 * 4
                if kind == NT_GNU_PROPERTY and (bits := self._property(at, at + size)) is not None:
                    return bits
                at += (size + 7) // 8 * 8
        return 0

    def _property(self, at, end):
        while at < end:
            kind, size = struct.unpack_from("<II", self.data, at)
            if kind == X86_FEATURE_1_AND:
                return struct.unpack_from("<I", self.data, at + 8)[0]
            at += 8 + (size + 7) // 8 * 8
        return None


def members(archive):
    """(name, bytes) of the object files in an archive of the System V kind."""
    if archive[:8] != b"!<arch>\n":
        raise ValueError("expected an archive")
    at, long_names = 8, b""
    while at < len(archive):
        name, size = archive[at:at + 16].decode().rstrip(), int(archive[at + 48:at + 58])
        content = archive[at + 60:at + 60 + size]
        at += 60 + size + size % 2
        if name == "//":
            long_names = content
        elif name not in ("/", "/SYM64/"):
            if name[0] == "/" and name[1:].isdigit():
                name = long_names[int(name[1:]):].split(b"\n", 1)[0].decode()
            yield name.rstrip("/"), content
