"""Record files that contain their own digest, so that changes are noticed when they are read."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

from nliprobe.base.errors import StoreError
from nliprobe.base.fields import Fields
from nliprobe.base.files import json_bytes, read_json, write_atomic
from nliprobe.base.hashing import digest_text

DIGEST = "digest"


def sealed(content: Mapping[str, object]) -> bytes:
    """Return a record as the bytes of its file, with the digest of everything else at the end."""
    return json_bytes({**content, DIGEST: _digest(content)})


def write_sealed(path: Path, content: Mapping[str, object]) -> None:
    """Write a record with its digest, completely or not at all."""
    write_atomic(path, sealed(content))


def read_sealed(path: Path) -> Fields:
    """Read a record that :func:`write_sealed` wrote; one that was altered since is a :class:`StoreError`."""
    return check_seal(path, read_json(path))


def check_seal(path: Path, content: Mapping[str, object]) -> Fields:
    """Return the values of a record if its digest is right; otherwise raise a :class:`StoreError`."""
    fields = Fields(str(path), content)
    stored = fields.text(DIGEST)
    rest = {key: value for key, value in content.items() if key != DIGEST}
    if stored != _digest(rest):
        raise StoreError(
            f"{path} was altered after nliprobe wrote it: its digest does not fit its content. "
            "Restore it from a copy, or make the run again in another folder."
        )
    return fields


def _digest(content: Mapping[str, object]) -> str:
    return digest_text(json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=False))
