"""Parquet files in parts, which are some of their row groups, for tasks to read where they run."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import parquet as pq

PART = 64 << 20
"""Bytes of row groups, as they are in memory, that are a part."""


class RowGroups(NamedTuple):
    """Some row groups of a file."""

    file: str
    groups: Sequence[int]
    schema: pa.Schema

    def read(self) -> pa.Table:
        """All columns of the schema; null where the file lacks one."""
        with _naming(self.file), pq.ParquetFile(self.file, pre_buffer=False) as opened:
            found = opened.read_row_groups(list(self.groups))
            columns = [
                found[field.name].cast(field.type)
                if field.name in found.column_names
                else pa.nulls(len(found), field.type)
                for field in self.schema
            ]
            return pa.Table.from_arrays(columns, schema=self.schema)


def row_groups(paths: Any) -> tuple[pa.Schema, list[RowGroups]]:
    """The parts of files, folders and patterns of names, and the schema by which all are read: files may differ in the
    width of numbers, in what is encoded as a dictionary, in the order of columns, and in columns without a value."""
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    files = [name for path in several for name in _files(os.fspath(path))]
    read = list(map(_metadata, files))
    schema = _common([metadata.schema.to_arrow_schema() for metadata in read], files)
    groups = [
        RowGroups(file, some, schema) for file, metadata in zip(files, read, strict=True) for some in _parts(metadata)
    ]
    return schema, groups


def _files(path: str) -> list[str]:
    """A file; or those of a folder or a pattern, by their names."""
    if "://" in path:
        raise ValueError(f"{path} is an address, and tasks open paths; give session.read.parquet({path!r}) instead")
    found = sorted(map(str, Path(path).glob("*.parquet")) if Path(path).is_dir() else glob(path))  # noqa: PTH207
    if not found:
        raise FileNotFoundError(2, "there is no Parquet file of this name, or in this folder", path)
    return found


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """Names the file in an error of Arrow's, which is one of its own or a ValueError."""
    try:
        yield
    except (pa.ArrowException, ValueError) as error:
        raise ValueError(f"{file}: {error}") from None


def _metadata(file: str) -> pq.FileMetaData:
    with _naming(file):
        return pq.read_metadata(file)


def _parts(metadata: pq.FileMetaData) -> list[list[int]]:
    """Neighbouring row groups, PART bytes or a little more at a time."""
    found, size = list[list[int]](), PART
    for group in range(metadata.num_row_groups):
        if size >= PART:
            found.append([])
            size = 0
        found[-1].append(group)
        size += metadata.row_group(group).total_byte_size
    return found


def _common(schemas: Sequence[pa.Schema], files: Sequence[str]) -> pa.Schema:
    plain = [pa.schema([(field.name, _plain(field.type)) for field in schema]) for schema in schemas]
    common = plain[0]
    for schema, file in zip(plain[1:], files[1:], strict=True):
        try:
            common = pa.unify_schemas([common, schema], promote_options="permissive")
        except (pa.ArrowTypeError, pa.ArrowInvalid) as error:
            raise ValueError(f"{file} has other columns than {files[0]}: {error}") from None
    return common


def _plain(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind
