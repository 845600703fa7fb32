# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Ctrl-C while a call is under way.

Python handles a signal when the main thread is back in Python, which a call may keep it from for ever.
But the system's handler writes the number of each signal to a file at once, if one was set. So the
main thread sets one during each of its calls, and a thread that reads it cancels the call. Calls of
other threads are not interrupted: no exception comes there.
"""

import os
import signal
import threading
from _thread import get_ident
from signal import set_wakeup_fd

_ACKNOWLEDGE = 0  # no signal has this number


class Watch:
    """Of the main thread's calls. What it does for each is on the way of a call that takes 3 us."""

    def __init__(self):
        self.call = None  # that is under way
        self._is_interrupted = False  # in a function that it has called
        self._previous = -1  # what else wants to know of signals
        self._end, self._file = os.pipe()
        os.set_blocking(self._file, False)
        self._acknowledged = threading.Event()
        threading.Thread(target=self._run, name="sluice-interrupts", daemon=True).start()

    def run(self, call, seconds):
        """The code of the call."""
        previous, caller = -1, self.call  # one whose function that prints makes a call
        try:
            previous = set_wakeup_fd(self._file)
            if caller is None:
                self._previous = previous
            self._is_interrupted = False
            self.call = call
            code = call._run(call.handle, seconds, call._error_pointer)
            if self._is_interrupted:
                raise KeyboardInterrupt
            return code
        except KeyboardInterrupt:
            self._finish()
            raise
        finally:
            self.call = caller
            if previous < 0:
                set_wakeup_fd(-1)
            else:
                set_wakeup_fd(previous, warn_on_full_buffer=False)

    def interrupt(self):
        self._is_interrupted = True
        self.call.cancel()

    def _finish(self):
        """The next call must not be cancelled for what was meant for this one."""
        self.call = None
        self._acknowledged.clear()
        os.write(self._file, bytes([_ACKNOWLEDGE]))
        self._acknowledged.wait(1)

    def _run(self):
        while True:
            for number in os.read(self._end, 64):
                if number == _ACKNOWLEDGE:
                    self._acknowledged.set()
                    continue
                self._pass_on(number)
                call = self.call
                # Another handler may have something else in mind, and is called after the call.
                if (call and number == signal.SIGINT and
                        signal.getsignal(number) is signal.default_int_handler):
                    call.cancel()

    def _pass_on(self, number):
        if self._previous >= 0:
            try:
                os.write(self._previous, bytes([number]))
            except OSError:
                pass  # it is full, or gone


_watch = None
_main = threading.main_thread().ident  # None where no thread is told of signals


def _begin():
    """Whether there is a watch now; interpreters beside the main one have none."""
    global _watch, _main
    try:
        set_wakeup_fd(set_wakeup_fd(-1), warn_on_full_buffer=False)
        _watch = Watch()
    except ValueError:
        _main = None
    return _watch is not None


def _begin_again():
    """In the child of a fork, which has no other threads."""
    global _watch, _main
    _watch, _main = None, get_ident()


os.register_at_fork(after_in_child=_begin_again)


def run(call, seconds):
    """The code of a call, which Ctrl-C cancels if this is the main thread."""
    if get_ident() != _main or (_watch is None and not _begin()):
        return call._run(call.handle, seconds, call._error_pointer)
    return _watch.run(call, seconds)


def called_back(function, *arguments):
    """Calls a function for a call that is under way, through which no exception gets."""
    try:
        function(*arguments)
    except KeyboardInterrupt:
        if get_ident() != _main or _watch is None or _watch.call is None:
            raise
        _watch.interrupt()
