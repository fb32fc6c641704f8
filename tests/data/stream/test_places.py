"""Where tables lie."""

from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import fs
from pyarrow import parquet as pq

from likely.data import Dataset
from likely.data.stream import places


def test_a_folder_of_tables_of_any_depth(tmp_path: Path) -> None:
    for name in (
        "data/train-00000-of-00002.parquet",
        "data/b/test-0.CSV.gz",
        "README.md",
        ".cache/x.csv",
        "_temp/y.csv",
    ):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("")
    tables, others = places.tables_in(str(tmp_path))
    assert tables == [str(tmp_path / "data/b/test-0.CSV.gz"), str(tmp_path / "data/train-00000-of-00002.parquet")]
    assert others == [str(tmp_path / "README.md")]
    assert places.splits(tables) == ["test", "train"]
    assert places.tables_in(f"file://{tmp_path}")[0] == [f"file://{table}" for table in tables]
    assert places.is_folder(f"file://{tmp_path}")
    assert not places.is_folder(f"file://{tmp_path}/README.md")


def test_columns_that_folders_are_named_by() -> None:
    assert places.partition_of("s3://b/year=2024/k=a%20b/x=__HIVE_DEFAULT_PARTITION__/part=0.parquet") == {
        "year": "2024",
        "k": "a b",
        "x": None,
    }


@pytest.mark.parametrize(
    ("url", "says"),
    [
        ("https://example.org/t.csv", "is on the web; download it first"),
        ("s3://", "can't be opened"),
    ],
)
def test_urls_that_cannot_be_opened(url: str, says: str) -> None:
    with pytest.raises(ValueError, match=says):
        places.opened(url)


def test_a_url_of_no_file(tmp_path: Path) -> None:
    with pytest.raises(FileNotFoundError, match="there is no such file"):
        places.opened(f"file://{tmp_path}/none.csv")


def test_what_is_a_url() -> None:
    assert places.is_url("s3://a/b")
    assert not places.is_url("c:/a/b")
    assert places.has_files("gs://a/b")
    assert not places.has_files("postgresql://a/b")


@pytest.fixture
def bucket(monkeypatch: pytest.MonkeyPatch) -> Iterator[fs.FileSystem]:
    """A server on this machine that speaks as S3 does."""
    from moto.server import ThreadedMotoServer

    server = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    server.start()
    _, port = server.get_host_and_port()
    for name, value in {
        "AWS_ENDPOINT_URL": f"http://127.0.0.1:{port}",
        "AWS_ACCESS_KEY_ID": "ann",
        "AWS_SECRET_ACCESS_KEY": "none",
        "AWS_DEFAULT_REGION": "us-east-1",
        "AWS_EC2_METADATA_DISABLED": "true",
    }.items():
        monkeypatch.setenv(name, value)
    system = fs.S3FileSystem(endpoint_override=f"127.0.0.1:{port}", scheme="http", allow_bucket_creation=True)
    system.create_dir("shop")
    yield system
    server.stop()


def test_tables_at_s3(bucket: fs.FileSystem, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("likely.data.stream.csv_sample.PART", 64)  # so that parts are sought, not all read
    lines = "".join(f"{i},{i % 3}\n" for i in range(2000))
    with bucket.open_output_stream("shop/t.csv") as file:
        file.write(b"a,y\n" + lines.encode())
    for year in (2023, 2024):
        with bucket.open_output_stream(f"shop/sales/year={year}/0.parquet") as file:
            pq.write_table(pa.table({"a": [year - 2000]}), file)
    data = Dataset("s3://shop/t.csv")
    assert not data.whole
    assert sum(batch.table.num_rows for batch in data) == 2000
    rows = [row for batch in Dataset("s3://shop/sales") for row in batch.table.to_pylist()]
    assert rows == [{"a": 23, "year": 2023}, {"a": 24, "year": 2024}]
    for url in ("s3://shop/none.csv", "s3://none/t.csv"):
        with pytest.raises(FileNotFoundError, match="there is no such file"):
            Dataset(url).schema  # noqa: B018
