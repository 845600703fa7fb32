# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A Debian 12 with nothing but its base system, in a folder that goes away.

Needs root and debootstrap. Every command gets mount and process namespaces of its own, so that no
mount and no process can outlive it, whatever becomes of this program.
"""

import os
import pathlib
import shutil
import signal
import subprocess
import sys
import tempfile

RELEASE = "bookworm"
SUITES = (RELEASE, f"{RELEASE}-updates", f"{RELEASE}-security")

# $1: the root; then pairs of a folder outside and a place inside, an empty word, and the command.
ENTER = """
set -e
root="$1"; shift
mount -t proc proc "$root/proc"
mount --rbind /dev "$root/dev"
while [ -n "$1" ]; do
  mkdir -p "$root/$2"
  mount --bind "$1" "$root/$2"
  shift 2
done
shift
exec chroot "$root" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root TERM=dumb \
  LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive "$@"
"""


def own_sources():
    """(uri, suite, component) of each Debian 12 source that this machine uses itself."""
    listing = subprocess.run(
        ["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE) $(COMPONENT)",
         "Created-By: Packages"], check=True, text=True, stdout=subprocess.PIPE).stdout
    sources = {tuple(line.split()) for line in listing.splitlines()}
    return sorted(source for source in sources
                  if len(source) == 3 and source[1] in SUITES and source[2] == "main")


def require():
    if os.geteuid() != 0:
        sys.exit("error: a fresh root needs the rights of root")
    for program, package in (("debootstrap", "debootstrap"), ("unshare", "util-linux")):
        if not shutil.which(program):
            sys.exit(f"error: cannot find {program}; apt-get install {package}")
    missing = set(SUITES) - {suite for _, suite, _ in own_sources()} - {f"{RELEASE}-updates"}
    if missing:
        sys.exit(f"error: this machine's apt sources lack {', '.join(sorted(missing))}")


class FreshRoot:
    """Use as a context: `with FreshRoot() as root: root.run("apt-get", "update")`."""

    def __init__(self, within=None):
        self.within = within

    def __enter__(self):
        require()
        # So that the folder goes away, too, when this program is told to end.
        signal.signal(signal.SIGTERM, lambda *_: sys.exit("error: told to end"))
        self.path = pathlib.Path(tempfile.mkdtemp(prefix="fresh-root-", dir=self.within))
        try:
            self.create()
        except BaseException:
            self.__exit__()
            raise
        return self

    def __exit__(self, *_):
        # Nothing is mounted here; should that ever be wrong, what is mounted stays.
        subprocess.run(["rm", "-rf", "--one-file-system", self.path], check=True)

    def create(self):
        sources = own_sources()
        mirror = next(uri for uri, suite, _ in sources if suite == RELEASE)
        log = self.path.with_suffix(".log")
        try:
            with log.open("w") as out:
                subprocess.run(["debootstrap", "--variant=minbase", RELEASE, self.path, mirror],
                               check=True, stdout=out, stderr=out)
        except subprocess.CalledProcessError:
            sys.exit("error: debootstrap failed:\n" + log.read_text()[-2000:])
        finally:
            log.unlink()
        (self.path / "etc/apt/sources.list").write_text(
            "".join(f"deb {uri} {suite} {component}\n" for uri, suite, component in sources))
        for name in ("resolv.conf", "hosts"):
            shutil.copy(f"/etc/{name}", self.path / "etc" / name)

    def run(self, *command, binds=(), **options):
        """Runs a command as root inside; `binds` are pairs (folder outside, place inside)."""
        mounts = [str(word) for pair in binds for word in pair]
        return subprocess.run(
            ["unshare", "--mount", "--propagation", "private", "--pid", "--fork", "--kill-child",
             "sh", "-c", ENTER, "sh", str(self.path), *mounts, "", *command], **options)
