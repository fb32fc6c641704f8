"""Parquet files in parts of some row groups each, which tasks read on their own machine."""

import os
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from glob import glob
from pathlib import Path
from typing import Any, NamedTuple

import pyarrow as pa
from pyarrow import parquet as pq

PART = 64 << 20
"""The least size of a part: bytes of row groups, uncompressed."""


class RowGroups(NamedTuple):
    """Some row groups of a file."""

    file: str
    groups: Sequence[int]
    schema: pa.Schema

    def read(self) -> pa.Table:
        """All columns of the schema; nulls for a column that the file does not have."""
        with _naming(self.file), pq.ParquetFile(self.file, pre_buffer=False) as opened:
            table = opened.read_row_groups(list(self.groups))
            columns = [
                table[field.name].cast(field.type)
                if field.name in table.column_names
                else pa.nulls(len(table), field.type)
                for field in self.schema
            ]
            return pa.Table.from_arrays(columns, schema=self.schema)


def row_groups(paths: Any) -> tuple[pa.Schema, list[RowGroups]]:
    """The common schema and the parts of files, folders and glob patterns. Files may differ in the width of numbers, in
    dictionary encoding, in the order of columns, and in columns without a value."""
    several = [paths] if isinstance(paths, (str, os.PathLike)) else list(paths)
    files = [name for path in several for name in _files(os.fspath(path))]
    read = list(map(_metadata, files))
    schema = _common([metadata.schema.to_arrow_schema() for metadata in read], files)
    groups = [
        RowGroups(file, groups_of_part, schema)
        for file, metadata in zip(files, read, strict=True)
        for groups_of_part in _parts(metadata)
    ]
    return schema, groups


def _files(path: str) -> list[str]:
    """A file; or the files of a folder or a glob pattern, sorted by name."""
    if "://" in path:
        raise ValueError(f"{path} is an address, and tasks open paths; give session.read.parquet({path!r}) instead")
    files = sorted(map(str, Path(path).glob("*.parquet")) if Path(path).is_dir() else glob(path))  # noqa: PTH207
    if not files:
        raise FileNotFoundError(2, "there is no Parquet file of this name, or in this folder", path)
    return files


@contextmanager
def _naming(file: str) -> Iterator[None]:
    """Adds the name of the file to an error of Arrow, which is an ArrowException or a ValueError."""
    try:
        yield
    except (pa.ArrowException, ValueError) as error:
        raise ValueError(f"{file}: {error}") from None


def _metadata(file: str) -> pq.FileMetaData:
    with _naming(file):
        return pq.read_metadata(file)


def _parts(metadata: pq.FileMetaData) -> list[list[int]]:
    """Lists of neighbouring row groups, each with PART bytes or a little more."""
    parts, size = list[list[int]](), PART
    for group in range(metadata.num_row_groups):
        if size >= PART:
            parts.append([])
            size = 0
        parts[-1].append(group)
        size += metadata.row_group(group).total_byte_size
    return parts


def _common(schemas: Sequence[pa.Schema], files: Sequence[str]) -> pa.Schema:
    """The schema that all files can be read with. Raises ValueError if there is none."""
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
