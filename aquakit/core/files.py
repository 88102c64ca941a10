"""Reads people's files so that none can do harm, writes files so that none is half-written, and finds the kit's own."""

from __future__ import annotations

import errno
import os
import stat
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from aquakit.errors import AquakitError

LARGEST = 32 * 1024 * 1024
"""So many bytes of a file are read where nothing smaller is said."""
PIECE = 1024 * 1024
_READING = os.O_RDONLY | sum(getattr(os, name, 0) for name in ("O_BINARY", "O_CLOEXEC", "O_NOCTTY", "O_NONBLOCK"))


def read_bytes(path: str | Path, most: int = LARGEST) -> bytes:
    """Reads a file that somebody named: an `OSError` in words if it is none, a device or a pipe, or too large.

    >>> read_bytes(".")
    Traceback (most recent call last):
    IsADirectoryError: [Errno 21] it is a folder: '.'
    """
    try:
        found = Path(path).stat()
    except ValueError:
        raise OSError(errno.EINVAL, "no file can have this name", str(path)) from None
    _check_regular(found, path)  # before it is opened, for to open a pipe or a device may do something
    handle = os.open(path, _READING)
    data = bytearray()
    with os.fdopen(handle, "rb") as file:
        _check_regular(os.fstat(handle), path)
        while len(data) <= most and (piece := file.read(PIECE)):  # what a file says of its size need not be so
            data += piece
    if len(data) > most:
        raise OSError(errno.EFBIG, f"it has more than {most:,} bytes", str(path))
    return bytes(data)


def _check_regular(found: os.stat_result, path: str | Path) -> None:
    if stat.S_ISDIR(found.st_mode):
        raise IsADirectoryError(errno.EISDIR, "it is a folder", str(path))
    if not stat.S_ISREG(found.st_mode):
        raise OSError(errno.EINVAL, "it is no regular file", str(path))


def read_text(path: str | Path, error: type[AquakitError], expected: str, *, most: int = LARGEST) -> str:
    """Reads a text file that somebody named; raises `error` if that cannot be."""
    try:
        text = read_bytes(path, most).decode("utf-8-sig")
    except UnicodeDecodeError:
        raise error(str(path), "cannot be read: it is not UTF-8", expected) from None
    except OSError as problem:
        raise error(str(path), f"cannot be read: {problem.strerror}", expected) from None
    return text.replace("\r\n", "\n").replace("\r", "\n")


def write_atomically(path: str | Path, text: str) -> None:
    """Writes a text file: it is there whole or not at all."""
    path = Path(path)
    handle, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        mask = os.umask(0)
        os.umask(mask)
        Path(temporary).chmod(0o666 & ~mask)
        Path(temporary).replace(path)
    except BaseException:
        Path(temporary).unlink(missing_ok=True)
        raise


def find_shipped(inside: Path, name: str) -> Path:
    """Finds a folder of data that comes with the kit.

    Where the kit is installed, it lies inside the package. A checkout has it beside the package; any other folder of
    that name, such as one that lies among installed packages, is none of the kit's.
    """
    root = Path(__file__).parents[2]
    is_checkout = (root / "pyproject.toml").is_file() and not inside.is_dir()
    return root / name if is_checkout else inside
