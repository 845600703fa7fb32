#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What executables refuse of .npz files."""

import io
import pathlib
import struct
import warnings
import zipfile

import harness
from feed_program import FeedProgram, described, npy
from harness import BAD_GRAPH, INPUT_OUTPUT, USAGE, add


def archive(members, compression=zipfile.ZIP_DEFLATED):
    """A zip archive of (name, bytes)."""
    content = io.BytesIO()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about names that occur twice
        with zipfile.ZipFile(content, "w", compression) as file:
            for name, data in members:
                file.writestr(name, data)
    return content.getvalue()


def patched(content, mark, offset, data):
    """With other bytes at an offset from each occurrence of a header's mark."""
    parts = content.split(mark)
    for i in range(1, len(parts)):
        at = offset - len(mark)
        parts[i] = parts[i][:at] + data + parts[i][at + len(data):]
    return mark.join(parts)


LOCAL, ENTRY, END = b"PK\x03\x04", b"PK\x01\x02", b"PK\x05\x06"
X_NPY = npy(described())
GOOD = archive([("x.npy", X_NPY), ("other.npy", X_NPY)])


class Archives(FeedProgram):
    """item 111: .npz files"""

    def feed_npz(self, content, key="x"):
        path = self.write("x.npz", content)
        return [self.program, f"--input=x=@{path}[{key}]", "--output=y=@out.npy"]

    def test_good_archives_are_accepted(self):
        expected = self.accepted(self.feed(X_NPY)[:2]).out
        for content in (GOOD, archive([("x.npy", X_NPY)], zipfile.ZIP_STORED)):
            self.assertEqual(self.accepted(self.feed_npz(content)[:2]).out, expected)

    def test_files_of_numpy_are_accepted(self):
        expected = self.accepted(self.feed(X_NPY)[:2]).out
        for name in ("savez.npz", "savez_compressed.npz"):
            path = pathlib.Path(__file__).parent / "numpy" / name
            flags = [f"--input=x=@{path}[x]", f"--expected=y=@{path}[minus x]"]
            self.accepted([self.program, *flags])
            self.assertEqual(self.accepted([self.program, flags[0]]).out, expected)

    def test_item_111_usage(self):
        for path in ("x.npz", "x.npz[", "x.npz]", "x[x]"):
            self.refused(USAGE, [self.program, f"--input=x=@{path}"], "*.npz[KEY]", path)
        self.refused(INPUT_OUTPUT, [self.program, "--input=x=@missing.npz[x]"], "missing.npz")

    def test_item_111_zip_bomb(self):
        """A small file with a huge array is refused before the array is inflated."""
        bomb = npy(described(shape=f"({1 << 24},)"), bytes(1 << 26))
        content = archive([("x.npy", bomb)])
        self.assertLess(len(content), 100_000)
        self.refused(BAD_GRAPH, self.feed_npz(content), f"got f32[{1 << 24}]")
        liar = patched(patched(content, LOCAL, 22, struct.pack("<I", 1000)),
                       ENTRY, 24, struct.pack("<I", 1000))
        self.refused(BAD_GRAPH, self.feed_npz(liar), "expected 67108864 bytes")

    def test_item_111_memory_limit(self):
        """Where the shape is the caller's choice, the limit on memory holds."""
        big = npy(described("'<i4'", shape=f"({1 << 22},)"), bytes(1 << 24))
        path = self.write("x.npz", archive([("i.npy", big)]))
        self.refused(14, [self.program, "--signature=whole", f"--input=i=@{path}[i]",
                          "--memory-limit=8M"], "x.npz", "16777216")

    def test_item_111_path_traversal(self):
        """Names are keys: nothing is ever written."""
        content = archive([("../evil.npy", X_NPY), ("/tmp/evil.npy", X_NPY), ("x.npy", X_NPY)])
        self.accepted(self.feed_npz(content)[:2])
        self.accepted(self.feed_npz(content, "../evil")[:2])
        self.assertFalse((self.folder.parent / "evil.npy").exists())


def add_npz(title, content, *says, key="x"):
    add(Archives, 111, title,
        lambda self: self.refused(BAD_GRAPH, self.feed_npz(content, key), "x.npz", *says))


def flags_of(bits):
    return patched(patched(GOOD, LOCAL, 6, bits), ENTRY, 8, bits)


def swapped_members():
    """The directory says that both names lie where the first one does."""
    return patched(archive([("a.npy", X_NPY), ("x.npy", X_NPY)]), ENTRY, 42, bytes(4))


for arguments in [
    ("empty file", b"", "end record"),
    ("no archive", X_NPY, "end record"),
    ("only an end record", END + bytes(18), "no arrays"),
    ("missing key", GOOD, "'nix'", "'other'", {"key": "nix"}),
    ("encrypted", flags_of(b"\x01\x00"), "encrypted"),
    ("strongly encrypted", flags_of(b"\x41\x00"), "encrypted"),
    ("encrypted directory", flags_of(b"\x00\x20"), "encrypted"),
    ("duplicate member", archive([("x.npy", X_NPY), ("x.npy", X_NPY)]), "twice"),
    ("overlapping members", swapped_members(), "x.npy"),
    ("checksum", patched(patched(GOOD, LOCAL, 14, b"abcd"), ENTRY, 16, b"abcd"), "checksum"),
    ("header differs", patched(GOOD, LOCAL, 14, b"abcd"), "differs"),
    ("deflated data broken", GOOD[:60] + b"\xff" * 20 + GOOD[80:], "array 'x'"),
    ("data cut short", patched(patched(GOOD, LOCAL, 18, b"\x10\0\0\0"), ENTRY, 20, b"\x10\0\0\0"),
     "array 'x'"),
    ("data beyond the directory", patched(patched(GOOD, LOCAL, 18, b"\xff\xff\0\0"), ENTRY, 20,
                                          b"\xff\xff\0\0"), "beyond"),
    ("method of another kind", archive([("x.npy", X_NPY)], zipfile.ZIP_LZMA), "deflate"),
    ("zip64 sizes", patched(GOOD, ENTRY, 24, b"\xff" * 4), "4 GiB"),
    ("zip64 directory", patched(GOOD, END, 16, b"\xff" * 4), "4 GiB"),
    ("zip64 entries", patched(GOOD, END, 8, b"\xff" * 4), "4 GiB"),
    ("several disks", patched(GOOD, END, 4, b"\1\0"), "disks"),
    ("more entries than there are", patched(GOOD, END, 8, b"\3\0\3\0"), "directory"),
    ("bytes in front", b"#!" + GOOD, "directory"),
    ("bytes behind", GOOD + b"12", "end"),
    ("member is no array", archive([("x.npy", b"text")]), "npy"),
    ("member with objects", archive([("x.npy", npy(described("'|O'")))]), "|O"),
    ("data shorter than shape", archive([("x.npy", X_NPY[:-4])]), "bytes"),
]:
    how = arguments[-1] if isinstance(arguments[-1], dict) else {}
    add_npz(*(argument for argument in arguments if argument is not how), **how)


if __name__ == "__main__":
    harness.main()
