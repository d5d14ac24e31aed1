"""Many raters in one process, over HTTP: run as a program by the test that kills the server.

Every rater writes a line when a judgement was acknowledged: the cookie, the item as the browser calls it, the label.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import zlib
from collections import Counter
from pathlib import Path

from tests.studio.load.raters import HttpRater


async def rate(port: int, link: str, acknowledged: int) -> Counter[int]:
    """Judge until there is nothing left for this rater."""
    rater = HttpRater(port)
    await rater.join(link)
    while (offer := await rater.next()) is not None:
        # Any label will do if it is known again: one that is lost under another would be seen.
        label = "ENC"[zlib.crc32(offer.item.encode()) % 3]
        answer = await rater.judge(offer, label)
        assert answer.status == 200, answer
        # One write of one line: it is in the file, or not.
        os.write(acknowledged, (json.dumps([rater.cookie, offer.item, label]) + "\n").encode())
    rater.close()
    return rater.answers


async def main(port: int, link: str, acknowledged: Path, raters: int) -> None:
    """Let all raters work at once, and say which answers they got."""
    with acknowledged.open("ab", buffering=0) as file:
        counts = await asyncio.gather(*(rate(port, link, file.fileno()) for _ in range(raters)))
    print(json.dumps(sum(counts, Counter())))


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), sys.argv[2], Path(sys.argv[3]), int(sys.argv[4])))
