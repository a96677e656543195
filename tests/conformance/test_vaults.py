"""Every vault: one code for an original, no code for two, whoever asks and however often."""

from __future__ import annotations

import hashlib
import itertools
import multiprocessing
import sqlite3
import stat
from contextlib import closing
from pathlib import Path

import pytest

from adapter.config.database_urls import Kind
from adapter.config.settings import load_settings
from adapter.errors import RuleError, SurrogateError
from adapter.surrogates import Key
from adapter.vault.registry import STORES, VAULTS
from adapter.vault.sqlite import SqliteVault
from adapter.vault.store import erase, open_vault
from tests.postgres import postgres, stop

KEY = Key("k", bytes(32))
CANARY = "Quillfeather"


@pytest.fixture(scope="session")
def server():
    """The address of a PostgreSQL."""
    with postgres() as (url, _):
        yield url


_DATABASES = itertools.count()


def sqlite(_request, folder):
    """A file that is not there yet."""
    return f"sqlite:///{folder / 'vault.db'}"


def postgresql(request, _folder):
    """A database of its own."""
    server = request.getfixturevalue("server")
    import psycopg  # noqa: PLC0415 - an extra

    name = f"vault{next(_DATABASES)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")
    return server.replace("/postgres?", f"/{name}?")


def postgres_for_short(request, folder):
    """The same under the other scheme that libpq reads."""
    return postgresql(request, folder).replace("postgresql://", "postgres://", 1)


CASES = {"sqlite": sqlite, "postgresql": postgresql, "postgres": postgres_for_short}
"""Scheme -> the address of an empty vault."""


@pytest.fixture(params=STORES)
def url(request, tmp_path):
    """The address of an empty vault of each scheme."""
    return CASES[request.param](request, tmp_path)


def test_every_store_is_tested_here():
    """A store is tested by being listed, and is asked for by the scheme it is listed under."""
    assert STORES.keys() == CASES.keys()
    for scheme, store in STORES.items():
        assert store.form.startswith(scheme)


@pytest.fixture
def vault(url):
    """An empty vault."""
    vault = open_vault(url)
    yield vault
    vault.close()


def original(number):
    """What the vault would know a number by."""
    return hashlib.sha256(str(number).encode()).digest()


def hexadecimal(seed):
    """A code that is nobody else's."""
    return seed.hex()


def test_an_original_keeps_its_seed(url, vault):
    """The same original and attempt have the same 32 bytes, for whoever opens the vault."""
    first = vault.seed(original(1), 0, hexadecimal)
    other = open_vault(url)
    assert (32, first) == (len(first), other.seed(original(1), 0, hexadecimal))
    assert 3 == len(
        {first, vault.seed(original(1), 1, bytes.hex), vault.seed(original(2), 0, bytes.hex)}
    )
    assert 3 == other.count()
    other.close()


def test_no_two_originals_have_one_code(vault):
    """A code that is taken is drawn again, until there is none left."""
    codes = [vault.seed(original(n), 0, lambda seed: str(seed[0] % 8))[0] % 8 for n in range(8)]
    assert set(range(8)) == set(codes)
    with pytest.raises(SurrogateError, match="surrogate/no-candidate"):
        vault.seed(original(9), 0, lambda seed: str(seed[0] % 8))


def test_an_erased_original_is_forgotten(vault):
    """Its seed is drawn anew; the code it had stays taken; others stay."""
    first = vault.seed(original(1), 0, hexadecimal)
    vault.seed(original(1), 1, lambda _seed: "taken")
    second = vault.seed(original(2), 0, hexadecimal)
    assert (2, 0, 1) == (vault.erase(original(1)), vault.erase(original(1)), vault.count())
    assert first != vault.seed(original(1), 0, hexadecimal)
    assert second == vault.seed(original(2), 0, hexadecimal)
    codes = itertools.chain(["taken"], map(str, itertools.count()))
    vault.seed(original(3), 0, lambda _seed: next(codes))
    assert "1" == next(codes)


def test_a_number_is_erased_with_whom_it_stands_for(vault):
    """However a number is written, its codes and its patient's are erased."""
    key = Key("k", bytes(32), vault)
    key.person("id:00812345")
    key.own("digits", "812345", 0, lambda own: own.secret.hex())
    assert (2, 0) == (erase(vault, key, "00-812-345"), vault.count())


def _ask(url, codes, out, offset):
    vault = open_vault(url)
    asked = [(offset + n) % codes for n in range(codes)]
    found = {
        n: vault.seed(original(n), 0, lambda seed: str(int.from_bytes(seed) % (4 * codes)))
        for n in asked
    }
    vault.close()
    out.put(found)


