"""Hash content; the hash is the identity of everything that is stored or cached."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import blake2b
from pathlib import Path

# 96 bits: with a thousand million ids the probability of any collision is below 1e-11.
DIGEST_BYTES = 12
# Joins the parts of an identity; the record separator does not occur in text people write.
SEPARATOR = "\x1e"


def digest(*parts: str) -> str:
    """Hash strings into a 24-character id; parts are kept apart, so ("ab","c") differs from ("a","bc")."""
    text = SEPARATOR.join([f"{len(part)}:{part}" for part in parts])
    return digest_text(text)


def digest_text(text: str) -> str:
    """Hash one string that the caller has already made unambiguous."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES).hexdigest()


def begin_digest(text: str) -> blake2b:
    """Hash the beginning of texts that share it; :func:`finish_digest` hashes the rest of each."""
    return blake2b(text.encode("utf-8", "surrogatepass"), digest_size=DIGEST_BYTES)


def finish_digest(begun: blake2b, text: str) -> str:
    """Return what :func:`digest_text` gives for the beginning and this text together."""
    whole = begun.copy()
    whole.update(text.encode("utf-8", "surrogatepass"))
    return whole.hexdigest()


def digest_bytes(*content: bytes | memoryview) -> str:
    """Hash the content of one file, given in pieces that follow one another."""
    total = blake2b(digest_size=DIGEST_BYTES)
    for piece in content:
        total.update(piece)
    return total.hexdigest()


def digest_file(path: Path) -> str:
    """Hash the content of one file, read block by block."""
    total = blake2b(digest_size=DIGEST_BYTES)
    with path.open("rb") as stream:
        while block := stream.read(1 << 20):
            total.update(block)
    return total.hexdigest()


def digest_files(files: Iterable[Path]) -> str:
    """Hash the names and contents of files, in the order given."""
    total = blake2b(digest_size=DIGEST_BYTES)
    for path in files:
        total.update(path.name.encode("utf-8", "surrogateescape") + b"\0")
        # Without a buffer: a corpus may be thousands of small files, and each is read by two calls instead of four.
        with path.open("rb", buffering=0) as stream:
            while block := stream.read(1 << 20):
                total.update(block)
        total.update(b"\0")
    return total.hexdigest()
