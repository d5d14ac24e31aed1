"""JUnit XML of a gate, which continuous integration shows as test results."""

from __future__ import annotations

import re
from xml.etree import ElementTree as ET

from nliprobe.analysis.compare.documents import GateCheck, GateDocument

# XML 1.0 has no way to write most control characters, lone surrogates and two non-characters, not even escaped.
_FORBIDDEN = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def junit(document: GateDocument) -> bytes:
    """Write a gate as JUnit XML: a test case per check, with a failure if it did not pass."""
    checks = document["checks"]
    failed = sum(not check["passed"] for check in checks)
    counts = {"tests": str(len(checks)), "failures": str(failed), "errors": "0", "skipped": "0"}
    root = ET.Element("testsuites", {"name": "nliprobe gate", **counts})
    suite = ET.SubElement(root, "testsuite", {"name": _clean(f"nliprobe gate {document['run']['folder']}"), **counts})
    for check in checks:
        _add(suite, check)
    sides = [side for side in (document["run"], document["baseline"]) if side is not None]
    said = [*(line for side in sides for line in side["integrity"]["warnings"]), *document["notes"]]
    if said:
        ET.SubElement(suite, "system-out").text = _clean("\n".join(said))
    ET.indent(root)
    content: bytes = ET.tostring(root, encoding="utf-8", xml_declaration=True)
    return content + b"\n"


def _add(suite: ET.Element, check: GateCheck) -> None:
    where = ".".join(part for part in ("nliprobe", check["corpus"], check["probe"]) if part)
    name = f"{check['name']} ({check['system']}, {check['kind']})"
    case = ET.SubElement(suite, "testcase", {"classname": _clean(where), "name": _clean(name)})
    properties = ET.SubElement(case, "properties")
    for key, value in check_properties(check):
        ET.SubElement(properties, "property", {"name": key, "value": _clean(value)})
    reason = _clean(check["reason"])
    if check["passed"]:
        ET.SubElement(case, "system-out").text = reason
    else:
        ET.SubElement(case, "failure", {"message": reason, "type": check["kind"]}).text = reason


def check_properties(check: GateCheck) -> list[tuple[str, str]]:
    """Return the numbers of a check as names and values, as far as it has them."""
    low, high = check["ci95"] or (None, None)
    numbers = {
        "n": check["n"],
        "groups": check["groups"],
        "value": check["value"],
        "ci95_low": low,
        "ci95_high": high,
        "level": check["level"],
        "bound": check["bound"],
        "limit": check["limit"],
    }
    return [(f"nliprobe.{name}", str(value)) for name, value in numbers.items() if value is not None]


def _clean(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