def test_processes_agree(url):
    """Four processes that ask for the same originals at once get the same codes, all distinct."""
    context = multiprocessing.get_context("spawn")
    out, codes = context.Queue(), 150
    processes = [
        context.Process(target=_ask, args=(url, codes, out, n * codes // 4)) for n in range(4)
    ]
    for process in processes:
        process.start()
    answers = [out.get(timeout=120) for _ in processes]
    for process in processes:
        process.join()
    assert [answers[0]] * 4 == answers
    assert codes == len({int.from_bytes(seed) % (4 * codes) for seed in answers[0].values()})


def test_nothing_of_an_original_is_stored(url, vault):
    """The database's own bytes have codes and MACs, never an original."""
    key = Key("k", bytes(32), vault)
    key.person(f"name:{CANARY}|john|19600102")
    key.own("letters", CANARY, 0, lambda own: own.secret.hex())
    vault.close()
    if url.startswith("sqlite"):
        path = Path(url.removeprefix("sqlite:///"))
        stored = b"".join(file.read_bytes() for file in path.parent.glob(f"{path.name}*"))
        assert 0o600 == stat.S_IMODE(path.stat().st_mode)
    else:
        import psycopg  # noqa: PLC0415 - an extra

        with psycopg.connect(url) as connection:
            rows = connection.execute("SELECT * FROM deid_code").fetchall()
        stored = repr(rows).encode()
    assert (True, False) == (len(stored) > 100, CANARY.encode() in stored)


def test_a_file_is_on_disk_once_a_message(tmp_path, monkeypatch):
    """Codes wait for the disk together, and nothing waits where none was asked for."""
    vault = SqliteVault(tmp_path / "vault.db")
    waits = []
    monkeypatch.setattr("adapter.vault.sqlite.os.fsync", waits.append)
    for number in range(5):
        vault.seed(original(number), 0, hexadecimal)
    assert [] == waits
    vault.settle()
    vault.settle()
    assert 1 == len(waits)
    SqliteVault(tmp_path / "vault.db").settle()
    assert 1 == len(waits)


def test_a_server_has_it_on_disk_once_a_message(server):
    """Commits of codes do not wait; settling waits for all of them."""
    import psycopg  # noqa: PLC0415 - an extra

    flushed = "SELECT pg_current_wal_flush_lsn() >= pg_current_wal_insert_lsn()"
    vault = open_vault(server)
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute("CHECKPOINT")
        vault.seed(original("wal"), 0, hexadecimal)
        before = connection.execute(flushed).fetchone()[0]
        vault.settle()
        assert (False, True) == (before, connection.execute(flushed).fetchone()[0])
    vault.close()


def test_a_locked_file_is_a_failure_with_a_code(tmp_path):
    """Another who holds the file too long makes the message be held, not released."""
    path = tmp_path / "vault.db"
    vault = SqliteVault(path, patience=0.1)
    vault.seed(original(1), 0, hexadecimal)
    with closing(sqlite3.connect(path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(SurrogateError, match="surrogate/no-vault"):
            vault.seed(original(2), 0, hexadecimal)
        other.rollback()
    assert 32 == len(vault.seed(original(2), 0, hexadecimal))


def test_a_server_that_went_away_is_a_failure_with_a_code():
    """Without the server messages are held; when connections were cut meanwhile, it goes on."""
    with postgres() as (url, server):
        import psycopg  # noqa: PLC0415 - an extra

        vault = open_vault(url)
        first = vault.seed(original(1), 0, hexadecimal)
        with psycopg.connect(url, autocommit=True) as connection:
            connection.execute(
                "SELECT pg_terminate_backend(pid) FROM pg_stat_activity"
                " WHERE pid <> pg_backend_pid() AND backend_type = 'client backend'"
            )
        assert first == vault.seed(original(1), 0, hexadecimal)
        stop(server)
        with pytest.raises(SurrogateError, match="surrogate/no-vault"):
            vault.seed(original(1), 0, hexadecimal)


@pytest.mark.parametrize("where", ["sqlite:////no/such/folder/v.db", "postgresql://127.0.0.1:9/x"])
def test_a_vault_that_cannot_be_reached_refuses_to_start(where):
    """The error names the setting, and nothing of the address."""
    if where.startswith("postgres"):
        pytest.importorskip("psycopg")
    with pytest.raises(RuleError, match=r"^vault\.url: the database cannot be opened or used$"):
        open_vault(where)


def test_a_store_is_added_by_its_line(tmp_path, monkeypatch):
    """Settings take its addresses, relative files are theirs, and the vault is what it makes."""
    paths = []

    def make(url):
        paths.append(Path(url.partition(":///")[2]))
        return SqliteVault(paths[0])

    monkeypatch.setitem(STORES, "shelf", Kind("shelf:///FILE", make, a_file=True))
    file = tmp_path / "adapter.toml"
    file.write_text('[vault]\nurl = "shelf:///codes.db"\n')
    vault = open_vault(load_settings(file).vault.url)
    assert (0, [tmp_path / "codes.db"]) == (vault.count(), paths)
    vault.close()


@pytest.mark.parametrize("url", ["mysql://x", "sqlite:///", "sqlite://x", "sqlite", "://x", "x"])
def test_an_address_of_no_store_is_refused(url, tmp_path):
    """The error names the setting and every form there is, and nothing of the address."""
    result = r"^vault\.url: must be sqlite:///FILE or postgresql://\.\.\.$"
    with pytest.raises(RuleError, match=result):
        VAULTS.located(url, tmp_path)
    with pytest.raises(RuleError, match=result):
        open_vault(url)
