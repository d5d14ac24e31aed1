"""No secret of a URL survives its redaction, and what is not secret stays readable."""

from __future__ import annotations

import string
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from nliprobe.base.errors import UsageError
from nliprobe.base.registry import Spec
from nliprobe.base.urls import redact, redact_all

SECRET = st.text(string.ascii_letters + string.digits + "-_.~!$*'()+;: \"<>", min_size=6, max_size=40).map(
    "S3cr3t".__add__
)


@pytest.mark.parametrize(
    ("url", "shown"),
    [
        ("https://host/nli", "https://host/nli"),
        ("http://localhost:8000", "http://localhost:8000"),
        ("https://host/nli?api-version=2026-01-01&lang=en", "https://host/nli?api-version=2026-01-01&lang=en"),
        ("https://me@host/", "https://***@host/"),
        ("https://me:word@host:443/a@b?x=1#y", "https://***@host:443/a@b?x=1#y"),
        ("https://me:w@rd@host/", "https://***@host/"),
        ("https://me:w/rd@host/", "https://***"),
        ("https://host/?key=abc&TOKEN=abc&x=", "https://host/?key=***&TOKEN=***&x="),
        ("https://host/?0123456789abcdefghijklmnop", "https://host/?***"),
        ("https://h/x%3Fapi_key=abc&b=1?batch=8&key_env=K", "https://h/x%3Fapi_key=***&b=1?batch=8&key_env=K"),
        ("https://h/x%3Fb=1%26sig=abc%26c=2?max_tokens=8", "https://h/x%3Fb=1%26sig=***%26c=2?max_tokens=8"),
        ("https://[::1]:80/x", "https://[::1]:80/x"),
        ("https://me:word@[::1/x", "https://***"),
        ("models/mine.py:answer", "models/mine.py:answer"),
    ],
)
def test_redact(url: str, shown: str) -> None:
    assert redact(url) == shown
    assert redact(shown) == shown


@given(SECRET, st.sampled_from(["api_key", "key", "sig", "access_token", "code", "Password", "x-auth"]))
def test_no_secret_survives(secret: str, name: str) -> None:
    urls = [
        f"https://user:{quote(secret, safe='')}@host/nli",
        f"https://{quote(secret, safe='')}@host/nli",
        f"https://user:{secret}@host/nli",
        f"https://host/nli?lang=en&{name}={quote(secret, safe='')}&x=1",
        f"https://host/nli%3Flang=en&{name}={quote(secret, safe='')}?batch=3",
        f"https://user:{secret.replace(' ', '')}/more@host:80/",
    ]
    for url in urls:
        assert secret[6:] not in redact(url)
        assert "S3cr3t" not in redact(url)
        assert "S3cr3t" not in redact_all(f"before {url} after")
        assert redact_all(f"before {url} after").endswith(" after")


@pytest.mark.parametrize("text", ["http:https://me:word@host/nli?batch", "http:https://me:word@host/nli?a=1&a=2"])
def test_specs_that_do_not_parse_show_no_password(text: str) -> None:
    with pytest.raises(UsageError) as caught:
        Spec.parse(text)
    assert "word" not in str(caught.value)
    assert "https://***@host/nli" in str(caught.value)
