# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A copy of the project to change and build: nobody's own tree ever has a mutant in it."""

import hashlib
import os
import shutil
import signal
import subprocess
import time


class BuildFailed(Exception):
    """The mutant does not compile, or takes too long to."""


class Tree:
    """The files that git tracks, or would, below `folder`, and their build."""

    def __init__(self, project, folder, preset="release"):
        self.project, self.folder, self.preset = project, folder, preset
        self.build_folder = os.path.join(folder, "build", preset)

    def files(self):
        listing = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=self.project, check=True, stdout=subprocess.PIPE).stdout.decode()
        return [name for name in listing.split("\0")
                if name and os.path.lexists(os.path.join(self.project, name))]

    def copy(self):
        """Makes the copy equal to the project; files that are keep their times: little is built."""
        wanted = set(self.files())
        for name in wanted:
            source, target = os.path.join(self.project, name), os.path.join(self.folder, name)
            if os.path.islink(source):
                if not os.path.islink(target):
                    os.makedirs(os.path.dirname(target), exist_ok=True)
                    os.symlink(os.readlink(source), target)
                continue
            with open(source, "rb") as file:
                content = file.read()
            if self.read_bytes(target) != content:
                os.makedirs(os.path.dirname(target), exist_ok=True)
                with open(target, "wb") as file:
                    file.write(content)
                os.chmod(target, os.stat(source).st_mode)
        for parent, folders, names in os.walk(self.folder):
            if parent == self.folder and "build" in folders:
                folders.remove("build")
            for name in names:
                path = os.path.join(parent, name)
                if os.path.relpath(path, self.folder) not in wanted:
                    os.unlink(path)

    @staticmethod
    def read_bytes(path):
        try:
            with open(path, "rb") as file:
                return file.read()
        except FileNotFoundError:
            return None

    def read(self, name):
        with open(os.path.join(self.folder, name), encoding="utf-8") as file:
            return file.read()

    def times(self, name):
        """When a file was read and written last."""
        status = os.stat(os.path.join(self.folder, name))
        return status.st_atime_ns, status.st_mtime_ns

    def write(self, name, text, times=None):
        path = os.path.join(self.folder, name)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        if times:
            os.utime(path, ns=times)

    def configure(self):
        if not os.path.exists(os.path.join(self.build_folder, "build.ninja")):
            subprocess.run(["cmake", "--preset", self.preset], cwd=self.folder, check=True,
                           stdout=subprocess.DEVNULL)

    def steps(self):
        """How many steps a build would take now."""
        # A dry run ends before the first step if build.ninja is to be looked at anew, and here it
        # always is, as files may have come. Ninja does not do that to a plan of another name.
        shutil.copy(os.path.join(self.build_folder, "build.ninja"),
                    os.path.join(self.build_folder, "plan.ninja"))
        plan = subprocess.run(["ninja", "-n", "-C", self.build_folder, "-f", "plan.ninja"],
                              check=True, stdout=subprocess.PIPE, text=True)
        return sum(line.startswith("[") for line in plan.stdout.splitlines())

    def build(self, seconds=None, keep_in_cache=True, targets=()):
        """Builds everything, or some targets; BuildFailed if that fails or takes longer than
        `seconds`."""
        environment = dict(os.environ)
        if not keep_in_cache:
            environment["CCACHE_READONLY"] = "1"
        command = ["cmake", "--build", "--preset", self.preset]
        process = subprocess.Popen(command + (["--target", *targets] if targets else []),
                                   cwd=self.folder, env=environment, start_new_session=True,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        try:
            output, _ = process.communicate(timeout=seconds)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            process.communicate()
            raise BuildFailed(f"not built after {seconds:.0f} s")
        except BaseException:  # somebody stops the machine
            os.killpg(process.pid, signal.SIGKILL)
            raise
        if process.returncode:
            raise BuildFailed(output.decode(errors="replace")[-2000:])

    def objects(self, since=0):
        """Every object file that was written after a moment, with a hash of what it holds."""
        found = {}
        for parent, _, names in os.walk(self.build_folder):
            for name in names:
                path = os.path.join(parent, name)
                if name.endswith(".o") and os.stat(path).st_mtime >= since:
                    with open(path, "rb") as file:
                        found[path] = hashlib.sha256(file.read()).digest()
        return found

    def identity(self):
        """A hash of all that is built and tested, to know whether a baseline still holds."""
        digest = hashlib.sha256()
        for name in sorted(self.files()):
            if not name.startswith("test/mutation/"):
                digest.update(name.encode() + b"\0")
                digest.update(self.read_bytes(os.path.join(self.project, name)) or b"")
        return digest.hexdigest()[:16]

    @staticmethod
    def now():
        """A moment that is not after the times of files written from here on."""
        return time.time() - 0.01
