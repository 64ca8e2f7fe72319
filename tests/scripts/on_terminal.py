"""on_terminal.py COMMAND ARGUMENT…: runs it with a terminal as its streams, and prints what the terminal was given."""

import os
import pty
import sys


def main():
    output = bytearray()

    def read(terminal):
        output.extend(data := os.read(terminal, 4096))
        return data

    # What pty.spawn copies to stdout is thrown away: the whole follows once.
    stdout = os.dup(1)
    with open(os.devnull, "wb") as nothing:
        os.dup2(nothing.fileno(), 1)
        status = pty.spawn(sys.argv[1:], read)
    os.dup2(stdout, 1)
    os.write(1, bytes(output))
    return os.waitstatus_to_exitcode(status)


if __name__ == "__main__":
    sys.exit(main())
