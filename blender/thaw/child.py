"""The command `thaw`: where it is, and one run of it. No part of Blender is needed here."""

import json
import os
import shutil
import subprocess
import tempfile
import threading

NAME = "thaw.exe" if os.name == "nt" else "thaw"
_PATIENCE = 2  # seconds to put things away


class Failure(Exception):
    """What Blender shows as an error."""


def find(stated=""):
    """The path of the preferences, else the one beside this file, else the one on PATH."""
    if stated:
        if not os.path.isfile(stated):
            raise Failure(f"Preferences: no file {stated}. Set the path of the command thaw there.")
        return stated
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), NAME)
    found = beside if os.path.isfile(beside) else shutil.which("thaw")
    if found is None:
        raise Failure("The command thaw is not on PATH. Unpack it next to the extension, or set its path in the preferences.")
    return found


class Run:
    """A run of the command, which can be watched and stopped."""

    def __init__(self, command, *words):
        self._lines = []
        self.share = None  # of the work that is done, once it is known
        try:
            self._process = subprocess.Popen([command, *map(str, words)], stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                             stderr=subprocess.STDOUT, env={**os.environ, "NO_COLOR": "1"})
        except OSError as error:
            raise Failure(f"{command}: {error.strerror}") from error
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def _read(self):
        for line in self._process.stdout:
            text = line.decode(errors="replace").rstrip()
            if not self._take_progress(text):
                self._lines.append(text)

    def _take_progress(self, text):
        if not (text.startswith("{") and '.progress/' in text):
            return False
        try:
            jobs = json.loads(text).get("jobs", [])
            shares = [job["done"] / job["total"] for job in jobs if job.get("total")]
        except (ValueError, TypeError, KeyError, AttributeError):
            return False
        if shares:
            self.share = min(shares)
        return True

    def is_done(self):
        return self._process.poll() is not None

    def wait(self):
        self._process.wait()

    def stop(self):
        self._process.terminate()
        try:
            self._process.wait(_PATIENCE)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()

    def lines(self):
        """What it printed; raises Failure with that if it failed. Waits for the end."""
        status = self._process.wait()
        self._reader.join()
        if status not in (0, 1):
            errors = [line for line in self._lines if " error " in line] or self._lines
            raise Failure("\n".join(errors) or f"thaw ended with status {status}")
        return self._lines


def folder():
    """A folder that is gone after `with`."""
    return tempfile.TemporaryDirectory(prefix="thaw-blender-")
