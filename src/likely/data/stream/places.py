"""Where tables lie: files, folders of files, and URLs that Arrow's filesystems open."""

import os
import re
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path, PurePosixPath
from typing import Any

import pyarrow as pa

ENDINGS = frozenset(
    (
        ".csv",
        ".tsv",
        ".parquet",
        ".pq",
        ".arrow",
        ".feather",
        ".ipc",
        ".jsonl",
        ".ndjson",
        ".json",
        ".xlsx",
        ".xls",
        ".ods",
    )
)
"""Of the names of files that are tables in a folder."""
_URL = re.compile(r"[a-z][a-z0-9+.-]+://")
_SYSTEMS = frozenset(("file", "s3", "gs", "gcs", "hdfs", "viewfs", "abfs", "abfss", "http", "https"))
_PARTITION = re.compile(r"([^=]+)=(.*)")
_SPLIT = re.compile(r"(train|test|valid|validation|val|dev)(?:[-_.]|$)", re.IGNORECASE)
NULL = "__HIVE_DEFAULT_PARTITION__"


def is_url(name: str) -> bool:
    return _URL.match(name) is not None


def has_files(url: str) -> bool:
    """Whether a URL names files rather than a database."""
    return url.partition("://")[0] in _SYSTEMS


def absolute(path: str) -> str:
    """The same place from any folder."""
    return path if is_url(path) else os.path.abspath(path)  # noqa: PTH100 - without following links


def is_table(name: str) -> bool:
    return any(suffix in ENDINGS for suffix in PurePosixPath(name.lower()).suffixes)


def opened(path: str) -> Any:
    """A file that can be read from any position."""
    if not is_url(path):
        return pa.OSFile(path)
    with _naming(path):
        system, inner = _located(path)
        return system.open_input_file(inner)


def _located(url: str) -> Any:
    from pyarrow import fs

    return fs.FileSystem.from_uri(url)


@contextmanager
def _naming(url: str) -> Iterator[None]:
    """Errors become sentences that name the URL."""
    try:
        yield
    except FileNotFoundError:
        raise FileNotFoundError(2, "there is no such file", url) from None
    except (pa.ArrowException, OSError) as error:
        if url.startswith("http"):
            raise ValueError(f"{url} is on the web; download it first") from None
        raise ValueError(f"{url} can't be opened: {error}") from None


def tables_in(folder: str) -> tuple[list[str], list[str]]:
    """The tables of a folder and of the folders in it, and its other files. Files whose names begin with a dot or an
    underscore are no data: Spark and Hugging Face name them so."""
    tables, others = list[str](), list[str]()
    for below in _files(folder):
        if not any(part.startswith((".", "_")) for part in below.split("/")):
            (tables if is_table(below) else others).append(f"{folder.rstrip('/')}/{below}")
    return tables, others


def _files(folder: str) -> list[str]:
    """The paths of all files below a folder."""
    if not is_url(folder):
        found = [Path(root, name) for root, _, names in os.walk(folder) for name in names]
        return sorted(file.relative_to(folder).as_posix() for file in found)
    from pyarrow import fs

    with _naming(folder):
        system, inner = _located(folder)
        infos = system.get_file_info(fs.FileSelector(inner, recursive=True))
    return sorted(info.path.removeprefix(inner).lstrip("/") for info in infos if info.type == fs.FileType.File)


def splits(tables: Iterable[str]) -> list[str]:
    """The parts that the files of a folder are named by, such as train in `train-00000-of-00002.parquet`."""
    found = [_SPLIT.match(PurePosixPath(name).name) for name in tables]
    return sorted({part[1].lower() for part in found if part is not None})


def is_folder(name: str) -> bool:
    if not is_url(name):
        return Path(name).is_dir()
    if not has_files(name):
        return False
    from pyarrow import fs

    with _naming(name):
        system, inner = _located(name)
        return bool(system.get_file_info(inner).type == fs.FileType.Directory)


def partition_of(path: str) -> dict[str, str | None]:
    """The columns in the names of its folders, as in `year=2024/month=01/part-0.parquet`."""
    from urllib.parse import unquote

    if is_url(path) and not has_files(path):
        return {}
    found = [_PARTITION.fullmatch(part) for part in PurePosixPath(path).parts[:-1]]
    cells = {part[1]: unquote(part[2]) for part in found if part is not None}
    return {name: None if cell == NULL else cell for name, cell in cells.items()}
